//! `runward exec …`: run one command, pass its output through, exit with its code.
//!
//! Three things go on while a command runs: its output goes out ([`pass`]), its input goes in ([`feed`]), and
//! requests to end are received ([`guard`]). May not wait on the command itself: the session does.

mod epilogue;
mod feed;
mod guard;
mod lower;
mod pass;
mod screen;
mod ticket;

pub(super) use epilogue::{longer, sentences};
pub(super) use feed::{InputSource, begin as feed};
pub(super) use guard::InterruptGuard;
pub(super) use lower::lower;
pub(super) use screen::{TerminalScreen, next_line};

use super::{VerbResult, resolve};
use crate::args::ExecArgs;
use crate::mistakes::{at_the_command_line, unread_pattern};
use crate::output::{OutputFormat, READER_GONE, VerbFailure, emit, hint, tell, unwritten};
use crate::setup::{Setup, SpoolChoice, TypedRules};
use crate::threads;
use pass::Passed;
use runward::config::{Settings, ValueOrigin};
use runward::{
    Caller, Code, Coded, CommandSpec, Engine, HostFacts, Policy, Program, Receipt, Request, Session, Started,
    Streams, Wish, host,
};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

/// Whether we print anything beside the command's own output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    Normal,
    Quiet,
}

/// Everything about one command that does not change while it runs.
pub(super) struct ExecRun {
    engine: Engine,
    request: Request,
    source: Option<InputSource>,
    shown: ExecReport,
}

/// How the command ended, and what became of our own output.
pub(super) struct Ended {
    pub(super) receipt: Receipt,
    passed: Option<Passed>,
    pub(super) interrupted: Option<i32>,
}

/// How a run ended.
pub(super) enum ExecOutcome {
    /// The command ended.
    Ended(Box<Ended>),
    /// We were told to end before it began; this is the exit code.
    Interrupted(i32),
}

pub(super) fn run(args: &ExecArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::allowing(file, TypedRules::presets(&args.presets))?.tightened(&args.sandbox)?;
    let format = OutputFormat::of(&args.format);
    let voice = if args.quiet { Voice::Quiet } else { Voice::Normal };
    let mut spec = lower(args);
    let_it_take_its_time(&mut spec.limits.wall, &setup.settings);
    if let (true, Program::Exec { name, .. }) = (args.verbose, &spec.program) {
        resolve::announce(name, &setup.facts);
    }
    let spooling = if format == OutputFormat::Plain { SpoolChoice::Off } else { SpoolChoice::ToDisk };
    let source = args.command.stdin.as_deref().map(InputSource::open).transpose()?;
    let shown = ExecReport { format, voice, longer: Some(BY_OPTION) };
    let engine = setup.engine(spooling)?;
    engine.prepare_for_one();
    hold(&engine, &args.presets);
    let (engine, caller) = match (&args.ticket, &args.command.shell) {
        (Some(token), Some(text)) => ticket::redeem(token, text, &setup, &engine, &mut spec)?,
        _ => (engine, Caller::person()),
    };
    let run = ExecRun { source, ..ExecRun::by(caller, engine, spec, shown) };
    match run.run().map_err(|failure| at_the_command_line(failure, &args.command.program))? {
        ExecOutcome::Ended(ended) => {
            let code = shown.tell(*ended)?;
            if code != 0 && shown.is_for_people() {
                note_a_pattern(args, &setup.facts);
            }
            Ok(code)
        }
        ExecOutcome::Interrupted(code) => Ok(code),
    }
}

/// A command that failed may have been given a pattern that no shell read.
fn note_a_pattern(args: &ExecArgs, facts: &HostFacts) {
    let cwd = args.command.cwd.as_ref().map_or_else(|| facts.cwd.clone(), |cwd| facts.cwd.join(cwd));
    let words = args.command.program.get(1..).unwrap_or_default();
    unread_pattern(words, &cwd).iter().for_each(|note| tell(note));
}

/// How to say that a command may take longer.
pub(super) const BY_OPTION: &str = "--timeout";

/// A person who waits at a terminal can end a command themselves, as with `time` or `nice`: it has no limit there, unless
/// one was typed or configured.
pub(super) fn let_it_take_its_time(limit: &mut Wish<Duration>, settings: &Settings) {
    let configured = settings.get("limits.timeout_ms").map(|setting| &setting.origin);
    let asked_for = *limit != Wish::Default || !matches!(configured, None | Some(ValueOrigin::BuiltIn));
    if !asked_for && io::stderr().is_terminal() {
        *limit = Wish::Off;
    }
}

/// With a preset on the command line only that preset allows: being typed is no permission by itself then.
pub(super) fn hold(engine: &Engine, presets: &[String]) {
    if !presets.is_empty() {
        engine.set_policy(Policy::clone(&engine.policy()).without_own_leave());
    }
}

