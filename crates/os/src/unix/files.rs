//! Questions about files that Unix answers with permissions and inode numbers.

use runward_core::facts::{HostFacts, Naming, Shell};
use rustix::fs::{Access, AtFlags, CWD, accessat, fstat};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) fn naming() -> Naming {
    Naming::unix()
}

/// A file that this user may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    // Most files that are asked about are not there, and this is the cheaper question.
    accessat(CWD, path, Access::EXEC_OK, AtFlags::EACCESS).is_ok() && path.is_file()
}

/// Bash where there is one, sh otherwise.
pub(crate) fn shell(facts: &HostFacts) -> Option<Shell> {
    let path = facts.env_var("PATH").unwrap_or_default();
    let in_path =
        |name: &str| runward_core::resolve::find_program(OsStr::new(name), path, facts, &crate::Disk);
    let usual = |place: &str| Some(PathBuf::from(place)).filter(|path| is_executable(path));
    let found = in_path("bash")
        .or_else(|| usual("/bin/bash"))
        .or_else(|| usual("/bin/sh"))
        .or_else(|| in_path("sh"))?;
    Some(Shell { path: found, before: vec!["-c".to_owned()] })
}

/// Whether this process' own stdout and stderr lead to the same file, pipe or terminal.
pub(crate) fn outputs_share_a_file() -> bool {
    match (fstat(std::io::stdout()), fstat(std::io::stderr())) {
        (Ok(a), Ok(b)) => (a.st_dev, a.st_ino) == (b.st_dev, b.st_ino),
        _ => false,
    }
}

/// The path with every link followed.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// Whether an error says that the host has run out of something.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    let shortages =
        [libc::EMFILE, libc::ENFILE, libc::EAGAIN, libc::ENOMEM, libc::ENOBUFS, libc::ENOSPC, libc::EFBIG];
    error.raw_os_error().is_some_and(|errno| shortages.contains(&errno))
}
