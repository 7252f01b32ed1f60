//! The roll of one command's process tree: every process that was ever seen below it, and how it is signalled.
//!
//! Hazard: a parent that ends hands its children to launchd, and from then on no walk leads to them. So a process that
//! is seen once stays on the roll until it is gone, and the roll is called anew whenever one forks or ends, and before
//! each signal. The command itself is not reaped while the roll is kept: its pid, which is also its group's id, cannot
//! be used again meanwhile.

use super::procs::{self, Living, ProcessIdentity};
use libc::{c_int, pid_t};
use std::collections::BTreeSet;

/// Children or members looked at in one go.
const ROOM: usize = 4096;

/// How often a killing is repeated for what was started meanwhile.
const STRIKES: usize = 64;

/// Every process seen and not yet gone.
#[derive(Debug)]
pub(super) struct Roll {
    command: pid_t,
    known: BTreeSet<ProcessIdentity>,
    /// The pids that were told to end after the command itself had ended.
    chased: BTreeSet<ProcessIdentity>,
}

impl Roll {
    pub(super) fn of(command: pid_t) -> Self {
        Self { command, known: BTreeSet::new(), chased: BTreeSet::new() }
    }

    /// Looks again. Returns the processes that are new.
    pub(super) fn call(&mut self) -> Vec<ProcessIdentity> {
        self.known.retain(|identity| identity.living().is_some());
        let mut buffer = vec![0; ROOM];
        let mut fresh = Vec::new();
        let count = procs::members(self.command, &mut buffer);
        self.enter(&buffer[..count], &mut fresh);
        let mut parents: Vec<pid_t> = self.known.iter().map(|identity| identity.pid).collect();
        parents.push(self.command);
        while let Some(parent) = parents.pop() {
            let count = procs::children(parent, &mut buffer);
            let before = fresh.len();
            self.enter(&buffer[..count], &mut fresh);
            parents.extend(fresh[before..].iter().map(|identity| identity.pid));
        }
        fresh
    }

    fn enter(&mut self, pids: &[pid_t], fresh: &mut Vec<ProcessIdentity>) {
        for pid in pids.iter().filter(|pid| **pid > 0 && **pid != self.command) {
            if let Some(Living { identity, .. }) = procs::living(*pid)
                && self.known.insert(identity)
            {
                fresh.push(identity);
            }
        }
    }

    /// Whether there was nothing but the command itself at the last call.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// From here on, every process on the roll outlived the command and is told to end.
    pub(super) fn chase(&mut self) {
        self.chased.extend(self.known.iter().copied());
    }

    pub(super) fn outlived(&self) -> u32 {
        u32::try_from(self.chased.len()).unwrap_or(u32::MAX)
    }

    /// Sends a signal to the group, and to every process that left it.
    pub(super) fn signal(&self, signal: c_int) {
        // SAFETY: takes two numbers. The command is not reaped, so its group's id is not used again.
        unsafe { libc::kill(-self.command, signal) };
        for living in self.known.iter().filter_map(|identity| identity.living()) {
            if living.group != self.command {
                // SAFETY: takes two numbers; the process was this very one a moment ago.
                unsafe { libc::kill(living.identity.pid, signal) };
            }
        }
    }

    /// Kills every process, and what they started meanwhile. Returns the processes that were new.
    pub(super) fn strike(&mut self) -> Vec<ProcessIdentity> {
        let mut all = Vec::new();
        for _ in 0..STRIKES {
            self.signal(libc::SIGKILL);
            let fresh = self.call();
            if fresh.is_empty() {
                break;
            }
            all.extend(fresh);
        }
        all
    }
}
