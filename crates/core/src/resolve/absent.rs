//! Resolves a command with a missing program as if it were there, for doors that must judge before saying what exists.
//!
//! May not be drafted: the file that it names does not exist.

use super::program::search_dirs;
use super::{Defaults, Provenance, ResolveError, ResolvedCommand, cwd, env, resolve};
use crate::facts::{Browse, FileKind, FileStamp, HostFacts, Look, lookup};
use crate::spec::{CommandSpec, Program, ShellChoice};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Resolves a spec as if its program were there: under the path that it has, or in the last folder of PATH.
pub(crate) fn resolve_absent(
    spec: &CommandSpec,
    facts: &HostFacts,
    defaults: &Defaults,
    browse: &dyn Browse,
) -> Result<ResolvedCommand, ResolveError> {
    let name = match &spec.program {
        Program::Exec { name, .. } | Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => name,
        Program::Shell { shell: ShellChoice::Host, .. } => return resolve(spec, facts, defaults, browse),
    };
    let (naming, mut because) = (&facts.naming, Provenance::default());
    let folder = if naming.has_separator(name) {
        Some(cwd::resolve(spec.cwd.as_deref(), facts, browse, &mut because)?)
    } else {
        let env = env::resolve(&spec.env, facts, &defaults.env, &mut because);
        let list = lookup(&env, naming, OsStr::new("PATH")).unwrap_or_default();
        search_dirs(list, naming).last()
    };
    let ending = naming.executable_endings.first().map(|ending| ending.to_ascii_lowercase());
    let file = folder.map(|folder| {
        let mut file = naming.join(&folder, name).into_os_string();
        if file.to_str().is_some_and(|file| !naming.executable_endings.iter().any(|end| is_at_end(file, end)))
        {
            file.push(ending.unwrap_or_default());
        }
        PathBuf::from(file)
    });
    match file {
        Some(file) => resolve(spec, facts, defaults, &Pretended { browse, file }),
        None => resolve(spec, facts, defaults, browse),
    }
}

fn is_at_end(file: &str, ending: &str) -> bool {
    file.to_ascii_lowercase().ends_with(&ending.to_ascii_lowercase())
}

/// The host, with one more program.
struct Pretended<'a> {
    browse: &'a dyn Browse,
    file: PathBuf,
}

impl Look for Pretended<'_> {
    fn is_executable(&self, path: &Path) -> bool {
        path == self.file || self.browse.is_executable(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        if path == self.file { Some(FileKind::File) } else { self.browse.kind(path) }
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        self.browse.real_path(path)
    }

    fn refusal(&self, path: &Path) -> Option<String> {
        self.browse.refusal(path)
    }

    fn may_be_link(&self, path: &Path) -> bool {
        self.browse.may_be_link(path)
    }

    fn stamp(&self, path: &Path) -> Option<FileStamp> {
        self.browse.stamp(path)
    }
}

impl Browse for Pretended<'_> {
    /// Names that look alike are not told.
    fn list(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }

    fn read_small(&self, path: &Path) -> Option<String> {
        self.browse.read_small(path)
    }

    fn mentions(&self, path: &Path, bytes: &[u8]) -> bool {
        self.browse.mentions(path, bytes)
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        self.browse.link(path)
    }

    fn may_enter(&self, path: &Path) -> bool {
        self.browse.may_enter(path)
    }
}
