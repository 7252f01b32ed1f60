//! Builds `still`, the static program that benchmarks start, on Linux.

use std::env;
use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=still");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("still");
    println!("cargo::rustc-env=STILL={}", out.display());
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("linux") {
        return;
    }
    let built = Command::new(env::var_os("RUSTC").expect("cargo sets RUSTC"))
        .args(["--edition", "2024", "--crate-name", "still", "--crate-type", "bin"])
        .arg("--target")
        .arg(env::var_os("TARGET").expect("cargo sets TARGET"))
        .args(["-C", "opt-level=s", "-C", "panic=abort", "-C", "relocation-model=static"])
        .args(["-C", "link-arg=-nostdlib", "-C", "link-arg=-nostartfiles", "-C", "link-arg=-static"])
        .arg("-o")
        .arg(out)
        .arg("still/main.rs")
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the program `still` could not be built");
}
