//! The workspace: the folder that some commands may not leave.
//!
//! Its canonical path is taken once, when it is named: whoever can swap it for a link later must not move it.
//! May not say which command may run in it.

use runward_core::error::{Code, Coded};
use runward_core::facts::{HostFacts, Look, Naming};
use runward_core::render::{one_line, word};
use std::path::{Path, PathBuf};

/// A folder, and perhaps folders in it that are meant alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    named: PathBuf,
    real: Option<PathBuf>,
    narrowed: Option<Vec<PathBuf>>,
}

/// A working directory that is not in the workspace.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cwd is outside the workspace: {cwd}")]
pub struct OutsideWorkspace {
    cwd: String,
    workspace: String,
}

impl Coded for OutsideWorkspace {
    fn code(&self) -> Code {
        Code::PolicyOutsideWorkspace
    }

    fn hint(&self) -> Option<String> {
        Some(format!("Name a directory inside the workspace `{}`.", self.workspace))
    }
}

impl Workspace {
    /// The workspace at this path, as it is on this host now.
    pub fn at(path: impl Into<PathBuf>, facts: &HostFacts, look: &dyn Look) -> Self {
        let named = path.into();
        let real = look.real_path(&facts.naming.join(&facts.cwd, &named));
        Self { named, real, narrowed: None }
    }

    /// The same workspace, of which only these folders are meant. It never grows by this.
    #[must_use]
    pub fn narrowed(mut self, folders: &[PathBuf], facts: &HostFacts, look: &dyn Look) -> Self {
        let real = |folder: &PathBuf| look.real_path(&facts.naming.join(&facts.cwd, folder));
        self.narrowed = Some(folders.iter().filter_map(real).collect());
        self
    }

    /// Its canonical path; as named where it does not exist.
    pub fn path(&self) -> &Path {
        self.real.as_deref().unwrap_or(&self.named)
    }

    /// Whether a canonical path lies in it.
    pub(crate) fn admit(&self, real: &Path, naming: &Naming) -> Result<(), OutsideWorkspace> {
        let inside = self.real.as_deref().is_some_and(|root| naming.holds(root, real));
        let meant =
            self.narrowed.as_ref().is_none_or(|roots| roots.iter().any(|root| naming.holds(root, real)));
        if inside && meant { Ok(()) } else { Err(self.outside(real)) }
    }

    /// Whether a path lies in it, as far as it exists. What does not exist is where its nearest folder is.
    pub(crate) fn admit_asked(
        &self,
        asked: &Path,
        naming: &Naming,
        look: &dyn Look,
    ) -> Result<(), OutsideWorkspace> {
        let mut path = asked.to_owned();
        let mut climbs = 0_usize;
        loop {
            if let Some(real) = look.real_path(&path).filter(|_| climbs == 0) {
                return self.admit(&real, naming).map_err(|_| self.outside(asked));
            }
            // A name that is not there cancels one `..` after it; more of them lead out of what can be known.
            match naming.file_name(&path) {
                Some("..") => climbs += 1,
                Some("." | "") => {}
                _ => climbs = climbs.saturating_sub(1),
            }
            path =
                naming.parent(&path).filter(|parent| *parent != path).ok_or_else(|| self.outside(asked))?;
        }
    }

    fn outside(&self, cwd: &Path) -> OutsideWorkspace {
        let shown = |path: &Path| one_line(&word(path.as_os_str()));
        OutsideWorkspace { cwd: shown(cwd), workspace: shown(self.path()) }
    }
}
