//! What lies in a folder: whether there is something to build, so that a level can be proposed.
//!
//! May not read a file: names are enough.

use crate::level::Level;
use std::path::Path;

/// Names at the top of a project that can be built or tested.
const MARKS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pyproject.toml",
    "requirements.txt",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "deno.json",
    "deno.jsonc",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "Justfile",
    "CMakeLists.txt",
];

/// Endings of such names.
const ENDINGS: &[&str] = &["csproj", "fsproj", "sln"];

/// The names in this folder that say that there is something to build.
pub(super) fn marks(folder: &Path) -> Vec<String> {
    // A folder that cannot be read has nothing that is known.
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let known = MARKS.iter().filter(|mark| names.iter().any(|name| name == *mark));
    let mut found: Vec<String> = known.map(|mark| (*mark).to_owned()).collect();
    let has_ending = |name: &&String| {
        Path::new(name).extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending == *known))
    };
    let mut projects: Vec<String> = names.iter().filter(has_ending).cloned().collect();
    projects.sort();
    found.extend(projects);
    found
}

/// The level that suits a folder.
pub(super) fn level(marks: &[String]) -> Level {
    if marks.is_empty() { Level::Look } else { Level::Build }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_something_to_build_is_for_building_and_any_other_for_looking() {
        for (file, expected) in [
            ("Cargo.toml", Level::Build),
            ("package.json", Level::Build),
            ("pyproject.toml", Level::Build),
            ("requirements.txt", Level::Build),
            ("go.mod", Level::Build),
            ("pom.xml", Level::Build),
            ("build.gradle.kts", Level::Build),
            ("App.csproj", Level::Build),
            ("Makefile", Level::Build),
            ("justfile", Level::Build),
            ("deno.json", Level::Build),
            ("notes.md", Level::Look),
            ("Cargo.toml.orig", Level::Look),
        ] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(file), "").unwrap();
            assert_eq!(level(&marks(folder.path())), expected, "{file}");
        }
        let empty = tempfile::tempdir().unwrap();
        assert_eq!(level(&marks(empty.path())), Level::Look);
        assert_eq!(level(&marks(&empty.path().join("none"))), Level::Look);
    }
}
