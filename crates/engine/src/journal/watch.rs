//! Whether the open files (journal) are still the ones at their paths, and as long as they were. A file that is deleted,
//! renamed or replaced under a running server goes on being written, and would never be found; one that is cut is kept in
//! memory and would be missed only by the next process.

use runward_os::{FileIdentity, file_identity};
use std::io;
use std::path::{Path, PathBuf};

/// Files as they were when they were opened.
#[derive(Debug, Default)]
pub(super) struct JournalWatch(Vec<(PathBuf, Option<FileIdentity>)>);

impl JournalWatch {
    /// The files at these paths now.
    pub(super) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let seen = |path: &Path| Ok((path.to_owned(), file_identity(path)?));
        paths.into_iter().map(seen).collect::<io::Result<_>>().map(Self)
    }

    /// The first path with another file by now, or none. A disk that does not answer says nothing.
    pub(super) fn missing(&self) -> Option<&Path> {
        let other = |(path, seen): &&(PathBuf, Option<FileIdentity>)| {
            file_identity(path).is_ok_and(|now| now != *seen)
        };
        self.0.iter().find(other).map(|(path, _)| path.as_path())
    }
}

/// Files that grow, and become shorter only in order: then their content is elsewhere.
#[derive(Debug, Default)]
pub(super) struct KnownLengths(Vec<(PathBuf, u64)>);

impl KnownLengths {
    /// As long as they are now.
    pub(super) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let len = |path: &Path| std::fs::metadata(path).map_or(0, |found| found.len());
        Self(paths.into_iter().map(|path| (path.to_owned(), len(path))).collect())
    }

    /// The first file that is shorter than it was, and how long it is. A disk that does not answer says nothing.
    pub(super) fn shrunk(&mut self) -> Option<(&Path, u64)> {
        self.0.iter_mut().find_map(|(path, known)| {
            let len = std::fs::metadata(&*path).ok()?.len();
            let before = std::mem::replace(known, len);
            (len < before).then_some((path.as_path(), len))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_becomes_shorter_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let one = folder.path().join("one");
        std::fs::write(&one, "12").unwrap();
        let mut lengths = KnownLengths::of([one.as_path(), &folder.path().join("none")]);
        std::fs::write(&one, "1234").unwrap();
        assert_eq!(lengths.shrunk(), None);
        for (text, len) in [("123", 3), ("", 0)] {
            std::fs::write(&one, text).unwrap();
            assert_eq!(lengths.shrunk(), Some((one.as_path(), len)));
            assert_eq!(lengths.shrunk(), None);
        }
    }

    #[test]
    fn what_stands_in_the_way_of_a_file_is_told_apart_from_a_disk_that_does_not_tell() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        let changes: [fn(&Path); 2] = [
            |state| std::fs::write(state, "").unwrap(),
            |state| {
                #[cfg(unix)]
                std::os::unix::fs::symlink(state, state).unwrap();
                #[cfg(not(unix))]
                std::fs::write(state, "").unwrap();
            },
        ];
        for change in changes {
            std::fs::create_dir(&state).unwrap();
            let one = state.join("one");
            std::fs::write(&one, "").unwrap();
            let watch = JournalWatch::of([one.as_path()]).unwrap();
            std::fs::remove_dir_all(&state).unwrap();
            change(&state);
            assert_eq!(watch.missing(), Some(one.as_path()));
            std::fs::remove_file(&state).unwrap();
        }
    }

    #[test]
    fn a_file_that_is_deleted_renamed_or_replaced_is_missed() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let changes: [fn(&Path, &Path); 3] = [
            |one, _| std::fs::remove_file(one).unwrap(),
            |one, other| std::fs::rename(one, other).unwrap(),
            |one, other| {
                std::fs::write(other, "").unwrap();
                std::fs::rename(other, one).unwrap();
            },
        ];
        for change in changes {
            std::fs::write(&one, "").unwrap();
            let watch = JournalWatch::of([folder.path(), &one]).unwrap();
            std::fs::write(&one, "more").unwrap();
            assert_eq!(watch.missing(), None);
            change(&one, &other);
            assert_eq!(watch.missing(), Some(one.as_path()));
        }
    }
}
