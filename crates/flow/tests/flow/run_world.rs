//! A folder, facts and a real engine for tests of whole runs. May not test anything itself.
#![expect(clippy::disallowed_methods, reason = "tests make the files that they look at")]

use crate::gather_world::Fake;
use runward_engine::approve::Approver;
use runward_engine::config::{ConfigSource, Settings, Sources, load};
use runward_engine::core::output::StreamText;
use runward_engine::{Caller, CommandSpec, Door, Engine, HostFacts, Outcome, Policy, Request};
use runward_flow::FlowError;
use runward_flow::lookup::Places;
use runward_flow::run::gather::Surroundings;
use runward_flow::run::road::Road;
use runward_flow::run::{
    Agent, AgentFile, AgentInProgress, Along, BuiltAgent, Outside, ReadyGround, Record, SettledFile,
};
use runward_flow::words::{Switch, take_ours};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A folder with files in it, and what a door knows about the host.
pub(crate) struct World {
    _folder: TempDir,
    root: PathBuf,
    pub(crate) facts: HostFacts,
    policy: Policy,
    /// Walks what the file runs, where it must be a certain one.
    engine: Option<Engine>,
    pub(crate) settings: Settings,
    pub(crate) stdin: Option<String>,
}

/// An agent that ran to its end.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) ready: BuiltAgent,
    pub(crate) stdout: String,
    pub(crate) exit_code: i32,
    /// What the hook after it had to tell.
    pub(crate) note: Option<String>,
}

