//! What every test of the sandbox needs: a workspace, something outside it, and an engine with a sandbox.

use runward_engine::{
    CommandSpec, Engine, EngineBuilder, Layer, Mode, Network, Outcome, Policy, Receipt, SandboxSettings,
    Workspace,
};
use std::path::PathBuf;

/// Every combination of layers that keeps files from being written.
pub(crate) const KEEPING: [&[Layer]; 3] =
    [&Layer::ALL, &[Layer::Landlock, Layer::Seccomp], &[Layer::Namespaces, Layer::Seccomp]];

/// A workspace and what lies beside it, far from the temporary folder that is hidden.
pub(crate) struct Ground {
    folder: tempfile::TempDir,
    pub(crate) settings: SandboxSettings,
    /// What the command's caller adds to its environment.
    pub(crate) env: Vec<(&'static str, &'static str)>,
}

impl Ground {
    pub(crate) fn new(mode: Mode) -> Self {
        Self::on(testkit::aside(env!("CARGO_TARGET_TMPDIR")), mode)
    }

    /// The same in the temporary folder, of which a command gets one of its own.
    pub(crate) fn in_tmp(mode: Mode) -> Self {
        Self::on(tempfile::tempdir().unwrap(), mode)
    }

    fn on(folder: tempfile::TempDir, mode: Mode) -> Self {
        std::fs::create_dir(folder.path().join("work")).unwrap();
        std::fs::create_dir(folder.path().join("outside")).unwrap();
        std::fs::write(folder.path().join("outside/file"), "outside").unwrap();
        Self { folder, settings: SandboxSettings { mode, ..SandboxSettings::default() }, env: Vec::new() }
    }

    pub(crate) fn layers(mut self, layers: &[Layer]) -> Self {
        self.settings.layers = layers.to_vec();
        self
    }

    pub(crate) fn offline(mut self) -> Self {
        self.settings.network = Network::Off;
        self
    }

    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.folder.path().join("work").join(name)
    }

    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.folder.path().join("outside").join(name)
    }

    pub(crate) fn engine(&self) -> Engine {
        self.builder().build().unwrap()
    }

    pub(crate) fn builder(&self) -> EngineBuilder {
        let builder = Engine::builder().policy(Policy::allow_everything("a test"));
        builder.sandbox(self.settings.clone())
    }

    pub(crate) fn request(&self, engine: &Engine, spec: CommandSpec) -> runward_engine::Request {
        let spec = if spec.cwd.is_none() { spec.cwd(self.work("")) } else { spec };
        let workspace = Workspace::at(self.work(""), engine.facts(), &runward_engine::host::Disk);
        runward_engine::Request::by(runward_engine::Caller::library(), spec).within(workspace)
    }

    pub(crate) async fn run(&self, spec: CommandSpec) -> Receipt {
        let engine = self.engine();
        match engine.run(self.request(&engine, spec)).await {
            Ok(Outcome::Ran(receipt)) => *receipt,
            other => panic!("did not run: {other:?}"),
        }
    }

    /// Runs a script in the workspace: its exit code, and everything it printed.
    pub(crate) async fn script(&self, text: &str) -> (i32, String) {
        let mut spec = CommandSpec::shell(text).timeout(testkit::LIMIT);
        spec.streams = runward_engine::Streams::Joined;
        let receipt = self.run(spec.env("OUT", self.outside("")).env("IN", self.work(""))).await;
        let said = String::from_utf8(receipt.stdout.kept.bytes()).unwrap();
        assert_eq!(receipt.sandbox, self.names(), "the receipt names the layers in force");
        (receipt.end.exit_code(), said)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.settings.layers.iter().map(|layer| layer.name().to_owned()).collect()
    }
}

/// A script that must fail, and what it must not have changed.
pub(crate) async fn refuses(ground: &Ground, text: &str) -> String {
    let (code, said) = ground.script(text).await;
    assert_ne!(code, 0, "{text} was let through under {:?}: {said}", ground.names());
    said
}

/// A script that must succeed.
pub(crate) async fn lets(ground: &Ground, text: &str) -> String {
    let (code, said) = ground.script(text).await;
    assert_eq!(code, 0, "{text} failed under {:?}: {said}", ground.names());
    said
}
