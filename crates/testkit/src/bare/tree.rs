//! A tree of processes with known pids, killed by a bare loop.

use std::fs;
use std::io::BufRead;
use std::process::{Child, Command, Stdio};

/// Makes this process the parent of every descendant that loses its own.
pub fn handed_up_to_me() {
    // SAFETY: sets one flag of this process.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1) };
}

/// The fixture with that many sleeping children.
#[derive(Debug)]
pub struct Bush {
    root: Child,
    pids: Vec<i32>,
}

impl Bush {
    /// Grows it, and learns every pid.
    pub fn grow(count: u32) -> std::io::Result<Self> {
        let mut root = Command::new(crate::fixture())
            .args(["bush", &count.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        std::io::BufReader::new(root.stdout.take().expect("piped")).read_line(&mut line)?;
        let pid = root.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))?;
        let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
        Ok(Self { root, pids })
    }

    /// Kills every process by its pid and waits for each.
    pub fn kill(mut self) -> std::io::Result<()> {
        self.root.kill()?;
        for pid in &self.pids {
            // SAFETY: processes that this one started and has not reaped.
            unsafe { libc::kill(*pid, libc::SIGKILL) };
        }
        self.root.wait()?;
        for pid in &self.pids {
            // SAFETY: as above; they were handed up when their parent died.
            unsafe { libc::waitpid(*pid, std::ptr::null_mut(), 0) };
        }
        Ok(())
    }
}
