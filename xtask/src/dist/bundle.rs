//! One binary and everything that goes with it into a package.
//!
//! May not build the binary, and may not take one that is not what the target asks for.

use super::channel::NamedFile;
use super::crates::ShippedCrate;
use super::elf::{self, GlibcVersion};
use super::pack::PackedFile;
use super::target::DistTarget;
use super::{crates, third_party};
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::fs;
use std::path::Path;

/// One binary and what goes with it.
pub(crate) struct Bundle {
    /// What it is for.
    pub(crate) target: &'static DistTarget,
    /// Its version.
    pub(crate) version: String,
    /// The time of every file in every package.
    pub(crate) time: u64,
    /// The binary.
    pub(crate) binary: Vec<u8>,
    /// The highest version of glibc that it needs.
    pub(crate) glibc: Option<GlibcVersion>,
    /// Libraries that it needs, by name.
    pub(crate) libraries: Vec<String>,
    /// What it was built of, itself left out.
    pub(crate) crates: Vec<ShippedCrate>,
    /// README with links that lead somewhere from anywhere.
    pub(crate) readme: String,
    /// The licences: ours, and everybody's whose code is in the binary.
    pub(crate) licences: Vec<PackedFile>,
    /// Completions by shell.
    pub(crate) completions: Vec<PackedFile>,
    /// The manual.
    pub(crate) pages: Vec<PackedFile>,
}

impl Bundle {
    /// Reads the binary, asks it for its manual, and collects the rest.
    pub(crate) fn read(
        root: &RepositoryRoot,
        path: &Path,
        target: &'static DistTarget,
        floor: GlibcVersion,
    ) -> Result<Self, String> {
        let binary = read(path)?;
        let needs = checked(path, &binary, target, floor)?;
        let version = super::version(root)?;
        same_version(root, path, &version)?;
        let crates = crates::shipped(root, target)?;
        let readme = absolute_links(&super::text_of(root, "README.md")?, &version);
        let mut licences = vec![
            PackedFile::plain("LICENSE-APACHE", super::text_of(root, "LICENSE-APACHE")?),
            PackedFile::plain("LICENSE-MIT", super::text_of(root, "LICENSE-MIT")?),
        ];
        licences.push(PackedFile::plain("THIRD-PARTY.txt", third_party::text(&crates)?));
        Ok(Self {
            time: super::time(root)?,
            completions: completions(root, path)?,
            pages: pages(root, path)?,
            glibc: needs.glibc,
            libraries: needs.libraries,
            target,
            version,
            binary,
            crates,
            readme,
            licences,
        })
    }

    /// The readme and the licences, as most packages hold them.
    pub(crate) fn papers(&self) -> Vec<PackedFile> {
        let mut files = self.licences.clone();
        files.push(PackedFile::plain("README.md", self.readme.clone()));
        files
    }
}

/// The binary by itself, so that its sum stands among the others and whoever unpacks it can compare.
pub(crate) fn bare(_: &RepositoryRoot, bundle: &Bundle) -> Result<Vec<NamedFile>, String> {
    let ending = if bundle.target.is_windows() { ".exe" } else { "" };
    let name = format!("runward-{}-{}{ending}", bundle.version, bundle.target.triple);
    Ok(vec![(name, bundle.binary.clone())])
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("`{}` cannot be read: {error}", path.display()))
}

