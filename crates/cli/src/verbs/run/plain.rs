//! Runs the agent itself: started along the road, driven to its end by the way it is reported.

use super::asked::{RunRequest, RunView};
use super::telling::{RunOver, RunTelling};
use super::{caller, events, interactive, json};
use crate::output::{OutputFormat, VerbFailure, tell};
use crate::setup::Setup;
use crate::verbs::exec::{
    self, ExecReport, InputSource, InterruptGuard, OutputTarget, StartOutcome, TerminalScreen, Voice,
    sentences,
};
use runward::config::ValueOrigin;
use runward::core::render::{command_line, one_line};
use runward::{Code, CommandSpec, Engine, ErrorView, Request, Session, Streams, Terminal, host};
use runward_flow::choose::command_in_name;
use runward_flow::run::BuiltAgent;
use std::path::Path;

/// How to say that an agent may take longer.
const BY_FRONT_MATTER: &str = "`_timeout` in its front matter, such as";

/// An agent that is ready, and how it is run.
pub(super) struct Run<'a> {
    pub(super) engine: &'a Engine,
    pub(super) ready: &'a BuiltAgent,
    pub(super) asked: &'a RunRequest,
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
        let begun = exec::begin(self.engine, Request::by(caller(), spec), guard).await;
        let session = match begun.map_err(|failure| self.for_whom(failure))? {
            StartOutcome::Running(session) => session,
            StartOutcome::Interrupted(code) => return Ok(RunOver::told(code)),
        };
        match (self.asked.way, &mut telling.events) {
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

    /// A command that is not there: whose wish it was, and how to take another.
    fn for_whom(&self, failure: VerbFailure) -> VerbFailure {
        let command = self.ready.command.executable.as_str();
        match failure {
            VerbFailure::Told(view)
                if view.code == Code::ResolveNotFound && self.asked.ours.command.is_none() =>
            {
                let file = Path::new(&self.asked.name).file_name().and_then(|name| name.to_str());
                let named = file.and_then(command_in_name) == Some(command);
                let why = if named { " (its name says so)" } else { "" };
                let again = command_line(["runward", "run", "--command", "NAME", &self.asked.name]);
                // Names that look alike come first: the file's own may be a slip.
                let near = view.hint.clone().filter(|hint| hint.starts_with("Did you mean"));
                let near = near.map(|near| format!("{near} ")).unwrap_or_default();
                let hint = format!(
                    "{near}This file is for `{}`{why}. Install it, or run it with another: {again}",
                    one_line(command)
                );
                VerbFailure::Told(ErrorView { hint: Some(hint), ..view })
            }
            other => other,
        }
    }

    fn spec(&self) -> CommandSpec {
        let mut spec = self.ready.spec();
        if self.ready.interactive {
            return interactive::seated(spec);
        }
        match self.asked.way {
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
        let (format, voice, longer) = (OutputFormat::Plain, Voice::Normal, Some(BY_FRONT_MATTER));
        let code = ExecReport { format, voice, longer }.tell(ended)?;
        Ok(if told { RunOver::told(code) } else { RunOver::itself(code) })
    }
}
