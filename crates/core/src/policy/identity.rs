//! Which executable a name means: the file it leads to, and whether that file can be trusted to be what its name says.
//!
//! A program in a folder that the agent may write can be the agent's own: it is not the system's program of that name.
//! May not run a file to find out what it is.

use super::Word;
use super::unit::Unit;
use super::wrappers::runs_code;
use crate::facts::{Browse, HostFacts, lookup};
use crate::resolve::ResolvedCommand;
use crate::spec::Program;
use serde::Serialize;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Builtins of shells that count as commands.
const BUILTINS: &[&str] = &["cd", "echo", "popd", "printf", "pushd", "pwd", "test"];

/// Folders of the system, which no agent is expected to write. Working above them makes nothing in them suspect.
const SYSTEM: &[&str] = &[
    "/bin",
    "/sbin",
    "/usr/bin",
    "/usr/sbin",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/lib",
    "/usr/libexec",
    "/opt/homebrew/bin",
    "C:\\Windows",
    "C:\\Program Files",
    "C:\\Program Files (x86)",
];

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProgramIdentity {
    /// The shell does it itself.
    Builtin,
    /// A file.
    File {
        /// Where it was found.
        #[serde(serialize_with = "crate::os_text::path")]
        path: PathBuf,
        /// The same file with every link followed.
        #[serde(serialize_with = "crate::os_text::path")]
        real: PathBuf,
        /// Whether it lies where the caller may write, so that its name proves nothing.
        planted: bool,
        /// The system's program of that name, which it shadows.
        #[serde(skip_serializing_if = "Option::is_none", serialize_with = "crate::os_text::maybe_path")]
        shadows: Option<PathBuf>,
    },
    /// There is no such program.
    Missing,
    /// It depends on the folder that a script has moved to.
    Unsure,
}

/// What names are looked up against.
pub struct PolicyGround<'a> {
    /// What is true on the host.
    pub facts: &'a HostFacts,
    /// Questions about files.
    pub look: &'a dyn Browse,
    /// Whether the command is to run in a whole sandbox: every layer, and no network but a list.
    pub contained: bool,
}

impl std::fmt::Debug for PolicyGround<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ground").field("facts", &self.facts).finish_non_exhaustive()
    }
}

/// Looks up names for one command.
pub(super) struct Register<'a> {
    pub(super) ground: &'a PolicyGround<'a>,
    pub(super) command: &'a ResolvedCommand,
    /// Folders in which the caller may write.
    pub(super) writable: Vec<PathBuf>,
    /// Whether a script moves to other folders.
    pub(super) moves: bool,
    /// Folders that the text itself puts in front of PATH.
    pub(super) activated: Vec<PathBuf>,
    /// Where names are looked for, once that was asked.
    pub(super) folders: OnceCell<Vec<PathBuf>>,
    /// Folders that have no link in their path.
    pub(super) plain: RefCell<Vec<PathBuf>>,
    /// What was looked up already.
    pub(super) known: RefCell<BTreeMap<OsString, ProgramIdentity>>,
}

