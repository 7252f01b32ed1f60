//! Landlock rulesets, made once and used by one command after another.
//!
//! Only where a command has the same view of files as we do: a folder that is made for the command alone is not there
//! yet, so there the warden's child makes the ruleset. The race: a ruleset is about the very folders that were there,
//! not about their names. So it is used again only while each name still leads to the same one.

use runward_core::sandbox::SandboxStep;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, lstat, openat2};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How many rulesets are kept. Most users of a sandbox use one.
const KEPT: usize = 8;

/// What a table was made from.
#[derive(Debug, PartialEq, Eq)]
struct RulesKey {
    governed: [u64; 3],
    rows: Vec<RuleRow>,
}

#[derive(Debug, PartialEq, Eq)]
struct RuleRow {
    path: PathBuf,
    rights: u64,
    /// What the name led to: device and inode number.
    found: Option<(u64, u64)>,
}

static TABLES: Mutex<Vec<(RulesKey, Arc<OwnedFd>)>> = Mutex::new(Vec::new());

/// The table that these steps describe.
pub(super) fn of(steps: &[SandboxStep]) -> io::Result<Arc<OwnedFd>> {
    let wanted = wanted(steps);
    // A panic elsewhere leaves the list whole: every change to it is a single step.
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = tables.iter().find(|(made, _)| *made == wanted) {
        return Ok(Arc::clone(table));
    }
    let table = Arc::new(make(&wanted)?);
    if tables.len() == KEPT {
        tables.remove(0);
    }
    tables.push((wanted, Arc::clone(&table)));
    Ok(table)
}

fn wanted(steps: &[SandboxStep]) -> RulesKey {
    let mut made = RulesKey { governed: [0; 3], rows: Vec::new() };
    for step in steps {
        match step {
            SandboxStep::Rules { files, network, scopes } => made.governed = [*files, *network, *scopes],
            SandboxStep::Allow(path, rights) => {
                let found = lstat(path).ok().map(|it| (it.st_dev, it.st_ino));
                made.rows.push(RuleRow { path: path.clone(), rights: *rights, found });
            }
            _ => {}
        }
    }
    made
}

fn make(wanted: &RulesKey) -> io::Result<OwnedFd> {
    // SAFETY: three numbers, of which the kernel reads as many bytes as it is told.
    let made = unsafe {
        let size = size_of_val(&wanted.governed);
        libc::syscall(libc::SYS_landlock_create_ruleset, wanted.governed.as_ptr(), size, 0)
    };
    let made = i32::try_from(made).ok().filter(|fd| *fd >= 0).ok_or_else(io::Error::last_os_error)?;
    // SAFETY: the kernel just gave it to us alone.
    let table = unsafe { OwnedFd::from_raw_fd(made) };
    for row in &wanted.rows {
        add(&table, &row.path, row.rights)?;
    }
    Ok(table)
}

/// The rights that make sense for something that is no folder.
const OF_FILES: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;

/// Gives rights below a path. To what is not there, or is only a link, nothing needs to be given.
fn add(table: &OwnedFd, path: &Path, rights: u64) -> io::Result<()> {
    use rustix::io::Errno;
    let below =
        match openat2(CWD, path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => return Ok(()),
            opened => opened?,
        };
    for rights in [rights, rights & OF_FILES] {
        const PATH_BENEATH: libc::c_int = 1;
        let row = [rights, u64::from(below.as_raw_fd().cast_unsigned())];
        // SAFETY: the row is at least as long as the kernel's. Its second number is the lower half of ours.
        let added = unsafe {
            libc::syscall(libc::SYS_landlock_add_rule, table.as_raw_fd(), PATH_BENEATH, row.as_ptr(), 0)
        };
        if added == 0 {
            return Ok(());
        }
        // Rights that only a folder can have are refused for anything else.
        if io::Error::last_os_error().raw_os_error() != Some(libc::EINVAL) {
            break;
        }
    }
    Err(io::Error::last_os_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(path: &Path) -> [SandboxStep; 2] {
        [SandboxStep::Rules { files: 2, network: 0, scopes: 0 }, SandboxStep::Allow(path.to_owned(), 2)]
    }

    #[test]
    fn a_table_is_used_again_until_a_folder_was_replaced() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("folder");
        std::fs::create_dir(&folder).unwrap();
        let first = of(&steps(&folder)).unwrap();
        assert!(Arc::ptr_eq(&first, &of(&steps(&folder)).unwrap()));
        std::fs::rename(&folder, place.path().join("moved")).unwrap();
        std::fs::create_dir(&folder).unwrap();
        assert!(!Arc::ptr_eq(&first, &of(&steps(&folder)).unwrap()));
    }
}
