//! What the tests of doors need: a workspace, and toolkits bound to it.

use runward_engine::toolkit::{
    AgentToolkit, ExecCommandAnswer, ExecCommandOptions, ExecCommandOutput, ShellMode, ToolError,
    ToolErrorCode, ToolkitGround, create_agent_toolkit,
};
use runward_engine::{Engine, Policy};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder `inside`, a file and a folder in it, and a folder beside it.
pub(crate) struct Ground {
    dir: TempDir,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("inside/sub/deep")).unwrap();
        std::fs::create_dir_all(dir.path().join("inside-evil")).unwrap();
        std::fs::write(dir.path().join("inside/file"), "x").unwrap();
        Self { dir }
    }

    pub(crate) fn top(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.top().join("inside")
    }

    /// The toolkit as an operator who offers it opens it.
    pub(crate) fn toolkit(&self) -> AgentToolkit {
        self.under(opened())
    }

    pub(crate) fn under(&self, policy: Policy) -> AgentToolkit {
        create_agent_toolkit(ToolkitGround::new(engine(policy), self.workspace()))
    }

    pub(crate) async fn run(&self, command: &[&str], options: ExecCommandOptions) -> ExecCommandOutput {
        call(&self.toolkit(), ".", command, options).await.unwrap().output
    }

    /// Runs it both ways; both must come to the same.
    pub(crate) async fn run_both_ways(&self, command: &[&str]) -> ExecCommandOutput {
        let mut default = self.run(command, ExecCommandOptions::default()).await;
        let direct = self.run(command, direct()).await;
        default.duration_ms = direct.duration_ms;
        assert_eq!(default, direct);
        direct
    }
}

pub(crate) fn engine(policy: Policy) -> Engine {
    Engine::builder().policy(policy).build().unwrap()
}

pub(crate) fn opened() -> Policy {
    Policy::default().grant("exec_command", "a test offers it").grant("exec", "a test offers it")
}

pub(crate) fn direct() -> ExecCommandOptions {
    ExecCommandOptions { shell_mode: ShellMode::Direct, ..ExecCommandOptions::default() }
}

pub(crate) async fn call(
    toolkit: &AgentToolkit,
    cwd: &str,
    command: &[&str],
    options: ExecCommandOptions,
) -> Result<ExecCommandAnswer, ToolError> {
    let command: Vec<String> = command.iter().map(ToString::to_string).collect();
    toolkit.exec_command(cwd, &command, options).await
}

pub(crate) async fn refused(toolkit: &AgentToolkit, cwd: &str, command: &[&str]) -> (ToolErrorCode, String) {
    let error = call(toolkit, cwd, command, direct()).await.unwrap_err();
    assert!(error.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{error:?}");
    (error.code, error.message)
}

pub(crate) fn text(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

/// Whether a process is still there, and not merely waiting to be counted.
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
    stat.is_ok_and(|stat| !stat.contains(") Z "))
}
