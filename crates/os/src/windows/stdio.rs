//! The standard streams of one child process: the ends it gets, and the ends we keep. May not read or write them.

use super::feed::{AfterInput, Feed};
use super::pipes::{self, Pair};
use super::tap::Tap;
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::{StdinSpec, Streams};
use std::io;
use std::os::windows::io::{AsHandle, BorrowedHandle, OwnedHandle};

/// Both sides of the standard streams.
pub(super) struct Stdio {
    ours: Ours,
    theirs: Theirs,
}

/// The ends we keep.
pub(crate) struct Ours {
    pub(crate) feed: Feed,
    pub(crate) stdout: Tap,
    pub(crate) stderr: Option<Tap>,
}

/// The ends the command gets; closed here as soon as it has them.
struct Theirs {
    stdin: OwnedHandle,
    stdout: OwnedHandle,
    /// `None` where it is the same as stdout.
    stderr: Option<OwnedHandle>,
}

impl Stdio {
    pub(super) fn of(command: &ResolvedCommand) -> io::Result<Self> {
        let (feed, stdin) = input(command.stdin())?;
        let output = pipes::output()?;
        let (stderr_tap, stderr) = match command.streams() {
            Streams::Apart => {
                let Pair { ours, theirs } = pipes::output()?;
                (Some(Tap::of_pipe(ours)?), Some(theirs))
            }
            Streams::Joined => (None, None),
        };
        Ok(Self {
            ours: Ours { feed, stdout: Tap::of_pipe(output.ours)?, stderr: stderr_tap },
            theirs: Theirs { stdin, stdout: output.theirs, stderr },
        })
    }

    /// What becomes the command's standard input, output and error, in this order.
    pub(super) fn for_child(&self) -> [BorrowedHandle<'_>; 3] {
        let stdout = self.theirs.stdout.as_handle();
        let stderr = self.theirs.stderr.as_ref().map_or(stdout, AsHandle::as_handle);
        [self.theirs.stdin.as_handle(), stdout, stderr]
    }

    /// Lets go of the command's ends.
    pub(super) fn into_ours(self) -> Ours {
        self.ours
    }
}

fn input(asked: &StdinSpec) -> io::Result<(Feed, OwnedHandle)> {
    let (bytes, then) = match asked {
        StdinSpec::Null => return Ok((Feed::closed(), pipes::nothing()?)),
        StdinSpec::Bytes(bytes) => (bytes.as_slice(), AfterInput::Close),
        StdinSpec::Open => (&[][..], AfterInput::StayOpen),
    };
    let Pair { ours, theirs } = pipes::input()?;
    let mut feed = Feed::of_pipe(ours, then)?;
    feed.push(bytes);
    Ok((feed, theirs))
}
