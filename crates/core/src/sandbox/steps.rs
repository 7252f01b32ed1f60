//! A plan lowered to steps, which are carried out in order between the start of a process and its program.
//!
//! The steps are data, so that every host can test them; carrying one out is a few system calls and no decision.
//! May not look at anything: what was looked at is in the plan.

use super::{LandlockTable, Layer, Network, SandboxPlan};
use serde::Serialize;
use std::fmt;
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
pub enum Missing {
    /// Nothing runs.
    Fails,
    /// The step is passed over: what is not there cannot be reached.
    IsFine,
}

/// What a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A file.
    File,
    /// A folder.
    Folder,
}

/// One step. Trees that are kept aside have a number, their slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Step {
    /// Writes a text to a file.
    Write(#[serde(serialize_with = "crate::os_text::path")] PathBuf, String),
    /// Keeps a tree aside as it is now.
    Keep(usize, #[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Takes writing from everything, and all ties to the view of others.
    Close,
    /// Lays an empty folder that is this command's alone over a folder.
    Fresh(#[serde(serialize_with = "crate::os_text::path")] PathBuf, Missing),
    /// Lays terminals that are this command's alone over those of everybody.
    Terminals(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Makes a folder where a tree will be put.
    Folder(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Makes a thing that nobody may open.
    Blank(#[serde(serialize_with = "crate::os_text::path")] PathBuf, Shape),
    /// Puts a tree that was kept aside over a path.
    Put(usize, #[serde(serialize_with = "crate::os_text::path")] PathBuf, Access, Missing),
    /// Lays a path over itself, so that it can be neither moved nor removed.
    Pin(#[serde(serialize_with = "crate::os_text::path")] PathBuf, Access),
    /// Goes into the folder where the command runs, if it is still the one that was judged.
    Enter(#[serde(serialize_with = "crate::os_text::path")] PathBuf),
    /// Gives up every privilege, for good.
    Yield,
    /// Begins a table of Landlock's.
    Rules {
        /// Rights about files that are governed.
        files: u64,
        /// Rights about the network that are governed.
        network: u64,
        /// What ends at the walls.
        scopes: u64,
    },
    /// Adds a row to it: these rights below this path.
    Allow(#[serde(serialize_with = "crate::os_text::path")] PathBuf, u64),
    /// Puts the table in force, for good.
    Restrict,
    /// Puts the filter of system calls in force, for good.
    Filter,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, path) = match self {
            Step::Write(path, _) => ("writing", path),
            Step::Keep(_, path) => ("keeping aside", path),
            Step::Fresh(path, _) => ("laying an empty folder over", path),
            Step::Terminals(path) => ("laying terminals of its own over", path),
            Step::Folder(path) | Step::Blank(path, _) => ("making", path),
            Step::Put(_, path, _, _) => ("laying something over", path),
            Step::Pin(path, _) => ("pinning", path),
            Step::Enter(path) => ("entering", path),
            Step::Allow(path, _) => ("giving rights to", path),
            Step::Close => return f.write_str("making everything read-only"),
            Step::Yield => return f.write_str("giving up privileges"),
            Step::Rules { .. } => return f.write_str("making a table of Landlock's"),
            Step::Restrict => return f.write_str("putting Landlock in force"),
            Step::Filter => return f.write_str("filtering system calls"),
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
}

/// Folders of which a command gets empty ones of its own, to write in.
pub(super) const TEMPORARY: [&str; 2] = ["/tmp", "/dev/shm"];

/// Where terminals are. A command gets a file system of its own there.
const TERMINALS: &str = "/dev/pts";

/// Where a command finds the terminal that it runs on, which is none of its own file system of terminals.
pub(super) const OWN_TERMINAL: &str = "/dev/console";

/// Where services listen. Out of reach with the network.
pub(super) const SERVICES: [&str; 2] = ["/run", "/var/run"];

/// Where things that nobody may open are made.
const BLANKS: [&str; 2] = ["/tmp/.runward-file", "/tmp/.runward-folder"];

impl SandboxPlan {
    /// The steps that put this sandbox up around a command in this folder.
    pub fn steps(&self, cwd: &Path, means: &Means) -> Vec<Step> {
        let mut steps = Vec::new();
        if self.has(Layer::Namespaces) {
            self.view(cwd, means, &mut steps);
        }
        steps.push(Step::Enter(cwd.to_owned()));
        if self.is_off() {
            return steps;
        }
        steps.push(Step::Yield);
        if self.has(Layer::Landlock) {
            LandlockTable::of(self, means).steps(&mut steps);
        }
        if self.has(Layer::Seccomp) {
            steps.push(Step::Filter);
        }
        steps
    }

    /// A view of files of its own.
    fn view(&self, cwd: &Path, means: &Means, steps: &mut Vec<Step>) {
        for (file, text) in [
            ("/proc/self/setgroups", "deny".to_owned()),
            ("/proc/self/uid_map", format!("{0} {0} 1", means.uid)),
            ("/proc/self/gid_map", format!("{0} {0} 1", means.gid)),
        ] {
            steps.push(Step::Write(file.into(), text));
        }
        let fresh = self.fresh();
        let trees = self.trees(cwd, &fresh);
        for (slot, (tree, _)) in trees.iter().enumerate() {
            steps.push(Step::Keep(slot, tree.clone()));
        }
        let terminal = trees.len() + self.hidden.len();
        steps.extend(means.terminal.iter().map(|path| Step::Keep(terminal, path.clone())));
        steps.push(Step::Close);
        steps.push(Step::Terminals(TERMINALS.into()));
        if means.terminal.is_some() {
            steps.push(Step::Put(terminal, OWN_TERMINAL.into(), Access::Write, Missing::IsFine));
        }
        self.keep_blanks(trees.len(), steps);
        for folder in &fresh {
            steps.push(Step::Fresh(folder.clone(), Missing::IsFine));
        }
        for (slot, (tree, access)) in trees.iter().enumerate() {
            let below = fresh.iter().find(|folder| tree.starts_with(folder) && tree != *folder);
            if let Some(folder) = below {
                self.make_place(tree, folder, steps);
            }
            steps.push(Step::Put(slot, tree.clone(), *access, Missing::Fails));
        }
        self.pin(steps);
        for (index, hidden) in self.hidden.iter().enumerate() {
            let slot = trees.len() + index;
            steps.push(Step::Put(slot, hidden.path.clone(), Access::Read, Missing::IsFine));
        }
    }

    /// Makes something to put a tree over, in a folder that was laid empty over another.
    fn make_place(&self, tree: &Path, fresh: &Path, steps: &mut Vec<Step>) {
        let file = self.shown.iter().any(|shown| shown == tree);
        let folders: Vec<&Path> =
            tree.ancestors().skip(usize::from(file)).take_while(|above| *above != fresh).collect();
        steps.extend(folders.into_iter().rev().map(|name| Step::Folder(name.to_owned())));
        if file {
            steps.push(Step::Blank(tree.to_owned(), Shape::File));
        }
    }

    fn fresh(&self) -> Vec<PathBuf> {
        let off = self.network == Network::Off;
        let services = SERVICES.iter().filter(|_| off);
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

    /// Things that nobody may open, kept aside until they are put over what is hidden. The folder they are made in is
    /// covered by the next that is laid over it.
    fn keep_blanks(&self, first: usize, steps: &mut Vec<Step>) {
        if !self.hidden.is_empty() {
            steps.push(Step::Fresh(TEMPORARY[0].into(), Missing::Fails));
        }
        for (shape, blank) in [(Shape::File, BLANKS[0]), (Shape::Folder, BLANKS[1])] {
            let hidden =
                self.hidden.iter().enumerate().filter(|(_, it)| it.folder == (shape == Shape::Folder));
            let slots: Vec<usize> = hidden.map(|(index, _)| first + index).collect();
            if !slots.is_empty() {
                steps.push(Step::Blank(blank.into(), shape));
                steps.extend(slots.into_iter().map(|slot| Step::Keep(slot, blank.into())));
            }
        }
    }

    /// What is protected is laid over itself, read-only. Every folder above it, up to the one that may be written, is
    /// laid over itself as well: otherwise it could be moved away, and another put in its place.
    fn pin(&self, steps: &mut Vec<Step>) {
        let mut pinned: Vec<&Path> = Vec::new();
        for guard in self.guards() {
            let root = self.writable.iter().find(|root| guard.path.starts_with(root));
            let Some(root) = root else { continue };
            let above: Vec<&Path> =
                guard.path.ancestors().skip(1).take_while(|it| it.starts_with(root) && *it != root).collect();
            for folder in above.into_iter().rev() {
                if !pinned.contains(&folder) {
                    pinned.push(folder);
                    steps.push(Step::Pin(folder.to_owned(), Access::Write));
                }
            }
            if !pinned.contains(&guard.path.as_path()) {
                pinned.push(&guard.path);
                steps.push(Step::Pin(guard.path.clone(), guard.access));
            }
        }
    }
}
