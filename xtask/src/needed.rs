//! Which step of `cargo xtask test` needs what, and what a program's package is called where there is no Debian.
//!
//! May not install anything. What is not named here is needed by the tests, and its package has Debian's name.

use crate::needs::{NeededProgram, PROGRAMS, SUBCOMMANDS, Subcommand};

/// Steps that run tests, for which most programs are here.
const TESTS: &[&str] = &["nextest", "conformance", "chaos"];

/// Programs that other steps need, too, or alone. `*` is every step.
const BY_STEP: &[(&str, &[&str])] = &[
    ("gcc", &["*"]),
    ("g++", &["fuzz"]),
    ("valgrind", &["counts"]),
    ("mkfs.ext4", &["chaos"]),
    ("mount", &["chaos"]),
    ("curl", &["packages"]),
    ("shellcheck", &["packages"]),
    ("dash", &["nextest", "packages"]),
    ("git", &["nextest", "conformance", "chaos", "packages"]),
    ("ps", &["nextest", "conformance", "chaos", "packages"]),
    ("python3", &["nextest", "conformance", "chaos", "packages"]),
    ("cargo-fmt", &["fmt"]),
    ("cargo-clippy", &["clippy"]),
    ("cargo-deny", &["deny"]),
    ("cargo-nextest", &["nextest"]),
    ("cargo-fuzz", &["fuzz"]),
];

/// Steps that need the packages of Python and node.
const PACKAGES: &[&str] = &["nextest", "conformance", "packages"];

/// What installs packages, other than `apt-get`, and how it is called.
pub(crate) const MANAGERS: [(&str, &str); 4] = [
    ("dnf", "sudo dnf install"),
    ("pacman", "sudo pacman -S --needed"),
    ("apk", "sudo apk add"),
    ("brew", "brew install"),
];

/// Names of packages for [`MANAGERS`]; `-` is one that cannot be had there.
const ELSEWHERE: &[(&str, [&str; 4])] = &[
    ("gcc", ["gcc glibc-devel", "gcc", "gcc musl-dev", "gcc"]),
    ("g++", ["gcc-c++", "gcc", "g++", "gcc"]),
    ("bash", ["bash", "bash", "bash", "bash"]),
    ("dash", ["dash", "dash", "dash-binsh", "dash"]),
    ("zsh", ["zsh", "zsh", "zsh", "zsh"]),
    ("setsid", ["util-linux", "util-linux", "util-linux", "util-linux"]),
    ("ps", ["procps-ng", "procps-ng", "procps", "-"]),
    ("python3", ["python3", "python", "python3", "python"]),
    ("node", ["nodejs", "nodejs", "nodejs", "node"]),
    ("npm", ["nodejs-npm", "npm", "npm", "node"]),
    ("script", ["util-linux-script", "util-linux", "util-linux-misc", "-"]),
    ("strace", ["strace", "strace", "strace", "-"]),
    ("valgrind", ["valgrind", "valgrind", "valgrind", "-"]),
    ("bwrap", ["bubblewrap", "bubblewrap", "bubblewrap", "-"]),
    ("bindfs", ["bindfs fuse3", "bindfs fuse3", "bindfs fuse3", "-"]),
    ("fusermount3", ["fuse3", "fuse3", "fuse3", "-"]),
    ("prlimit", ["util-linux", "util-linux", "util-linux-misc", "-"]),
    ("setpriv", ["util-linux", "util-linux", "setpriv", "-"]),
    ("unshare", ["util-linux", "util-linux", "util-linux-misc", "-"]),
    ("mkfs.ext4", ["e2fsprogs", "e2fsprogs", "e2fsprogs", "e2fsprogs"]),
    ("mount", ["util-linux", "util-linux", "mount", "-"]),
];

