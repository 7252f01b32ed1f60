//! `runward exec …`: run one command, pass its output through, exit with its code.
//!
//! Three things go on while a command runs: its output goes out ([`pass`]), its input goes in ([`feed`]), and
//! requests to end are heard ([`guard`]). May not wait on the command itself: the session does.

mod epilogue;
mod feed;
mod guard;
mod lower;
mod pass;
mod screen;

pub(super) use epilogue::sentences;
pub(super) use feed::{Food, begin as feed};
pub(super) use guard::Guard;
pub(super) use lower::lower;
pub(super) use pass::put;
pub(super) use screen::{Screen, next_line};

use super::{Done, resolve};
use crate::args::ExecArgs;
use crate::house::{House, Spooling};
use crate::output::{Failure, Format, READER_GONE, emit, tell};
use pass::Passed;
use runward::{
    Caller, Code, Coded, CommandSpec, Engine, Policy, Program, Receipt, Request, Session, Started, Streams,
    host,
};
use std::io::{self, IsTerminal};
use std::path::Path;

/// Whether we say anything beside the command's own output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Voice {
    Normal,
    Quiet,
}

/// Everything about one command that does not change while it runs.
pub(super) struct Errand {
    engine: Engine,
    request: Request,
    food: Option<Food>,
    shown: Shown,
}

/// What became of the command, and of our own output.
pub(super) struct Ended {
    pub(super) receipt: Receipt,
    passed: Option<Passed>,
    pub(super) interrupted: Option<i32>,
}

/// What became of an errand.
pub(super) enum Walked {
    /// The command ended.
    Ended(Box<Ended>),
    /// We were told to end before it began; this is what to exit with.
    Interrupted(i32),
}

pub(super) fn run(args: &ExecArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?.tightened(&args.sandbox)?.allowing(&args.presets);
    let format = Format::of(&args.format);
    let voice = if args.quiet { Voice::Quiet } else { Voice::Normal };
    let spec = lower(args);
    if let (Voice::Normal, Program::Exec { name, .. }) = (voice, &spec.program) {
        resolve::announce(name, &house.facts);
    }
    let spooling = if format == Format::Plain { Spooling::Off } else { Spooling::ToDisk };
    let food = args.command.stdin.as_deref().map(Food::open).transpose()?;
    let shown = Shown { format, voice };
    let engine = house.engine(spooling)?;
    hold(&engine, &args.presets);
    let errand = Errand { food, ..Errand::of(engine, spec, shown) };
    match errand.run()? {
        Walked::Ended(ended) => shown.tell(*ended),
        Walked::Interrupted(code) => Ok(code),
    }
}

/// Whoever names a preset wants to be held to it: what is typed is no leave by itself then.
pub(super) fn hold(engine: &Engine, presets: &[String]) {
    if !presets.is_empty() {
        engine.set_policy(Policy::clone(&engine.policy()).without_own_leave());
    }
}

impl Errand {
    /// A command that a person typed.
    pub(super) fn of(engine: Engine, mut spec: CommandSpec, shown: Shown) -> Self {
        // One reader of both streams can see their order; then it must be the order of writing.
        if shown.format == Format::Plain && host::outputs_share_a_file() {
            spec.streams = Streams::Joined;
        }
        Self { engine, request: Request::by(Caller::person(), spec), food: None, shown }
    }

    /// Walks it to its end.
    pub(super) fn run(self) -> Result<Walked, Failure> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::host("no runtime could be started", &error))?;
        let done = runtime.block_on(self.walk());
        // A write that nobody takes must not hold us.
        runtime.shutdown_background();
        done
    }

    async fn walk(self) -> Result<Walked, Failure> {
        let mut guard = Guard::listen()?;
        match begin(&self.engine, self.request, &mut guard).await? {
            Begun::Interrupted(code) => Ok(Walked::Interrupted(code)),
            Begun::Running(session) => {
                let outlet = match self.shown.format {
                    Format::Plain => Outlet::Through(Screen::of(self.shown.voice, session.pid())),
                    _ => Outlet::Kept,
                };
                Ok(Walked::Ended(Box::new(attend(session, &mut guard, self.food, outlet).await?)))
            }
        }
    }
}

/// What became of starting a command.
pub(super) enum Begun {
    /// It runs, and requests to end are for it.
    Running(Session),
    /// We were told to end before it began; this is what to exit with.
    Interrupted(i32),
}

/// Starts a command. Being refused is a failure to tell.
pub(super) async fn begin(engine: &Engine, request: Request, guard: &mut Guard) -> Result<Begun, Failure> {
    let session = match guard.before(engine.start(request)).await {
        Err(code) => {
            next_line();
            return Ok(Begun::Interrupted(code));
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
    Ok(Begun::Running(session))
}

/// Where a command's output goes.
pub(super) enum Outlet {
    /// To our own streams, past this screen.
    Through(Screen),
    /// Into its receipt alone.
    Kept,
}

/// Attends a running command to its end.
pub(super) async fn attend(
    mut session: Session,
    guard: &mut Guard,
    food: Option<Food>,
    outlet: Outlet,
) -> Result<Ended, Failure> {
    feed::begin(food, session.input());
    let passed = if let Outlet::Through(mut screen) = outlet {
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

/// How the end is told.
#[derive(Clone, Copy)]
pub(super) struct Shown {
    pub(super) format: Format,
    pub(super) voice: Voice,
}

impl Shown {
    pub(super) fn tell(self, ended: Ended) -> Done {
        match (ended.passed, ended.interrupted) {
            // A terminal that is closed takes its output with it: being told to end is what happened.
            (Some(Passed::ReaderGone | Passed::Failed(_)), Some(code)) => return Ok(code),
            (Some(Passed::ReaderGone), None) => return Ok(READER_GONE),
            (Some(Passed::Failed(error)), None) => {
                return Err(Failure::host("the output could not be written", &error));
            }
            (Some(Passed::All) | None, _) => {}
        }
        if self.format != Format::Plain {
            emit(&ended.receipt.view(), self.format)?;
        } else if self.voice == Voice::Normal {
            sentences(&ended.receipt).iter().for_each(|sentence| tell(sentence));
        }
        Ok(ended.interrupted.unwrap_or_else(|| ended.receipt.end.exit_code()))
    }
}