impl ExecRun {
    /// A command that a person typed.
    pub(super) fn of(engine: Engine, spec: CommandSpec, shown: ExecReport) -> Self {
        Self::by(Caller::person(), engine, spec, shown)
    }

    /// A command of this caller.
    fn by(caller: Caller, engine: Engine, mut spec: CommandSpec, shown: ExecReport) -> Self {
        // One reader of both streams can see their order; then it must be the order of writing.
        if shown.format == OutputFormat::Plain && host::outputs_share_a_file() {
            spec.streams = Streams::Joined;
        }
        Self { engine, request: Request::by(caller, spec), source: None, shown }
    }

    /// Runs it to its end.
    pub(super) fn run(self) -> Result<ExecOutcome, VerbFailure> {
        let runtime = threads::runtime()?;
        let done = runtime.block_on(self.walk());
        // A write that blocks must not hold us.
        runtime.shutdown_background();
        done
    }

    async fn walk(self) -> Result<ExecOutcome, VerbFailure> {
        let mut guard = InterruptGuard::listen()?;
        match begin(&self.engine, self.request, &mut guard).await? {
            StartOutcome::Interrupted(code) => Ok(ExecOutcome::Interrupted(code)),
            StartOutcome::Running(session) => {
                let outlet = match self.shown.format {
                    OutputFormat::Plain => {
                        OutputTarget::Through(TerminalScreen::of(self.shown.voice, session.pid()))
                    }
                    _ => OutputTarget::Kept,
                };
                Ok(ExecOutcome::Ended(Box::new(attend(session, &mut guard, self.source, outlet).await?)))
            }
        }
    }
}

/// The result of starting a command.
pub(super) enum StartOutcome {
    /// It runs, and requests to end are for it.
    Running(Session),
    /// We were told to end before it began; this is the exit code.
    Interrupted(i32),
}

/// Starts a command. A refusal is a failure to report.
pub(super) async fn begin(
    engine: &Engine,
    request: Request,
    guard: &mut InterruptGuard,
) -> Result<StartOutcome, VerbFailure> {
    let session = match guard.before(engine.start(request)).await {
        Err(code) => {
            next_line();
            return Ok(StartOutcome::Interrupted(code));
        }
        Ok(started) => match started? {
            Started::Running(session) => session,
            Started::Refused(refusal) => {
                if refusal.code() == Code::PolicyNeedsApproval && io::stdin().is_terminal() {
                    next_line();
                }
                return Err(refusal.into());
            }
        },
    };
    guard.protect(session.stopper());
    Ok(StartOutcome::Running(session))
}

/// Where a command's output goes.
pub(super) enum OutputTarget {
    /// To our own streams, past this screen.
    Through(TerminalScreen),
    /// Into its receipt alone.
    Kept,
}

/// Drives a running command to its end.
pub(super) async fn attend(
    mut session: Session,
    guard: &mut InterruptGuard,
    source: Option<InputSource>,
    outlet: OutputTarget,
) -> Result<Ended, VerbFailure> {
    feed::begin(source, session.input());
    let passed = if let OutputTarget::Through(mut screen) = outlet {
        let passed = guard.unless_insisted(pass::through(&mut session, &mut screen)).await;
        screen.leave();
        passed
    } else {
        session.stop_listening();
        None
    };
    if matches!(passed, Some(Passed::ReaderGone | Passed::Failed(_))) {
        session.stop();
    }
    let receipt = guard.through(session.wait()).await?;
    Ok(Ended { receipt, passed, interrupted: guard.exit_code() })
}

/// How the end is reported.
#[derive(Clone, Copy)]
pub(super) struct ExecReport {
    pub(super) format: OutputFormat,
    pub(super) voice: Voice,
    /// What gives it more time, if anything does.
    pub(super) longer: Option<&'static str>,
}

impl ExecReport {
    fn is_for_people(self) -> bool {
        self.format == OutputFormat::Plain && self.voice == Voice::Normal
    }

    pub(super) fn tell(self, ended: Ended) -> VerbResult {
        match (ended.passed, ended.interrupted) {
            // A closed terminal takes its output with it: the request to end is what happened.
            (Some(Passed::ReaderGone | Passed::Failed(_)), Some(code)) => return Ok(code),
            (Some(Passed::ReaderGone), None) => return Ok(READER_GONE),
            (Some(Passed::Failed(error)), None) => {
                return Err(unwritten(&error));
            }
            (Some(Passed::All) | None, _) => {}
        }
        if self.format != OutputFormat::Plain {
            emit(&ended.receipt.view(), self.format)?;
        } else if self.voice == Voice::Normal {
            sentences(&ended.receipt).iter().for_each(|sentence| tell(sentence));
            let more = self.longer.and_then(|by| longer(&ended.receipt, by));
            more.iter().for_each(|words| hint(words));
        }
        Ok(ended.interrupted.unwrap_or_else(|| ended.receipt.end.exit_code()))
    }
}
