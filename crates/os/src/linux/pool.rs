//! The pool of idle wardens, and the steward that makes new ones. May not start a command.

use super::cgroup::Leaf;
use super::steward::StewardHandle;
use crate::SpawnError;
use runward_core::facts::Containment;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many wardens at rest are kept; each is a few pages large.
const KEPT: usize = 64;

/// A warden: its socket, and the cgroup its commands live in, if it has one.
#[derive(Debug)]
pub(super) struct WardenHandle {
    pub(super) socket: OwnedFd,
    pub(super) leaf: Option<Leaf>,
    /// What it was made for.
    pub(super) containment: Containment,
}

/// Wardens at rest. Fields are dropped in order: first the wardens, then the steward that waits for them.
#[derive(Debug, Default)]
pub(super) struct Pool {
    resting: Mutex<Vec<WardenHandle>>,
    steward: Mutex<Option<StewardHandle>>,
}

impl Pool {
    /// A warden, rested or new, for one way of holding a tree together.
    pub(super) fn take(&self, containment: Containment) -> Result<WardenHandle, SpawnError> {
        let mut resting = lock(&self.resting);
        if let Some(at) = resting.iter().rposition(|warden| warden.containment == containment) {
            return Ok(resting.swap_remove(at));
        }
        drop(resting);
        let leaf = match containment {
            Containment::Cgroup => Some(Leaf::make()?),
            _ => None,
        };
        Ok(WardenHandle { socket: self.enlist(containment)?, leaf, containment })
    }

    /// Makes sure that one rests.
    pub(super) fn prepare(&self, containment: Containment) -> Result<(), SpawnError> {
        let warden = self.take(containment)?;
        self.give_back(warden);
        Ok(())
    }

    /// Gives back a warden that has nothing left to watch.
    pub(super) fn give_back(&self, warden: WardenHandle) {
        let mut resting = lock(&self.resting);
        if resting.len() < KEPT {
            resting.push(warden);
        }
    }

    /// A new warden's socket, once a lost one and everything that it left are gone.
    pub(super) fn enlist_after(&self, warden: u32) -> io::Result<OwnedFd> {
        let steward = lock(&self.steward);
        steward.as_ref().ok_or(io::ErrorKind::BrokenPipe)?.enlist_by(&super::wire::enlist_after(warden))
    }

    /// Makes sure that the steward can act.
    pub(super) fn wake_steward(&self) {
        if let Some(steward) = lock(&self.steward).as_ref() {
            steward.wake();
        }
    }

    fn enlist(&self, containment: Containment) -> Result<OwnedFd, SpawnError> {
        let mut steward = lock(&self.steward);
        if let Some(steward) = steward.as_ref() {
            match (steward.last_words(), steward.enlist(containment)) {
                // It could not serve here, and neither could another.
                (Some(why), _) => return Err(why),
                (None, Ok(socket)) => return Ok(socket),
                (None, Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
                (None, Err(error)) => return Err(asking(error)),
            }
        }
        // None yet, or it was killed: a new one serves as well.
        *steward = None;
        let fresh = steward.insert(StewardHandle::start()?);
        fresh.enlist(containment).map_err(|error| fresh.last_words().unwrap_or_else(|| asking(error)))
    }
}

/// Why no warden could be asked for.
fn asking(error: io::Error) -> SpawnError {
    SpawnError::host("asking for a warden (`socketpair`, `sendmsg`)")(error)
}

/// A panic elsewhere leaves both lists as they were: every change to them is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
