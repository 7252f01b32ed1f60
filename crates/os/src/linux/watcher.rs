//! What a command is doing: which process is in front of its terminal, what it waits on, how the terminal is set.
//!
//! A thread that is blocked in a system call shows the call and its arguments in `/proc/PID/syscall`. If it
//! waits to read the command's own input, the command wants input; the terminal's settings say which kind.
//! The hazard is a process that ends while it is looked at: everything that cannot be read counts as busy, and
//! the next look is right.

use super::waits::{self, ThreadWaits};
use crate::ProcessCondition;
use rustix::fs::fstat;
use rustix::termios::{LocalModes, tcgetattr, tcgetpgrp};
use std::fs;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use tokio::io::unix::AsyncFd;

/// Looks at a running command from outside. Holds nothing that keeps it alive, nor its terminal open: a hundred sessions that
/// had ended once kept fifty terminals.
#[derive(Debug, Clone)]
pub struct Watcher {
    pid: u32,
    input: WatchedInput,
    /// The process that was looked at last is most often looked at again.
    last: Arc<Mutex<Option<ThreadWaits>>>,
}

/// What the command reads.
#[derive(Debug, Clone)]
enum WatchedInput {
    Terminal(Weak<AsyncFd<OwnedFd>>),
    /// The inode number of the pipe.
    Pipe(u64),
    Nothing,
}

impl Watcher {
    pub(super) fn of_terminal(pid: u32, terminal: &Arc<AsyncFd<OwnedFd>>) -> Self {
        Self { pid, input: WatchedInput::Terminal(Arc::downgrade(terminal)), last: Arc::default() }
    }

    pub(super) fn of_pipe(pid: u32, pipe: Option<&OwnedFd>) -> Self {
        let number = pipe.and_then(|pipe| fstat(pipe).ok()).map(|found| found.st_ino);
        Self { pid, input: number.map_or(WatchedInput::Nothing, WatchedInput::Pipe), last: Arc::default() }
    }

    /// What the command is doing now.
    pub fn look(&self) -> ProcessCondition {
        match &self.input {
            WatchedInput::Nothing => ProcessCondition::Busy,
            WatchedInput::Pipe(number) => {
                let name = format!("pipe:[{number}]");
                let is_pipe = |target: &str| target == name;
                // Most often it is the command itself; its tree is walked only if it is not.
                let wants = self.first_reads(self.pid, &is_pipe)
                    || self.processes().any(|pid| waits::reads(pid, &is_pipe));
                if wants { ProcessCondition::WantsLine } else { ProcessCondition::Busy }
            }
            WatchedInput::Terminal(terminal) => terminal
                .upgrade()
                .map_or(ProcessCondition::Unknown, |open| self.look_at_terminal(open.get_ref())),
        }
    }

    fn look_at_terminal(&self, terminal: &OwnedFd) -> ProcessCondition {
        let (Ok(front), Ok(settings)) = (tcgetpgrp(terminal), tcgetattr(terminal)) else {
            return ProcessCondition::Unknown;
        };
        let is_terminal = |target: &str| {
            // In a sandbox the last is where a command finds its own.
            target.starts_with("/dev/pts/") || target == "/dev/tty" || target == "/dev/console"
        };
        // Most often it is the leader of the group in front; no other process has its number while the group is there.
        let front = front.as_raw_pid().cast_unsigned();
        let wants = self.first_reads(front, &is_terminal)
            || self
                .processes()
                .filter(|pid| group(*pid) == Some(front))
                .any(|pid| waits::reads(pid, &is_terminal));
        let modes = settings.local_modes;
        match (wants, modes.contains(LocalModes::ICANON), modes.contains(LocalModes::ECHO)) {
            (false, _, _) => ProcessCondition::Busy,
            (true, false, _) => ProcessCondition::WantsKeys,
            (true, true, true) => ProcessCondition::WantsLine,
            (true, true, false) => ProcessCondition::WantsSecret,
        }
    }

    /// Whether the first thread of a process waits to read what is meant. Asked again, the question is quicker.
    fn first_reads(&self, pid: u32, is_meant: &dyn Fn(&str) -> bool) -> bool {
        // Nothing panics while it is held; if something did, it would only be asked anew.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|waits| waits.pid() != pid) {
            *last = ThreadWaits::of(pid);
        }
        let reads = last.as_ref().and_then(|waits| waits.reads(is_meant));
        if reads.is_none() {
            *last = None;
        }
        reads.unwrap_or(false)
    }

    /// Whether something in the tree listens on a TCP port.
    pub fn listens(&self, port: u16) -> bool {
        let sockets = listening(self.pid, port);
        !sockets.is_empty() && self.processes().any(|pid| has_open(pid, &sockets))
    }

    /// Bytes of memory that the tree holds, pages that several share counted for each.
    pub fn memory(&self) -> Option<u64> {
        let held = |pid: u32| {
            let text = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
            let kilobytes = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim();
            kilobytes.strip_suffix(" kB")?.parse::<u64>().ok()
        };
        // The command itself being gone means that nothing can be told.
        held(self.pid)?;
        Some(self.processes().filter_map(held).sum::<u64>() * 1024)
    }

    /// The command and everything below it. What was handed up to its warden is below the warden, not below
    /// the command, so the walk begins one level higher.
    fn processes(&self) -> impl Iterator<Item = u32> + use<> {
        let mut all = parent(self.pid).map_or_else(|| vec![self.pid], children);
        let mut at = 0;
        while at < all.len() {
            let below = children(all[at]);
            all.extend(below);
            at += 1;
        }
        all.into_iter()
    }
}

fn stat(pid: u32) -> Option<String> {
    fs::read_to_string(format!("/proc/{pid}/stat")).ok()
}

/// One of the numbers in `/proc/PID/stat` after the name: state, parent, group, … A process that is just vanishing has
/// the group -1, which is none.
fn number(stat: &str, at: usize) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(") ")?;
    fields.split(' ').nth(at)?.parse().ok()
}

fn parent(pid: u32) -> Option<u32> {
    number(&stat(pid)?, 1)
}

fn group(pid: u32) -> Option<u32> {
    number(&stat(pid)?, 2)
}

fn children(pid: u32) -> Vec<u32> {
    waits::threads(pid)
        .filter_map(|thread| fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).ok())
        .flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<u32>>())
        .collect()
}

/// Inode numbers of the sockets that listen on a port, as `socket:[N]`.
fn listening(pid: u32, port: u16) -> Vec<String> {
    const LISTEN: &str = "0A";
    let wanted = format!("{port:04X}");
    let tables = ["tcp", "tcp6"].map(|table| fs::read_to_string(format!("/proc/{pid}/net/{table}")));
    let lines = tables.iter().flatten().flat_map(|text| text.lines().skip(1));
    lines
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (_, at) = fields.get(1)?.rsplit_once(':')?;
            let open = at == wanted && fields.get(3) == Some(&LISTEN);
            open.then(|| format!("socket:[{}]", fields.get(9).copied().unwrap_or_default()))
        })
        .collect()
}

fn has_open(pid: u32, names: &[String]) -> bool {
    let open = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let mut targets = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    targets.any(|target| names.iter().any(|name| target.as_os_str() == name.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_vanishing_is_in_no_group() {
        assert_eq!(number("7 (a) b) S 3 5 5 0 -1 4194304", 1), Some(3));
        assert_eq!(number("7 (a) b) S 3 5 5 0 -1 4194304", 2), Some(5));
        assert_eq!(number("7 (a) b) X 0 -1 -1 0 -1 4194316", 2), None);
        assert_eq!(number("7 (a", 2), None);
    }
}
