//! Version managers (nvm, pyenv, mise …): which of them install runtimes, one folder per version, and where.
//!
//! A table, and the one function that reads a folder of versions. May not choose between versions.

use self::InstallerRoot::{Env, Home};
use super::program;
use super::version::Version;
use crate::facts::{Browse, Naming, lookup};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// What is asked about a host before there are facts about it.
pub(super) struct Grounds<'a> {
    pub(super) env: &'a BTreeMap<OsString, OsString>,
    pub(super) home: Option<&'a Path>,
    pub(super) naming: &'a Naming,
    pub(super) browse: &'a dyn Browse,
}

impl<'a> Grounds<'a> {
    /// A variable that names an absolute path.
    pub(super) fn env_path(&self, name: &str) -> Option<&'a Path> {
        let value = lookup(self.env, self.naming, OsStr::new(name))?;
        Some(Path::new(value)).filter(|path| self.naming.is_absolute(path))
    }
}

/// Where an installer keeps its things.
#[derive(Clone, Copy)]
enum InstallerRoot {
    /// Below the folder that a variable names.
    Env(&'static str, &'static str),
    /// Below the person's home.
    Home(&'static str),
}

/// How an installer remembers which version is the person's choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum VersionChoice {
    /// It does not, or this is not needed.
    None,
    /// nvm: the file `alias/default`, which may name another alias.
    NvmAlias,
    /// fnm: the link `aliases/default`.
    FnmAlias,
    /// Volta: the file `tools/user/platform.json`.
    VoltaPlatform,
    /// nodenv: the file `version`.
    VersionFile,
}

/// One installer.
pub(super) struct Installer {
    pub(super) name: &'static str,
    roots: &'static [InstallerRoot],
    /// The folder of versions, below the root.
    versions: String,
    /// What stands before the version in a folder's name, where other runtimes lie beside it.
    before: &'static str,
    /// Where programs are within a version, on hosts without and with executable endings.
    pub(super) programs: [&'static str; 2],
    pub(super) choice: VersionChoice,
}

/// One version that is there.
pub(super) struct Installed {
    pub(super) version: Version,
    pub(super) path: PathBuf,
}

fn keeps(
    name: &'static str,
    roots: &'static [InstallerRoot],
    versions: &str,
    choice: VersionChoice,
) -> Installer {
    Installer { name, roots, versions: versions.to_owned(), before: "", programs: ["bin", ""], choice }
}

fn nvm() -> Installer {
    let roots = &[Env("NVM_DIR", ""), Env("XDG_CONFIG_HOME", "nvm"), Home(".nvm")];
    keeps("nvm", roots, "versions/node", VersionChoice::NvmAlias)
}

fn nvm_for_windows() -> Installer {
    keeps("nvm", &[Env("NVM_HOME", ""), Env("APPDATA", "nvm")], "", VersionChoice::None)
}

fn fnm() -> Installer {
    let roots = &[
        Env("FNM_DIR", ""),
        Env("XDG_DATA_HOME", "fnm"),
        Env("APPDATA", "fnm"),
        Home(".local/share/fnm"),
        Home("Library/Application Support/fnm"),
        Home(".fnm"),
    ];
    let programs = ["installation/bin", "installation"];
    Installer { programs, ..keeps("fnm", roots, "node-versions", VersionChoice::FnmAlias) }
}

fn volta() -> Installer {
    let roots = &[Env("VOLTA_HOME", ""), Home(".volta"), Env("LOCALAPPDATA", "Volta")];
    keeps("volta", roots, "tools/image/node", VersionChoice::VoltaPlatform)
}

fn nodenv() -> Installer {
    keeps("nodenv", &[Env("NODENV_ROOT", ""), Home(".nodenv")], "versions", VersionChoice::VersionFile)
}

fn pyenv() -> Installer {
    let roots = &[Env("PYENV_ROOT", ""), Env("PYENV", ""), Home(".pyenv"), Home(".pyenv/pyenv-win")];
    keeps("pyenv", roots, "versions", VersionChoice::None)
}

fn uv() -> Installer {
    let roots = &[
        Env("UV_PYTHON_INSTALL_DIR", ""),
        Env("XDG_DATA_HOME", "uv/python"),
        Env("APPDATA", "uv/data/python"),
        Env("APPDATA", "uv/python"),
        Home(".local/share/uv/python"),
    ];
    Installer { before: "cpython-", ..keeps("uv", roots, "", VersionChoice::None) }
}

fn asdf(runtime: &str) -> Installer {
    let roots = &[Env("ASDF_DATA_DIR", ""), Home(".asdf")];
    keeps("asdf", roots, &format!("installs/{runtime}"), VersionChoice::None)
}

fn mise(runtime: &str) -> Installer {
    let roots = &[
        Env("MISE_DATA_DIR", ""),
        Env("XDG_DATA_HOME", "mise"),
        Env("LOCALAPPDATA", "mise"),
        Home(".local/share/mise"),
    ];
    keeps("mise", roots, &format!("installs/{runtime}"), VersionChoice::None)
}

/// The installers of a runtime, the one to ask first.
pub(super) fn installers_of(runtime: &str) -> Vec<Installer> {
    match runtime {
        "node" => {
            vec![nvm(), nvm_for_windows(), fnm(), volta(), asdf("nodejs"), mise("node"), nodenv()]
        }
        "python" => vec![pyenv(), uv(), mise("python"), asdf("python")],
        other => vec![mise(other), asdf(other)],
    }
}

impl Installer {
    /// The folders that may be this installer's, each once.
    pub(super) fn roots(&self, on: &Grounds<'_>) -> Vec<PathBuf> {
        let mut roots: Vec<PathBuf> = Vec::new();
        for root in self.roots {
            let found = match root {
                Env(name, below) => on.env_path(name).map(|dir| on.naming.below(dir, below)),
                Home(below) => on.home.map(|home| on.naming.below(home, below)),
            };
            roots.extend(found.filter(|root| !roots.contains(root)));
        }
        roots
    }

