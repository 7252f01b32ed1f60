//! Errors of the road: how far a command got before something failed. A refusal and a non-zero exit are not failures.

use runward_core::error::{Code, Coded};
use runward_core::plan::PermitMismatch;
use runward_core::resolve::ResolveError;
use runward_core::sandbox::SandboxError;
use runward_os::SpawnError;

/// Something failed; the variant says at which step.
///
/// From [`Engine::run`](crate::Engine::run) and [`Engine::start`](crate::Engine::start) it means that the command was not
/// started ([`Error::Internal`] aside). A refusal and a non-zero exit code are no errors. [`Coded::code`] gives the stable
/// code, [`Coded::hint`] what to do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The facts of the host could not be gathered.
    #[error("the folder that Runward was started in is gone or cannot be read")]
    Probe(#[source] std::io::Error),
    /// The spec could not be resolved.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The host cannot enforce what the draft would promise.
    #[error(transparent)]
    Draft(#[from] SandboxError),
    /// A permit did not fit its draft.
    #[error(transparent)]
    Seal(#[from] PermitMismatch),
    /// The command could not be started.
    #[error(transparent)]
    Launch(#[from] SpawnError),
    /// There is no such session, or it is not the caller's.
    #[error("Session not found: {id}")]
    UnknownSession {
        /// What was asked for.
        id: String,
    },
    /// The most sessions are running.
    #[error("{}", crowd(yours.len(), *others, *starting))]
    Busy {
        /// Each of the caller's with its name and command.
        yours: Vec<String>,
        /// How many are running that are not the caller's.
        others: usize,
        /// How many are about to start, of all callers.
        starting: usize,
    },
    /// The most commands are running and waiting.
    #[error("{running} commands are running and {waiting} are waiting, the most allowed")]
    Crowded {
        /// How many may run at one time.
        running: usize,
        /// How many wait.
        waiting: usize,
    },
    /// A command waited too long for its turn.
    #[error("the command could not start within {within}: {running} commands are running, the most allowed")]
    TurnLate {
        /// How long it waited: as long as it may run.
        within: String,
        /// How many may run at one time.
        running: usize,
    },
    /// A file system does not answer.
    #[error("{what} did not answer {within}")]
    Unresponsive {
        /// Which, as far as that can be known without asking it.
        what: String,
        /// How long it was waited for.
        within: String,
    },
    /// The journal is required, and cannot be written.
    #[error("the journal is required and cannot be written: {why}")]
    NoJournal {
        /// What the disk or the database said.
        why: String,
    },
    /// The journal is required, and the record was not written in time.
    #[error("the journal is required and the command's record was not written within {within}")]
    RecordLate {
        /// How long it was waited for.
        within: String,
    },
    /// The engine is shutting down.
    #[error("Runward is shutting down and starts no new command")]
    Closing,
    /// The command's session has ended already.
    #[error("the session {id} has ended already")]
    Ended {
        /// The run.
        id: String,
    },
    /// The command has closed its input, or ended.
    #[error("the command of session {id} reads no more input")]
    InputClosed {
        /// The run.
        id: String,
    },
    /// The command has no terminal.
    #[error("the session {id} has no terminal")]
    NoTerminal {
        /// The run.
        id: String,
    },
    /// There is no such open question, or it has been answered.
    #[error("no question with the id {id} is open")]
    UnknownQuestion {
        /// What was answered.
        id: String,
    },
    /// A question was answered with "always", which is not possible.
    #[error("\"always\" is not possible for this command")]
    NoAlways,
    /// An internal error.
    #[error("{what}")]
    Internal {
        /// What went wrong, as a sentence.
        what: String,
    },
}

/// How many sessions of which callers take the room.
fn crowd(yours: usize, others: usize, starting: usize) -> String {
    let all = yours + others + starting;
    let mut text = format!("{all} sessions are running or about to start, the most allowed");
    if yours < all {
        text += &format!(": {yours} of yours, {others} of others, {starting} about to start");
    }
    text
}

impl Coded for Error {
    fn code(&self) -> Code {
        match self {
            Error::Resolve(error) => error.code(),
            Error::Draft(error) => error.code(),
            Error::Seal(error) => error.code(),
            Error::Launch(error) => error.code(),
            Error::Ended { .. } | Error::InputClosed { .. } => Code::SessionEnded,
            Error::NoTerminal { .. } => Code::SessionNotATerminal,
            Error::UnknownSession { .. } => Code::SessionUnknown,
            Error::UnknownQuestion { .. } => Code::ApprovalUnknown,
            Error::NoAlways => Code::SpecBadValue,
            Error::Busy { .. } | Error::Crowded { .. } | Error::TurnLate { .. } => Code::EngineBusy,
            Error::Unresponsive { .. } => Code::ResolveUnresponsive,
            Error::NoJournal { .. } => Code::JournalUnavailable,
            Error::RecordLate { .. } => Code::JournalWrite,
            Error::Closing => Code::EngineClosing,
            Error::Probe(error) if error.kind() == std::io::ErrorKind::NotFound => Code::ResolveCwdMissing,
            Error::Probe(_) | Error::Internal { .. } => Code::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Error::Resolve(error) => error.hint(),
            Error::Draft(error) => error.hint(),
            Error::Seal(error) => error.hint(),
            Error::Launch(error) => error.hint(),
            // A forbidden system call is named in words, without the kernel's number.
            Error::Probe(said) if said.raw_os_error().is_none() => Some(
                "Allow this system call where Runward runs, such as in the container's seccomp profile."
                    .to_owned(),
            ),
            Error::Probe(_) => Some("Go to a folder that exists and can be read, then try again.".to_owned()),
            Error::UnknownSession { .. } => {
                Some("Use `list_commands` to see which sessions there are.".to_owned())
            }
            Error::Busy { yours, .. } if yours.is_empty() => {
                Some("Wait until one of them has ended; none of them is yours.".to_owned())
            }
            Error::Busy { yours, .. } => Some(format!("Stop one of yours first: {}.", yours.join("; "))),
            Error::Crowded { .. } | Error::TurnLate { .. } => Some(
                "Ask again when one of them has ended, give it a longer time limit, or raise `limits.running`."
                    .to_owned(),
            ),
            Error::Unresponsive { .. } => Some(
                "Try again when it answers, or use a folder and a program on another disk; `limits.disk_wait_ms` sets how long to wait."
                    .to_owned(),
            ),
            Error::NoJournal { .. } | Error::RecordLate { .. } => Some(
                "Make room for the journal, or set `[journal] required = false`; `runward doctor` shows where it is."
                    .to_owned(),
            ),
            Error::Closing => Some("Try again when it has been restarted.".to_owned()),
            Error::Ended { .. } => Some("Start a new one.".to_owned()),
            Error::InputClosed { .. } => Some("Read its output to see how it ended.".to_owned()),
            Error::NoTerminal { .. } => Some("Start it with a terminal to resize one.".to_owned()),
            Error::UnknownQuestion { .. } => {
                Some("See `runward approvals` for the questions that are open.".to_owned())
            }
            Error::NoAlways => Some("Approve it once, or write a rule for it.".to_owned()),
            Error::Internal { .. } => Some("Please report it, with the command and this message.".to_owned()),
        }
    }
}
