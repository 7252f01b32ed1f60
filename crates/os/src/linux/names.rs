//! Names that must not appear while a command runs, and repositories that must stay some: a table for the warden.
//!
//! The other side of the table is `warden/names.rs`, which tells why. The table outlives the warden it was given to: if
//! that one is killed, another is asked for the last look. May not decide what is watched.

use super::wire::Body;
use runward_core::plan::RunId;
use runward_core::sandbox::SandboxPlan;
use rustix::fs::{AtFlags, CWD, statat};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Bytes of one row.
const ROW: usize = 40;

/// As many rows, and as many bytes of text, as a warden has room for.
const MOST_ROWS: usize = 512;
const MOST_TEXT: usize = 56 * 1024;

/// More than git reads of a `HEAD`.
const HEAD: usize = 256;

/// What is watched.
#[derive(Debug, Default)]
pub(super) struct WatchedNames {
    /// What is added to a name that is moved aside.
    mark: OsString,
    rows: Vec<NameRow>,
}

#[derive(Debug)]
struct NameRow {
    kind: u32,
    folder: PathBuf,
    /// A name below the folder, names that are known, or what `HEAD` says.
    text: Vec<u8>,
    /// How `HEAD`, `objects` and `refs` may be entered.
    modes: [u16; 3],
}

const NAME: u32 = 1;
const WORKTREES: u32 = 2;
const LASTING: u32 = 3;

impl WatchedNames {
    /// What a plan has watched.
    pub(super) fn of(plan: &SandboxPlan, id: RunId) -> io::Result<Self> {
        let row =
            |kind, folder: &Path, text| NameRow { kind, folder: folder.to_owned(), text, modes: [0; 3] };
        let names = plan.forbidden().iter();
        let mut rows: Vec<NameRow> =
            names.map(|name| row(NAME, &name.folder, name.name.as_os_str().as_bytes().to_vec())).collect();
        for worktrees in plan.worktrees() {
            let known: Vec<&[u8]> = worktrees.known.iter().map(|name| name.as_bytes()).collect();
            rows.push(row(WORKTREES, &worktrees.git, known.join(&b'/')));
        }
        rows.extend(plan.lasting().iter().filter_map(|git| lasting(git)));
        rows.sort_by(|a, b| a.folder.cmp(&b.folder));
        let text: usize = rows.iter().map(|row| row.folder.as_os_str().len() + row.text.len() + 2).sum();
        if rows.len() > MOST_ROWS || text > MOST_TEXT {
            return Err(io::Error::from_raw_os_error(libc::E2BIG));
        }
        let id = id.to_string();
        let mark = format!(".set-aside-{}", id.get(id.len().saturating_sub(8)..).unwrap_or(&id));
        Ok(Self { mark: mark.into(), rows })
    }

    /// Whether nothing is watched.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Bytes of the table.
    pub(super) fn size(&self) -> usize {
        self.rows.len() * ROW
    }

    /// Writes the table to a request, from this place on.
    pub(super) fn write(&self, body: &mut Body, at: usize) {
        if self.is_empty() {
            return;
        }
        let mark = body.text(&[&self.mark]);
        let mut folder = (Path::new(""), 0);
        for (index, row) in self.rows.iter().enumerate() {
            let at = at + index * ROW;
            // Rows of one folder share its text, and are known by that to share it.
            if folder.0 != row.folder {
                folder = (&row.folder, body.text(&[row.folder.as_os_str()]));
            }
            let text = body.text(&[OsStr::from_bytes(&row.text)]);
            body.word(at, row.kind);
            body.word(at + 4, u32::try_from(row.text.len()).unwrap_or(u32::MAX));
            let [head, objects, refs] = row.modes.map(u64::from);
            let numbers = [folder.1 as u64, text as u64, mark as u64, head | objects << 16 | refs << 32];
            numbers.into_iter().enumerate().for_each(|(index, it)| body.long(at + 8 + index * 8, it));
        }
        body.long(64, at as u64);
        body.long(72, self.rows.len() as u64);
    }
}

/// What makes a folder of git a repository, as it is now. One without a plain `HEAD` is left to itself.
fn lasting(git: &Path) -> Option<NameRow> {
    let head = git.join("HEAD");
    let text = match std::fs::read_link(&head) {
        // An old way to write it.
        Ok(target) => [b"ref: ", target.into_os_string().into_vec().as_slice(), b"\n"].concat(),
        Err(_) => std::fs::read(&head).ok()?,
    };
    if text.len() > HEAD || text.contains(&0) {
        return None;
    }
    let mode = |name: &str| {
        let found = statat(CWD, git.join(name), AtFlags::empty()).ok()?;
        u16::try_from(found.st_mode & 0o7777).ok()
    };
    let modes = [mode("HEAD")?, mode("objects")?, mode("refs")?];
    Some(NameRow { kind: LASTING, folder: git.to_owned(), text, modes })
}