impl World {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        let mut facts = Engine::builder().build().unwrap().facts().clone();
        facts.cwd.clone_from(&root);
        facts.home = Some(root.join("home"));
        let policy = Policy::allow_everything("a test");
        let world = Self {
            _folder: folder,
            root,
            facts,
            policy,
            engine: None,
            settings: Settings::built_in(),
            stdin: None,
        };
        files.iter().for_each(|(path, text)| world.put(path, text));
        world
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub(crate) fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Whether a file is there.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).exists()
    }

    /// What a file holds that a command has written.
    pub(crate) fn written(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    /// Sets a variable of the real environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.facts.env.insert(name.into(), value.into());
        self
    }

    /// A program of this name, before all others on PATH.
    pub(crate) fn program(mut self, name: &str, script: &str) -> Self {
        let path = format!("bin/{name}");
        self.put(&path, &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(self.path(&path), std::fs::Permissions::from_mode(0o755)).unwrap();
        let bin = self.path("bin");
        let before = self.facts.env.get("PATH".as_ref() as &std::ffi::OsStr).cloned().unwrap_or_default();
        let all = [bin.clone()].into_iter().chain(std::env::split_paths(&before).filter(|dir| *dir != bin));
        let joined = std::env::join_paths(all).unwrap();
        self.facts.env.insert("PATH".into(), joined);
        self
    }

    pub(crate) fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    pub(crate) fn config(mut self, text: &str) -> Self {
        let user = Some(ConfigSource { file: "runward.toml".to_owned(), text: text.to_owned() });
        self.settings = load(&Sources { user, ..Sources::default() }).unwrap();
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.to_owned());
        self
    }

    /// Prepares the folder with text for a shell.
    pub(crate) async fn shell(&self, text: &str) {
        let printed = self.along().run(CommandSpec::shell(text).cwd(&self.root)).await.unwrap();
        assert_eq!(printed.exit_code, 0, "{printed:?}");
    }

    fn built(&self) -> Engine {
        Engine::builder().facts(self.facts.clone()).policy(self.policy.clone()).build().unwrap()
    }

    /// Lets this somebody be asked about what the file runs.
    pub(crate) fn asking(mut self, approver: impl Approver + 'static) -> Self {
        self.engine = Some(self.built().asking(approver));
        self
    }

    fn along(&self) -> Along {
        Along::new(self.engine.clone().unwrap_or_else(|| self.built()), caller())
    }

    fn agent(&self, line: &[&str]) -> Result<(Agent, bool, bool, Vec<String>), FlowError> {
        let typed: Vec<String> = line[1..].iter().map(|word| (*word).to_owned()).collect();
        let (ours, words) = take_ours(&typed)?;
        let places = Places { cwd: &self.root, home: self.facts.home.as_deref(), config: None, path: &[] };
        let program = AgentFile::find(line[0], &places)?;
        let variable = self.facts.env_var("RUNWARD_COMMAND").and_then(|name| name.to_str());
        match Agent::settle(program, &ours, variable, &self.settings)? {
            SettledFile::Agent(agent) => {
                Ok((*agent, ours.has(Switch::DryRun), ours.has(Switch::Resume), words))
            }
            SettledFile::Document(text) => panic!("a document: {text}"),
        }
    }

    /// A file with its words made ready, as a door does it.
    pub(crate) async fn ready(&self, line: &[&str]) -> Result<BuiltAgent, FlowError> {
        let (_, dry, _, _) = self.agent(line)?;
        self.ready_on((!dry).then(|| self.along()), line).await
    }

    /// The same on this road.
    pub(crate) async fn ready_on<R: Road>(
        &self,
        road: Option<R>,
        line: &[&str],
    ) -> Result<BuiltAgent, FlowError> {
        let (agent, _, resume, words) = self.agent(line)?;
        let (home, hosts) = (self.facts.home.clone(), agent.hosts.clone());
        let surroundings = Arc::new(Surroundings { home, hosts, ..Surroundings::new(&self.root, road) });
        let outside = Outside { words, stdin: self.stdin.clone() };
        let draft = AgentInProgress::of(agent, outside, Arc::clone(&surroundings)).await?;
        let record = Some(Record { file: self.path("record.jsonl"), resume });
        draft.ready(&ReadyGround { facts: &self.facts, surroundings, record }).await
    }

    /// What would travel the road while a file is made ready.
    pub(crate) async fn asked(&self, road: Fake, line: &[&str]) -> Vec<CommandSpec> {
        let (agent, _, _, words) = self.agent(line).unwrap();
        let road = Arc::new(road);
        let surroundings = Arc::new(Surroundings::new(&self.root, Some(Arc::clone(&road))));
        let outside = Outside { words, stdin: self.stdin.clone() };
        let draft = AgentInProgress::of(agent, outside, Arc::clone(&surroundings)).await.unwrap();
        draft.ready(&ReadyGround { facts: &self.facts, surroundings, record: None }).await.unwrap();
        road.asked.lock().unwrap().clone()
    }

    /// The final prompt.
    pub(crate) async fn prompt(&self, line: &[&str]) -> String {
        self.ready(line).await.unwrap_or_else(|error| panic!("{error}")).prompt.text
    }

    pub(crate) async fn error(&self, line: &[&str]) -> FlowError {
        self.ready(line).await.map(|ready| ready.prompt.text).unwrap_err()
    }

    /// The whole run: made ready, run, told to the hook after it.
    pub(crate) async fn run(&self, line: &[&str]) -> Result<Ran, FlowError> {
        let ready = self.ready(line).await?;
        let road = self.along();
        if let Some(text) = ready.finished.clone() {
            let note = ready.after(0, &road).await;
            return Ok(Ran { ready, stdout: text, exit_code: 0, note });
        }
        let outcome = self.built().run(Request::by(caller(), ready.spec())).await.unwrap();
        let Outcome::Ran(receipt) = outcome else { panic!("{outcome:?}") };
        let exit_code = receipt.end.exit_code();
        let note = ready.after(exit_code, &road).await;
        Ok(Ran { ready, stdout: StreamText::of(&receipt.stdout.kept).text, exit_code, note })
    }

    /// What the agent prints.
    pub(crate) async fn stdout(&self, line: &[&str]) -> String {
        self.run(line).await.unwrap_or_else(|error| panic!("{error}")).stdout
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }
}

fn caller() -> Caller {
    Caller::file(Door::Flow)
}
