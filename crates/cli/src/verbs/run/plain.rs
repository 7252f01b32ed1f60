//! Runs the agent itself: started along the road, driven to its end by the way it is reported.

use super::asked::RunView;
use super::telling::{RunOver, RunTelling};
use super::{caller, events, interactive, json};
use crate::output::{OutputFormat, VerbFailure, tell};
use crate::setup::Setup;
use crate::verbs::exec::{
    self, ExecReport, InputSource, InterruptGuard, OutputTarget, StartOutcome, TerminalScreen, Voice,
    sentences,
};
use runward::config::ValueOrigin;
use runward::{CommandSpec, Engine, Request, Session, Streams, Terminal, host};
use runward_flow::run::BuiltAgent;

/// An agent that is ready, and how it is run.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) ready: &'a BuiltAgent,
    pub(super) way: RunView,
    pub(super) setup: &'a Setup,
}

impl Run<'_> {
    /// Runs it.
    pub(super) async fn to_its_end(
        &self,
        guard: &mut InterruptGuard,
        telling: &mut RunTelling,
    ) -> Result<RunOver, VerbFailure> {
        let spec = self.spec();
        let terminal = spec.terminal;
        let session = match exec::begin(self.engine, Request::by(caller(), spec), guard).await? {
            StartOutcome::Running(session) => session,
            StartOutcome::Interrupted(code) => return Ok(RunOver::told(code)),
        };
        match (self.way, &mut telling.events) {
            (RunView::Json, _) => json::attend(session, guard, self.ready).await,
            (RunView::Events, Some(events)) => events::attend(session, guard, events).await,
            _ if terminal != Terminal::Pipes => {
                let receipt = interactive::attend(session, guard).await?;
                sentences(&receipt).iter().for_each(|sentence| tell(sentence));
                Ok(guard.exit_code().map_or_else(|| RunOver::itself(receipt.end.exit_code()), RunOver::told))
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
            RunView::Json => spec = json::keeping(spec, self.configures("limits.keep_bytes")),
            // One reader of both streams can see their order; then it must be the order of writing.
            RunView::Plain if host::outputs_share_a_file() => spec.streams = Streams::Joined,
            RunView::Plain | RunView::Events => {}
        }
        spec
    }

    fn configures(&self, key: &str) -> bool {
        self.setup.settings.get(key).is_some_and(|setting| setting.origin != ValueOrigin::BuiltIn)
    }

    /// Its output is passed through, byte for byte.
    async fn pass(&self, session: Session, guard: &mut InterruptGuard) -> Result<RunOver, VerbFailure> {
        let (source, screen) = match self.ready.interactive {
            true => (Some(InputSource::Ours), TerminalScreen::of(Voice::Quiet, session.pid())),
            false => (None, TerminalScreen::spinning(&self.ready.command.executable)),
        };
        let ended = exec::attend(session, guard, source, OutputTarget::Through(screen)).await?;
        let told = ended.interrupted.is_some();
        let code = ExecReport { format: OutputFormat::Plain, voice: Voice::Normal }.tell(ended)?;
        Ok(if told { RunOver::told(code) } else { RunOver::itself(code) })
    }
}