/// The package of a program for one of [`MANAGERS`]; none, where it cannot be had.
pub(crate) fn package_of(program: &NeededProgram, manager: &str) -> Option<&'static str> {
    let at = MANAGERS.iter().position(|(name, _)| *name == manager)?;
    let named = ELSEWHERE.iter().find(|(name, _)| *name == program.name).map(|(_, names)| names[at]);
    Some(named.unwrap_or(program.package)).filter(|name| *name != "-")
}

/// What a run of some steps needs.
#[derive(Debug)]
pub(crate) struct StepNeeds {
    pub(crate) programs: Vec<&'static NeededProgram>,
    pub(crate) subcommands: Vec<&'static Subcommand>,
    /// Whether the packages of Python and node are needed.
    pub(crate) packages: bool,
}

impl StepNeeds {
    /// Everything there is.
    pub(crate) fn everything() -> Self {
        Self {
            programs: PROGRAMS.iter().collect(),
            subcommands: SUBCOMMANDS.iter().collect(),
            packages: true,
        }
    }

    /// What these steps need.
    pub(crate) fn of(steps: &[&str]) -> Self {
        let wanted = |name: &str| steps.iter().any(|step| needs(step, name));
        Self {
            programs: PROGRAMS.iter().filter(|program| wanted(program.name)).collect(),
            subcommands: SUBCOMMANDS.iter().filter(|tool| wanted(tool.name)).collect(),
            packages: steps.iter().any(|step| PACKAGES.contains(step)),
        }
    }
}

/// Whether a step needs a program.
pub(crate) fn needs(step: &str, program: &str) -> bool {
    let known = BY_STEP.iter().find(|(name, _)| *name == program).map(|(_, steps)| *steps);
    let steps = known.unwrap_or(TESTS);
    step != "install" && (steps.contains(&step) || steps.contains(&"*"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(steps: &[&str]) -> Vec<&'static str> {
        let needs = StepNeeds::of(steps);
        let tools = needs.subcommands.iter().map(|tool| tool.name);
        needs.programs.iter().map(|program| program.name).chain(tools).collect()
    }

    #[test]
    fn a_step_demands_what_it_needs_and_no_more() {
        assert_eq!(names(&["tidy"]), ["gcc"]);
        assert_eq!(names(&["clippy"]), ["gcc", "cargo-clippy"]);
        assert_eq!(names(&["fuzz"]), ["gcc", "g++", "cargo-fuzz"]);
        let tests = names(&["fmt", "clippy", "nextest"]);
        assert!(tests.contains(&"strace") && tests.contains(&"cargo-nextest"), "{tests:?}");
        for slow in ["g++", "valgrind", "cargo-fuzz", "cargo-deny", "mkfs.ext4"] {
            assert!(!tests.contains(&slow), "{slow}: {tests:?}");
        }
        assert!(!StepNeeds::of(&["tidy"]).packages && StepNeeds::of(&["nextest"]).packages);
    }

    #[test]
    fn every_program_is_needed_by_some_step() {
        let steps = crate::check::step_names();
        let all = names(&steps);
        assert!(PROGRAMS.iter().all(|program| all.contains(&program.name)), "{all:?}");
        assert!(SUBCOMMANDS.iter().all(|tool| all.contains(&tool.name)), "{all:?}");
        for (name, of) in BY_STEP {
            assert!(of.iter().all(|step| *step == "*" || steps.contains(step)), "{name} is for no step");
        }
    }

    #[test]
    fn packages_have_a_name_elsewhere_or_none() {
        let program = |name: &str| PROGRAMS.iter().find(|program| program.name == name).unwrap();
        assert_eq!(package_of(program("g++"), "dnf"), Some("gcc-c++"));
        assert_eq!(package_of(program("git"), "brew"), Some("git"), "Debian's name, if no other is known");
        assert_eq!(package_of(program("strace"), "brew"), None);
        for (name, _) in ELSEWHERE {
            assert!(PROGRAMS.iter().any(|program| program.name == *name), "{name} is not needed any more");
        }
    }
}
