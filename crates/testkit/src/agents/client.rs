//! A client before it runs: its scratch home, the servers it is told of, and settings of its own.

use super::place::AgentKind;
use super::running::RunningAgent;
use super::{claude, codex, gemini, opencode};
use crate::model::{ModelScript, ScriptedModel};
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A server of tools that a client starts over stdio. Clients pass little of their own environment on, each another
/// part: what the server needs stands here.
#[derive(Debug, Clone)]
pub struct AgentServer {
    /// The name that the client knows it by.
    pub name: String,
    /// Its program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its environment, besides what the client gives it.
    pub env: Vec<(String, String)>,
}

/// A real agent program with a home that is empty but for what a test puts there.
///
/// It is started without a terminal, may use every tool without asking, sends nothing to anyone, does not update itself,
/// and asks a [`ScriptedModel`]. Every way to another host leads to a closed port on loopback.
///
/// ```no_run
/// use serde_json::json;
/// use testkit::agents::{AgentClient, AgentKind};
/// use testkit::model::ModelScript;
///
/// // A hook of Claude Code's own shell: its settings, a script of the model, and what came of it.
/// let client = AgentClient::new(AgentKind::Claude).file("claude/settings.json", r#"{"hooks": {}}"#);
/// let script = ModelScript::new().call_own(&["Bash"], json!({"command": "echo hello"}));
/// let report = client.start(script).finish();
/// assert!(report.record.texts()[0].contains("hello"));
/// ```
///
/// Where each looks for settings, below the home: `claude/settings.json`, `codex/config.toml` (what is given is put
/// before ours: tables and keys at the top), `.gemini/settings.json` and `opencode.json` (what is given is merged into
/// ours). Files for the folder that it works in are written there by the test: see [`AgentClient::work`].
#[derive(Debug)]
pub struct AgentClient {
    pub(super) kind: AgentKind,
    pub(super) servers: Vec<AgentServer>,
    home: TempDir,
    work: Option<PathBuf>,
    env: Vec<(OsString, OsString)>,
    args: Vec<String>,
}

/// How a kind of client is told about the model: what stands on its command line and in its environment.
pub(super) struct AgentStart {
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(&'static str, OsString)>,
}

/// The prompt. The model does not read it.
pub(super) const PROMPT: &str = "use the tools";

/// Nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9";

impl AgentClient {
    /// A client in a home of its own.
    pub fn new(kind: AgentKind) -> Self {
        let home = tempfile::tempdir().expect("a scratch home");
        fs::create_dir(home.path().join("work")).expect("a folder to work in");
        Self { kind, servers: Vec::new(), home, work: None, env: Vec::new(), args: Vec::new() }
    }

    /// Tells it of a server.
    #[must_use]
    pub fn server(mut self, server: AgentServer) -> Self {
        self.servers.push(server);
        self
    }

    /// Lets it work in another folder than the empty one in its home.
    #[must_use]
    pub fn folder(mut self, folder: &Path) -> Self {
        self.work = Some(folder.to_owned());
        self
    }

    /// Writes a file below its home.
    #[must_use]
    pub fn file(self, path: &str, text: &str) -> Self {
        self.write(path, text);
        self
    }

    /// Sets a value in its environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    /// Gives it one more argument.
    #[must_use]
    pub fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    /// Its home.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// The folder that it works in.
    pub fn work(&self) -> PathBuf {
        self.work.clone().unwrap_or_else(|| self.home().join("work"))
    }

    /// Another program in the same home and folder, as a person starts it there beside the client.
    pub fn beside(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.surroundings()).envs(self.env.iter().cloned()).current_dir(self.work());
        command
    }

    pub(super) fn write(&self, path: &str, text: &str) {
        let path = self.home().join(path);
        let folder = path.parent().expect("a file below the home");
        fs::create_dir_all(folder).expect("a folder in a scratch home");
        fs::write(&path, text).expect("a file in a scratch home");
    }

    /// What a test has put there already.
    pub(super) fn given(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.home().join(path)).ok()
    }

    /// Starts it with a model that plays the script.
    pub fn start(self, script: ModelScript) -> RunningAgent {
        let model = ScriptedModel::start(script);
        let start = match self.kind {
            AgentKind::Claude => claude::prepare(&self, &model.url()),
            AgentKind::Codex => codex::prepare(&self, &model.url()),
            AgentKind::Gemini => gemini::prepare(&self, &model.url()),
            AgentKind::OpenCode => opencode::prepare(&self, &model.url()),
        };
        let words = self.kind.program();
        // Files, not pipes: what a client leaves behind may hold them, and nobody waits for that.
        let sink = |name: &str| File::create(self.home().join(name)).expect("a file in a scratch home");
        let child = self
            .beside(&words[0])
            .args(&words[1..])
            .args(start.args)
            .args(&self.args)
            .envs(start.env)
            .envs(self.env.iter().cloned())
            .stdin(Stdio::null())
            .stdout(sink("stdout"))
            .stderr(sink("stderr"))
            .spawn();
        let child = child.unwrap_or_else(|error| panic!("{} does not start: {error}", self.kind));
        RunningAgent::new(self.home, model, child, self.kind)
    }

    /// The environment of every client, and of what is started beside it.
    fn surroundings(&self) -> Vec<(&'static str, OsString)> {
        let home = |below: &str| self.home().join(below).into_os_string();
        let mut all = vec![
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("LANG", "C.UTF-8".into()),
            ("HOME", home("")),
            ("TMPDIR", home("")),
            ("XDG_CONFIG_HOME", home("config")),
            ("XDG_DATA_HOME", home("share")),
            ("XDG_CACHE_HOME", home("cache")),
            ("XDG_STATE_HOME", home("state")),
            ("CLAUDE_CONFIG_DIR", home("claude")),
            ("CODEX_HOME", home("codex")),
        ];
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"] {
            all.push((name, NOWHERE.into()));
        }
        for name in ["NO_PROXY", "no_proxy"] {
            all.push((name, "127.0.0.1,localhost".into()));
        }
        all
    }
}
