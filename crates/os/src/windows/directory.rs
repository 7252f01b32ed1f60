//! Holds a working directory in place while a process is started in it.
//!
//! Hazard: between the judgement and the start another process could move the directory away and put a link there.
//! While it is open without leave to delete, neither it nor any folder above it can be renamed or removed; then the
//! path is resolved once more, and it must still be the one that was judged.

use super::paths::real_path;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_FLAG_BACKUP_SEMANTICS, FILE_SHARE_READ, FILE_SHARE_WRITE, FILE_TRAVERSE,
};

/// The directory, held in place for as long as this is open.
pub(super) fn hold(path: &Path) -> io::Result<File> {
    let held = OpenOptions::new()
        .access_mode(FILE_TRAVERSE)
        .share_mode(FILE_SHARE_READ | FILE_SHARE_WRITE)
        .custom_flags(FILE_FLAG_BACKUP_SEMANTICS)
        .open(path)?;
    if !held.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    if real_path(path)? != path {
        return Err(io::Error::new(io::ErrorKind::NotFound, "it leads elsewhere since it was judged"));
    }
    Ok(held)
}
