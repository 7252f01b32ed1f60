//! A place for one battery: a home, a state folder, a workspace and a cgroup that holds everything started in it.
//!
//! May not leave anything behind, whatever became of what ran in it.

use super::guard::LastGuard;
use super::outcome::{self, BoundedRun};
use super::processes::{self, comes};
use super::server::{GRACE, PipedServer};
use super::tally::Tally;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What all batteries share.
pub(crate) struct Equipment {
    folder: PathBuf,
    cgroups: PathBuf,
    serial: AtomicU32,
    /// Goes last, and takes away what is left.
    _guard: LastGuard,
    /// The size that fits into every check, not the whole.
    pub(crate) part: bool,
}

/// Not among the temporary files, of which a sandboxed command has its own.
const ABOVE: &str = "/var/tmp";

impl Equipment {
    /// Copies of the programs that are under attack, where every user can execute them.
    pub(crate) fn new(programs: &Path, part: bool) -> Result<Self, String> {
        let folder = Path::new(ABOVE).join(format!("runward-chaos-{}", std::process::id()));
        let failed = |error: std::io::Error| format!("`{}` cannot be prepared: {error}", folder.display());
        fs::create_dir_all(folder.join("bin")).map_err(failed)?;
        for name in ["runward", "runward-fixture", "scripted-child"] {
            let (from, to) = (programs.join(name), folder.join("bin").join(name));
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop)).map_err(failed)?;
        }
        let cgroups = cgroups().ok_or("there is no cgroup file system of version 2 that can be written")?;
        let guard = LastGuard::new(&folder, &cgroups)?;
        Ok(Self { folder, cgroups, serial: AtomicU32::new(0), _guard: guard, part })
    }

    /// One of the programs.
    pub(crate) fn program(&self, name: &str) -> String {
        self.folder.join("bin").join(name).display().to_string()
    }

    /// A number that nothing else has here.
    pub(crate) fn number(&self) -> u32 {
        self.serial.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// Where this process may make groups of processes.
fn cgroups() -> Option<PathBuf> {
    let mounts = fs::read_to_string("/proc/mounts").ok()?;
    let mount = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let mount =
        mount.filter(|words| words.get(2) == Some(&"cgroup2")).find_map(|words| Some(*words.get(1)?))?;
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    let path = Path::new(mount).join(own);
    let trial = path.join(group_name("trial"));
    fs::create_dir(&trial).and_then(|()| fs::remove_dir(&trial)).ok().map(|()| path)
}

/// Not a name that Runward itself gives: it takes empty groups of its own names away.
fn group_name(what: &str) -> String {
    format!("chaos-{}-{what}", std::process::id())
}

/// Joins the group, then becomes the program, so that its pid is the one that was started.
const JOIN: &str = "echo $$ >\"$0\"/cgroup.procs && exec \"$@\"";

/// The place.
pub(crate) struct Arena<'e> {
    /// What all share.
    pub(crate) equipment: &'e Equipment,
    folder: PathBuf,
    cgroup: PathBuf,
}

impl<'e> Arena<'e> {
    /// A new place.
    pub(crate) fn new(equipment: &'e Equipment) -> Result<Self, String> {
        let number = equipment.number();
        let folder = equipment.folder.join(number.to_string());
        let cgroup = equipment.cgroups.join(group_name(&number.to_string()));
        let failed = |error: std::io::Error| format!("`{}` cannot be prepared: {error}", folder.display());
        for inner in ["work", "home", "state"] {
            fs::create_dir_all(folder.join(inner)).map_err(failed)?;
        }
        fs::write(folder.join("runward.toml"), "").map_err(failed)?;
        fs::create_dir(&cgroup).map_err(failed)?;
        Ok(Self { equipment, folder, cgroup })
    }

    /// A path inside.
    pub(crate) fn join(&self, inner: &str) -> PathBuf {
        self.folder.join(inner)
    }

    /// The state folder.
    pub(crate) fn state(&self) -> PathBuf {
        self.join("state")
    }

    /// Where the pids of daemons are noted, beside everything that may be a mount.
    pub(crate) fn daemons(&self) -> PathBuf {
        self.equipment.folder.with_extension("pids")
    }

    /// Writes the configuration.
    pub(crate) fn configure(&self, text: &str) -> Result<(), String> {
        fs::write(self.join("runward.toml"), text).map_err(|error| format!("no configuration: {error}"))
    }

