//! Folders outside `/tmp` that a sandboxed command sees as they are.
//!
//! It has a `/tmp` of its own, and the project may be checked out there. May not be used for
//! anything else: other tests keep below `target`.

use std::path::{Path, PathBuf};
use tempfile::TempDir;

const HIDDEN: &str = "/tmp";

/// A folder below this one, or elsewhere if this one is not seen.
pub fn aside(folder: &str) -> TempDir {
    let seen = if Path::new(folder).starts_with(HIDDEN) { "/var/tmp" } else { folder };
    tempfile::tempdir_in(seen).expect("a folder")
}

/// This program, or a copy of it in the folder if it is not seen.
pub fn seen(program: &Path, folder: &Path) -> PathBuf {
    if !program.starts_with(HIDDEN) {
        return program.to_owned();
    }
    let copy = folder.join(program.file_name().expect("a program"));
    std::fs::copy(program, &copy).expect("a copy");
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_aside_is_hidden() {
        assert!(!aside("/tmp/project/target/tmp").path().starts_with(HIDDEN));
        let folder = aside("/tmp");
        let hidden = tempfile::tempdir_in(HIDDEN).unwrap();
        let program = hidden.path().join("program");
        std::fs::write(&program, "bytes").unwrap();
        let copy = seen(&program, folder.path());
        assert_eq!(std::fs::read_to_string(&copy).unwrap(), "bytes");
        assert!(copy.starts_with(folder.path()));
        assert_eq!(seen(&copy, hidden.path()), copy);
    }
}
