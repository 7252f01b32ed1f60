//! Which shell reads a script. The script itself reaches argv byte for byte.
//!
//! May not look into the script.

use super::program::{self, SearchGround};
use super::{Because, Provenance, ResolveError};
use crate::spec::ShellChoice;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

pub(super) fn resolve(
    script: &OsStr,
    choice: &ShellChoice,
    ground: &SearchGround<'_>,
    env: &mut BTreeMap<OsString, OsString>,
    because: &mut Provenance,
) -> Result<(PathBuf, Vec<OsString>), ResolveError> {
    let (path, before): (PathBuf, Vec<OsString>) = match choice {
        ShellChoice::Host => {
            let shell = ground.facts.shell.as_ref().ok_or_else(|| no_shell(ground))?;
            because.host("shell", "the first shell found on this host");
            (shell.path.clone(), shell.before.iter().map(OsString::from).collect())
        }
        ShellChoice::Named { name, before } => {
            because.note("shell", Because::Caller);
            (program::resolve(name, ground, env, because)?.path, before.clone())
        }
    };
    let mut argv = vec![path.clone().into_os_string()];
    argv.extend(before);
    argv.push(script.to_owned());
    Ok((path, argv))
}

fn no_shell(ground: &SearchGround<'_>) -> ResolveError {
    // Where not even this folder can be looked at, the shell may well be there.
    match ground.browse.refusal(ground.cwd) {
        Some(why) => ResolveError::Unseen { name: "shell".to_owned(), why },
        None => ResolveError::NoShell,
    }
}
