//! Small files in the state folder that are nobody else's business: written in one step, readable by their owner only.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Writes a text in a file's place. Whoever reads meanwhile sees the old text or the new one.
pub fn write(file: &Path, text: &str) -> io::Result<()> {
    let folder = file.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    // Such a file is made for its owner only, and goes with an error.
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// A text in a file of its own, which goes when this does.
pub(super) fn aside(prefix: &str, suffix: &str, text: &str) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(prefix).suffix(suffix).tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    Ok(file)
}

/// Reads a file; none where there is none.
pub fn read(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Waits until nobody else changes this file; held until it is dropped.
pub fn hold(file: &Path) -> io::Result<File> {
    fs::create_dir_all(file.parent().ok_or(io::ErrorKind::InvalidInput)?)?;
    let mut name = file.as_os_str().to_owned();
    name.push(".lock");
    let lock = OpenOptions::new().create(true).append(true).open(name)?;
    lock.lock()?;
    Ok(lock)
}