    /// Any program with its words, in this place.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", JOIN]).arg(&self.cgroup).args(words);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.join("home")).env("RUNWARD_STATE_DIR", self.state());
        command.env("RUNWARD_CONFIG", self.join("runward.toml")).env("ALLOWED_COMMANDS", "*");
        command.current_dir(self.join("work"));
        command
    }

    /// The program under attack, behind other words.
    pub(crate) fn behind(&self, before: &[&str], words: &[&str]) -> Command {
        let runward = self.equipment.program("runward");
        let all: Vec<&str> =
            before.iter().copied().chain([runward.as_str()]).chain(words.iter().copied()).collect();
        self.command(&all)
    }

    /// The program under attack.
    pub(crate) fn runward(&self, words: &[&str]) -> Command {
        self.behind(&[], words)
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, words: &[&str]) -> Result<BoundedRun, String> {
        outcome::run(&words.join(" "), &mut self.runward(words), GRACE * 2)
    }

    /// Starts a server on pipes.
    pub(crate) fn server(&self) -> Result<PipedServer, String> {
        PipedServer::start(&mut self.runward(&["mcp", "--profile", "all"]))
    }

    /// Gives everything in here to this user.
    pub(crate) fn give_to(&self, user: u32) -> Result<(), String> {
        let mut command = Command::new("chown");
        command.args(["-R", &format!("{user}:{user}")]).arg(&self.folder);
        let status = command.status().map_err(|error| format!("no `chown`: {error}"))?;
        if status.success() { Ok(()) } else { Err(format!("`chown` failed ({status})")) }
    }

    /// Every process that was started in here and lives, in whatever group below.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let lists = groups(&self.cgroup).into_iter().map(|group| group.join("cgroup.procs"));
        let text: String = lists.filter_map(|list| fs::read_to_string(list).ok()).collect();
        let all = text.lines().filter_map(|line| line.parse().ok());
        all.filter(|pid| *pid != 0 && !processes::has_ended(*pid)).collect()
    }

    /// Counts what stays although everything that was started in here has been ended, and takes it away.
    pub(crate) fn sweep(&self, when: &str, tally: &mut Tally) {
        comes(GRACE, || self.processes().is_empty());
        self.tidy();
        let processes = self.processes();
        let lines: Vec<_> = processes.iter().map(|pid| processes::line(*pid)).collect();
        tally.left(processes.len(), format!("{when}: {}", lines.join("; ")));
        tally.left(groups(&self.cgroup).len().saturating_sub(1), format!("{when}: groups of processes"));
        self.clear();
    }

    /// The empty cgroup of a server that was killed is removed by the process that runs the next command.
    fn tidy(&self) {
        let one = || groups(&self.cgroup).len() <= 1;
        if !comes(Duration::from_millis(50), one) {
            let mut next = self.runward(&["exec", "--quiet", "--", "true"]);
            let _ = outcome::run("exec", next.env("RUNWARD_JOURNAL", "off"), GRACE);
            comes(Duration::from_secs(1), one);
        }
    }

    /// The same about files in the workspace, which only Runward could have put there.
    pub(crate) fn sweep_work(&self, when: &str, tally: &mut Tally) {
        let entries = fs::read_dir(self.join("work")).into_iter().flatten().flatten();
        let names: Vec<_> = entries.map(|entry| entry.file_name().display().to_string()).collect();
        tally.left(names.len(), format!("{when}: in the workspace {}", names.join(", ")));
        let _ = fs::remove_dir_all(self.join("work"));
        let _ = fs::create_dir(self.join("work"));
    }

    /// Ends everything in here. Not by `cgroup.kill`: where it was written more often to this group than to one below it,
    /// Linux (tried on 6.18) kills what is born from here into that one (`CLONE_INTO_CGROUP`); what is moved there lives.
    fn clear(&self) {
        let gone = || {
            self.processes().iter().for_each(|pid| processes::signal("KILL", &pid.to_string()));
            self.processes().is_empty()
        };
        comes(Duration::from_secs(5), gone);
        for group in groups(&self.cgroup).iter().rev().filter(|group| **group != self.cgroup) {
            let _ = fs::remove_dir(group);
        }
    }
}

impl Drop for Arena<'_> {
    fn drop(&mut self) {
        self.clear();
        let _ = fs::remove_dir(&self.cgroup);
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A group and all below it, the outer ones first.
fn groups(top: &Path) -> Vec<PathBuf> {
    let mut all = vec![top.to_owned()];
    let mut at = 0;
    while at < all.len() {
        let inner = fs::read_dir(&all[at]).into_iter().flatten().flatten();
        let folders: Vec<_> = inner.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        all.extend(folders);
        at += 1;
    }
    all
}
