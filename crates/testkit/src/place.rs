//! Where the programs are that tests start.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the running program measures: then [`binary`] finds programs as they are shipped.
pub(crate) static MEASURES: AtomicBool = AtomicBool::new(false);

/// A program of this workspace: built for the same profile as the running test, or as it is shipped for a bench.
pub fn binary(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.ancestors().find(|dir| dir.file_name().is_some_and(|n| n == "debug" || n == "release"));
    let folder = folder.expect("tests live below target/debug or target/release");
    let (folder, flags) = if MEASURES.load(Ordering::Relaxed) {
        (folder.with_file_name("dist"), " --profile dist")
    } else {
        (folder.to_owned(), "")
    };
    let path = folder.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    assert!(path.is_file(), "`{name}` is not built: run `cargo build --workspace --bins{flags}`");
    path
}

/// The Python that has the packages which tests use; `cargo xtask install` makes it.
pub fn python() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows its own path");
    let folder = test.ancestors().find(|dir| dir.join("venv").is_dir());
    let folder = folder.expect("the Python of the tests is not there: run `cargo xtask install`");
    folder.join("venv/bin/python")
}

/// The fixture program: see `src/fixture/main.rs` for what it can play.
pub fn fixture() -> PathBuf {
    binary("runward-fixture")
}

/// The static program that only exits.
pub fn still() -> PathBuf {
    PathBuf::from(env!("STILL"))
}
