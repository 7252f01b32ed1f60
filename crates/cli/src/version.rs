//! `runward --version --verbose`: what this binary is, and how it came here.
//!
//! May not call home: whether there is a newer one is a question that nobody is asked.

use crate::output::{OutputFormat, VerbFailure, print};
use std::ffi::OsString;
use std::path::Path;

/// The exit code, if more than the number was asked for; otherwise nothing was said.
pub(crate) fn told(typed: &[OsString]) -> Option<i32> {
    let words = typed.get(1..).unwrap_or_default();
    let has = |names: &[&str]| words.iter().any(|word| names.iter().any(|name| word == name));
    let known = ["--version", "-V", "--verbose", "--check"];
    let all_known = words.iter().all(|word| known.iter().any(|name| word == name));
    if !all_known || !has(&["--version", "-V"]) || !has(&["--verbose", "--check"]) {
        return None;
    }
    let done = if has(&["--check"]) { Err(unasked()) } else { print(&account()).map(|()| 0) };
    Some(done.unwrap_or_else(|failure| failure.tell(OutputFormat::Plain)))
}

fn unasked() -> VerbFailure {
    VerbFailure::bad_value(
        "whether this is the newest version cannot be asked yet, because nothing was published".to_owned(),
        "Ask `runward --version --verbose` for what this one is.",
    )
}

/// What is built elsewhere is told by `cargo xtask dist`; what is built by hand knows less.
fn account() -> String {
    let built = if cfg!(debug_assertions) { "dev" } else { "release" };
    let machine = format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS);
    let exe = std::env::current_exe().ok();
    // A link that a package manager keeps leads to the place that tells.
    let exe = exe.map(|path| path.canonicalize().unwrap_or(path));
    format!(
        "runward {}\ncommit: {}\nprofile: {}\ntarget: {}\nchannel: {}",
        env!("CARGO_PKG_VERSION"),
        option_env!("RUNWARD_COMMIT").unwrap_or("unknown"),
        option_env!("RUNWARD_PROFILE").unwrap_or(built),
        option_env!("RUNWARD_TARGET").unwrap_or(&machine),
        exe.as_deref().map_or("unknown", channel),
    )
}

/// The channel that puts a binary where this one lies.
fn channel(exe: &Path) -> &'static str {
    let place = exe.to_string_lossy().replace('\\', "/");
    let beside =
        |inner: &str| exe.parent().and_then(Path::parent).is_some_and(|top| top.join(inner).exists());
    if place.contains("/node_modules/@runward/") {
        "npm"
    } else if place.contains("/Cellar/") {
        "homebrew"
    } else if place.contains("/scoop/apps/") {
        "scoop"
    } else if place.contains("/WinGet/Packages/") {
        "winget"
    } else if place.contains("/server/runward") && beside("manifest.json") {
        "mcpb"
    } else if beside("pyvenv.cfg") || beside("conda-meta") {
        "pypi"
    } else if place == "/usr/bin/runward" && Path::new("/var/lib/dpkg/info/runward.list").exists() {
        "deb"
    } else if beside(".crates.toml") {
        "cargo"
    } else if option_env!("RUNWARD_COMMIT").is_some() {
        "archive"
    } else {
        "source"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_tells_the_channel() {
        for (place, name) in [
            ("/home/ann/p/node_modules/@runward/linux-x64/bin/runward", "npm"),
            ("/opt/homebrew/Cellar/runward/0.1.0/bin/runward", "homebrew"),
            (r"C:\Users\ann\scoop\apps\runward\0.1.0\runward.exe", "scoop"),
            ("/home/ann/runward/target/debug/runward", "source"),
        ] {
            assert_eq!(channel(Path::new(place)), name, "{place}");
        }
    }

    #[test]
    fn only_the_version_is_answered_here() {
        let told = |line: &str| super::told(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(told("runward --version"), None);
        assert_eq!(told("runward exec --verbose -- x --version"), None);
    }
}
