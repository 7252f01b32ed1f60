//! The standard streams (pipes) that most commands get, made before one needs them.
//!
//! Making them takes time, and a command that was just asked for would have to wait for it. So the next ones are made
//! while a command that was started is on its way. May not hold more than one set.

use crate::sys::unix::{Feed, PipeEnds, Stdio, nothing, pipe};
use runward_core::resolve::ResolvedCommand;
use runward_core::spec::{StdinSpec, Streams, Terminal};
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Room for the streams of the next command.
#[derive(Debug, Default)]
pub(super) struct Ahead(Mutex<Option<Streamset>>);

/// Nothing to read, and two pipes.
#[derive(Debug)]
struct Streamset {
    stdin: OwnedFd,
    stdout: PipeEnds,
    stderr: PipeEnds,
}

impl Ahead {
    /// The streams of a command: those made ahead, where it gets such.
    pub(super) fn streams_of(&self, command: &ResolvedCommand) -> io::Result<Stdio> {
        let made = if suits(command) { self.held().take() } else { None };
        match made {
            Some(Streamset { stdin, stdout, stderr }) => {
                Stdio::of_pipes((Feed::closed(), stdin), stdout, Some(stderr))
            }
            None => Stdio::of(command),
        }
    }

    /// Makes those of the next command, if it is like this one. Where that fails, the next one makes its own, and is
    /// told why it cannot.
    pub(super) fn make_next(&self, like: &ResolvedCommand) {
        if suits(like) && self.held().is_none() {
            let made = Streamset::make().ok();
            *self.held() = made;
        }
    }

    /// A panic elsewhere leaves it as it was: taking and putting are single steps.
    fn held(&self) -> MutexGuard<'_, Option<Streamset>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Streamset {
    fn make() -> io::Result<Self> {
        Ok(Self { stdin: nothing()?, stdout: pipe()?, stderr: pipe()? })
    }
}

/// Whether a command gets what is made ahead.
fn suits(command: &ResolvedCommand) -> bool {
    let (terminal, streams) = (command.terminal(), command.streams());
    terminal == Terminal::Pipes && streams == Streams::Apart && *command.stdin() == StdinSpec::Null
}
