//! Building the binary that is shipped: the profile `dist`, with no path of this machine in it, and for glibc linked
//! against an old one.
//!
//! May not use a newer C library than asked for: [`super::bundle`] looks at what came of it.

use super::elf::GlibcVersion;
use super::target::DistTarget;
use super::template::fill;
use crate::install;
use crate::process::ChildTool;
use crate::root::RepositoryRoot;
use std::path::PathBuf;
use std::{env, fs};

const COMPILER: &str = include_str!("../../dist/zig-cc.sh");

/// Where the build lies, apart from others: its flags would build everything anew each time.
const FOLDER: &str = "target/dist-build";

/// Builds it and says where it is.
pub(crate) fn binary(
    root: &RepositoryRoot,
    target: &DistTarget,
    floor: GlibcVersion,
) -> Result<PathBuf, String> {
    let triple = target.triple;
    let prefixes = prefixes(root)?;
    let prefixed = |flag: &str| -> Vec<String> {
        prefixes.iter().map(|(from, to)| format!("{flag}={from}={to}")).collect()
    };
    let line =
        format!("cargo build --profile dist --locked --package runward --bin runward --target {triple}");
    let mut cargo = ChildTool::new(&line)
        .args(["--target-dir", FOLDER])
        .env("SOURCE_DATE_EPOCH", super::time(root)?.to_string())
        .env("RUNWARD_COMMIT", commit(root)?)
        .env("RUNWARD_PROFILE", "dist")
        .env("RUNWARD_TARGET", triple)
        .env("CARGO_INCREMENTAL", "0")
        // Between flags stands a byte that no path holds.
        .env("CARGO_ENCODED_RUSTFLAGS", prefixed("--remap-path-prefix").join("\u{1f}"));
    if target.is_glibc() {
        let compiler = compiler(root, target, floor)?;
        let [linker, cc, flags] = variables(target);
        cargo = cargo
            .env(linker, &compiler)
            .env(cc, &compiler)
            .env(flags, prefixed("-ffile-prefix-map").join(" "));
    }
    cargo.run(root)?;
    Ok(root.join(FOLDER).join(triple).join("dist").join(target.program()))
}

/// Where cargo and the C compiler look for a target's own tools.
fn variables(target: &DistTarget) -> [&'static str; 3] {
    if target.processor == "x64" {
        [
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER",
            "CC_x86_64_unknown_linux_gnu",
            "CFLAGS_x86_64_unknown_linux_gnu",
        ]
    } else {
        [
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "CC_aarch64_unknown_linux_gnu",
            "CFLAGS_aarch64_unknown_linux_gnu",
        ]
    }
}

/// Folders of this machine, and what stands for them in the binary. The longest comes last, because the last that fits
/// is taken.
fn prefixes(root: &RepositoryRoot) -> Result<Vec<(String, String)>, String> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let user = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(user).join(".cargo"))
    });
    let home = home.ok_or("there is neither CARGO_HOME nor a home folder")?;
    let sysroot = ChildTool::new("rustc --print sysroot").read(root)?;
    let mut all = vec![
        (home.display().to_string(), "/cargo".to_owned()),
        (root.path().display().to_string(), "/runward".to_owned()),
        (sysroot.trim().to_owned(), "/rust".to_owned()),
    ];
    all.sort_by_key(|(from, _)| from.len());
    Ok(all)
}

fn commit(root: &RepositoryRoot) -> Result<String, String> {
    let hash = ChildTool::new("git rev-parse --short=12 HEAD").read(root)?;
    let changed = ChildTool::new("git status --porcelain --untracked-files=no").read(root)?;
    let note = if changed.trim().is_empty() { "" } else { "-changed" };
    Ok(format!("{}{note}", hash.trim()))
}

/// A C compiler that links for this glibc, as a script that cargo can call.
fn compiler(root: &RepositoryRoot, target: &DistTarget, floor: GlibcVersion) -> Result<String, String> {
    install::zig(root)?;
    let python = root.join("target/zig/bin/python");
    let processor = if target.processor == "x64" { "x86_64" } else { "aarch64" };
    let text = fill(
        "zig-cc.sh",
        COMPILER,
        &[
            ("PYTHON", &python.display().to_string()),
            ("ZIG_TARGET", &format!("{processor}-linux-gnu.{floor}")),
        ],
    )?;
    let place = root.join("target/zig").join(format!("cc-{processor}-{floor}"));
    fs::write(&place, text).map_err(|error| format!("`{}` cannot be written: {error}", place.display()))?;
    let shown = place.display().to_string();
    ChildTool::new("chmod 755").args([&shown]).run(root)?;
    Ok(shown)
}
