//! Which file a name means.
//!
//! A name with a separator is a path, relative to the working directory. Any other name is looked for in
//! PATH, whose empty, `.` and relative entries are skipped: they would let a folder decide what `git` is.

use super::{Because, Provenance, ResolveError, env, node};
use crate::facts::{Backslashes, FileKind, HostFacts, Look, lookup};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Where a name is looked for.
pub(super) struct Ground<'a> {
    pub(super) facts: &'a HostFacts,
    pub(super) cwd: &'a Path,
    pub(super) look: &'a dyn Look,
}

/// A program that was found.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) argv0: OsString,
}

pub(super) fn resolve(
    name: &OsStr,
    ground: &Ground<'_>,
    env: &mut BTreeMap<OsString, OsString>,
    because: &mut Provenance,
) -> Result<Found, ResolveError> {
    if let Some(path) = node::ours(name, ground.facts, ground.look) {
        if let Some(dir) = path.parent() {
            // `npx` begins with `#!/usr/bin/env node`: without its folder in PATH it could not start.
            env::prepend_path(env, ground.facts, dir);
        }
        because.host("program", node::reason(ground.facts));
        return Ok(Found { path, argv0: name.to_owned() });
    }
    if ground.facts.naming.has_separator(name) {
        because.note("program", Because::Caller);
        return as_path(name, ground).map(|path| Found { path, argv0: name.to_owned() });
    }
    let search = lookup(env, &ground.facts.naming, OsStr::new("PATH")).unwrap_or_default();
    match find_program(name, search, ground.facts, ground.look) {
        Some(path) => {
            because.host("program", "first in PATH");
            Ok(Found { path, argv0: name.to_owned() })
        }
        None => Err(not_found(name, search, ground)),
    }
}

fn as_path(name: &OsStr, ground: &Ground<'_>) -> Result<PathBuf, ResolveError> {
    let path = ground.cwd.join(name);
    if let Some(found) = spelled(&path, ground.facts, ground.look) {
        return Ok(found);
    }
    let shown = path.display().to_string();
    match ground.look.kind(&path) {
        Some(_) => Err(ResolveError::NotExecutable { path: shown }),
        None => Err(ResolveError::NotFound {
            name: name.to_string_lossy().into_owned(),
            looked: ground.cwd.display().to_string(),
            nearest: Vec::new(),
        }),
    }
}

/// The first executable file of that name in a PATH, whose relative entries are skipped.
pub fn find_program(name: &OsStr, path: &OsStr, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    search_dirs(path, facts).find_map(|dir| spelled(&dir.join(name), facts, look))
}

/// The absolute entries of a PATH, in order.
pub(super) fn search_dirs<'a>(path: &'a OsStr, facts: &HostFacts) -> impl Iterator<Item = PathBuf> + 'a {
    split(path, facts.naming.list_separator).filter(|dir| dir.is_absolute())
}

fn split(path: &OsStr, separator: char) -> impl Iterator<Item = PathBuf> + '_ {
    // On the host itself the standard library knows the quoting rules; a foreign separator only occurs in
    // tests of the other host's rules.
    let native = std::env::split_paths("a:b").count() == if separator == ':' { 2 } else { 1 };
    let parts: Vec<PathBuf> = if native {
        std::env::split_paths(path).collect()
    } else {
        path.to_string_lossy().split(separator).map(PathBuf::from).collect()
    };
    parts.into_iter()
}

/// The path itself, or with one of the host's executable endings.
pub(super) fn spelled(path: &Path, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    let endings = &facts.naming.executable_endings;
    let has_ending = path.extension().is_some_and(|ending| {
        endings
            .iter()
            .any(|known| known.trim_start_matches('.').eq_ignore_ascii_case(&ending.to_string_lossy()))
    });
    if (endings.is_empty() || has_ending) && look.is_executable(path) {
        return Some(path.to_owned());
    }
    endings.iter().find_map(|ending| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(ending.to_ascii_lowercase());
        Some(PathBuf::from(longer)).filter(|longer| look.kind(longer) == Some(FileKind::File))
    })
}

fn not_found(name: &OsStr, path: &OsStr, ground: &Ground<'_>) -> ResolveError {
    let shown = name.to_string_lossy().into_owned();
    let dirs: Vec<_> = search_dirs(path, ground.facts).map(|dir| dir.display().to_string()).collect();
    let looked = if dirs.is_empty() { "PATH, which is empty".to_owned() } else { "PATH".to_owned() };
    let _ = Backslashes::Separate;
    ResolveError::NotFound { name: shown, looked, nearest: Vec::new() }
}
