//! Which executable file a name means: the search of PATH.
//!
//! A name with a separator is a path, relative to the working directory. Any other name is looked for in PATH. Empty,
//! `.` and relative entries are skipped: they would let a folder decide what `git` is. May not run a file to find out
//! what it is.

use super::{Because, Provenance, ResolveError, env, nearest, node};
use crate::facts::{Browse, FileKind, HostFacts, Look, Naming, lookup};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Where a name is looked for.
pub(super) struct SearchGround<'a> {
    pub(super) facts: &'a HostFacts,
    pub(super) cwd: &'a Path,
    pub(super) browse: &'a dyn Browse,
}

/// A program that was found.
pub(super) struct FoundProgram {
    pub(super) path: PathBuf,
    pub(super) argv0: OsString,
}

pub(super) fn resolve(
    name: &OsStr,
    ground: &SearchGround<'_>,
    env: &mut BTreeMap<OsString, OsString>,
    because: &mut Provenance,
) -> Result<FoundProgram, ResolveError> {
    let naming = &ground.facts.naming;
    let path = if let Some(path) = our_node_file(name, ground) {
        because.host("program", node::reason(ground.facts));
        // `npx` begins with `#!/usr/bin/env node`: without its folder in PATH it could not start.
        if naming.parent(&path).is_some_and(|dir| env::prepend_path(env, naming, &dir)) {
            because.host("env.PATH", "our node's folder put first");
        }
        path
    } else if naming.has_separator(name) {
        because.note("program", Because::Caller);
        as_path(name, ground)?
    } else {
        let list = lookup(env, naming, OsStr::new("PATH")).unwrap_or_default();
        let path = search(name, list, naming, ground.browse).ok_or_else(|| not_found(name, list, ground))?;
        because.host("program", "first in PATH");
        path
    };
    Ok(FoundProgram { path, argv0: name.to_owned() })
}

/// Our node is found once and remembered. When it has gone since, PATH is asked as for any other name.
fn our_node_file(name: &OsStr, ground: &SearchGround<'_>) -> Option<PathBuf> {
    let path = node::ours(name.to_str()?, ground.facts, ground.browse)?;
    (ground.browse.kind(&path) == Some(FileKind::File)).then_some(path)
}

pub(super) fn as_path(name: &OsStr, ground: &SearchGround<'_>) -> Result<PathBuf, ResolveError> {
    let naming = &ground.facts.naming;
    let path = naming.join(ground.cwd, name);
    if let Some(found) = spelled(&path, naming, ground.browse) {
        return Ok(found);
    }
    if ground.browse.kind(&path).is_some() {
        return Err(ResolveError::NotExecutable { path: path.display().to_string() });
    }
    let name = name.to_string_lossy().into_owned();
    if let Some(why) = ground.browse.refusal(&path) {
        return Err(ResolveError::Unseen { name, why });
    }
    let nearest = nearest::nearest_beside(&path, &name, naming, ground.browse);
    let looked = naming.parent(&path).unwrap_or_else(|| ground.cwd.to_owned());
    Err(ResolveError::NotFound { name, looked: looked.display().to_string(), nearest })
}

/// The first executable file of that name in a PATH. Relative entries are skipped.
pub fn find_program(name: &OsStr, path: &OsStr, facts: &HostFacts, look: &dyn Look) -> Option<PathBuf> {
    search(name, path, &facts.naming, look)
}

pub(super) fn search<L: Look + ?Sized>(
    name: &OsStr,
    list: &OsStr,
    naming: &Naming,
    look: &L,
) -> Option<PathBuf> {
    search_dirs(list, naming).find_map(|dir| spelled(&naming.join(&dir, name), naming, look))
}

/// The absolute entries of a PATH, in order.
pub(super) fn search_dirs<'a>(list: &'a OsStr, naming: &'a Naming) -> impl Iterator<Item = PathBuf> + 'a {
    naming.entries(list).filter(|dir| naming.is_absolute(dir))
}

/// The path itself if it is a program, or else with one of the host's executable endings.
pub(crate) fn spelled<L: Look + ?Sized>(path: &Path, naming: &Naming, look: &L) -> Option<PathBuf> {
    let endings = &naming.executable_endings;
    let complete = endings.is_empty() || endings.iter().any(|ending| ends_with(path.as_os_str(), ending));
    if complete && look.is_executable(path) {
        return Some(path.to_owned());
    }
    endings.iter().find_map(|ending| {
        let mut longer = path.as_os_str().to_owned();
        longer.push(ending.to_ascii_lowercase());
        Some(PathBuf::from(longer)).filter(|longer| look.is_executable(longer))
    })
}

/// Whether a name has this ending and something before it; endings ignore case.
pub(super) fn ends_with(name: &OsStr, ending: &str) -> bool {
    let name = name.as_encoded_bytes();
    name.len()
        .checked_sub(ending.len())
        .is_some_and(|at| at > 0 && name[at..].eq_ignore_ascii_case(ending.as_bytes()))
}

pub(super) fn not_found(name: &OsStr, list: &OsStr, ground: &SearchGround<'_>) -> ResolveError {
    let naming = &ground.facts.naming;
    let name = name.to_string_lossy().into_owned();
    let dirs: Vec<_> = search_dirs(list, naming).collect();
    if let Some(why) = dirs.iter().find_map(|dir| ground.browse.refusal(&naming.join(dir, &name))) {
        return ResolveError::Unseen { name, why };
    }
    let looked = if dirs.is_empty() { "PATH, which names no absolute folder" } else { "PATH" };
    let nearest = nearest::nearest_programs(&name, &dirs, naming, ground.browse);
    ResolveError::NotFound { name, looked: looked.to_owned(), nearest }
}
