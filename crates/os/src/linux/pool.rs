//! Wardens at rest, and the steward that makes new ones.

use super::cgroup::Leaf;
use super::steward::Steward;
use runward_core::facts::Containment;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many wardens at rest are kept; each is a few pages large.
const KEPT: usize = 64;

/// A warden: its socket, and the cgroup its commands live in, if it has one.
#[derive(Debug)]
pub(super) struct Warden {
    pub(super) socket: OwnedFd,
    pub(super) leaf: Option<Leaf>,
    /// What it was made for.
    pub(super) containment: Containment,
}

/// Wardens at rest. Fields are dropped in order: first the wardens, then the steward that waits for them.
#[derive(Debug, Default)]
pub(super) struct Pool {
    resting: Mutex<Vec<Warden>>,
    steward: Mutex<Option<Steward>>,
}

impl Pool {
    /// A warden, rested or new, for one way of holding a tree together.
    pub(super) fn take(&self, containment: Containment) -> io::Result<Warden> {
        let mut resting = lock(&self.resting);
        if let Some(at) = resting.iter().rposition(|warden| warden.containment == containment) {
            return Ok(resting.swap_remove(at));
        }
        drop(resting);
        let leaf = if containment == Containment::Cgroup { Some(Leaf::make()?) } else { None };
        Ok(Warden { socket: self.enlist(containment)?, leaf, containment })
    }

    /// Gives back a warden that has nothing left to watch.
    pub(super) fn give_back(&self, warden: Warden) {
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

    fn enlist(&self, containment: Containment) -> io::Result<OwnedFd> {
        let mut steward = lock(&self.steward);
        if let Some(socket) = steward.as_ref().and_then(|steward| steward.enlist(containment).ok()) {
            return Ok(socket);
        }
        // None yet, or somebody killed it: a new one serves as well.
        *steward = None;
        steward.insert(Steward::start()?).enlist(containment)
    }
}

/// A panic elsewhere leaves both lists as they were: every change to them is a single step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
