//! Builds the warden (see `warden/main.rs`) for Linux targets, so that the library can carry it inside.
//!
//! The warden is a program without libc, so the compiler that builds this crate and its linker are enough.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// Set by `cargo xtask test`: a warning in the warden is an error. Otherwise a later compiler's new lint would break
/// the build of every user of this crate, where cargo caps the lints of dependencies so that it does not.
const DENY: &str = "RUNWARD_DENY_WARNINGS";

fn main() {
    println!("cargo::rerun-if-changed=warden");
    println!("cargo::rerun-if-env-changed={DENY}");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("warden");
    let architecture = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    // Its entry code and its system calls (`warden/entry.rs`, `warden/sys.rs`) are written for these two. Elsewhere the
    // library is built without one, and says that it can start nothing.
    if !["x86_64", "aarch64"].contains(&architecture.as_str()) {
        std::fs::write(&out, []).expect("cargo makes OUT_DIR");
        return;
    }
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"));
    rustc
        .args(["--edition", "2024", "--crate-name", "warden", "--crate-type", "bin"])
        .args(if env::var_os(DENY).is_some() { ["-D", "warnings"] } else { ["--cap-lints", "warn"] })
        .arg("--target")
        .arg(env::var_os("TARGET").expect("cargo sets TARGET"))
        .args([
            "-C",
            "opt-level=s",
            "-C",
            "panic=abort",
            "-C",
            "relocation-model=static",
            "-C",
            "strip=symbols",
        ])
        .args(["-C", "link-arg=-nostdlib", "-C", "link-arg=-nostartfiles", "-C", "link-arg=-static"])
        .arg("-o")
        .arg(&out)
        .arg("warden/main.rs");
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut argument = std::ffi::OsString::from("linker=");
        argument.push(linker);
        rustc.arg("-C").arg(argument);
    }
    let built = rustc.status();
    assert!(built.is_ok_and(|status| status.success()), "the warden could not be built");
}
