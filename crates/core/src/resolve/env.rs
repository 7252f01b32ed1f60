//! The whole environment of a command: base, overlay, and what never gets in.

use super::{Because, Provenance};
use crate::facts::{Backslashes, HostFacts, lookup};
use crate::spec::{EnvBase, EnvSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What the house says about every environment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvRules {
    /// What a spec that says nothing starts from; `Configured` means inherit.
    pub base: EnvBase,
    /// With a clean base: the names that are let in.
    pub allow: BTreeSet<String>,
    /// Names that never get in.
    pub drop: BTreeSet<String>,
}

/// Runward's own secrets; no child ever sees them.
const OUR_SECRETS: &[&str] = &["RUNWARD_TOKEN"];

/// What a clean environment keeps so that programs can start at all.
const CLEAN_BASE: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TERM",
    "TMPDIR",
    "SHELL",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "COMSPEC",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
];

pub(super) fn resolve(
    asked: &EnvSpec,
    facts: &HostFacts,
    rules: &EnvRules,
    because: &mut Provenance,
) -> BTreeMap<OsString, OsString> {
    let base = if asked.base == EnvBase::Configured { rules.base } else { asked.base };
    let mut env = if base == EnvBase::Clean { clean(facts, rules) } else { facts.env.clone() };
    because.note("env", if asked.base == EnvBase::Configured { Because::Default } else { Because::Caller });
    for secret in OUR_SECRETS {
        remove(&mut env, facts, OsStr::new(secret));
    }
    for name in &rules.drop {
        remove(&mut env, facts, OsStr::new(name));
    }
    for name in &asked.unset {
        remove(&mut env, facts, name);
    }
    for (name, value) in &asked.set {
        set(&mut env, facts, name, value.clone());
    }
    env
}

fn clean(facts: &HostFacts, rules: &EnvRules) -> BTreeMap<OsString, OsString> {
    let names = CLEAN_BASE.iter().copied().chain(rules.allow.iter().map(String::as_str));
    names.filter_map(|name| facts.env_var(name).map(|value| (name.into(), value.to_owned()))).collect()
}

fn remove(env: &mut BTreeMap<OsString, OsString>, facts: &HostFacts, name: &OsStr) {
    env.remove(name);
    if facts.naming.backslashes == Backslashes::Separate {
        env.retain(|known, _| !known.eq_ignore_ascii_case(name));
    }
}

fn set(env: &mut BTreeMap<OsString, OsString>, facts: &HostFacts, name: &OsStr, value: OsString) {
    remove(env, facts, name);
    env.insert(name.to_owned(), value);
}

/// An inherited PWD would name the directory that Runward was started in, not the one the command gets.
pub(super) fn point_pwd(env: &mut BTreeMap<OsString, OsString>, cwd: &Path) {
    if let Some(pwd) = env.get_mut(OsStr::new("PWD")) {
        *pwd = cwd.into();
    }
}

/// Puts a directory at the front of the child's PATH.
pub(super) fn prepend_path(env: &mut BTreeMap<OsString, OsString>, facts: &HostFacts, dir: &Path) {
    let mut path = dir.as_os_str().to_owned();
    if let Some(rest) = lookup(env, &facts.naming, OsStr::new("PATH")).filter(|rest| !rest.is_empty()) {
        path.push(facts.naming.list_separator.to_string());
        path.push(rest);
    }
    set(env, facts, OsStr::new("PATH"), path);
}
