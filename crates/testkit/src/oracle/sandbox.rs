//! A place where bash finds nothing but recorders.
//!
//! The environment is hostile: variables hold what would run `pwn` if a shell took it for code. As root, bash runs as
//! the user `nobody`. May not be used for scripts that name paths.

use runward_core::policy::Dialect;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The names of the recorders.
pub const PROGRAMS: &[&str] = &["pa", "pb", "pc", "pd", "pwn", "ls", "cat", "rm", "sort", "env", "time"];

pub(super) const NOBODY: u32 = 65_534;

/// Variables that hold what would run `pwn` if a shell took it for code.
pub(super) const HOSTILE: &[(&str, &str)] =
    &[("x", "a[$(pwn)]"), ("y", "-v a[$(pwn)]"), ("i", "a[$(pwn)]"), ("z", "-va[$(pwn)]")];

/// How long what is left in the background may go on.
const AFTERWARDS: Duration = Duration::from_millis(500);

/// What runs before each script: limits, and a note of every name that is not a recorder's.
///
/// The recorder notes those names too, because it writes in one call: bash writes line by line, and names can have lines.
/// A function that calls itself through pipes makes as many processes as there may be: `FUNCNEST` ends it.
const BEFORE: &str = r#"ulimit -t 2 -f 512
if [ "$EUID" = 65534 ]; then ulimit -u 200; fi
FUNCNEST=3
readonly FUNCNEST
enable -n kill
command_not_found_handle() {
    builtin exec -a "$1" "$PLACE/bin/recorder" "${@:2}"
}
"#;

/// A sandbox for scripts.
#[derive(Debug)]
pub struct Oracle {
    place: TempDir,
    shell: PathBuf,
    pub(super) dialect: Dialect,
    timeout: PathBuf,
    as_nobody: bool,
    runs: u64,
}

impl Oracle {
    /// A new sandbox for bash, with this program as the recorder.
    pub fn new(recorder: &Path) -> io::Result<Self> {
        Self::of(recorder, "bash", Dialect::Bash)
    }

    /// A new sandbox for a shell that follows the standard.
    pub fn posix(recorder: &Path, shell: &str) -> io::Result<Self> {
        Self::of(recorder, shell, Dialect::Posix)
    }

    fn of(recorder: &Path, shell: &str, dialect: Dialect) -> io::Result<Self> {
        let place = tempfile::tempdir()?;
        fs::set_permissions(place.path(), Permissions::from_mode(0o777))?;
        let bin = place.path().join("bin");
        fs::create_dir(&bin)?;
        let real = bin.join("recorder");
        fs::copy(recorder, &real)?;
        fs::set_permissions(&real, Permissions::from_mode(0o755))?;
        for name in PROGRAMS {
            symlink("recorder", bin.join(name))?;
        }
        fs::write(place.path().join("before"), BEFORE)?;
        let (shell, timeout) = (found(shell)?, found("timeout")?);
        let as_nobody = fs::metadata(place.path())?.uid() == 0;
        Ok(Self { place, shell, dialect, timeout, as_nobody, runs: 0 })
    }

    /// Runs a script, and gives the words of every program that it tried to start.
    pub fn run(&mut self, script: &str) -> io::Result<Vec<Vec<Vec<u8>>>> {
        self.runs += 1;
        let place = self.place.path();
        let cwd = place.join(format!("cwd.{}", self.runs));
        fs::create_dir(&cwd)?;
        fs::set_permissions(&cwd, Permissions::from_mode(0o777))?;
        for file in ["a1", "a2", "b", "-v"] {
            fs::write(cwd.join(file), "a[$(pwn)]\n")?;
        }
        let done = self.outcome(script, &cwd);
        let log = place.join(format!("log.{}", self.runs));
        let notes = fs::read(&log).unwrap_or_default();
        fs::remove_dir_all(&cwd)?;
        if log.exists() {
            fs::remove_file(&log)?;
        }
        done?;
        Ok(parse(&notes))
    }

    /// Runs it to its end, or until its time is up, and leaves no process of it.
    fn outcome(&self, script: &str, cwd: &Path) -> io::Result<()> {
        to_the_end(self.command(script, cwd).spawn()?)
    }

    fn command(&self, script: &str, cwd: &Path) -> Command {
        let place = self.place.path();
        let mut command = Command::new(&self.timeout);
        command.args(["-s", "KILL", "1"]).arg(&self.shell).args(["-c", script, "sh", "a[$(pwn)]", "-v"]);
        command.current_dir(cwd).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).env_clear();
        command.env("PATH", place.join("bin")).env("HOME", cwd).env("PLACE", place);
        command.env("RECORD", self.runs.to_string()).env("BASH_ENV", place.join("before"));
        command.envs(HOSTILE.iter().copied());
        command.process_group(0);
        if self.as_nobody {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }
}

/// Waits for a child that leads a group of its own, and leaves nothing of the group.
pub(super) fn to_the_end(mut child: Child) -> io::Result<()> {
    let done = child.wait();
    let group = i32::try_from(child.id()).unwrap_or(i32::MAX);
    let started = Instant::now();
    // What runs in the background is waited for, but not for long.
    while is_there(group, 0) && started.elapsed() < AFTERWARDS {
        std::thread::sleep(Duration::from_millis(1));
    }
    is_there(group, libc::SIGKILL);
    done.map(drop)
}

/// Signals a group of ours. Whether anything of it was left.
fn is_there(group: i32, signal: i32) -> bool {
    // SAFETY: plain numbers; the group was made for a child of ours.
    unsafe { libc::kill(-group, signal) == 0 }
}

/// Where a program of the host is.
fn found(name: &str) -> io::Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file());
    found.ok_or_else(|| io::Error::other(format!("`{name}` is not here: run `cargo xtask install`")))
}

/// Notes: the number of words, then the words, each with an end.
fn parse(notes: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut words = notes.split(|byte| *byte == 0).map(<[u8]>::to_vec);
    let mut all = Vec::new();
    while let Some(count) = words.next().and_then(|word| String::from_utf8(word).ok()?.parse::<usize>().ok())
    {
        all.push(words.by_ref().take(count).collect());
    }
    all
}
