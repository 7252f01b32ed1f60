//! A stand-in for the C compiler that there is none of: for macOS everything is type-checked and nothing is linked.
//!
//! Some crates have a part in C or assembly, and their build fails without a compiler. What it would make is never looked
//! at, so empty files will do.

use super::toolchain::{FOLDER, STAND_IN};
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;

/// Makes an empty file of whatever it is told to write: `-o FILE`, or the archive among its words.
const SCRIPT: &str = r#"#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
        -o) : > "$2" ;;
        *.a) : > "$1" ;;
    esac
    shift
done
"#;

/// Writes it.
pub(super) fn stand_in(root: &RepositoryRoot) -> ChoreResult {
    let made = fs::create_dir_all(root.join(FOLDER));
    let written = made.and_then(|()| fs::write(root.join(STAND_IN), SCRIPT));
    written.map_err(|error| format!("`{STAND_IN}` cannot be written: {error}"))?;
    ChildTool::new(&format!("chmod +x {STAND_IN}")).run(root)
}
