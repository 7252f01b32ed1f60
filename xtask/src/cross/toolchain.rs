//! Debian's own Rust, which builds the standard library of other targets from source.
//!
//! Hazard: the chores are run by another cargo, which leaves its toolchain and its target folder in the
//! environment. All of that is kept out, or two compilers would share one cache.

use crate::process::ChildTool;

/// Where everything goes that is built for other platforms, seen from the top folder.
pub(super) const FOLDER: &str = "target/cross";

/// What stands in for a compiler of C for macOS.
pub(super) const STAND_IN: &str = "target/cross/no-c-compiler";

/// A platform that is not this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CrossTarget {
    /// macOS on Apple's processors.
    Macos,
    /// Windows, linked by mingw.
    Windows,
}

impl CrossTarget {
    /// As the compiler names it.
    pub(super) const fn triple(self) -> &'static str {
        match self {
            CrossTarget::Macos => "aarch64-apple-darwin",
            CrossTarget::Windows => "x86_64-pc-windows-gnu",
        }
    }
}

/// What another cargo sets for the programs it runs, and what a person may have set for it.
const FOREIGN: &[&str] = &[
    "CARGO_BUILD_TARGET",
    "CARGO_ENCODED_RUSTFLAGS",
    "LD_LIBRARY_PATH",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTDOCFLAGS",
    "RUSTFLAGS",
    "RUSTUP_TOOLCHAIN",
];

/// A command of Debian's cargo for a target. More words may follow.
pub(super) fn rust(line: &str, target: CrossTarget) -> ChildTool {
    let std = "-Zbuild-std=std,panic_unwind,test";
    let stand_in = std::path::absolute(STAND_IN).unwrap_or_default().display().to_string();
    let tool = ChildTool::new(&format!("/usr/bin/{line} {std} --target {}", target.triple()));
    FOREIGN
        .iter()
        .fold(tool, |tool, name| tool.without(name))
        .env("PATH", "/usr/bin:/bin")
        .env("CARGO", "/usr/bin/cargo")
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTDOC", "/usr/bin/rustdoc")
        // Building the standard library is an unstable feature, which a stable compiler hides.
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", FOLDER)
        // Only macOS has no compiler of C here. These names mean nothing to a build for another target.
        .env("CC_aarch64_apple_darwin", &stand_in)
        .env("AR_aarch64_apple_darwin", &stand_in)
        .env("SDKROOT", "/")
}
