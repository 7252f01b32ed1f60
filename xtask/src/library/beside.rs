//! The library in a program that links another SQLite: cargo resolves it, because only `journal` brings ours.
//!
//! Cargo lets one package link a native library, whatever its name and version. The other one here is made up, so that
//! nothing has to be fetched.

use crate::root::RepositoryRoot;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

const OTHER: &str = "[package]\nname = \"other-sqlite\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\
    build = \"build.rs\"\nlinks = \"sqlite3\"\n\n[lib]\npath = \"lib.rs\"\n";

/// A program with its own SQLite, and this line about `runward`.
struct GuestProgram(PathBuf);

impl GuestProgram {
    fn with(name: &str, options: &str) -> Self {
        let root = RepositoryRoot::find().unwrap();
        let folder = root.join("target/beside").join(name);
        fs::create_dir_all(folder.join("other")).unwrap();
        let put = |path: &str, text: &str| fs::write(folder.join(path), text).unwrap();
        let runward = root.join("crates/cli").display().to_string();
        put("lib.rs", "");
        put("other/lib.rs", "");
        put("other/build.rs", "fn main() {}\n");
        put("other/Cargo.toml", OTHER);
        put(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"guest\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
                 [lib]\npath = \"lib.rs\"\n\n[workspace]\n\n[dependencies]\nother-sqlite = {{ path = \"other\" }}\n\
                 runward = {{ path = '{runward}', {options} }}\n"
            ),
        );
        Self(folder)
    }

    fn resolved(&self) -> Output {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let manifest = self.0.join("Cargo.toml");
        let mut command = Command::new(cargo);
        command.args(["generate-lockfile", "--offline", "--manifest-path"]).arg(manifest);
        command.output().unwrap()
    }

    /// The names of everything that it comes to.
    fn packages(&self) -> Vec<String> {
        let lock = fs::read_to_string(Path::new(&self.0).join("Cargo.lock")).unwrap();
        let names = lock.lines().filter_map(|line| line.strip_prefix("name = "));
        names.map(|name| name.trim_matches('"').to_owned()).collect()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("cargo writes text")
}

#[test]
fn a_program_with_another_sqlite_can_use_the_library() {
    let guest = GuestProgram::with("bare", "default-features = false");
    let output = guest.resolved();
    assert!(output.status.success(), "{}", said(&output));
    let packages = guest.packages();
    let needless = ["libsqlite3-sys", "rusqlite", "clap", "toml", "regex", "vt100", "rmcp", "reqwest"];
    let brought: Vec<_> = needless.iter().filter(|name| packages.contains(&(**name).to_owned())).collect();
    assert!(brought.is_empty(), "{brought:?} of {packages:?}");
}

#[test]
fn everything_but_the_journal_stands_beside_another_sqlite() {
    let features = r#"["config", "control", "languages", "sessions", "telemetry", "toolkit"]"#;
    let guest = GuestProgram::with("most", &format!("default-features = false, features = {features}"));
    let output = guest.resolved();
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn the_journal_is_what_brings_sqlite() {
    let guest = GuestProgram::with("journal", r#"default-features = false, features = ["journal"]"#);
    let output = guest.resolved();
    assert!(!output.status.success() && said(&output).contains("links to the native library `sqlite3`"));
}
