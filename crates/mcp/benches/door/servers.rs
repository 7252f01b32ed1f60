//! The servers that are measured, and everything that is measured about calls.

use crate::{calls, many};
use serde_json::Value;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tempfile::TempDir;
use testkit::McpClient;
use testkit::measure::{Plan, ResultRow, time};

/// A home for servers, where everything may run.
pub(crate) struct MeasuredServers {
    home: TempDir,
}

impl MeasuredServers {
    pub(crate) fn open() -> Self {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("config/runward");
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("runward.toml"), "[policy]\nallow = [\"*\"]\n").expect("a file");
        Self { home }
    }

    /// Any program, with the environment that all of them get.
    pub(crate) fn command(&self, program: &Path, args: &[&str]) -> Command {
        #[expect(clippy::disallowed_methods, reason = "a benchmark stands outside the servers and looks in")]
        let mut command = Command::new(program);
        command.args(args).env_clear().current_dir(self.home.path());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", self.home.path());
        command.env("XDG_CONFIG_HOME", self.home.path().join("config"));
        command.env("RUNWARD_STATE_DIR", self.home.path().join("state"));
        command
    }

    /// A file at home, and its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.home.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    /// `runward mcp`, answering.
    pub(crate) fn runward(&self) -> McpClient {
        self.serve("runward", &["mcp", "--profile", "all"])
    }

    /// A server of this workspace, answering.
    pub(crate) fn serve(&self, name: &str, args: &[&str]) -> McpClient {
        McpClient::start(&mut self.command(&testkit::binary(name), args)).ready()
    }
}

/// Calls before anything counts.
pub(crate) const WARM: usize = 50;

/// How long one call takes until it is answered.
pub(crate) fn calling(client: &mut McpClient, tool: &str, arguments: &Value) -> Duration {
    time(|| drop(client.call(tool, arguments)))
}

/// How often the servers are started anew for one row, so that the result does not hang on one process.
const LIVES: usize = 4;

/// What several lives of the servers give together, each as long as one alone would be: what is young is not like what has
/// served for a while.
pub(crate) fn in_lives<T>(life: impl Fn() -> Vec<T>) -> Vec<T> {
    (0..LIVES).flat_map(|_| life()).collect()
}

/// Everything about calls.
pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let servers = MeasuredServers::open();
    let mut rows = calls::rows(&servers, plan);
    rows.extend(many::rows(&servers, plan));
    rows
}
