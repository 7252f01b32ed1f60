//! A sandbox plan lowered to steps, carried out in order by the child process before it executes its program.
//!
//! The steps are data, so that every host can test them; carrying one out is a few system calls and no decision.
//! May not look at anything: what was looked at is in the plan.

use super::own_network::{self, OwnSocket};
use super::{LandlockTable, Layer, Network, SandboxPlan};
use serde::Serialize;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// What a mount lets through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Access {
    /// Reading.
    Read,
    /// Reading and writing.
    Write,
}

/// What is done if a path is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenMissing {
    /// Nothing runs.
    Fails,
    /// The step is passed over: what is not there cannot be reached.
    IsFine,
}

/// What a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileShape {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// One step. Trees that are kept aside have a number, their slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SandboxStep {
    /// Writes a text to a file.
    Write(#[serde(serialize_with = "crate::os_text::path")] PathBuf, String),
    /// Keeps a tree aside as it is now.
    Keep(usize, #[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Makes every mount read-only and private.
    Close,
    /// Mounts an empty folder that is this command's alone over a folder.
    Fresh(#[serde(serialize_with = "crate::os_text::path")] PathBuf, WhenMissing),
    /// Mounts terminals that are this command's alone over those of all users.
    Terminals(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Makes a folder where a tree will be put.
    Folder(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Makes a file or folder with mode 0.
    Blank(#[serde(serialize_with = "crate::os_text::path")] PathBuf, FileShape),
    /// Mounts a tree that was kept aside over a path.
    Put(usize, #[serde(serialize_with = "crate::os_text::path")] PathBuf, Access, WhenMissing),
    /// Mounts a path over itself, so that it can be neither moved nor removed.
    Pin(#[serde(serialize_with = "crate::os_text::path")] PathBuf, Access),
    /// Goes into the folder where the command runs, if it is still the one that was judged.
    Enter(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Brings up the loopback of the command's own network.
    Loopback,
    /// Sends requests about addresses and routes to the kernel (netlink), and waits until it has confirmed each.
    Netlink(Vec<u8>, WhenMissing),
    /// Makes a socket in the command's own network.
    Socket(OwnSocket),
    /// Hands the sockets that were made out to Runward.
    HandOver,
    /// Gives up every privilege, for good.
    Yield,
    /// Begins a Landlock ruleset.
    Rules {
        /// Rights about files that are governed.
        files: u64,
        /// Rights about the network that are governed.
        network: u64,
        /// What cannot be reached outside the sandbox: signals, abstract sockets.
        scopes: u64,
    },
    /// Adds a rule to it: these rights below this path.
    Allow(#[serde(serialize_with = "crate::os_text::path")] PathBuf, u64),
    /// Puts the ruleset in force, for good.
    Restrict,
    /// Puts the filter of system calls (seccomp) in force, for good.
    Filter,
}

impl fmt::Display for SandboxStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, path) = match self {
            SandboxStep::Write(path, _) => ("writing", path),
            SandboxStep::Keep(_, path) => ("keeping aside", path),
            SandboxStep::Fresh(path, _) => ("laying an empty folder over", path),
            SandboxStep::Terminals(path) => ("laying terminals of its own over", path),
            SandboxStep::Folder(path) | SandboxStep::Blank(path, _) => ("making", path),
            SandboxStep::Put(_, path, _, _) => ("laying something over", path),
            SandboxStep::Pin(path, _) => ("pinning", path),
            SandboxStep::Enter(path) => ("entering", path),
            SandboxStep::Allow(path, _) => ("giving rights to", path),
            SandboxStep::Close => return f.write_str("making everything read-only"),
            SandboxStep::Loopback => return f.write_str("bringing up a loopback of its own"),
            SandboxStep::Netlink(..) => return f.write_str("giving its network addresses of its own"),
            SandboxStep::Socket(socket) => return write!(f, "making a socket in its network ({socket:?})"),
            SandboxStep::HandOver => return f.write_str("handing out the sockets of its network"),
            SandboxStep::Yield => return f.write_str("giving up privileges"),
            SandboxStep::Rules { .. } => return f.write_str("making a table of Landlock's"),
            SandboxStep::Restrict => return f.write_str("putting Landlock in force"),
            SandboxStep::Filter => return f.write_str("filtering system calls"),
        };
        write!(f, "{what} `{}`", path.display())
    }
}

/// What a host says about itself that steps need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    /// The user.
    pub uid: u32,
    /// The group.
    pub gid: u32,
    /// Which version of Landlock the kernel speaks.
    pub landlock: u32,
    /// The terminal that the command runs on, if it runs on one.
    pub terminal: Option<PathBuf>,
    /// Where names are asked for.
    pub name_servers: Vec<IpAddr>,
}

/// Folders of which a command gets empty ones of its own, to write in.
pub(super) const TEMPORARY: [&str; 2] = ["/tmp", "/dev/shm"];

/// Where terminals are. A command gets a file system of its own there.
const TERMINALS: &str = "/dev/pts";

/// Where a command finds the terminal that it runs on, which is none of its own file system of terminals.
pub(super) const OWN_TERMINAL: &str = "/dev/console";

/// Where services listen. Out of reach with a network of its own.
pub(super) const SERVICES: [&str; 2] = ["/run", "/var/run"];

/// Where files and folders of mode 0 are made.
const BLANKS: [&str; 2] = ["/tmp/.runward-file", "/tmp/.runward-folder"];

impl SandboxPlan {
    /// The steps that put this sandbox up around a command in this folder.
    pub fn steps(&self, cwd: &Path, means: &Means) -> Vec<SandboxStep> {
        let mut steps = Vec::new();
        if self.has(Layer::Namespaces) {
            self.view(cwd, means, &mut steps);
        }
        steps.push(SandboxStep::Enter(cwd.to_owned()));
        match &self.hosts {
            _ if !self.has_own_network() => {}
            None => steps.push(SandboxStep::Loopback),
            Some(hosts) => own_network::steps(&means.name_servers, &hosts.literals, &mut steps),
        }
        if self.is_off() {
            return steps;
        }
        steps.push(SandboxStep::Yield);
        if self.has(Layer::Landlock) {
            LandlockTable::of(self, means).steps(&mut steps);
        }
        if self.has(Layer::Seccomp) {
            steps.push(SandboxStep::Filter);
        }
        steps
    }

    /// A view of files of its own.
    fn view(&self, cwd: &Path, means: &Means, steps: &mut Vec<SandboxStep>) {
        for (file, text) in [
            ("/proc/self/setgroups", "deny".to_owned()),
            ("/proc/self/uid_map", format!("{0} {0} 1", means.uid)),
            ("/proc/self/gid_map", format!("{0} {0} 1", means.gid)),
        ] {
            steps.push(SandboxStep::Write(file.into(), text));
        }
        let fresh = self.fresh();
        let trees = self.trees(cwd, &fresh);
        for (slot, (tree, _)) in trees.iter().enumerate() {
            steps.push(SandboxStep::Keep(slot, tree.clone()));
        }
        let terminal = trees.len() + self.hidden.len();
        steps.extend(means.terminal.iter().map(|path| SandboxStep::Keep(terminal, path.clone())));
        steps.push(SandboxStep::Close);
        steps.push(SandboxStep::Terminals(TERMINALS.into()));
        if means.terminal.is_some() {
            steps.push(SandboxStep::Put(terminal, OWN_TERMINAL.into(), Access::Write, WhenMissing::IsFine));
        }
        self.keep_blanks(trees.len(), steps);
        for folder in &fresh {
            steps.push(SandboxStep::Fresh(folder.clone(), WhenMissing::IsFine));
        }
        for (slot, (tree, access)) in trees.iter().enumerate() {
            let below = fresh.iter().find(|folder| tree.starts_with(folder) && tree != *folder);
            if let Some(folder) = below {
                self.make_place(tree, folder, steps);
            }
            steps.push(SandboxStep::Put(slot, tree.clone(), *access, WhenMissing::Fails));
        }
        self.pin(steps);
        for (index, hidden) in self.hidden.iter().enumerate() {
            let slot = trees.len() + index;
            steps.push(SandboxStep::Put(slot, hidden.path.clone(), Access::Read, WhenMissing::IsFine));
        }
    }

    /// Makes a mount point, in a folder that was mounted empty over another.
    fn make_place(&self, tree: &Path, fresh: &Path, steps: &mut Vec<SandboxStep>) {
        let file = self.shown.iter().any(|shown| shown == tree);
        let folders: Vec<&Path> =
            tree.ancestors().skip(usize::from(file)).take_while(|above| *above != fresh).collect();
        steps.extend(folders.into_iter().rev().map(|name| SandboxStep::Folder(name.to_owned())));
        if file {
            steps.push(SandboxStep::Blank(tree.to_owned(), FileShape::File));
        }
    }

    /// The empty folder that a command in this folder gets instead of the one that a path lies in; none where what lies
    /// there is seen as it is.
    pub fn laid_over(&self, path: &Path, cwd: &Path) -> Option<PathBuf> {
        let fresh = if self.has(Layer::Namespaces) { self.fresh() } else { Vec::new() };
        let seen = self.trees(cwd, &fresh).iter().any(|(tree, _)| path.starts_with(tree));
        fresh.into_iter().find(|folder| !seen && path.starts_with(folder))
    }

    fn fresh(&self) -> Vec<PathBuf> {
        let own = self.network != Network::On;
        let services = SERVICES.iter().filter(|_| own);
        TEMPORARY.iter().chain(services).map(PathBuf::from).collect()
    }

    /// What stays to be seen: folders to write, and what would otherwise vanish with what lies around it.
    fn trees(&self, cwd: &Path, fresh: &[PathBuf]) -> Vec<(PathBuf, Access)> {
        let mut trees: Vec<(PathBuf, Access)> =
            self.writable.iter().map(|root| (root.clone(), Access::Write)).collect();
        let shown = self.shown.iter().map(PathBuf::as_path);
        let business = self.workspace.iter().map(PathBuf::as_path).chain([cwd]).chain(shown);
        for folder in business {
            let vanishes = fresh.iter().any(|it| folder.starts_with(it));
            let seen = trees.iter().any(|(tree, _)| folder.starts_with(tree));
            if vanishes && !seen && folder.parent().is_some() {
                trees.push((folder.to_owned(), Access::Read));
            }
        }
        trees
    }

    /// Files and folders of mode 0, kept aside until they are mounted over what is hidden. The folder they are made in
    /// is covered by the next that is mounted over it.
    fn keep_blanks(&self, first: usize, steps: &mut Vec<SandboxStep>) {
        if !self.hidden.is_empty() {
            steps.push(SandboxStep::Fresh(TEMPORARY[0].into(), WhenMissing::Fails));
        }
        for (shape, blank) in [(FileShape::File, BLANKS[0]), (FileShape::Folder, BLANKS[1])] {
            let hidden =
                self.hidden.iter().enumerate().filter(|(_, it)| it.folder == (shape == FileShape::Folder));
            let slots: Vec<usize> = hidden.map(|(index, _)| first + index).collect();
            if !slots.is_empty() {
                steps.push(SandboxStep::Blank(blank.into(), shape));
                steps.extend(slots.into_iter().map(|slot| SandboxStep::Keep(slot, blank.into())));
            }
        }
    }

    /// What is protected is mounted over itself, read-only. Every folder above it, up to the writable one, is mounted
    /// over itself as well: otherwise it could be moved away, and another put in its place.
    fn pin(&self, steps: &mut Vec<SandboxStep>) {
        let mut pinned: Vec<&Path> = Vec::new();
        for guard in self.guards() {
            let root = self.writable.iter().find(|root| guard.path.starts_with(root));
            let Some(root) = root else { continue };
            let above: Vec<&Path> =
                guard.path.ancestors().skip(1).take_while(|it| it.starts_with(root) && *it != root).collect();
            for folder in above.into_iter().rev() {
                if !pinned.contains(&folder) {
                    pinned.push(folder);
                    steps.push(SandboxStep::Pin(folder.to_owned(), Access::Write));
                }
            }
            if !pinned.contains(&guard.path.as_path()) {
                pinned.push(&guard.path);
                steps.push(SandboxStep::Pin(guard.path.clone(), guard.access));
            }
        }
    }
}
