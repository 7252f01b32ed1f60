//! Everything the rules look at: the repository's text files, its Rust files taken apart, its crates.

use super::packages::{self, WorkspaceCrate};
use super::source::RustFile;
use crate::root::RepositoryRoot;
use std::fs;
use std::path::Path;

/// The whole repository, read once.
#[derive(Default)]
pub(crate) struct CheckedTree {
    /// Every text file: path from the top folder, and text.
    pub(crate) files: Vec<(String, String)>,
    /// Every Rust file.
    pub(crate) sources: Vec<RustFile>,
    /// Every crate of the workspace.
    pub(crate) packages: Vec<WorkspaceCrate>,
}

/// Folders that are not ours: built, fetched, or git's own.
const SKIPPED: &[&str] = &["target", "node_modules", ".git", ".direnv", ".venv", ".idea", ".vscode"];

impl CheckedTree {
    /// Reads the repository.
    pub(crate) fn read(root: &RepositoryRoot) -> Result<Self, String> {
        let mut files = Vec::new();
        gather(root.path(), "", &mut files)
            .map_err(|error| format!("the repository cannot be read: {error}"))?;
        files.sort();
        Ok(Self { packages: packages::read(root)?, ..Self::of(files) })
    }

    /// A tree of these files, without crates.
    pub(crate) fn of(files: Vec<(String, String)>) -> Self {
        let rust = files.iter().filter(|(path, _)| path.ends_with(".rs"));
        let mut sources: Vec<_> = rust.map(|(path, text)| RustFile::new(path, text)).collect();
        let tests: Vec<String> = sources.iter().flat_map(test_files).collect();
        sources.iter_mut().filter(|source| tests.contains(&source.path)).for_each(RustFile::make_test);
        Self { files, sources, packages: Vec::new() }
    }

    /// A made-up tree, for the tests of rules.
    #[cfg(test)]
    pub(crate) fn made_up(files: &[(&str, &str)]) -> Self {
        Self::of(files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    /// The text of one file.
    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|(there, _)| there == path).map(|(_, text)| text.as_str())
    }

    /// Rust files of the crates that are shipped.
    pub(crate) fn product(&self) -> impl Iterator<Item = &RustFile> {
        self.sources.iter().filter(|source| source.is_in(&["crates"]) && source.home() != "crates/testkit")
    }
}

/// Files that are test modules because their parent says so.
fn test_files(source: &RustFile) -> Vec<String> {
    let (folder, file) = source.path.rsplit_once('/').unwrap_or(("", &source.path));
    let folder = match file {
        "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
        file => format!("{folder}/{}", file.trim_end_matches(".rs")),
    };
    let children = source.test_children();
    children
        .iter()
        .flat_map(|name| [format!("{folder}/{name}.rs"), format!("{folder}/{name}/mod.rs")])
        .collect()
}

/// A file that is no text is passed over. So is a nested checkout, which has a `.git` of its own.
fn gather(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() && !entry.path().join(".git").exists() {
            gather(&entry.path(), &format!("{path}/"), files)?;
        } else if kind.is_file() {
            files.extend(fs::read_to_string(entry.path()).ok().map(|text| (path, text)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_module_in_its_own_file_is_a_test() {
        let house = CheckedTree::made_up(&[
            ("crates/core/src/life/mod.rs", "#[cfg(test)] mod probes; mod word;"),
            ("crates/core/src/life/probes.rs", "fn f() {}"),
            ("crates/core/src/life/word.rs", "fn f() {}"),
        ]);
        let tests: Vec<_> = house.sources.iter().map(|source| source.is_test(0)).collect();
        assert_eq!(tests, [true, true, false]);
    }

    #[test]
    fn the_test_kit_is_no_product() {
        let house = CheckedTree::made_up(&[
            ("crates/testkit/src/lib.rs", ""),
            ("crates/os/src/lib.rs", ""),
            ("xtask/src/a.rs", ""),
        ]);
        assert_eq!(house.product().map(|source| source.home()).collect::<Vec<_>>(), ["crates/os"]);
    }
}
