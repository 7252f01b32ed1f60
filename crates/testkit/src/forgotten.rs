//! A test file that is not listed in `main.rs` never runs, without a word. May not list it itself.

use std::path::Path;

/// Holds that every file beside a test's `main.rs` is one of its modules.
///
/// `folder` is where they stand, and `main` is the text of `main.rs`.
pub fn no_file_is_forgotten(folder: impl AsRef<Path>, main: &str) {
    for entry in std::fs::read_dir(folder).expect("the folder of the tests") {
        let name = entry.expect("a file").file_name().into_string().expect("a plain name");
        let Some(module) = name.strip_suffix(".rs") else { continue };
        assert!(module == "main" || main.contains(&format!("mod {module};")), "{name} is not a module");
    }
}
