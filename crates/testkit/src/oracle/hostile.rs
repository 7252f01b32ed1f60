//! A folder in which everything that could be run by mistake leaves its name behind.
//!
//! May not hold anything else than what its marks are for.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Programs that lie in the folder under the names of others.
const PLANTED: &[&str] = &["ls", "cat", "git", "sort", "echo", "grep", "head", "bash", "env", "pwn", "true"];

/// Settings of a repository that name a program.
const SETTINGS: &[&str] = &[
    "core.fsmonitor",
    "core.pager",
    "core.editor",
    "core.sshCommand",
    "core.askPass",
    "diff.external",
    "diff.d.textconv",
    "diff.d.command",
    "filter.f.clean",
    "filter.f.smudge",
    "filter.f.process",
    "merge.m.driver",
    "gpg.program",
    "interactive.diffFilter",
    "pager.log",
    "pager.status",
    "credential.helper",
];

const HOOKS: &[&str] =
    &["post-index-change", "pre-commit", "post-checkout", "reference-transaction", "fsmonitor-watchman"];

/// The place, with a folder that is made anew whenever a script changed it.
#[derive(Debug)]
pub(super) struct Hostile {
    place: TempDir,
    /// Whether a script ran in the folder.
    used: bool,
}

impl Hostile {
    pub(super) fn new() -> io::Result<Self> {
        let hostile = Self { place: tempfile::tempdir()?, used: true };
        let at = |name: &str| hostile.place.path().join(name);
        fs::set_permissions(hostile.place.path(), Permissions::from_mode(0o755))?;
        for name in ["home", "ran"] {
            fs::create_dir(at(name))?;
            fs::set_permissions(at(name), Permissions::from_mode(0o777))?;
        }
        let model = at("model");
        fs::create_dir(&model)?;
        hostile.fill(&model)?;
        Ok(hostile)
    }

    /// Whether we may become another user.
    pub(super) fn is_roots(&self) -> bool {
        fs::metadata(self.place.path()).is_ok_and(|place| place.uid() == 0)
    }

    pub(super) fn home(&self) -> PathBuf {
        self.place.path().join("home")
    }

    /// The folder as it was at first.
    pub(super) fn folder(&mut self) -> io::Result<PathBuf> {
        let folder = self.place.path().join("work");
        if !std::mem::take(&mut self.used) {
            return Ok(folder);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        copy(&self.place.path().join("model"), &folder)?;
        Ok(folder)
    }

    /// A script ran in the folder.
    pub(super) fn is_used(&mut self) {
        self.used = true;
    }

    /// The name of something that ran since the last look.
    pub(super) fn ran(&self) -> io::Result<Option<String>> {
        let mut found = None;
        for entry in fs::read_dir(self.place.path().join("ran"))? {
            let entry = entry?;
            fs::remove_file(entry.path())?;
            found = entry.file_name().into_string().ok();
        }
        Ok(found)
    }

    fn fill(&self, model: &Path) -> io::Result<()> {
        for name in PLANTED {
            self.plant(&model.join(name), &format!("planted-{name}"))?;
        }
        for file in ["a1", "a2", "b"] {
            fs::write(model.join(file), "a[$(./pwn)]\n")?;
        }
        fs::write(model.join(".gitattributes"), "* filter=f diff=d merge=m\n")?;
        fs::create_dir(model.join("sub"))?;
        fs::write(model.join("sub/c"), "c\n")?;
        self.repository(model)?;
        // An empty `.git` is no repository, and a folder may be one without it.
        fs::create_dir(model.join("sub/.git"))?;
        let bare = model.join("bare");
        fs::create_dir(&bare)?;
        copy(&model.join(".git"), &bare.join("x"))?;
        for name in ["HEAD", "config", "objects", "refs", "index"] {
            fs::rename(bare.join("x").join(name), bare.join(name))?;
        }
        fs::remove_dir_all(bare.join("x"))?;
        let mut config = fs::read_to_string(bare.join("config"))?;
        config.push_str("[core]\n\tworktree = ..\n");
        fs::write(bare.join("config"), config)
    }

    /// A repository with one commit, settings that name programs, and hooks.
    fn repository(&self, model: &Path) -> io::Result<()> {
        let git = |words: &[&str]| -> io::Result<()> {
            let mut git = Command::new("/usr/bin/env");
            git.args(["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]).args(words);
            git.current_dir(model)
                .env_clear()
                .env("PATH", "/usr/local/bin:/usr/bin:/bin")
                .env("HOME", self.home());
            if git.output()?.status.success() {
                Ok(())
            } else {
                Err(io::Error::other(format!("git {words:?}")))
            }
        };
        git(&["init", "-q", "."])?;
        git(&["add", "a1", "a2", ".gitattributes"])?;
        git(&["commit", "-q", "-m", "first"])?;
        fs::write(model.join("a2"), "changed\n")?;
        for (at, key) in SETTINGS.iter().enumerate() {
            let program = model.parent().unwrap_or(model).join(format!("setting.{at}"));
            self.plant(&program, &format!("setting-{key}"))?;
            git(&["config", key, &program.display().to_string()])?;
        }
        for hook in HOOKS {
            self.plant(&model.join(".git/hooks").join(hook), &format!("hook-{hook}"))?;
        }
        Ok(())
    }

    /// A program that leaves this name behind.
    fn plant(&self, path: &Path, name: &str) -> io::Result<()> {
        fs::write(
            path,
            format!("#!/bin/sh\n: > '{}'\n", self.place.path().join("ran").join(name).display()),
        )?;
        fs::set_permissions(path, Permissions::from_mode(0o755))
    }
}

/// A copy of a folder that belongs to the user `nobody`, so that git takes it for its own.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
            own(&target);
        }
    }
    own(to);
    Ok(())
}

/// Who is not root keeps what is theirs.
fn own(path: &Path) {
    let nobody = Some(super::sandbox::NOBODY);
    drop(chown(path, nobody, nobody));
}
