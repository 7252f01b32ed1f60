//! Files put in place: copy, new file beside it, renamed. Never half a file.
//!
//! A file that is not as it was shown is not written. May not decide what is written.

use super::plan::{self, PlannedFile, PlannedStep};
use super::record::{InitRecord, WrittenEntry};
use crate::{private, remember};
use runward::host::private_file;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that was written, and how it was before.
#[derive(Debug)]
pub(super) struct WrittenFile {
    pub(super) path: PathBuf,
    /// The copy of the old file beside it.
    pub(super) copy: Option<PathBuf>,
    /// The file that was written, links followed.
    real: PathBuf,
    old: Option<String>,
    new: Option<String>,
    made_folders: Vec<PathBuf>,
    noted: Option<WrittenEntry>,
}

/// What came of writing.
#[derive(Debug)]
pub(super) enum WriteEnd {
    Written(Box<WrittenFile>),
    /// It is not as it was shown.
    Changed,
    /// It could not be written, and is as it was.
    Failed(String),
}

/// Who may read a new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewFile {
    /// The user alone.
    Private,
    /// Whoever may read the folder.
    Shared,
}

/// Does what was planned for one file.
pub(super) fn write(planned: &PlannedFile, kind: NewFile, record: &mut InitRecord) -> WriteEnd {
    let path = &planned.file.path;
    match plan::read(path) {
        Ok(now) if now == planned.old => {}
        Ok(_) => return WriteEnd::Changed,
        Err(why) => return WriteEnd::Failed(why),
    }
    let made_folders = missing_folders(path);
    let done = carry_out(planned, kind);
    let copy = match done {
        Ok(copy) => copy,
        Err(error) => {
            take_away(&made_folders);
            return WriteEnd::Failed(error.to_string());
        }
    };
    let noted = record.of(path).cloned();
    match &planned.step {
        PlannedStep::Add(new) | PlannedStep::Change { new, .. } => {
            let folders =
                noted.as_ref().map_or_else(|| made_folders.clone(), |noted| noted.made_folders.clone());
            record.set(path, Some(WrittenEntry { made_folders: folders, ..new.record.clone() }));
        }
        _ => {
            if planned.new_text().is_none() {
                take_away(noted.as_ref().map_or(&[][..], |noted| &noted.made_folders));
            }
            record.set(path, None);
        }
    }
    WriteEnd::Written(Box::new(WrittenFile {
        path: path.clone(),
        copy,
        real: remember::real(path),
        old: planned.old.clone(),
        new: planned.new_text().map(str::to_owned),
        made_folders,
        noted,
    }))
}

/// Copies the old file, and puts the new one in its place; gives the copy.
fn carry_out(planned: &PlannedFile, kind: NewFile) -> io::Result<Option<PathBuf>> {
    let real = remember::real(&planned.file.path);
    let (Some(folder), Some(name)) = (real.parent(), real.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let copy = match &planned.old {
        None => {
            fs::create_dir_all(folder)?;
            None
        }
        // A file that goes is one that init made, with nothing else in it.
        Some(_) if planned.new_text().is_none() => None,
        Some(old) => {
            if fs::metadata(&real)?.permissions().readonly() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
            }
            Some(copied(&planned.file.path, &real, old)?)
        }
    };
    let put = match planned.new_text() {
        None => fs::remove_file(&real),
        Some(text) => private::in_one_step(folder, name, text, |beside| match (&planned.old, kind) {
            (Some(_), _) => remember::new_like(beside, &real),
            (None, NewFile::Private) => private_file(beside),
            (None, NewFile::Shared) => OpenOptions::new().write(true).create_new(true).open(beside),
        }),
    };
    put.inspect_err(|_| {
        if let Some(copy) = &copy {
            // The copy is of a file that is still there.
            let _ = fs::remove_file(copy);
        }
    })?;
    Ok(copy)
}

/// Copies of one file that may lie beside it.
const COPIES: u32 = 1000;

/// A copy beside the file, under the first number that is free, with the permissions of the file.
fn copied(named: &Path, real: &Path, old: &str) -> io::Result<PathBuf> {
    for number in 1..COPIES {
        let mut name: OsString = named.as_os_str().to_owned();
        name.push(format!(".runward-{number}.bak"));
        let path = PathBuf::from(name);
        let written = |mut file: File| file.write_all(old.as_bytes()).and_then(|()| file.sync_all());
        match remember::new_like(&path, real) {
            Ok(file) => {
                return written(file).map(|()| path.clone()).inspect_err(|_| {
                    let _ = fs::remove_file(&path);
                });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("there are too many copies of it already"))
}

/// Folders above a file that are not there, the innermost first.
fn missing_folders(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1);
    above.take_while(|folder| !folder.exists()).map(Path::to_owned).collect()
}

/// Folders that were made and are empty again. One that is not empty stays.
fn take_away(folders: &[PathBuf]) {
    for folder in folders {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

impl WrittenFile {
    /// Puts the file back as it was, unless somebody has changed it since.
    pub(super) fn put_back(&self, record: &mut InitRecord) -> io::Result<()> {
        let now = plan::read(&self.path).map_err(io::Error::other)?;
        if now != self.new {
            return Err(io::Error::other("it has been changed since"));
        }
        let (Some(folder), Some(name)) = (self.real.parent(), self.real.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        match &self.old {
            Some(old) => {
                private::in_one_step(folder, name, old, |beside| remember::new_like(beside, &self.real))?;
            }
            None => {
                fs::remove_file(&self.real)?;
                take_away(&self.made_folders);
            }
        }
        if let Some(copy) = &self.copy {
            fs::remove_file(copy)?;
        }
        record.set(&self.path, self.noted.clone());
        Ok(())
    }
}
