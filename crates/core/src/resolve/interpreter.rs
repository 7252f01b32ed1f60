//! Which interpreter runs a snippet, and which version of it.
//!
//! Without a version an interpreter is a program like any other. With one, the name that carries it
//! (`python3.12`) is looked for in PATH, then the folders of installers. May not run an interpreter to ask
//! for its version: only what a name or a folder says is known.

use super::installer::{Grounds, installers_of};
use super::program::{self, SearchGround};
use super::version::{Version, WantedVersion};
use super::{ResolveError, nearest, node};
use crate::facts::{Browse, FileKind, HostFacts};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;

/// An interpreter that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoundInterpreter {
    /// Where it is, as found; links are not followed.
    #[serde(serialize_with = "crate::os_text::path")]
    pub path: PathBuf,
    /// How it was found, such as `PATH` or `pyenv`.
    pub place: String,
    /// Its version, where the name or folder says it.
    pub version: Option<String>,
}

/// One version that is there.
struct KnownVersion {
    version: Version,
    path: PathBuf,
    place: String,
}

/// Finds an interpreter by name, such as `python3`, `node` or `bash`, and by version if one is asked for.
///
/// A version is `3`, `3.12`, `3.12.1`, `v22` or `22`; the newest that meets it wins.
pub fn resolve_interpreter(
    interpreter: &str,
    version: Option<&str>,
    facts: &HostFacts,
    browse: &dyn Browse,
) -> Result<FoundInterpreter, ResolveError> {
    let Some(version) = version else { return plain(interpreter, facts, browse) };
    let known = known(interpreter, facts, browse);
    let unknown = || ResolveError::VersionUnknown {
        interpreter: interpreter.to_owned(),
        version: version.to_owned(),
        found: choices(interpreter, &known, facts, browse),
    };
    let wanted = WantedVersion::read(version).ok_or_else(unknown)?;
    let is_path = facts.naming.has_separator(OsStr::new(interpreter));
    let by_name = if is_path { None } else { named_for(interpreter, version, facts, browse) };
    let by_folder = || known.iter().find(|one| wanted.is_met_by(&one.version)).map(KnownVersion::found);
    by_name.or_else(by_folder).ok_or_else(unknown)
}

impl KnownVersion {
    fn found(&self) -> FoundInterpreter {
        let version = Some(self.version.to_string());
        FoundInterpreter { path: self.path.clone(), place: self.place.clone(), version }
    }
}

fn plain(name: &str, facts: &HostFacts, browse: &dyn Browse) -> Result<FoundInterpreter, ResolveError> {
    let found = |path, place: String| FoundInterpreter { path, place, version: None };
    let is_file = |path: &PathBuf| browse.kind(path) == Some(FileKind::File);
    if let Some(path) = node::ours(name, facts, browse).filter(is_file) {
        return Ok(found(path, node::reason(facts)));
    }
    let ground = SearchGround { facts, cwd: &facts.cwd, browse };
    let name = OsStr::new(name);
    if facts.naming.has_separator(name) {
        return program::as_path(name, &ground).map(|path| found(path, "the path itself".to_owned()));
    }
    let list = facts.env_var("PATH").unwrap_or_default();
    program::search(name, list, &facts.naming, browse)
        .map(|path| found(path, "PATH".to_owned()))
        .ok_or_else(|| program::not_found(name, list, &ground))
}

/// `python3.12` in PATH: the name itself says the version.
fn named_for(
    interpreter: &str,
    version: &str,
    facts: &HostFacts,
    browse: &dyn Browse,
) -> Option<FoundInterpreter> {
    let version = version.trim().trim_start_matches('v');
    let name = format!("{}{version}", runtime(interpreter));
    let list = facts.env_var("PATH")?;
    let path = program::search(OsStr::new(&name), list, &facts.naming, browse)?;
    Some(FoundInterpreter { path, place: "PATH".to_owned(), version: Some(version.to_owned()) })
}

/// The runtime behind an interpreter's name: `python3` is a python.
fn runtime(interpreter: &str) -> &str {
    if interpreter == "python3" { "python" } else { interpreter }
}

fn file_names(interpreter: &str) -> Vec<&str> {
    match runtime(interpreter) {
        // Windows installs it as `python.exe` only.
        "python" => vec!["python3", "python"],
        _ => vec![interpreter],
    }
}

/// Every version that is known to be here, the newest first.
fn known(interpreter: &str, facts: &HostFacts, browse: &dyn Browse) -> Vec<KnownVersion> {
    let on = Grounds { env: &facts.env, home: facts.home.as_deref(), naming: &facts.naming, browse };
    let names = file_names(interpreter);
    let mut known: Vec<KnownVersion> = plain(interpreter, facts, browse)
        .ok()
        .and_then(|found| with_version(found, facts, browse))
        .into_iter()
        .collect();
    // A path is that one file, whatever else is installed.
    let is_path = facts.naming.has_separator(OsStr::new(interpreter));
    let installers = if is_path { Vec::new() } else { installers_of(runtime(interpreter)) };
    for installer in installers {
        let place = installer.name;
        known.extend(installer.installed(&names, &on).into_iter().map(|one| KnownVersion {
            version: one.version,
            path: one.path,
            place: place.to_owned(),
        }));
    }
    // Stable: of two equal versions, the one from the place asked first stays first.
    known.sort_by(|one, other| other.version.cmp(&one.version));
    known
}

/// The plain program, if the folder it really lies in carries its version, as Homebrew's do.
fn with_version(found: FoundInterpreter, facts: &HostFacts, browse: &dyn Browse) -> Option<KnownVersion> {
    let mut dir = browse.real_path(&found.path)?;
    loop {
        let parent = facts.naming.parent(&dir).filter(|parent| *parent != dir)?;
        if let Some(version) = facts.naming.file_name(&parent).and_then(Version::read) {
            return Some(KnownVersion { version, path: found.path, place: found.place });
        }
        dir = parent;
    }
}

/// What could have been asked for, the newest first: versions in folders, then names in PATH that carry one.
fn choices(interpreter: &str, known: &[KnownVersion], facts: &HostFacts, browse: &dyn Browse) -> Vec<String> {
    let mut choices: Vec<String> = known.iter().map(|one| one.version.to_string()).collect();
    choices.dedup();
    let list = facts.env_var("PATH").unwrap_or_default();
    let named: BTreeSet<(WantedVersion, String)> = program::search_dirs(list, &facts.naming)
        .flat_map(|dir| browse.list(&dir))
        .filter_map(|file| nearest::callable(&file, &facts.naming))
        .filter_map(|name| {
            let version = name.strip_prefix(runtime(interpreter))?.to_owned();
            program::search(OsStr::new(&name), list, &facts.naming, browse)?;
            Some((WantedVersion::read(&version).filter(|_| !version.starts_with('v'))?, version))
        })
        .collect();
    choices.extend(named.into_iter().rev().map(|(_, version)| version));
    choices
}
