//! The working directory of a command: canonical, existing, a directory.
//!
//! May not judge whether it may run there.

use super::{Because, Provenance, ResolveError};
use crate::facts::{FileKind, HostFacts, Look};
use std::path::{Path, PathBuf};

pub(super) fn resolve(
    asked: Option<&Path>,
    facts: &HostFacts,
    look: &dyn Look,
    because: &mut Provenance,
) -> Result<PathBuf, ResolveError> {
    let Some(asked) = asked else {
        because.host("cwd", "where Runward was started");
        return Ok(facts.cwd.clone());
    };
    because.note("cwd", Because::Caller);
    let shown = || asked.display().to_string();
    let place = facts.naming.join(&facts.cwd, asked);
    let missing = || match look.refusal(&place) {
        Some(why) => ResolveError::Unseen { name: shown(), why },
        None => ResolveError::CwdMissing { cwd: shown() },
    };
    let real = look.real_path(&place).ok_or_else(missing)?;
    match look.kind(&real) {
        Some(FileKind::Directory) => Ok(real),
        Some(_) => Err(ResolveError::CwdNotDirectory { cwd: shown() }),
        None => Err(missing()),
    }
}
