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

pub(super) use lower::lower;

use super::{Done, resolve};
use crate::args::ExecArgs;
use crate::house::{House, Spooling};
use crate::output::{Failure, Format, READER_GONE, emit, tell};
use feed::Food;
use guard::Guard;
use pass::Passed;
use runward::{Caller, CommandSpec, Engine, Program, Receipt, Request, Session, Started, Streams, host};
use screen::Screen;
use std::path::Path;

/// Whether we say anything beside the command's own output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Voice {
    Normal,
    Quiet,
}

/// Everything about one `exec` that does not change while it runs.
struct Errand {
    engine: Engine,
    spec: CommandSpec,
    food: Option<Food>,
    format: Format,
    voice: Voice,
}

/// What became of the command, and of our own output.
struct Ended {
    receipt: Receipt,
    passed: Option<Passed>,
    interrupted: Option<i32>,
}

pub(super) fn run(args: &ExecArgs, file: Option<&Path>) -> Done {
    let house = House::open(file)?;
    let format = Format::of(&args.format);
    let voice = if args.quiet { Voice::Quiet } else { Voice::Normal };
    let mut spec = lower(args);
    // One reader of both streams can see their order; then it must be the order of writing.
    if format == Format::Plain && host::outputs_share_a_file() {
        spec.streams = Streams::Joined;
    }
    if let (Voice::Normal, Program::Exec { name, .. }) = (voice, &spec.program) {
        resolve::announce(name, &house.facts);
    }
    let spooling = if format == Format::Plain { Spooling::Off } else { Spooling::ToDisk };
    let food = args.command.stdin.as_deref().map(Food::open).transpose()?;
    let errand = Errand { engine: house.engine(spooling)?, spec, food, format, voice };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::host("no runtime could be started", &error))?;
    let done = runtime.block_on(errand.walk());
    // A write that nobody takes must not hold us.
    runtime.shutdown_background();
    done
}

impl Errand {
    async fn walk(self) -> Done {
        let mut guard = Guard::listen().map_err(|error| Failure::host("no signal can be heard", &error))?;
        let request = Request::by(Caller::person(), self.spec);
        let session = match guard.before(self.engine.start(request)).await {
            Err(code) => {
                screen::next_line();
                return Ok(code);
            }
            Ok(started) => match started? {
                Started::Running(session) => session,
                Started::Refused(refusal) => return Err(refusal.into()),
            },
        };
        guard.protect(session.stopper());
        let shown = Shown { format: self.format, voice: self.voice };
        shown.tell(attend(session, guard, self.food, shown).await?)
    }
}

/// Attends a running command to its end.
async fn attend(
    mut session: Session,
    mut guard: Guard,
    food: Option<Food>,
    shown: Shown,
) -> Result<Ended, Failure> {
    feed::begin(food, session.input());
    let passed = if shown.format == Format::Plain {
        let mut screen = Screen::of(shown.voice, session.pid());
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
struct Shown {
    format: Format,
    voice: Voice,
}

impl Shown {
    fn tell(self, ended: Ended) -> Done {
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
            epilogue::sentences(&ended.receipt).iter().for_each(|sentence| tell(sentence));
        }
        Ok(ended.interrupted.unwrap_or_else(|| ended.receipt.end.exit_code()))
    }
}
