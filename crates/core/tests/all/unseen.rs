//! A host that answers no question about files: nothing there is told to be missing.

use crate::host::MadeUpHost;
use runward_core::error::{Code, Coded};
use runward_core::facts::{Browse, FileKind, FileStamp, HostFacts, Look};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::CommandSpec;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Refuses to look at everything.
struct Refusing;

impl Look for Refusing {
    fn is_executable(&self, _: &Path) -> bool {
        false
    }

    fn kind(&self, _: &Path) -> Option<FileKind> {
        None
    }

    fn real_path(&self, _: &Path) -> Option<PathBuf> {
        None
    }

    fn refusal(&self, _: &Path) -> Option<String> {
        Some("looking at a file (`stat`) failed: not permitted".to_owned())
    }

    fn stamp(&self, _: &Path) -> Option<FileStamp> {
        None
    }
}

impl Browse for Refusing {
    fn list(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }

    fn read_small(&self, _: &Path) -> Option<String> {
        None
    }

    fn mentions(&self, _: &Path, _: &[u8]) -> bool {
        true
    }

    fn link(&self, _: &Path) -> Option<PathBuf> {
        None
    }

    fn may_enter(&self, _: &Path) -> bool {
        false
    }
}

fn told(spec: &CommandSpec, facts: &HostFacts) -> (Code, String) {
    let error = resolve(spec, facts, &Defaults::default(), &Refusing).unwrap_err();
    assert!(error.hint().is_some_and(|hint| hint.contains("seccomp")));
    (error.code(), error.to_string())
}

#[test]
fn what_cannot_be_looked_at_is_not_told_to_be_missing() {
    let mut facts = MadeUpHost::unix().env("PATH", "/usr/bin").facts().clone();
    let why = "cannot be looked for: looking at a file (`stat`) failed: not permitted";
    for name in ["ls", "/usr/bin/ls", "./ls"] {
        assert_eq!(told(&CommandSpec::exec(name), &facts), (Code::ResolveUnseen, format!("`{name}` {why}")));
    }
    let mut elsewhere = CommandSpec::exec("ls");
    elsewhere.cwd = Some("/srv".into());
    assert_eq!(told(&elsewhere, &facts), (Code::ResolveUnseen, format!("`/srv` {why}")));
    facts.shell = None;
    assert_eq!(told(&CommandSpec::shell("ls"), &facts), (Code::ResolveUnseen, format!("`shell` {why}")));
}
