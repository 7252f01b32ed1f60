//! A host of a few files with answers that cost next to nothing, so that the asking is what is counted.
//!
//! May not look at the disk. The host of the tests knows links and two systems, and pays for it.

use runward_core::facts::{Abilities, Browse, Containment, FileKind, FileStamp, HostFacts, Look};
use runward_core::facts::{Naming, Shell, System};
use runward_core::policy::PolicyGround;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Programs of every host, sorted.
const PROGRAMS: &[&str] = &[
    "/usr/bin/bash",
    "/usr/bin/cat",
    "/usr/bin/find",
    "/usr/bin/git",
    "/usr/bin/grep",
    "/usr/bin/head",
    "/usr/bin/ls",
    "/usr/bin/sed",
    "/usr/bin/tail",
    "/usr/bin/wc",
];

/// Folders, sorted.
const FOLDERS: &[&str] =
    &["/", "/home", "/home/ada", "/home/ada/app", "/home/ada/app/src", "/usr", "/usr/bin"];

/// The host.
#[derive(Debug)]
pub(crate) struct Host;

impl Host {
    /// What is judged here.
    pub(crate) fn ground(facts: &HostFacts) -> PolicyGround<'_> {
        PolicyGround { facts, look: &Host, contained: false }
    }

    /// What is true here.
    pub(crate) fn facts() -> HostFacts {
        let env = [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("HOME", "/home/ada"), ("LANG", "C.UTF-8")];
        HostFacts {
            system: System::Linux,
            cwd: "/home/ada/app".into(),
            home: Some("/home/ada".into()),
            env: env.map(|(name, value)| (name.into(), value.into())).into(),
            naming: Naming::unix(),
            shell: Some(Shell { path: "/usr/bin/bash".into(), before: vec!["-c".to_owned()] }),
            node: None,
            abilities: Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() },
        }
    }
}

fn is_among(list: &[&str], path: &Path) -> bool {
    path.to_str().is_some_and(|path| list.binary_search(&path).is_ok())
}

impl Look for Host {
    fn is_executable(&self, path: &Path) -> bool {
        is_among(PROGRAMS, path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let file = is_among(PROGRAMS, path).then_some(FileKind::File);
        file.or_else(|| is_among(FOLDERS, path).then_some(FileKind::Directory))
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        self.kind(path).map(|_| path.to_owned())
    }

    fn may_be_link(&self, _: &Path) -> bool {
        false
    }

    fn stamp(&self, _: &Path) -> Option<FileStamp> {
        None
    }
}

impl Browse for Host {
    fn list(&self, _: &Path) -> Vec<OsString> {
        Vec::new()
    }

    fn read_small(&self, _: &Path) -> Option<String> {
        None
    }

    fn mentions(&self, _: &Path, _: &[u8]) -> bool {
        false
    }

    fn link(&self, _: &Path) -> Option<PathBuf> {
        None
    }

    fn may_enter(&self, path: &Path) -> bool {
        self.kind(path).is_some()
    }
}
