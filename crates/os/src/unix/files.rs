//! Questions about files that Unix answers with permissions and inode numbers. May not change one.

use runward_core::facts::{HostFacts, Naming, Shell};
use rustix::fs::{Access, AtFlags, CWD, accessat, fstat};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub(crate) fn naming() -> Naming {
    Naming::unix()
}

/// A file that this user may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    // Most files that are asked about are not there, and this is the cheaper question.
    may_execute(path) && path.is_file()
}

/// Asked by the newest call that is not forbidden: none of them answers so about a file. The older one asks for the real
/// user, who is another only where Runward was given rights; what the bits promise too much is told when it is executed.
fn may_execute(path: &Path) -> bool {
    for flags in [AtFlags::EACCESS, AtFlags::empty()] {
        match accessat(CWD, path, Access::EXEC_OK, flags) {
            Err(Errno::PERM | Errno::NOSYS) => {}
            answer => return answer.is_ok(),
        }
    }
    const ANYBODY: u32 = 0o111;
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & ANYBODY != 0)
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