/// A binary for another system, or one that needs a newer C library than was promised, is not wrapped.
fn checked(
    path: &Path,
    binary: &[u8],
    target: &DistTarget,
    floor: GlibcVersion,
) -> Result<elf::LibraryNeeds, String> {
    let shown = path.display();
    let kind =
        elf::kind(binary).ok_or_else(|| format!("`{shown}` is no binary of a system that is shipped for"))?;
    if !target.takes(kind) {
        return Err(format!("`{shown}` is for {} on {}, not for {}", kind.0, kind.1, target.triple));
    }
    if kind.0 != "linux" {
        return Ok(elf::LibraryNeeds::default());
    }
    let needs = elf::needs(binary).ok_or_else(|| format!("the sections of `{shown}` cannot be read"))?;
    match needs.glibc {
        Some(glibc) if !target.is_glibc() => {
            Err(format!("`{shown}` needs glibc {glibc}, and {} has none", target.triple))
        }
        Some(glibc) if glibc > floor => Err(format!(
            "`{shown}` needs glibc {glibc}, and {floor} is the newest it may need: link it with zig, or pass \
             `--floor {glibc}` and ship for fewer systems"
        )),
        None if target.is_glibc() => Err(format!("`{shown}` asks for no version of glibc; is it for musl?")),
        _ => Ok(needs),
    }
}

fn same_version(root: &RepositoryRoot, path: &Path, version: &str) -> Result<(), String> {
    let said = asked(path).args(["--version"]).read(root)?;
    let wanted = format!("runward {version}");
    if said.trim() == wanted {
        Ok(())
    } else {
        Err(format!("the binary says `{}`, not `{wanted}`", said.trim()))
    }
}

/// The binary, called by its whole path. What cannot run here cannot be asked for its manual.
fn asked(path: &Path) -> ChildTool {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    ChildTool::program(&whole.display().to_string())
}

fn completions(root: &RepositoryRoot, path: &Path) -> Result<Vec<PackedFile>, String> {
    let names = [
        ("bash", "runward.bash"),
        ("fish", "runward.fish"),
        ("zsh", "_runward"),
        ("powershell", "runward.ps1"),
    ];
    let make = |(shell, name): (&str, &str)| {
        let text = asked(path).args(["completions", shell]).read(root)?;
        Ok(PackedFile::plain(name, text))
    };
    names.into_iter().map(make).collect()
}

fn pages(root: &RepositoryRoot, path: &Path) -> Result<Vec<PackedFile>, String> {
    let folder = root.join("target/packages.manual");
    let failed = |error: std::io::Error| format!("`{}`: {error}", folder.display());
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    asked(path).args(["man".to_owned(), folder.display().to_string()]).run(root)?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        pages.push(PackedFile::plain(name, fs::read(entry.path()).map_err(failed)?));
    }
    Ok(super::pack::sorted(pages))
}

/// Links into the repository, for places where there is none: npm, PyPI.
fn absolute_links(readme: &str, version: &str) -> String {
    let base = format!("https://github.com/runward/runward/blob/v{version}/");
    let mut pieces = readme.split("](");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let stays = piece.starts_with("http") || piece.starts_with('#');
        text.push_str("](");
        text.push_str(if stays { "" } else { &base });
        text.push_str(piece);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_somewhere_from_anywhere() {
        let text = absolute_links("[a](docs/a.md) [b](https://b) [c](#c)", "1.0.0");
        assert_eq!(
            text,
            "[a](https://github.com/runward/runward/blob/v1.0.0/docs/a.md) [b](https://b) [c](#c)"
        );
    }

    #[test]
    fn a_binary_for_another_system_or_a_newer_library_is_refused() {
        let ours = std::env::current_exe().unwrap();
        let binary = fs::read(&ours).unwrap();
        let native = super::super::native(&RepositoryRoot::find().unwrap()).unwrap();
        let check = |target, floor| checked(&ours, &binary, target, floor);
        assert!(check(native, GlibcVersion(9, 9)).is_ok());
        let refused = check(native, GlibcVersion(2, 1)).unwrap_err();
        assert!(refused.contains("--floor 2."), "{refused}");
        let windows = DistTarget::find("x86_64-pc-windows-msvc").unwrap();
        assert!(check(windows, GlibcVersion(9, 9)).unwrap_err().contains("not for x86_64-pc-windows-msvc"));
        let text = checked(Path::new("a.sh"), b"#!/bin/sh", native, GlibcVersion(9, 9)).unwrap_err();
        assert!(text.contains("a.sh"), "{text}");
    }
}
