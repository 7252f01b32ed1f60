//! What is true on this host: facts gathered once, and questions that may be asked later.
//!
//! May not gather anything itself; `runward-os` probes, tests write facts by hand.
//! Read first: [`HostFacts`].

mod naming;

pub use naming::{Backslashes, Naming, lookup};

use crate::sandbox::Layer;
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
    /// Whether this itself may be a link, wherever its folder lies. Doubt is a yes.
    fn may_be_link(&self, _path: &Path) -> bool {
        true
    }
    /// Whether this is a dangling link. Doubt is a no: a writer asks for the real path first.
    fn leads_nowhere(&self, _path: &Path) -> bool {
        false
    }
    /// Why nothing can be told about what is there, where the host does not let us look.
    fn refusal(&self, _path: &Path) -> Option<String> {
        None
    }
    /// What tells the file there from another that may take its place, where that can be had.
    fn stamp(&self, path: &Path) -> Option<FileStamp>;
}

/// What tells a file from another that takes its place, and from itself rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FileStamp {
    /// The file system it lies on; zero where there is no such number.
    pub device: u64,
    /// Its inode number; zero where there is none.
    pub number: u64,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds of some clock.
    pub written: u128,
}

/// What tells a folder from another that takes its place, for as long as it is held open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FolderStamp {
    /// The file system it lies on.
    pub device: u64,
    /// Its inode number.
    pub number: u64,
}

impl FileStamp {
    /// The part of it that does not change while things are made in a folder. None without inode numbers.
    pub fn of_folder(self) -> Option<FolderStamp> {
        (self.number != 0).then_some(FolderStamp { device: self.device, number: self.number })
    }
}

/// Questions that only discovery asks: looking around in the folders of version managers.
pub trait Browse: Look {
    /// The names in a directory, in no order; empty where there is none.
    fn list(&self, dir: &Path) -> Vec<OsString>;
    /// The beginning of a small text file.
    fn read_small(&self, path: &Path) -> Option<String>;
    /// Whether a file holds these bytes somewhere. What cannot be read may hold them.
    fn mentions(&self, path: &Path, bytes: &[u8]) -> bool;
    /// Where a link leads, as it is written in it; nothing where this is no link.
    fn link(&self, path: &Path) -> Option<PathBuf>;
    /// Whether this may be entered or executed, whatever it is.
    fn may_enter(&self, path: &Path) -> bool;
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

impl Keeper {
    /// The stable spelling in receipts and records.
    pub fn name(self) -> &'static str {
        match self {
            Keeper::Runward => "runward",
            Keeper::Cgroup => "cgroup",
            Keeper::Rlimit => "rlimit",
            Keeper::Job => "job",
        }
    }
}

/// What this host can do. What is not listed does not exist here, and no plan may ask for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Abilities {
    /// Ways to hold a tree together, the one to take first.
    pub containment: Vec<Containment>,
    /// The keeper of a memory limit, if there is one.
    pub memory: Option<Keeper>,
    /// The keeper of a limit on processes.
    pub processes: Option<Keeper>,
    /// The keeper of limits on processor time, open files and file size.
    pub per_process: Option<Keeper>,
    /// Whether a pseudo-terminal can be had.
    pub pty: bool,
    /// Layers of a sandbox that can be put on. `None` until a sandbox is asked for: to find out takes a while.
    pub layers: Option<Vec<Layer>>,
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

/// Which system a host runs, where its customs matter; what it can do is in [`Abilities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum System {
    /// Linux.
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
    /// Another.
    Other,
}

impl System {
    /// The system of that name, as Rust spells it.
    pub fn named(name: &str) -> Self {
        match name {
            "linux" | "android" => System::Linux,
            "macos" => System::MacOs,
            "windows" => System::Windows,
            _ => System::Other,
        }
    }
}

/// What is true here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HostFacts {
    /// The system.
    pub system: System,
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
