//! A client that runs, and what is known when it has ended.

use super::place::AgentKind;
use crate::LIMIT;
use crate::model::{ModelRecord, ScriptedModel};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Five times the usual limit: a client takes up to 8 s of a processor before its first request, and then plays a whole
/// script.
const PATIENCE: Duration = LIMIT.saturating_mul(5);

/// A client that runs. It is killed, alone, when this value goes.
#[derive(Debug)]
pub struct RunningAgent {
    child: Child,
    model: ScriptedModel,
    kind: AgentKind,
    /// The last field: it goes after the processes that use it.
    home: TempDir,
}

/// What came of a run.
#[derive(Debug)]
pub struct AgentReport {
    /// Its exit code; nothing where a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: String,
    /// What it complained about.
    pub stderr: String,
    /// What the model was asked and shown.
    pub record: ModelRecord,
}

impl RunningAgent {
    pub(super) fn new(home: TempDir, model: ScriptedModel, child: Child, kind: AgentKind) -> Self {
        Self { child, model, kind, home }
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What the model was asked and shown so far.
    pub fn record(&self) -> ModelRecord {
        self.model.record()
    }

    /// Asks it to stop, as a person does with Ctrl+C.
    pub fn interrupt(&self) {
        self.send(libc::SIGINT);
    }

    /// Asks it to end.
    pub fn terminate(&self) {
        self.send(libc::SIGTERM);
    }

    fn send(&self, signal: i32) {
        let pid = i32::try_from(self.pid()).expect("a process has a small number");
        // SAFETY: a plain system call; the child was not waited for, so the number is still its own.
        let sent = unsafe { libc::kill(pid, signal) };
        assert_eq!(sent, 0, "{} is gone already", self.kind);
    }

    /// Kills it, and nothing that it started.
    pub fn kill(&mut self) {
        self.child.kill().expect("it was started here");
        self.child.wait().expect("it was started here");
    }

    /// Waits until something holds while it runs; panics with what it said if it ends before, or is too slow.
    pub fn until(&mut self, what: &str, mut holds: impl FnMut() -> bool) {
        self.wait(what, |running| {
            if holds() {
                return Some(());
            }
            let (missing, ended) = (running.record().missing, running.ended());
            assert!(missing.is_empty(), "{missing:?}: {:#?}", running.said());
            assert!(ended.is_none(), "{} has ended before: {what}: {:#?}", running.kind, running.said());
            None
        });
    }

    /// Waits until it has ended by itself.
    pub fn finish(mut self) -> AgentReport {
        let code = self.wait("it ends by itself", |running| running.ended()).code();
        let (stdout, stderr) = self.said();
        AgentReport { code, stdout, stderr, record: self.model.record() }
    }

    fn wait<T>(&mut self, what: &str, mut found: impl FnMut(&mut Self) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = found(self) {
                return found;
            }
            let in_time = begun.elapsed() < PATIENCE;
            assert!(in_time, "{}: never came true: {what}: {:#?}, {}", self.kind, self.said(), self.course());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("it was started here")
    }

    /// How far it came.
    fn course(&self) -> String {
        let record = self.record();
        format!("{} requests, {} results of tools", record.requests.len(), record.shown.len())
    }

    fn said(&self) -> (String, String) {
        let read = |name| {
            let bytes = std::fs::read(self.home.path().join(name)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        (read("stdout"), read("stderr"))
    }
}

impl Drop for RunningAgent {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
