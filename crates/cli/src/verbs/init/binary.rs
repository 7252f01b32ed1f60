//! The program that a client will start: this one, under a path that lasts.
//!
//! A package manager's cache is emptied some day, so no path in one is ever written. May not change anything but by
//! [`RunwardBinary::settle`].

use crate::output::VerbFailure;
use runward::HostFacts;
use runward::core::facts::System;
use runward::core::resolve::find_program;
use runward::host::Disk;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// What a client will start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunwardBinary {
    /// The path that is written.
    pub(super) path: PathBuf,
    /// What has to be copied there first, because it lies in a cache.
    pub(super) from: Option<PathBuf>,
}

impl RunwardBinary {
    /// The program that runs now, under its stable name.
    pub(super) fn of_this(facts: &HostFacts) -> Result<Self, VerbFailure> {
        let running = std::env::current_exe()
            .map_err(|error| VerbFailure::host("the path of this program could not be found", &error))?;
        Self::of(&running, facts)
    }

    fn of(running: &Path, facts: &HostFacts) -> Result<Self, VerbFailure> {
        let real = |path: &Path| fs::canonicalize(path).ok();
        let path = facts.env_var("PATH").unwrap_or_default();
        let name = OsStr::new(if facts.system == System::Windows { "runward.exe" } else { "runward" });
        let linked = find_program(name, path, facts, &Disk)
            .filter(|found| found.is_absolute() && real(found) == real(running) && !is_cached(found));
        if let Some(path) = linked {
            return Ok(Self { path, from: None });
        }
        if !is_cached(running) {
            return Ok(Self { path: running.to_owned(), from: None });
        }
        let Some(folder) = lasting_folder(facts) else {
            return Err(VerbFailure::bad_value(
                format!(
                    "this program lies in a cache, `{}`, and there is no home to copy it to",
                    running.display()
                ),
                "Install Runward, or set HOME.",
            ));
        };
        Ok(Self { path: folder.join(name), from: Some(running.to_owned()) })
    }

    /// Whether something has to be copied.
    pub(super) fn is_to_be_copied(&self) -> bool {
        self.from.as_ref().is_some_and(|from| !is_same(from, &self.path))
    }

    /// Copies the program to where it lasts, in one step; a copy that is there already is left.
    pub(super) fn settle(&self) -> io::Result<()> {
        let Some(from) = self.from.as_ref().filter(|_| self.is_to_be_copied()) else { return Ok(()) };
        let (Some(folder), Some(name)) = (self.path.parent(), self.path.file_name()) else { return Ok(()) };
        fs::create_dir_all(folder)?;
        let mut beside = name.to_owned();
        beside.push(format!(".{}.new", std::process::id()));
        let beside = folder.join(beside);
        let copy = || {
            fs::copy(from, &beside)?;
            OpenOptions::new().write(true).open(&beside)?.sync_all()?;
            fs::rename(&beside, &self.path)
        };
        copy().inspect_err(|_| {
            // What is half written must not stay; the error is told either way.
            let _ = fs::remove_file(&beside);
        })
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let length = |path: &Path| fs::metadata(path).ok().map(|meta| meta.len());
    length(one) == length(other) && fs::read(one).ok() == fs::read(other).ok()
}

/// Where programs of the user lie.
fn lasting_folder(facts: &HostFacts) -> Option<PathBuf> {
    match facts.system {
        System::Windows => {
            let local = facts.env_var("LOCALAPPDATA").map(PathBuf::from).filter(|path| path.is_absolute())?;
            Some(local.join("Programs").join("runward"))
        }
        _ => Some(facts.home.as_ref().filter(|home| home.is_absolute())?.join(".local").join("bin")),
    }
}

/// Names of folders that package managers fill and empty: npm, pnpm, bun, uv, pipx.
const CACHES: &[&str] = &["cache", ".cache", "caches", "_npx", "_cacache", "npm-cache", "dlx"];

fn is_cached(path: &Path) -> bool {
    path.components().any(|part| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        CACHES.contains(&name.as_str()) || name.starts_with("bunx-") || name.starts_with("archive-v")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_in_a_cache_is_known() {
        for cached in [
            "/h/.npm/_npx/1a2b/node_modules/.bin/runward",
            "/h/.cache/uv/archive-v0/x/bin/runward",
            "/h/.cache/pnpm/dlx/x/runward",
            "/tmp/bunx-0-runward@latest/node_modules/.bin/runward",
            "/Users/a/Library/Caches/x/runward",
        ] {
            assert!(is_cached(Path::new(cached)), "{cached}");
        }
        for lasting in [
            "/usr/bin/runward",
            "/h/.local/bin/runward",
            "/opt/homebrew/bin/runward",
            "/h/.nvm/v22/lib/node_modules/runward/bin/runward",
        ] {
            assert!(!is_cached(Path::new(lasting)), "{lasting}");
        }
    }
}
