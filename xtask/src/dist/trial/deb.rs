//! Debian's package, by dpkg, into a root of its own.

use super::answer::{end_of, program, says, succeeds};
use super::{Trial, ensure, files_below};
use crate::ChoreResult;
use crate::dist::version;
use std::fs;
use std::path::Path;
use std::process::Command;

pub(super) fn check(trial: &Trial<'_>) -> ChoreResult {
    let Some(processor) = trial.target.debian else { return Ok(()) };
    let file = trial.package(&format!("runward_{}_{processor}.deb", version::debian(&trial.version)))?;
    let root = trial.folder("deb")?;
    for inner in ["var/lib/dpkg/updates", "var/lib/dpkg/info"] {
        fs::create_dir_all(root.join(inner)).map_err(|error| error.to_string())?;
    }
    fs::write(root.join("var/lib/dpkg/status"), "").map_err(|error| error.to_string())?;
    succeeds(dpkg(&root, "--install").arg(&file))?;
    let installed = root.join("usr/bin/runward");
    trial.is_the_binary(&installed)?;
    says(program(&installed, &root).arg("--version"), &format!("runward {}", trial.version))?;
    depends(trial, &file, &root)?;
    for name in [
        "usr/share/man/man1/runward.1.gz",
        "usr/share/man/man1/runward-exec.1.gz",
        "usr/share/doc/runward/copyright",
        "usr/share/bash-completion/completions/runward",
    ] {
        ensure(root.join(name).is_file(), || format!("the package has no `{name}`"))?;
    }
    succeeds(program("dpkg", &root).arg(format!("--root={}", root.display())).arg("--verify"))?;
    succeeds(dpkg(&root, "--purge").arg("runward"))?;
    let left = if root.join("usr").exists() { files_below(&root.join("usr"))? } else { Vec::new() };
    ensure(left.is_empty(), || format!("dpkg left {left:?}"))
}

/// The package asks for what the binary needs.
fn depends(trial: &Trial<'_>, file: &Path, folder: &Path) -> ChoreResult {
    let said = end_of(program("dpkg-deb", folder).arg("--field").arg(file).arg("Depends"))?.stdout;
    let wanted = trial.glibc()?.map(|glibc| format!("libc6 (>= {glibc})")).unwrap_or_default();
    ensure(said.contains(&wanted), || {
        format!("the package depends on `{said}`, and the binary needs `{wanted}`")
    })
}

/// What the package depends on is not in that root; and nobody need be root for it.
fn dpkg(root: &Path, verb: &str) -> Command {
    let mut command = program("dpkg", root);
    command.arg(format!("--root={}", root.display())).args(["--force-depends", "--force-not-root", verb]);
    command
}
