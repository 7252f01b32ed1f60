//! The environment variables of a command: base, overlay, and what never gets in.
//!
//! May not decide which program runs; it only puts our node's folder first in PATH when told to.

use super::{Because, Provenance};
use crate::facts::{Backslashes, HostFacts, Naming, lookup};
use crate::spec::{EnvBase, EnvSpec};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// What the configuration says about every environment.
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

/// Puts a folder at the front of the child's PATH, and says whether it could.
pub(super) fn prepend_path(env: &mut BTreeMap<OsString, OsString>, naming: &Naming, dir: &Path) -> bool {
    let separator = naming.list_separator.to_string();
    let Some(mut path) = as_entry(dir, naming, &separator) else { return false };
    if let Some(rest) = lookup(env, naming, OsStr::new("PATH")).filter(|rest| !rest.is_empty()) {
        path.push(&separator);
        path.push(rest);
    }
    // Windows spells it `Path`. That spelling is kept, and never joined by a second one.
    let known = env.keys().find(|known| naming.same_variable(known, OsStr::new("PATH"))).cloned();
    env.retain(|name, _| !naming.same_variable(name, OsStr::new("PATH")));
    env.insert(known.unwrap_or_else(|| "PATH".into()), path);
    true
}

/// A folder as it is written in a list. A separator in its name can be quoted on Windows and nowhere else; written as
/// it is, it would bring two unwanted folders into PATH.
fn as_entry(dir: &Path, naming: &Naming, separator: &str) -> Option<OsString> {
    let has_separator = dir.as_os_str().as_encoded_bytes().contains(separator.as_bytes().first()?);
    match (has_separator, naming.backslashes) {
        (false, _) => Some(dir.as_os_str().to_owned()),
        (true, Backslashes::Separate) => {
            let mut quoted = OsString::from("\"");
            quoted.push(dir);
            quoted.push("\"");
            Some(quoted)
        }
        (true, Backslashes::AreLetters) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env(entries: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        entries.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn the_folder_comes_first() {
        let mut child = env(&[("PATH", "/usr/bin:/bin")]);
        assert!(prepend_path(&mut child, &Naming::unix(), Path::new("/opt/node/bin")));
        assert_eq!(child, env(&[("PATH", "/opt/node/bin:/usr/bin:/bin")]));
    }

    #[test]
    fn an_empty_or_missing_path_gets_no_empty_entry() {
        for mut child in [env(&[]), env(&[("PATH", "")])] {
            assert!(prepend_path(&mut child, &Naming::unix(), Path::new("/opt/node/bin")));
            assert_eq!(child, env(&[("PATH", "/opt/node/bin")]));
        }
    }

    #[test]
    fn windows_has_one_path_however_it_is_spelled() {
        let mut child = env(&[("Path", r"C:\Windows")]);
        assert!(prepend_path(&mut child, &Naming::windows(None), Path::new(r"C:\node;js")));
        assert_eq!(child, env(&[("Path", r#""C:\node;js";C:\Windows"#)]));
        let mut child = env(&[("PATH", r"C:\a"), ("Path", r"C:\b")]);
        assert!(prepend_path(&mut child, &Naming::windows(None), Path::new(r"C:\node")));
        assert_eq!(child, env(&[("PATH", r"C:\node;C:\a")]));
    }

    #[test]
    fn on_unix_case_counts() {
        let mut child = env(&[("Path", "/other")]);
        assert!(prepend_path(&mut child, &Naming::unix(), Path::new("/opt/node/bin")));
        assert_eq!(child, env(&[("PATH", "/opt/node/bin"), ("Path", "/other")]));
    }

    #[test]
    fn a_folder_that_cannot_be_an_entry_stays_out() {
        let mut child = env(&[("PATH", "/usr/bin")]);
        assert!(!prepend_path(&mut child, &Naming::unix(), Path::new("/opt/a:b/bin")));
        assert_eq!(child, env(&[("PATH", "/usr/bin")]));
    }
}
