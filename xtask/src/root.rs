//! Where the repository is. All paths of the tasks start here; none is written into the program.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's top folder.
pub(crate) struct RepositoryRoot(PathBuf);

impl RepositoryRoot {
    /// The folder above this crate as cargo names it at run time, or the nearest folder above the current one
    /// that holds a `Cargo.lock`.
    pub(crate) fn find() -> Result<Self, String> {
        if let Some(manifest) = env::var_os("CARGO_MANIFEST_DIR")
            && let Some(parent) = Path::new(&manifest).parent()
        {
            return Ok(Self(parent.to_owned()));
        }
        let here = env::current_dir().map_err(|error| format!("the current folder is gone: {error}"))?;
        here.ancestors()
            .find(|folder| folder.join("Cargo.lock").is_file())
            .map(|folder| Self(folder.to_owned()))
            .ok_or_else(|| "run this from inside the repository".to_owned())
    }

    /// A path inside the repository.
    pub(crate) fn join(&self, inner: &str) -> PathBuf {
        self.0.join(inner)
    }

    /// The folder itself.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}