impl Register<'_> {
    /// What the name of a command means.
    pub(super) fn identify(&self, unit: &Unit, is_asked: bool) -> ProgramIdentity {
        if is_asked {
            return self.asked();
        }
        let builtin = |name: &str| BUILTINS.contains(&name) || super::activation::file(&unit.words).is_some();
        if unit.via.is_empty() && unit.name().to_str().is_some_and(builtin) {
            return ProgramIdentity::Builtin;
        }
        self.found(unit.name())
    }

    /// The program that would be started itself.
    pub(super) fn asked(&self) -> ProgramIdentity {
        let (path, real) = (self.command.program(), self.command.real_program());
        let naming = &self.ground.facts.naming;
        if path.as_os_str() == real.as_os_str() {
            // There is no link in it, so in its folder only files themselves are asked about.
            self.plain.borrow_mut().extend(naming.parent(path));
        }
        let by_name = match self.command.asked() {
            Program::Exec { name, .. } => !naming.has_separator(name),
            Program::Shell { .. } => true,
        };
        let found = self.file(path.to_owned(), real.to_owned());
        match path.file_name().filter(|_| by_name) {
            Some(name) => self.by_name(name, found),
            None => found,
        }
    }

    /// Whether a program was found in a folder that Runward itself looks for programs in, and not through the folder
    /// that the command works in.
    fn is_searched(&self, path: &Path) -> bool {
        let naming = &self.ground.facts.naming;
        let own = lookup(&self.ground.facts.env, naming, OsStr::new("PATH")).unwrap_or_default();
        let Some(folder) = naming.parent(path) else { return false };
        // Compared as paths: a slash at the end, or twice, changes nothing.
        naming.entries(own).any(|entry| naming.is_absolute(&entry) && entry == folder)
    }

    /// A name that was found where Runward looks for programs is that program, wherever the folder lies: the operator
    /// put it there. Unless it takes the place of a program of the system that is not for running code: `~/bin/git`.
    fn by_name(&self, name: &OsStr, found: ProgramIdentity) -> ProgramIdentity {
        let ProgramIdentity::File { path, real, planted: true, .. } = found else { return found };
        if !self.is_searched(&path) {
            return ProgramIdentity::File { path, real, planted: true, shadows: None };
        }
        let shadows = (!runs_code(&Word::known(name))).then(|| self.of_the_system(name)).flatten();
        ProgramIdentity::File { path, real, planted: shadows.is_some(), shadows }
    }

    /// The system's own program of a name.
    fn of_the_system(&self, name: &OsStr) -> Option<PathBuf> {
        let naming = &self.ground.facts.naming;
        let folders = SYSTEM.iter().map(Path::new).filter(|folder| naming.is_absolute(folder));
        let mut files = folders.map(|folder| naming.join(folder, name));
        files.find_map(|file| crate::resolve::spelled(&file, naming, self.ground.look))
    }

    /// What a name means that a shell or a wrapper looks up. Each is looked up once.
    pub(super) fn found(&self, name: &OsStr) -> ProgramIdentity {
        if let Some(known) = self.known.borrow().get(name) {
            return known.clone();
        }
        let identity = self.look_up(name);
        self.known.borrow_mut().insert(name.to_owned(), identity.clone());
        identity
    }

    fn look_up(&self, name: &OsStr) -> ProgramIdentity {
        let naming = &self.ground.facts.naming;
        if naming.has_separator(name) {
            if self.moves && !naming.is_absolute(Path::new(name)) {
                return ProgramIdentity::Unsure;
            }
            return self.at(&naming.join(self.command.cwd(), name)).unwrap_or(ProgramIdentity::Missing);
        }
        let folders = self.folders.get_or_init(|| self.searched());
        let found = folders.iter().find_map(|folder| self.at(&naming.join(folder, name)));
        found.map_or(ProgramIdentity::Missing, |found| self.by_name(name, found))
    }

    /// The folders in which a shell looks for programs, each once.
    fn searched(&self) -> Vec<PathBuf> {
        let naming = &self.ground.facts.naming;
        let list = lookup(self.command.env(), naming, OsStr::new("PATH")).unwrap_or_default();
        let mut folders: Vec<PathBuf> = self.activated.clone();
        // A shell does not skip entries that are empty or relative: they lead into the folder it works in.
        for folder in naming.entries(list).map(|entry| naming.join(self.command.cwd(), entry)) {
            // Compared as they are spelled: names in a path are costly to take apart.
            if !folders.iter().any(|known| known.as_os_str() == folder.as_os_str()) {
                folders.push(folder);
            }
        }
        folders
    }

    fn at(&self, path: &Path) -> Option<ProgramIdentity> {
        let path = crate::resolve::spelled(path, &self.ground.facts.naming, self.ground.look)?;
        Some(match self.real(&path) {
            Some(real) if real.as_os_str() == path.as_os_str() => self.unlinked(path),
            Some(real) => self.file(path, real),
            None => self.file(path.clone(), path),
        })
    }

    /// A path with every link followed. In a folder that has none in its path, only the file itself is asked about.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let look = self.ground.look;
        let folder = self.ground.facts.naming.parent(path)?;
        let is_plain = self.plain.borrow().iter().any(|known| known.as_os_str() == folder.as_os_str());
        if is_plain && !look.may_be_link(path) {
            return Some(path.to_owned());
        }
        let real = look.real_path(path)?;
        if !is_plain && real.as_os_str() == path.as_os_str() {
            self.plain.borrow_mut().push(folder);
        }
        Some(real)
    }

    /// A file without a link in its path: it lies where its path says.
    fn unlinked(&self, path: PathBuf) -> ProgramIdentity {
        ProgramIdentity::File { planted: self.is_planted(&path), real: path.clone(), path, shadows: None }
    }

    fn file(&self, path: PathBuf, real: PathBuf) -> ProgramIdentity {
        let planted = self.is_planted(&self.lies(&path)) || self.is_planted(&real);
        ProgramIdentity::File { path, real, planted, shadows: None }
    }

    /// Where a file itself lies, which may be a link: `./sh` and `x/../sh` are spellings of it.
    fn lies(&self, path: &Path) -> PathBuf {
        let naming = &self.ground.facts.naming;
        let folder = naming.parent(path);
        let real = folder.as_ref().and_then(|folder| self.ground.look.real_path(folder));
        let plain =
            folder.filter(|folder| real.as_ref().is_some_and(|real| real.as_os_str() == folder.as_os_str()));
        self.plain.borrow_mut().extend(plain);
        match (real, path.file_name()) {
            (Some(folder), Some(name)) => naming.join(&folder, name),
            _ => path.to_owned(),
        }
    }

    fn is_planted(&self, file: &Path) -> bool {
        let naming = &self.ground.facts.naming;
        let writable = self.writable.iter().any(|folder| naming.holds(folder, file));
        writable && !SYSTEM.iter().any(|folder| naming.holds(Path::new(folder), file))
    }
}
