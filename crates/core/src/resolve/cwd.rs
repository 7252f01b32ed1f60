//! Where a command runs: canonical, existing, a directory.
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
    let real = look
        .real_path(&facts.naming.join(&facts.cwd, asked))
        .ok_or_else(|| ResolveError::CwdMissing { cwd: shown() })?;
    match look.kind(&real) {
        Some(FileKind::Directory) => Ok(real),
        Some(_) => Err(ResolveError::CwdNotDirectory { cwd: shown() }),
        None => Err(ResolveError::CwdMissing { cwd: shown() }),
    }
}
