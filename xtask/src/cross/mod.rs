//! `cargo xtask cross`: Windows and macOS, as far as a Debian machine can check them.
//!
//! May not be part of `cargo xtask test`: it builds two standard libraries and needs packages that nothing else
//! needs. Everything it makes is below `target/cross`. Read first: [`STEPS`]; `docs/platforms.md` says what is
//! proven by it.

mod cases;
mod macos;
mod survivors;
mod toolchain;
mod wine;

use crate::needs::{CROSS, CROSS_WINDOWS};
use crate::process::Errors;
use crate::root::RepositoryRoot;
use crate::times::Times;
use crate::{ChoreResult, install};
use toolchain::{CrossTarget, rust};

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "check other platforms from Debian [windows|macos]";

struct CrossStep {
    name: &'static str,
    about: &'static str,
    target: CrossTarget,
    run: fn(&RepositoryRoot) -> ChoreResult,
}

const fn windows(
    name: &'static str,
    about: &'static str,
    run: fn(&RepositoryRoot) -> ChoreResult,
) -> CrossStep {
    CrossStep { name, about, target: CrossTarget::Windows, run }
}

/// Every step but the packages, in the order in which they fail fastest.
const STEPS: &[CrossStep] = &[
    CrossStep {
        name: "mac-lint",
        about: "everything type-checks for macOS, and no lint speaks",
        target: CrossTarget::Macos,
        run: |root| macos::stand_in(root).and_then(|()| lint(root, CrossTarget::Macos)),
    },
    windows("win-lint", "everything type-checks for Windows, and no lint speaks", |root| {
        lint(root, CrossTarget::Windows)
    }),
    windows("stand-in", "the library that wine lacks is there", wine::stand_in),
    windows("win-build", "runward.exe is linked", |root| {
        rust("cargo build --locked", CrossTarget::Windows).args(["--package", "runward"]).run(root)
    }),
    windows("win-tests", "the tests of core and os pass under wine", |root| wine::kept(root, || tests(root))),
    windows("win-cli", "runward.exe behaves under wine", |root| wine::kept(root, || cases::run(root))),
];

/// `cargo xtask cross`.
pub(crate) fn run(root: &RepositoryRoot, words: &[String]) -> ChoreResult {
    let targets = read(words)?;
    let mut times = Times::default();
    times.step("packages", "what Debian brings is here", || packages(root, &targets))?;
    for step in STEPS.iter().filter(|step| targets.contains(&step.target)) {
        times.step(step.name, step.about, || (step.run)(root))?;
    }
    print!("\n{times}");
    println!("all checks passed");
    Ok(())
}

fn read(words: &[String]) -> Result<Vec<CrossTarget>, String> {
    match words {
        [] => Ok(vec![CrossTarget::Macos, CrossTarget::Windows]),
        [one] if one == "windows" => Ok(vec![CrossTarget::Windows]),
        [one] if one == "macos" => Ok(vec![CrossTarget::Macos]),
        _ => Err(format!("`cross` takes `windows` or `macos`, not `{}`", words.join(" "))),
    }
}

fn packages(root: &RepositoryRoot, targets: &[CrossTarget]) -> ChoreResult {
    let more = if targets.contains(&CrossTarget::Windows) { CROSS_WINDOWS } else { &[] };
    install::packages(root, &CROSS.iter().chain(more).collect::<Vec<_>>())
}

fn lint(root: &RepositoryRoot, target: CrossTarget) -> ChoreResult {
    let line = "cargo-clippy clippy --workspace --all-targets --locked";
    rust(line, target).args(["--", "-D", "warnings"]).run(root)
}

/// The tests of rejected programs call a compiler, which there is none of under wine.
fn tests(root: &RepositoryRoot) -> ChoreResult {
    let core = rust("cargo test --locked", CrossTarget::Windows).args(["--package", "runward-core", "--lib"]);
    let core = core.args(["--test", "all", "--", "--skip", "ui::"]);
    wine::under(core, root).errors(Errors::Joined).run(root)?;
    let os = rust("cargo test --locked", CrossTarget::Windows).args(["--package", "runward-os", "--lib"]);
    wine::under(os.args(["--test", "windows"]), root).errors(Errors::Joined).run(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Result<Vec<CrossTarget>, String> {
        read(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn one_platform_or_both() {
        assert_eq!(asked(""), Ok(vec![CrossTarget::Macos, CrossTarget::Windows]));
        assert_eq!(asked("windows"), Ok(vec![CrossTarget::Windows]));
        assert_eq!(asked("macos"), Ok(vec![CrossTarget::Macos]));
        assert!(asked("plan9").unwrap_err().contains("plan9"));
        assert!(asked("windows macos").is_err());
    }
}
