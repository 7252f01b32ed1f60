//! Answers the questions of `Look` and `Browse` from the real file system. It asks; it never acts.

use runward_core::facts::{Browse, FileKind, Look};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

/// More than any alias file of a version manager holds.
const SMALL: u64 = 64 * 1024;

impl Look for Disk {
    fn is_executable(&self, path: &Path) -> bool {
        crate::sys::is_executable(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let found = fs::metadata(path).ok()?;
        Some(match (found.is_dir(), found.is_file()) {
            (true, _) => FileKind::Directory,
            (_, true) => FileKind::File,
            _ => FileKind::Other,
        })
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        crate::sys::real_path(path).ok()
    }
}

impl Browse for Disk {
    fn list(&self, dir: &Path) -> Vec<OsString> {
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect()
    }

    fn read_small(&self, path: &Path) -> Option<String> {
        let mut text = String::new();
        fs::File::open(path).ok()?.take(SMALL).read_to_string(&mut text).ok()?;
        Some(text)
    }

    fn mentions(&self, path: &Path, bytes: &[u8]) -> bool {
        match fs::read(path) {
            Ok(held) => held.windows(bytes.len().max(1)).any(|window| window == bytes),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }
}

/// Makes a folder, with all above it, that only this user may enter.
pub fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Makes a new file that only this user may read.
pub fn private_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
