//! A disk that hangs: a file system in a process that can be stopped.
//!
//! Needs `bindfs` and `/dev/fuse`. Whatever happens, it goes on and is unmounted in the end. May not be touched by
//! a process that must not hang with it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};

/// A folder that shows another one, until it is stopped.
#[derive(Debug)]
pub struct HangingMount {
    process: Child,
    at: PathBuf,
}

fn program(name: &str) -> Command {
    Command::new(name)
}

impl HangingMount {
    /// Shows the folder `real` at `at`. Both are made. Nothing is remembered by the kernel, so that every look asks.
    pub fn new(real: &Path, at: &Path) -> Self {
        for folder in [real, at] {
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let uncached = "attr_timeout=0,entry_timeout=0,negative_timeout=0";
        let process =
            program("bindfs").args(["-f", "-o", uncached]).args([real, at]).spawn().expect("bindfs runs");
        let shown = at.to_str().expect("UTF-8").to_owned();
        let mounted = || std::fs::read_to_string("/proc/mounts").is_ok_and(|all| all.contains(&shown));
        crate::until("it is mounted", mounted);
        Self { process, at: at.to_owned() }
    }

    /// Where it is.
    pub fn at(&self) -> &Path {
        &self.at
    }

    /// From now on it does not answer.
    pub fn hang(&self) {
        self.signal("-STOP");
        let threads = format!("/proc/{}/task", self.process.id());
        let stopped = |thread: std::fs::DirEntry| {
            std::fs::read_to_string(thread.path().join("stat")).is_ok_and(|stat| stat.contains(") T "))
        };
        crate::until("it is stopped", || {
            std::fs::read_dir(&threads).is_ok_and(|mut all| all.all(|one| one.is_ok_and(stopped)))
        });
    }

    /// It answers again.
    pub fn go_on(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, name: &str) {
        let sent = program("kill").args([name, &self.process.id().to_string()]).status();
        assert!(sent.is_ok_and(|sent| sent.success()), "it could not be told {name}");
    }
}

impl Drop for HangingMount {
    fn drop(&mut self) {
        let _ = program("kill").args(["-CONT", &self.process.id().to_string()]).status();
        let _ = program("fusermount3").arg("-uz").arg(&self.at).status();
        let _ = self.process.wait();
    }
}
