//! The standard streams of one child process: the ends it gets, and the ends we keep. May not read or write them.

use super::feed::AfterInput;
use super::{Feed, PipeEnds, Tap, pipe, pty, watched};
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::{StdinSpec, Streams, Terminal};
use rustix::fs::{Mode, OFlags, open};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
#[cfg(target_os = "linux")]
use std::{ffi::OsString, os::unix::ffi::OsStringExt, path::PathBuf};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Both sides of the standard streams.
pub(crate) struct Stdio {
    pub(crate) ours: Ours,
    theirs: Theirs,
}

/// The ends we keep.
pub(crate) struct Ours {
    pub(crate) feed: Feed,
    pub(crate) stdout: Tap,
    pub(crate) stderr: Option<Tap>,
    pub(crate) terminal: Option<Arc<AsyncFd<OwnedFd>>>,
}

/// The ends the command gets; closed here as soon as it has them.
struct Theirs {
    stdin: OwnedFd,
    /// `None` where it is the same as stdin: a terminal.
    stdout: Option<OwnedFd>,
    /// `None` where it is the same as stdout.
    stderr: Option<OwnedFd>,
}

impl Stdio {
    pub(crate) fn of(command: &ResolvedCommand) -> io::Result<Self> {
        match command.terminal() {
            Terminal::Pty { rows, cols } => terminal(command, rows, cols),
            Terminal::Pipes => pipes(command),
        }
    }

    /// Streams of these pipes; without a second one, both outputs go through the first.
    pub(crate) fn of_pipes(
        (feed, stdin): (Feed, OwnedFd),
        stdout: PipeEnds,
        stderr: Option<PipeEnds>,
    ) -> io::Result<Self> {
        let (stderr_tap, stderr) = match stderr {
            Some((from, to)) => (Some(Tap::of_pipe(from)?), Some(to)),
            None => (None, None),
        };
        Ok(Self {
            ours: Ours { feed, stdout: Tap::of_pipe(stdout.0)?, stderr: stderr_tap, terminal: None },
            theirs: Theirs { stdin, stdout: Some(stdout.1), stderr },
        })
    }

    /// What becomes the command's descriptors 0, 1 and 2.
    pub(crate) fn for_child(&self) -> [BorrowedFd<'_>; 3] {
        let stdin = self.theirs.stdin.as_fd();
        let stdout = self.theirs.stdout.as_ref().map_or(stdin, AsFd::as_fd);
        [stdin, stdout, self.theirs.stderr.as_ref().map_or(stdout, AsFd::as_fd)]
    }

    /// Where the command's terminal lies, if it has one.
    #[cfg(target_os = "linux")]
    pub(crate) fn terminal_path(&self) -> Option<PathBuf> {
        let ours = self.ours.terminal.as_ref()?.get_ref();
        let name = rustix::pty::ptsname(ours, Vec::new()).ok()?;
        Some(PathBuf::from(OsString::from_vec(name.into_bytes())))
    }

    /// Lets go of the command's ends.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn into_ours(self) -> Ours {
        self.ours
    }

    /// Our ends, and, if they are kept, those that the command writes to. A terminal is not among these: it must end with
    /// its command.
    #[cfg(target_os = "linux")]
    pub(crate) fn apart(self, kept: bool) -> (Ours, Vec<OwnedFd>) {
        let Theirs { stdout, stderr, .. } = self.theirs;
        (self.ours, stdout.into_iter().chain(stderr).filter(|_| kept).collect())
    }
}

fn terminal(command: &ResolvedCommand, rows: u16, cols: u16) -> io::Result<Stdio> {
    let (ours, stdin) = pty::open(rows, cols)?;
    let ours = Arc::new(watched(ours, Interest::READABLE)?);
    let mut feed = Feed::of_terminal(Arc::clone(&ours), AfterInput::StayOpen);
    if let StdinSpec::Bytes(bytes) = command.stdin() {
        feed.push(bytes);
    }
    let stdout = Tap::of_terminal(Arc::clone(&ours));
    Ok(Stdio {
        ours: Ours { feed, stdout, stderr: None, terminal: Some(ours) },
        theirs: Theirs { stdin, stdout: None, stderr: None },
    })
}

fn pipes(command: &ResolvedCommand) -> io::Result<Stdio> {
    let apart = command.streams() == Streams::Apart;
    Stdio::of_pipes(input(command.stdin())?, pipe()?, if apart { Some(pipe()?) } else { None })
}

/// What a command reads that is given nothing.
pub(crate) fn nothing() -> io::Result<OwnedFd> {
    Ok(open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?)
}

fn input(asked: &StdinSpec) -> io::Result<(Feed, OwnedFd)> {
    match asked {
        StdinSpec::Null => Ok((Feed::closed(), nothing()?)),
        StdinSpec::Bytes(bytes) => {
            let (theirs, to) = pipe()?;
            let mut feed = Feed::of_pipe(to, AfterInput::Close)?;
            feed.push(bytes);
            Ok((feed, theirs))
        }
        StdinSpec::Open => {
            let (theirs, to) = pipe()?;
            Ok((Feed::of_pipe(to, AfterInput::StayOpen)?, theirs))
        }
    }
}
