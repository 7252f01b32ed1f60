//! The workspace: the folder that some commands may not leave.
//!
//! Its canonical path is taken once, when it is named: replacing it by a link later must not move it.
//! May not say which command may run in it.

use runward_core::error::Code;
use runward_core::facts::{HostFacts, Look, Naming};
use runward_core::policy::RefusalWords;
use runward_core::render::{one_line, word};
use std::path::{Path, PathBuf};

/// A folder, and perhaps the only folders in it that may be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workspace {
    named: PathBuf,
    real: Option<PathBuf>,
    narrowed: Option<Vec<PathBuf>>,
}

/// The rule that refuses what lies outside.
pub(crate) const RULE: &str = "workspace";

/// Folders that are named in one hint.
const NAMED: usize = 5;

impl Workspace {
    /// The workspace at this path, as it is on this host now.
    pub fn at(path: impl Into<PathBuf>, facts: &HostFacts, look: &dyn Look) -> Self {
        let named = path.into();
        let real = look.real_path(&facts.naming.join(&facts.cwd, &named));
        Self { named, real, narrowed: None }
    }

    /// The same workspace, with only these folders. It never grows by this: a folder around it means
    /// all of it, and one outside means nothing.
    #[must_use]
    pub fn narrowed(mut self, folders: &[PathBuf], facts: &HostFacts, look: &dyn Look) -> Self {
        let naming = &facts.naming;
        let common = |folder: &PathBuf| {
            let (whole, part) = (self.real.as_ref()?, look.real_path(&naming.join(&facts.cwd, folder))?);
            match (naming.holds(whole, &part), naming.holds(&part, whole)) {
                (true, _) => Some(part),
                (false, true) => Some(whole.clone()),
                (false, false) => None,
            }
        };
        self.narrowed = Some(folders.iter().filter_map(common).collect());
        self
    }

    /// Its canonical path; as named where it does not exist.
    pub fn path(&self) -> &Path {
        self.real.as_deref().unwrap_or(&self.named)
    }

    /// The folders that may be used, canonical. None of what does not exist.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        match &self.narrowed {
            Some(folders) => folders.clone(),
            None => self.real.iter().cloned().collect(),
        }
    }

    /// Whether a canonical path lies in it.
    pub(crate) fn admit(&self, real: &Path, naming: &Naming) -> Result<(), RefusalWords> {
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
    ) -> Result<(), RefusalWords> {
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

    /// Why a folder may not be used, and which may.
    fn outside(&self, cwd: &Path) -> RefusalWords {
        let shown = |path: &Path| one_line(&word(path.as_os_str()));
        let outside = || format!("cwd is outside the workspace: {}", shown(cwd));
        let (message, hint) = match self.narrowed.as_deref() {
            None => (outside(), format!("Name a directory inside the workspace `{}`.", shown(self.path()))),
            Some([]) => (
                format!("nothing of the workspace may be used: no root lies in it: {}", shown(self.path())),
                "Add a folder of the workspace to the roots.".to_owned(),
            ),
            Some(folders) => {
                let named = folders.iter().take(NAMED).map(|folder| format!("`{}`", shown(folder)));
                let named = named.collect::<Vec<_>>().join(", ");
                let more = if folders.len() > NAMED { ", or another root" } else { "" };
                (outside(), format!("Name a directory inside {named}{more}: the roots narrow the workspace."))
            }
        };
        RefusalWords { code: Code::PolicyOutsideWorkspace, message, hint }
    }
}
