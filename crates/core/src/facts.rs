//! What is true on this host: facts gathered once, and three questions that may be asked later.
//!
//! May not gather anything itself; `runward-os` probes, tests write facts by hand.
//! Read first: [`HostFacts`].

use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Questions about files. They ask; they never act.
pub trait Look {
    /// Whether this is a file that may be executed.
    fn is_executable(&self, path: &Path) -> bool;
    /// What kind of thing is there.
    fn kind(&self, path: &Path) -> Option<FileKind>;
    /// The path with every link followed, if it exists.
    fn real_path(&self, path: &Path) -> Option<PathBuf>;
}

/// Questions that only discovery asks: looking around in the folders of version managers.
pub trait Browse: Look {
    /// The names in a directory, in no order; empty where there is none.
    fn list(&self, dir: &Path) -> Vec<OsString>;
    /// The beginning of a small text file.
    fn read_small(&self, path: &Path) -> Option<String>;
}

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A file.
    File,
    /// A directory.
    Directory,
    /// Anything else: a socket, a device.
    Other,
}

/// How names are spelled on this host. Data, so that every host's rules are tested on every other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Naming {
    /// What stands between the entries of PATH.
    pub list_separator: char,
    /// Endings that make a file executable, such as `.EXE`; empty where a permission does.
    pub executable_endings: Vec<String>,
    /// Whether `\` separates folders, and environment names ignore case.
    pub backslashes: Backslashes,
}

/// Whether a backslash separates folders here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backslashes {
    /// `\` and `/` separate, and environment names ignore case.
    Separate,
    /// `\` is a letter like any other, and case counts.
    AreLetters,
}

impl Naming {
    /// The rules of Unix.
    pub fn unix() -> Self {
        Self { list_separator: ':', executable_endings: Vec::new(), backslashes: Backslashes::AreLetters }
    }

    /// The rules of Windows, with the value of PATHEXT.
    pub fn windows(pathext: Option<&str>) -> Self {
        let endings = pathext.filter(|text| !text.trim().is_empty()).unwrap_or(".COM;.EXE;.BAT;.CMD");
        Self {
            list_separator: ';',
            executable_endings: endings
                .split(';')
                .map(str::trim)
                .filter(|e| !e.is_empty())
                .map(str::to_owned)
                .collect(),
            backslashes: Backslashes::Separate,
        }
    }

    /// Whether the text holds a character that separates folders.
    pub fn has_separator(&self, text: &OsStr) -> bool {
        let backslash = self.backslashes == Backslashes::Separate;
        text.as_encoded_bytes().iter().any(|b| *b == b'/' || (backslash && (*b == b'\\' || *b == b':')))
    }
}

/// How a command's processes are held together, so that none is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Containment {
    /// A pid namespace of its own: when its first process dies, the kernel kills the rest.
    PidNamespace,
    /// A cgroup of its own, killed as one, under a supervisor that adopts whatever detaches itself.
    Cgroup,
    /// A supervisor that adopts whatever detaches itself.
    Subreaper,
    /// A job object; the kernel closes it when Runward dies.
    Job,
    /// A process group and a walk of the tree.
    ProcessGroup,
}

impl Containment {
    /// The stable spelling in receipts.
    pub fn name(self) -> &'static str {
        match self {
            Containment::PidNamespace => "pid-namespace",
            Containment::Cgroup => "cgroup",
            Containment::Subreaper => "subreaper",
            Containment::Job => "job",
            Containment::ProcessGroup => "process-group",
        }
    }
}

/// Which means keeps a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keeper {
    /// Runward's own clock or counter.
    Runward,
    /// The command's cgroup.
    Cgroup,
    /// A resource limit of each process.
    Rlimit,
    /// The command's job object.
    Job,
}

/// What this host can do. What is not listed does not exist here, and no plan may ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Abilities {
    /// Ways to hold a tree together, the one to take first.
    pub containment: Vec<Containment>,
    /// Who keeps a memory limit, if anyone can.
    pub memory: Option<Keeper>,
    /// Who keeps a limit on processes.
    pub processes: Option<Keeper>,
    /// Who keeps limits on processor time, open files and file size.
    pub per_process: Option<Keeper>,
    /// Whether a pseudo-terminal can be had.
    pub pty: bool,
}

/// A shell of this host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shell {
    /// Where it is.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// What comes before the script.
    pub before: Vec<String>,
}

/// What is true here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HostFacts {
    /// Where Runward was started, with every link followed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub cwd: PathBuf,
    /// The person's home.
    #[serde(serialize_with = "crate::os_text::maybe_path")]
    pub home: Option<PathBuf>,
    /// Runward's own environment.
    #[serde(skip)]
    pub env: BTreeMap<OsString, OsString>,
    /// How names are spelled here.
    pub naming: Naming,
    /// The shell that reads scripts.
    pub shell: Option<Shell>,
    /// Our node, and why it is ours.
    pub node: Option<crate::resolve::FoundNode>,
    /// What the host can do.
    pub abilities: Abilities,
}

impl HostFacts {
    /// One variable of Runward's environment, by this host's rules of case.
    pub fn env_var(&self, name: &str) -> Option<&OsStr> {
        lookup(&self.env, &self.naming, OsStr::new(name))
    }
}

/// One variable of an environment, by the host's rules of case.
pub fn lookup<'a>(env: &'a BTreeMap<OsString, OsString>, naming: &Naming, name: &OsStr) -> Option<&'a OsStr> {
    if let Some(value) = env.get(name) {
        return Some(value);
    }
    if naming.backslashes == Backslashes::AreLetters {
        return None;
    }
    env.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_os_str())
}
