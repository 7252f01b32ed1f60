//! Runs the binary in a home of its own, with an environment that holds nothing by chance.

use runward::control::{serve, socket_path};
use runward::registry::Sessions;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// A home, a folder to work in, and the binary.
pub(crate) struct Place {
    home: TempDir,
}

/// What came of one call.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("work")).unwrap();
        Self { home }
    }

    /// A place that is not in the temporary folder, of which a sandboxed command has one of its own.
    #[cfg(target_os = "linux")]
    pub(crate) fn aside() -> Self {
        let home = testkit::aside(env!("CARGO_TARGET_TMPDIR"));
        std::fs::create_dir(home.path().join("work")).unwrap();
        Self { home }
    }

    /// The folder commands run in.
    pub(crate) fn work(&self) -> std::path::PathBuf {
        std::fs::canonicalize(self.home.path().join("work")).unwrap()
    }

    /// The home of the user.
    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    /// The folder that keeps what outlives a call.
    pub(crate) fn state(&self) -> std::path::PathBuf {
        self.home.path().join("state")
    }

    /// Lets the binary find these sessions here, for as long as the runtime lives.
    pub(crate) fn serves(&self, sessions: Sessions) -> Runtime {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let path = socket_path(&self.state().join("run"));
        let at = path.clone();
        runtime.spawn(async move { serve(sessions, None, &at).await.unwrap() });
        testkit::until("the server listens", || path.exists());
        runtime
    }

    /// Writes a file into the work folder.
    pub(crate) fn file(&self, name: &str, text: &str) -> std::path::PathBuf {
        let path = self.work().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes the owner's configuration to its usual place.
    pub(crate) fn owner(&self, text: &str) {
        let folder = self.home.path().join("config/runward");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("runward.toml"), text).unwrap();
    }

    /// Where the owner's configuration is.
    pub(crate) fn owners_file(&self) -> std::path::PathBuf {
        self.home.path().join("config/runward/runward.toml")
    }

    /// What the owner's configuration says by now.
    pub(crate) fn owners_text(&self) -> String {
        std::fs::read_to_string(self.owners_file()).unwrap()
    }

    /// Makes the work folder a project with this configuration.
    pub(crate) fn project(&self, text: &str) {
        std::fs::create_dir_all(self.work().join(".git")).unwrap();
        self.file(".runward.toml", text);
    }

    /// The binary with these arguments, ready to start.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = program(Path::new(env!("CARGO_BIN_EXE_runward")));
        command.args(args).env_clear().envs(self.env()).current_dir(self.work()).stdin(Stdio::null());
        command
    }

    /// The same, started by another program that becomes it: one that sets limits, or forbids calls.
    pub(crate) fn behind<A: AsRef<OsStr>>(
        &self,
        wrapper: &[&str],
        args: impl IntoIterator<Item = A>,
    ) -> Command {
        let mut command = program(Path::new(wrapper[0]));
        command.args(&wrapper[1..]).arg(env!("CARGO_BIN_EXE_runward")).args(args);
        command.env_clear().envs(self.env()).current_dir(self.work()).stdin(Stdio::null());
        command
    }

    /// The whole environment the binary gets.
    pub(crate) fn env(&self) -> [(&'static str, OsString); 4] {
        [
            ("PATH", std::env::var_os("PATH").unwrap_or_default()),
            ("HOME", self.home.path().into()),
            ("XDG_CONFIG_HOME", self.home.path().join("config").into()),
            ("RUNWARD_STATE_DIR", self.home.path().join("state").into()),
        ]
    }

    /// Runs it to its end.
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Said {
        said(&self.command(args).output().unwrap())
    }

    /// Runs it with these bytes as its input.
    pub(crate) fn feed<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>, bytes: Vec<u8>) -> Output {
        let mut child = self.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A command that wants no more closes its end; that is part of what is tested.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        output
    }

    /// Starts it with its output within reach.
    pub(crate) fn start<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Child {
        self.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }
}

/// Any program; the tests are outside of the product and look in.
#[expect(clippy::disallowed_methods, reason = "a test of the binary starts the binary")]
pub(crate) fn program(path: &Path) -> Command {
    Command::new(path)
}

/// Runs the binary in a place of its own.
pub(crate) fn run<A: AsRef<OsStr>>(args: impl IntoIterator<Item = A>) -> Said {
    Place::new().run(args)
}

pub(crate) fn said(output: &Output) -> Said {
    Said {
        code: output.status.code().expect("the binary itself was killed"),
        stdout: String::from_utf8(output.stdout.clone()).unwrap(),
        stderr: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}
