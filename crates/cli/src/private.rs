//! Files that only the user may read: written whole or not at all.
//!
//! May not know what is in them.

use crate::remember;
use runward::host::{private_file, private_folder};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// The text of a file; `None` where there is none.
pub(crate) fn read(file: &Path) -> io::Result<Option<String>> {
    match fs::read_to_string(file) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts a text in a file's place in one step. A link to it stays a link.
pub(crate) fn replace(file: &Path, text: &str) -> io::Result<()> {
    let file = &remember::real(file);
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    private_folder(folder)?;
    in_one_step(folder, name, text, private_file)
}

/// Puts a text in a file's place in one step: written beside it, in a file that `make` makes, and then renamed.
pub(crate) fn in_one_step(
    folder: &Path,
    name: &OsStr,
    text: &str,
    make: impl FnOnce(&Path) -> io::Result<File>,
) -> io::Result<()> {
    let mut beside = name.to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = folder.join(beside);
    let write = |mut new: File| {
        new.write_all(text.as_bytes())?;
        new.sync_all()
    };
    let written = make(&beside).and_then(write).and_then(|()| fs::rename(&beside, folder.join(name)));
    if written.is_err() {
        // What is half written must not stay; the error is told either way.
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_in_one_step_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("deep/list.json");
        assert_eq!(read(&file).unwrap(), None);
        replace(&file, "one").unwrap();
        replace(&file, "two").unwrap();
        assert_eq!(read(&file).unwrap().as_deref(), Some("two"));
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
}
