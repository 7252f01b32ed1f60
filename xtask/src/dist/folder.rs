//! The folder that packages are written to: what lies there, and the file with everybody's sum.

use super::channel::NamedFile;
use super::sum::sha256;
use super::target::{DistTarget, TARGETS};
use crate::ChoreResult;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file with the sums.
pub(crate) const SUMS: &str = "SHA256SUMS";

/// A folder of packages of one version.
pub(crate) struct PackageFolder {
    path: PathBuf,
    /// The version of all of them.
    pub(crate) version: String,
}

impl PackageFolder {
    /// Makes it if it is not there.
    pub(crate) fn open(path: &Path, version: &str) -> Result<Self, String> {
        fs::create_dir_all(path).map_err(|error| format!("`{}` cannot be made: {error}", path.display()))?;
        Ok(Self { path: path.to_owned(), version: version.to_owned() })
    }

    /// Writes files, each whole or not at all.
    pub(crate) fn write(&self, files: &[NamedFile]) -> ChoreResult {
        for (name, bytes) in files {
            let (place, half) = (self.path.join(name), self.path.join(format!(".{name}.half")));
            fs::write(&half, bytes)
                .and_then(|()| fs::rename(&half, &place))
                .map_err(|error| format!("`{}` cannot be written: {error}", place.display()))?;
        }
        Ok(())
    }

    /// The sum of a file, if it is there.
    pub(crate) fn sum(&self, name: &str) -> Result<Option<String>, String> {
        let path = self.path.join(name);
        if !path.is_file() {
            return Ok(None);
        }
        fs::read(&path).map(|bytes| Some(sha256(&bytes))).map_err(|error| unread(&path, &error))
    }

    /// Systems with the file that is named so for them, and its sum.
    pub(crate) fn each(
        &self,
        name: impl Fn(&'static DistTarget) -> String,
    ) -> Result<Vec<(&'static DistTarget, String, String)>, String> {
        let mut found = Vec::new();
        for target in TARGETS {
            let file = name(target);
            if let Some(sum) = self.sum(&file)? {
                found.push((target, file, sum));
            }
        }
        Ok(found)
    }

    /// Systems with an archive.
    pub(crate) fn archives(&self) -> Result<Vec<(&'static DistTarget, String, String)>, String> {
        self.each(|target| super::archive::file_name(target, &self.version))
    }

    /// Writes the sums of everything that lies there, in the order of names.
    pub(crate) fn write_sums(&self) -> ChoreResult {
        let mut lines = Vec::new();
        for name in self.names()?.iter().filter(|name| *name != SUMS) {
            lines.push(format!("{}  {name}\n", self.sum(name)?.unwrap_or_default()));
        }
        self.write(&[(SUMS.to_owned(), lines.concat().into_bytes())])
    }

    /// The names of the files that lie there.
    pub(crate) fn names(&self) -> Result<Vec<String>, String> {
        let entries = fs::read_dir(&self.path).map_err(|error| unread(&self.path, &error))?;
        let mut names: Vec<_> = entries
            .flatten()
            .filter(|entry| entry.path().is_file())
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        Ok(names)
    }
}

fn unread(path: &Path, error: &std::io::Error) -> String {
    format!("`{}` cannot be read: {error}", path.display())
}
