//! A siege: a program in the sandbox tries more than a hundred and fifty ways to change something outside, and what counts is
//! what has changed there: files, processes, terminals, queues, bytes that arrived.
//!
//! `siege.py` is both halves. It runs in each mode, with a network and without, as an ordinary user and, where the tests run
//! as root, also as root. A failure names everything that got through.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SIEGE: &str = include_str!("siege.py");

/// The user `nobody`.
const ORDINARY: u32 = 65534;

/// Who attacks.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Who {
    Ordinary,
    /// The user who runs the tests.
    Ourselves,
}

struct Camp {
    folder: tempfile::TempDir,
    who: Who,
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|it| std::os::unix::fs::MetadataExt::uid(&it) == 0)
}

/// Everyone that this run can be.
fn everyone() -> Vec<Who> {
    if is_root() {
        return vec![Who::Ordinary, Who::Ourselves];
    }
    eprintln!("not root: the half of the siege that root makes is not run here");
    vec![Who::Ourselves]
}

impl Camp {
    fn new(who: Who) -> Self {
        // Everybody may go there, and no command has one of its own.
        let folder = tempfile::tempdir_in("/var/tmp").unwrap();
        for name in ["out", "work", "state", "config"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        std::fs::write(folder.path().join("siege.py"), SIEGE).unwrap();
        std::fs::write(folder.path().join("work/seed"), "seed").unwrap();
        if who == Who::Ordinary {
            let all = ["", "out", "work", "work/seed", "state", "config", "siege.py"];
            all.iter().for_each(|name| {
                std::os::unix::fs::chown(folder.path().join(name), Some(ORDINARY), Some(ORDINARY)).unwrap();
            });
        }
        Self { folder, who }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    #[expect(clippy::disallowed_methods, reason = "both halves are beside Runward, or are Runward")]
    fn command(&self, program: &Path) -> Command {
        let mut command = if self.who == Who::Ordinary {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let path = self.path();
        command.current_dir(path.join("work")).env_clear();
        command.env("PATH", "/usr/local/bin:/usr/bin:/bin").env("HOME", path.join("config"));
        command.env("RUNWARD_STATE_DIR", path.join("state"));
        command
    }

    /// Runs both halves: how many attempts were made, and everything that got through. No sandbox is no mode.
    fn besiege(&self, sandbox: Option<(&str, &str)>) -> (u64, Vec<String>) {
        let path = self.path();
        let (siege, folder) = (path.join("siege.py"), path.to_str().unwrap());
        let mut outside = self.command(&python());
        outside.arg(&siege).args(["outside", folder]).current_dir(&path);
        let mut outside = outside.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut said = BufReader::new(outside.stdout.take().unwrap()).lines();
        let at = said.next().unwrap().unwrap();
        let (role, network) = sandbox.map_or(("control", "off"), |(_, network)| ("inside", network));
        let mut inside = match sandbox {
            None => self.command(&python()),
            Some((mode, network)) => {
                let mut inside = self.command(&runward(&path));
                inside.args(["exec", "--sandbox", mode, "--network", network, "--"]).arg(python());
                inside
            }
        };
        let tried = inside.arg(&siege).args([role, folder, &at, network]).output().unwrap();
        drop(outside.stdin.take());
        let report: Value = serde_json::from_slice(&tried.stdout).unwrap_or_else(|_| panic!("{tried:?}"));
        let effects: Value = serde_json::from_str(&said.next().unwrap().unwrap()).unwrap();
        outside.wait().unwrap();
        let lines = |list: &Value| -> Vec<String> {
            list.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
        };
        let harm = [lines(&report["harm"]), lines(&effects)].concat();
        (report["tried"].as_u64().unwrap(), harm)
    }
}

/// The system's own, which every user may run.
fn python() -> PathBuf {
    let usual = ["/usr/bin/python3", "/usr/local/bin/python3"].map(PathBuf::from);
    usual.into_iter().find(|path| path.exists()).unwrap_or_else(|| "python3".into())
}

/// The binary, or a copy of it where another user cannot go.
fn runward(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let built = Path::new(env!("CARGO_BIN_EXE_runward"));
    let open = |path: &Path| std::fs::metadata(path).is_ok_and(|it| it.permissions().mode() & 0o005 == 0o005);
    if !built.starts_with("/tmp") && built.ancestors().all(open) {
        return built.to_owned();
    }
    let copy = folder.join("runward");
    if !copy.exists() {
        std::fs::copy(built, &copy).unwrap();
    }
    copy
}

// promise: P17
#[test]
fn nothing_outside_changes_whatever_is_tried() {
    for who in everyone() {
        for mode in ["read-only", "workspace-write"] {
            for network in ["on", "off"] {
                let (tried, harm) = Camp::new(who).besiege(Some((mode, network)));
                assert!(harm.is_empty(), "{who:?}, {mode}, network {network}:\n{}", harm.join("\n"));
                assert!(tried >= 150, "only {tried} attempts");
            }
        }
    }
}

/// The attempts are real: without a sandbox they do what they are meant to.
#[test]
fn without_a_sandbox_the_same_attempts_get_through() {
    for who in everyone() {
        let (tried, harm) = Camp::new(who).besiege(None);
        assert!(
            tried > 60 && harm.len() > 40,
            "{who:?}: {tried} tried, {}:\n{}",
            harm.len(),
            harm.join("\n")
        );
        for kind in ["file ", "process: ", "bytes arrived: ", "terminal: ", "shared memory: ", "semaphore: "]
        {
            assert!(harm.iter().any(|line| line.starts_with(kind)), "{who:?}: {kind}\n{}", harm.join("\n"));
        }
    }
}
