//! The standard streams of one command: the ends it gets, and the ends we keep.

use super::feed::Then;
use super::{Feed, Tap, pipe, pty, watched};
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::{StdinSpec, Streams, Terminal};
use rustix::fs::{Mode, OFlags, open};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
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

    /// What becomes the command's descriptors 0, 1 and 2.
    pub(crate) fn for_child(&self) -> [BorrowedFd<'_>; 3] {
        let stdin = self.theirs.stdin.as_fd();
        let stdout = self.theirs.stdout.as_ref().map_or(stdin, AsFd::as_fd);
        [stdin, stdout, self.theirs.stderr.as_ref().map_or(stdout, AsFd::as_fd)]
    }

    /// Lets go of the command's ends.
    pub(crate) fn into_ours(self) -> Ours {
        self.ours
    }
}

fn terminal(command: &ResolvedCommand, rows: u16, cols: u16) -> io::Result<Stdio> {
    let (ours, stdin) = pty::open(rows, cols)?;
    let ours = Arc::new(watched(ours, Interest::READABLE)?);
    let mut feed = Feed::of_terminal(Arc::clone(&ours), Then::StayOpen);
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
    let (feed, stdin) = input(command.stdin())?;
    let (from, stdout) = pipe()?;
    let apart = if command.streams() == Streams::Apart { Some(pipe()?) } else { None };
    let (stderr_tap, stderr) = match apart {
        Some((from, to)) => (Some(Tap::of_pipe(from)?), Some(to)),
        None => (None, None),
    };
    Ok(Stdio {
        ours: Ours { feed, stdout: Tap::of_pipe(from)?, stderr: stderr_tap, terminal: None },
        theirs: Theirs { stdin, stdout: Some(stdout), stderr },
    })
}

fn input(asked: &StdinSpec) -> io::Result<(Feed, OwnedFd)> {
    match asked {
        StdinSpec::Null => {
            Ok((Feed::closed(), open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?))
        }
        StdinSpec::Bytes(bytes) => {
            let (theirs, to) = pipe()?;
            let mut feed = Feed::of_pipe(to, Then::Close)?;
            feed.push(bytes);
            Ok((feed, theirs))
        }
        StdinSpec::Open => {
            let (theirs, to) = pipe()?;
            Ok((Feed::of_pipe(to, Then::StayOpen)?, theirs))
        }
    }
}