    /// Where programs are within the folder of one version.
    pub(super) fn programs(&self, version_dir: &Path, on: &Grounds<'_>) -> PathBuf {
        let [plain, with_endings] = self.programs;
        on.naming
            .below(version_dir, if on.naming.executable_endings.is_empty() { plain } else { with_endings })
    }

    /// Every version that is there and holds the program, the newest first.
    pub(super) fn installed(&self, names: &[&str], on: &Grounds<'_>) -> Vec<Installed> {
        let mut all: Vec<Installed> =
            self.roots(on).iter().flat_map(|root| self.installed_in(root, names, on)).collect();
        all.sort_by(|one, other| other.version.cmp(&one.version));
        all
    }

    fn installed_in(&self, root: &Path, names: &[&str], on: &Grounds<'_>) -> Vec<Installed> {
        let versions = on.naming.below(root, &self.versions);
        let read = |folder: OsString| {
            let version = self.version_of(folder.to_str()?)?;
            let programs = self.programs(&on.naming.join(&versions, &folder), on);
            Some(Installed { version, path: program_in(&programs, names, on)? })
        };
        on.browse.list(&versions).into_iter().filter_map(read).collect()
    }

    fn version_of(&self, folder: &str) -> Option<Version> {
        let rest = folder.strip_prefix(self.before)?;
        // What follows the version there is the platform it was built for.
        Version::read(if self.before.is_empty() { rest } else { rest.split('-').next()? })
    }
}

/// The first of these programs in a folder.
pub(super) fn program_in(dir: &Path, names: &[&str], on: &Grounds<'_>) -> Option<PathBuf> {
    names.iter().find_map(|name| program::spelled(&on.naming.join(dir, name), on.naming, on.browse))
}
