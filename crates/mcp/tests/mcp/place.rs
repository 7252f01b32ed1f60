//! A home of its own for each server, with an environment that holds nothing by chance.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A home, a folder to work in, and the binary.
pub(crate) struct Place {
    home: TempDir,
    /// What stands in the environment for this place alone; `None` takes a name out.
    own: Vec<(&'static str, Option<OsString>)>,
}

impl Place {
    /// A place where everything may run.
    pub(crate) fn open() -> Self {
        Self::with("[policy]\nallow = [\"*\"]\n")
    }

    /// A place with this configuration.
    pub(crate) fn with(configuration: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("work")).unwrap();
        let place = Self { home, own: Vec::new() };
        place.configure(configuration);
        place
    }

    /// Writes another configuration over the one there is.
    pub(crate) fn configure(&self, configuration: &str) {
        let folder = self.owners_folder();
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("runward.toml"), configuration).unwrap();
    }

    /// The same place with another value in its environment, or with none.
    pub(crate) fn set(mut self, name: &'static str, value: Option<&str>) -> Self {
        self.own.push((name, value.map(Into::into)));
        self
    }

    /// The folder the server runs in.
    pub(crate) fn work(&self) -> PathBuf {
        std::fs::canonicalize(self.home.path().join("work")).unwrap()
    }

    /// The owner's own folder of configuration.
    pub(crate) fn owners_folder(&self) -> PathBuf {
        self.home.path().join("config/runward")
    }

    /// What the owner's configuration says by now.
    pub(crate) fn owners_text(&self) -> String {
        std::fs::read_to_string(self.owners_folder().join("runward.toml")).unwrap()
    }

    /// Makes a pipe with a name where the server runs, which commands can wait at.
    pub(crate) fn gate(&self) -> PathBuf {
        assert!(self.command(Path::new("mkfifo"), &["gate"]).status().unwrap().success());
        self.work().join("gate")
    }

    /// The whole environment the server gets.
    pub(crate) fn env(&self) -> Vec<(&'static str, OsString)> {
        let mut all = vec![
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("HOME", self.home.path().into()),
            ("XDG_CONFIG_HOME", self.home.path().join("config").into()),
            ("RUNWARD_STATE_DIR", self.home.path().join("state").into()),
            ("ALLOWED_COMMANDS", "*".into()),
        ];
        for (name, value) in &self.own {
            all.retain(|(there, _)| there != name);
            all.extend(value.clone().map(|value| (*name, value)));
        }
        all
    }

    /// `runward mcp` with these arguments, ready to start.
    pub(crate) fn server(&self, args: &[&str]) -> Command {
        self.command(&testkit::binary("runward"), &[&["mcp"], args].concat())
    }

    /// Any program in this place.
    pub(crate) fn command(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = command(program);
        command.args(args).env_clear().envs(self.env()).current_dir(self.work());
        command
    }
}

/// Any program; the tests are outside of the product and look in.
#[expect(clippy::disallowed_methods, reason = "a test of the server starts the server")]
pub(crate) fn command(program: &Path) -> Command {
    Command::new(program)
}
