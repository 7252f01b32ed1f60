//! Empty things that hold a place while a command runs, made and locked. `warden/holds.rs` tells the story and takes
//! them away.

use runward_core::sandbox::{Guard, Shape};
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags, flock, mkdirat, open, openat, unlinkat};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// One place that is held.
#[derive(Debug)]
pub(super) struct Hold {
    /// The folder it lies in.
    pub(super) parent: OwnedFd,
    /// The thing itself, with a shared lock.
    pub(super) thing: OwnedFd,
    pub(super) name: OsString,
    pub(super) shape: Shape,
}

impl Hold {
    /// Takes the thing away if nobody else holds it; what is not empty stays.
    pub(super) fn abandon(&self) {
        if flock(&self.thing, FlockOperation::NonBlockingLockExclusive).is_err() {
            return;
        }
        let flags = if self.shape == Shape::Folder { AtFlags::REMOVEDIR } else { AtFlags::empty() };
        let empty =
            self.shape == Shape::Folder || rustix::fs::fstat(&self.thing).is_ok_and(|it| it.st_size == 0);
        if empty {
            // It stays if it cannot be removed: the next command here takes it over.
            let _ = unlinkat(&self.parent, &self.name, flags);
        }
    }
}

/// As many as a warden can take over.
const MOST: usize = 13;

/// The mark: a file, or such a folder, has it for no other reason.
const STICKY: u32 = 0o1000;

/// Holds every guarded path that is not there. Gives back also those that this user cannot make: then no command can.
pub(super) fn take(guards: &[Guard]) -> io::Result<(Vec<Hold>, Vec<PathBuf>)> {
    let (mut holds, mut unmade) = (Vec::new(), Vec::new());
    for guard in guards {
        match hold(guard) {
            Ok(hold) => holds.extend(hold),
            Err(error) if is_forbidden(&error) => unmade.push(guard.path.clone()),
            Err(error) => return Err(given_up(&holds, error)),
        }
        if holds.len() > MOST {
            return Err(given_up(&holds, io::Error::from_raw_os_error(libc::E2BIG)));
        }
    }
    Ok((holds, unmade))
}

fn given_up(holds: &[Hold], error: io::Error) -> io::Error {
    holds.iter().for_each(Hold::abandon);
    error
}

fn is_forbidden(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

/// Holds one path; nothing to hold where something real is there.
fn hold(guard: &Guard) -> io::Result<Option<Hold>> {
    loop {
        match fs::symlink_metadata(&guard.path) {
            Ok(found) if !is_held(&found) => return Ok(None),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(guard)?,
            Err(error) => return Err(error),
        }
        // Whoever removes it holds the lock alone: afterwards it is there, or it is not and is made again.
        if let Some(hold) = lock(guard)? {
            return Ok(Some(hold));
        }
    }
}

/// Whether this is a thing that only holds a place.
fn is_held(found: &Metadata) -> bool {
    found.mode() & STICKY != 0 && (found.is_dir() || (found.is_file() && found.len() == 0))
}

fn make(guard: &Guard) -> io::Result<()> {
    let made = match guard.shape {
        Shape::Folder => mkdirat(CWD, &guard.path, Mode::from_raw_mode(STICKY | 0o755)),
        Shape::File => {
            let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
            open(&guard.path, flags, Mode::from_raw_mode(STICKY | 0o644)).map(drop)
        }
    };
    match made {
        Err(rustix::io::Errno::EXIST) => Ok(()),
        made => Ok(made?),
    }
}

fn lock(guard: &Guard) -> io::Result<Option<Hold>> {
    let (Some(parent), Some(name)) = (guard.path.parent(), guard.path.file_name()) else { return Ok(None) };
    let folder = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = open(parent, folder, Mode::empty())?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let thing = match openat(&parent, name, flags, Mode::empty()) {
        Err(rustix::io::Errno::NOENT) => return Ok(None),
        opened => opened?,
    };
    flock(&thing, FlockOperation::LockShared)?;
    let held = rustix::fs::fstat(&thing)?;
    let same =
        fs::symlink_metadata(&guard.path).is_ok_and(|it| (it.dev(), it.ino()) == (held.st_dev, held.st_ino));
    let hold = Hold { parent, thing, name: name.to_owned(), shape: guard.shape };
    Ok(same.then_some(hold))
}
