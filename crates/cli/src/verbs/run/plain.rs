//! The agent itself is run: started along the road, attended by the way it is told, to its end.

use super::asked::Way;
use super::telling::{Over, Telling};
use super::{caller, events, interactive, json};
use crate::house::House;
use crate::output::{Failure, Format, tell};
use crate::verbs::exec::{self, Begun, Food, Guard, Outlet, Screen, Shown, Voice, sentences};
use runward::config::Origin;
use runward::{CommandSpec, Engine, Request, Session, Streams, Terminal, host};
use runward_flow::run::Ready;

/// An agent that is ready, and how it is run.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) ready: &'a Ready,
    pub(super) way: Way,
    pub(super) house: &'a House,
}

impl Run<'_> {
    /// Runs it.
    pub(super) async fn to_its_end(&self, guard: &mut Guard, telling: &mut Telling) -> Result<Over, Failure> {
        let spec = self.spec();
        let terminal = spec.terminal;
        let session = match exec::begin(self.engine, Request::by(caller(), spec), guard).await? {
            Begun::Running(session) => session,
            Begun::Interrupted(code) => return Ok(Over::told(code)),
        };
        match (self.way, &mut telling.events) {
            (Way::Json, _) => json::attend(session, guard, self.ready).await,
            (Way::Events, Some(events)) => events::attend(session, guard, events).await,
            _ if terminal != Terminal::Pipes => {
                let receipt = interactive::attend(session, guard).await?;
                sentences(&receipt).iter().for_each(|sentence| tell(sentence));
                Ok(guard.exit_code().map_or_else(|| Over::itself(receipt.end.exit_code()), Over::told))
            }
            _ => self.pass(session, guard).await,
        }
    }

    fn spec(&self) -> CommandSpec {
        let mut spec = self.ready.spec();
        if self.ready.interactive {
            return interactive::seated(spec);
        }
        match self.way {
            Way::Json => spec = json::keeping(spec, self.configures("limits.keep_bytes")),
            // One reader of both streams can see their order; then it must be the order of writing.
            Way::Plain if host::outputs_share_a_file() => spec.streams = Streams::Joined,
            Way::Plain | Way::Events => {}
        }
        spec
    }

    fn configures(&self, key: &str) -> bool {
        self.house.settings.get(key).is_some_and(|setting| setting.origin != Origin::BuiltIn)
    }

    /// Its output is ours, byte for byte.
    async fn pass(&self, session: Session, guard: &mut Guard) -> Result<Over, Failure> {
        let (food, screen) = match self.ready.interactive {
            true => (Some(Food::Ours), Screen::of(Voice::Quiet, session.pid())),
            false => (None, Screen::spinning(&self.ready.command)),
        };
        let ended = exec::attend(session, guard, food, Outlet::Through(screen)).await?;
        let told = ended.interrupted.is_some();
        let code = Shown { format: Format::Plain, voice: Voice::Normal }.tell(ended)?;
        Ok(if told { Over::told(code) } else { Over::itself(code) })
    }
}
