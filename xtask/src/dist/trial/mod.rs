//! Every package made from one binary, twice, and then used as its users would: no network but a loopback server of ours.
//!
//! May not touch anything outside its folder below `target`. Read first: [`Trial`].

mod answer;
mod archive;
mod deb;
#[cfg(target_os = "linux")]
mod first_hour;
mod launcher;
mod loopback;
mod mcpb;
mod npm;
mod script;
mod sums;
mod wheel;

use super::bundle::Bundle;
use super::elf::GlibcVersion;
use super::flags::{DistFlags, FLOOR};
use super::target::DistTarget;
use crate::ChoreResult;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use crate::times::Times;
use std::fs;
use std::path::{Path, PathBuf};

/// What the uses have in common.
pub(super) struct Trial<'a> {
    root: &'a RepositoryRoot,
    /// A folder of its own.
    place: PathBuf,
    /// The packages.
    packages: PathBuf,
    version: String,
    target: &'static DistTarget,
    /// The binary that was wrapped.
    binary: PathBuf,
}

/// As `cargo xtask test` runs it: with the debug binary, which is there.
pub(crate) fn everything(root: &RepositoryRoot) -> ChoreResult {
    run(root, &DistFlags::read(&[])?)
}

/// Makes the packages twice and uses each.
pub(super) fn run(root: &RepositoryRoot, flags: &DistFlags) -> ChoreResult {
    let place = root.join("target/dist-trial");
    fresh(&place)?;
    let binary = match &flags.from {
        Some(path) => root.path().join(path),
        None => stripped(root, &place)?,
    };
    let target = match flags.target {
        Some(target) => target,
        None => super::native(root)?,
    };
    let packages = place.join("packages");
    let trial = Trial { root, packages, version: super::version(root)?, target, binary, place };
    let mut times = Times::default();
    times.step("make", "packages are made twice alike", || trial.make())?;
    times.step("floor", "a binary that needs a newer glibc is refused", || trial.floor())?;
    times.step("sums", "sums, list of parts and registry say what the files are", || sums::check(&trial))?;
    times.step("archive", "the archive unpacks", || archive::check(&trial))?;
    times.step("npm", "npx runs it", || npm::check(&trial))?;
    times.step("launcher", "the launcher ends as the binary ends", || launcher::check(&trial))?;
    times.step("wheel", "pip installs it and takes it away", || wheel::check(&trial))?;
    times.step("deb", "dpkg installs it and takes it away", || deb::check(&trial))?;
    times.step("mcpb", "a client can start the bundle", || mcpb::check(&trial))?;
    times.step("script", "the script installs what was published, and nothing else", || {
        script::check(&trial)
    })?;
    #[cfg(target_os = "linux")]
    times.step(
        "first-hour",
        "from an empty home to an agent that works and is refused what harms",
        || first_hour::check(&trial),
    )?;
    print!("\n{times}");
    Ok(())
}

/// Symbols are two thirds of a debug binary, and nobody ships them.
fn stripped(root: &RepositoryRoot, place: &Path) -> Result<PathBuf, String> {
    let binary = place.join("runward");
    let from = root.join("target/debug/runward").display().to_string();
    ChildTool::new("strip -o").args([binary.display().to_string(), from]).run(root)?;
    Ok(binary)
}

impl Trial<'_> {
    /// An empty folder for one use.
    fn folder(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.place.join(name);
        fresh(&folder)?;
        Ok(folder)
    }

    /// A file among the packages.
    fn package(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.packages.join(name);
        if path.is_file() { Ok(path) } else { Err(format!("there is no `{}`", path.display())) }
    }

    /// What is at this path is the binary that was wrapped, byte for byte.
    fn is_the_binary(&self, path: &Path) -> ChoreResult {
        let same = bytes(path)? == bytes(&self.binary)?;
        ensure(same, || format!("`{}` is not the binary that was wrapped", path.display()))
    }

    /// What the binary needs; one that was linked on this machine may need what this machine has.
    fn glibc(&self) -> Result<Option<GlibcVersion>, String> {
        Ok(super::elf::needs(&bytes(&self.binary)?).and_then(|needs| needs.glibc))
    }

    fn make(&self) -> ChoreResult {
        let again = self.place.join("again");
        let floor = self.glibc()?.unwrap_or(FLOOR).max(FLOOR);
        for out in [&self.packages, &again] {
            let flags = DistFlags {
                target: Some(self.target),
                from: Some(self.binary.clone()),
                only: Vec::new(),
                out: out.clone(),
                floor,
                trial: false,
            };
            super::make(self.root, &flags)?;
        }
        let names = names(&self.packages)?;
        ensure(names == self::names(&again)?, || "the second time there were other files".to_owned())?;
        for name in &names {
            let same = bytes(&self.packages.join(name))? == bytes(&again.join(name))?;
            ensure(same, || format!("`{name}` was another file the second time"))?;
        }
        println!("{} files are the same twice", names.len());
        fs::remove_dir_all(&again).map_err(|error| error.to_string())
    }

    /// What was linked on this machine is newer than what is promised; one that is not passes.
    fn floor(&self) -> ChoreResult {
        let read = Bundle::read(self.root, &self.binary, self.target, FLOOR);
        let needs = self.glibc()?;
        match (read, needs) {
            (Err(refusal), Some(needs)) if needs > FLOOR => {
                println!("{refusal}");
                ensure(refusal.contains(&needs.to_string()), || format!("`{refusal}` names no version"))
            }
            (Ok(_), Some(needs)) if needs <= FLOOR => Ok(()),
            (read, needs) => Err(format!("the binary needs {needs:?}, and it was {:?}", read.err())),
        }
    }
}

/// The names of the files in a folder, sorted.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    let mut names: Vec<_> =
        entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    Ok(names)
}

/// Every file below a folder, sorted.
fn files_below(folder: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for name in names(folder)? {
        let path = folder.join(&name);
        if path.is_dir() && !path.is_symlink() {
            found.extend(files_below(&path)?.into_iter().map(|inner| format!("{name}/{inner}")));
        } else {
            found.push(name);
        }
    }
    Ok(found)
}

fn fresh(folder: &Path) -> ChoreResult {
    let failed = |error| format!("`{}`: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(failed)?;
    }
    fs::create_dir_all(folder).map_err(failed)
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> ChoreResult {
    if holds { Ok(()) } else { Err(otherwise()) }
}
