//! Whether the files that are open are still the ones at their paths. What is deleted, renamed or replaced under a
//! running server goes on being written, and nobody would ever find it.

use runward_os::{FileIdentity, file_identity};
use std::io;
use std::path::{Path, PathBuf};

/// Files as they were when they were opened.
#[derive(Debug, Default)]
pub(super) struct Watch(Vec<(PathBuf, Option<FileIdentity>)>);

impl Watch {
    /// The files that stand at these paths now.
    pub(super) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> io::Result<Self> {
        let seen = |path: &Path| Ok((path.to_owned(), file_identity(path)?));
        paths.into_iter().map(seen).collect::<io::Result<_>>().map(Self)
    }

    /// The first path at which another file stands by now, or none. A disk that does not tell says nothing.
    pub(super) fn missing(&self) -> Option<&Path> {
        let other = |(path, seen): &&(PathBuf, Option<FileIdentity>)| {
            file_identity(path).is_ok_and(|now| now != *seen)
        };
        self.0.iter().find(other).map(|(path, _)| path.as_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let watch = Watch::of([folder.path(), &one]).unwrap();
            std::fs::write(&one, "more").unwrap();
            assert_eq!(watch.missing(), None);
            change(&one, &other);
            assert_eq!(watch.missing(), Some(one.as_path()));
        }
    }
}
