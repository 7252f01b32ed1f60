//! Bringing onto this machine what the checks need and what is not there yet.
//!
//! May not fail for a program that is there already. The table is [`crate::needs`].

use crate::needed::{MANAGERS, StepNeeds, needs, package_of};
use crate::needs::{DebianPackage, NeededProgram, PROGRAMS, PYTHON, SUBCOMMANDS, Subcommand, ZIG};
use crate::process::{ChildTool, on_path};
use crate::root::RepositoryRoot;
use crate::{ChoreResult, check, node};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::Path;

/// One line for the list of verbs.
pub(crate) const ABOUT: &str = "install what the checks need [NAME...: only these subcommands of cargo]";

/// `cargo xtask install`.
pub(crate) fn run(root: &RepositoryRoot, names: &[String]) -> ChoreResult {
    if names.is_empty() { everything(root) } else { subcommands(root, &named(names)?) }
}

/// Programs, the packages of Python and node, and cargo's subcommands.
pub(crate) fn everything(root: &RepositoryRoot) -> ChoreResult {
    needed(root, &StepNeeds::everything())
}

/// What some steps need.
pub(crate) fn needed(root: &RepositoryRoot, needs: &StepNeeds) -> ChoreResult {
    bring(root, &needs.programs)?;
    if needs.packages {
        python(root)?;
        node::install(root)?;
    }
    subcommands(root, &needs.subcommands)
}

fn named(names: &[String]) -> Result<Vec<&'static Subcommand>, String> {
    let find = |name: &String| {
        let known = SUBCOMMANDS.iter().find(|tool| tool.name == name);
        known.ok_or_else(|| format!("`{name}` is not among the subcommands in xtask/src/needs.rs"))
    };
    names.iter().map(find).collect()
}

/// All programs.
pub(crate) fn programs(root: &RepositoryRoot) -> ChoreResult {
    bring(root, &PROGRAMS.iter().collect::<Vec<_>>())
}

/// Programs by name, from the packages that bring them.
fn bring(root: &RepositoryRoot, programs: &[&'static NeededProgram]) -> ChoreResult {
    let missing: Vec<_> =
        programs.iter().copied().filter(|program| on_path(program.name).is_none()).collect();
    println!("{} of {} programs are here", programs.len() - missing.len(), programs.len());
    if missing.is_empty() {
        return Ok(());
    }
    if on_path("apt-get").is_none() {
        let manager = MANAGERS.iter().find(|(name, _)| on_path(name).is_some());
        return Err(wanted(&missing) + &manager.map(|manager| advice(&missing, *manager)).unwrap_or_default());
    }
    apt_get(root, &missing.iter().map(|program| program.package).collect::<Vec<_>>())?;
    let still: Vec<_> = missing.into_iter().filter(|program| on_path(program.name).is_none()).collect();
    if still.is_empty() { Ok(()) } else { Err(wanted(&still)) }
}

/// Debian packages by name, each known to be here only if dpkg says so.
pub(crate) fn packages(root: &RepositoryRoot, wanted: &[&DebianPackage]) -> ChoreResult {
    if on_path("apt-get").is_none() || on_path("dpkg-query").is_none() {
        return Err(not_debian(wanted));
    }
    let mut missing = Vec::new();
    for package in wanted {
        if !is_installed(root, package)? {
            println!("{} is missing; it {}", package.name, package.why);
            missing.push(package.name);
        }
    }
    if !missing.is_empty() {
        apt_get(root, &missing)?;
    }
    println!("{} packages are here", wanted.len());
    Ok(())
}

fn is_installed(root: &RepositoryRoot, package: &DebianPackage) -> Result<bool, String> {
    let asked = ChildTool::new("dpkg-query --show --showformat=${db:Status-Status}").args([package.name]);
    Ok(asked.answer(root)?.stdout == b"installed")
}

fn not_debian(wanted: &[&DebianPackage]) -> String {
    let names: Vec<_> = wanted.iter().map(|package| package.name).collect();
    format!("this needs Debian's packages {}, and there is no apt-get here to ask for them", names.join(", "))
}

fn apt_get(root: &RepositoryRoot, packages: &[&str]) -> ChoreResult {
    let sudo = if is_root(root)? { "" } else { "sudo -n " };
    if !sudo.is_empty() && !may_sudo(root) {
        return Err(by_hand(packages));
    }
    let apt = format!("{sudo}env DEBIAN_FRONTEND=noninteractive apt-get");
    ChildTool::new(&format!("{apt} update")).run(root)?;
    ChildTool::new(&format!("{apt} install --yes --no-install-recommends {}", packages.join(" "))).run(root)
}

/// Whether we may be root without anybody typing a password.
fn may_sudo(root: &RepositoryRoot) -> bool {
    ChildTool::new("sudo -n true").answer(root).is_ok_and(|answer| answer.status.success())
}

/// The sentence where only a person can install.
fn by_hand(packages: &[&str]) -> String {
    format!(
        "these packages are missing, and `sudo` asks for a password here; install them yourself, then run this again:\n  \
         sudo apt-get update && sudo apt-get install --no-install-recommends {}",
        packages.join(" ")
    )
}

/// The packages of Python that the checks use.
pub(crate) fn python(root: &RepositoryRoot) -> ChoreResult {
    python_into(root, "target/venv", PYTHON)
}

/// The compiler that links what is shipped.
pub(crate) fn zig(root: &RepositoryRoot) -> ChoreResult {
    python_into(root, "target/zig", &[ZIG])
}

/// A note of what was installed stands beside the packages, so that looking costs nothing.
fn python_into(root: &RepositoryRoot, folder: &str, packages: &[&str]) -> ChoreResult {
    let (note, list) = (root.join(folder).join("installed.txt"), packages.join(" "));
    if fs::read_to_string(&note).is_ok_and(|there| there == list) {
        println!("{} packages of Python are here", packages.len());
        return Ok(());
    }
    ChildTool::new(&format!("python3 -m venv {folder}")).run(root)?;
    ChildTool::new(&format!("{folder}/bin/python -m pip install --quiet {list}")).run(root)?;
    fs::write(&note, list).map_err(|error| format!("`{}` cannot be written: {error}", note.display()))
}

/// The sentence for a machine without `apt-get`.
fn wanted(missing: &[&NeededProgram]) -> String {
    let mut text = "these programs are missing; install them and run this again:".to_owned();
    for NeededProgram { name, package, why } in missing {
        text.push_str(&format!("\n  {name:<10} (Debian package {package}) {why}"));
    }
    text
}

/// The command that installs them with another manager, and what cannot be had with it.
fn advice(missing: &[&NeededProgram], (manager, install): (&str, &str)) -> String {
    let mut packages: Vec<&str> = missing
        .iter()
        .filter_map(|program| package_of(program, manager))
        .flat_map(str::split_whitespace)
        .collect();
    packages.sort_unstable();
    packages.dedup();
    let mut text = String::new();
    if !packages.is_empty() {
        text.push_str(&format!("\nhere that is:\n  {install} {}", packages.join(" ")));
    }
    let absent: Vec<&str> = missing
        .iter()
        .filter(|program| package_of(program, manager).is_none())
        .map(|program| program.name)
        .collect();
    if !absent.is_empty() {
        let steps: Vec<&str> = check::step_names()
            .into_iter()
            .filter(|step| !absent.iter().any(|name| needs(step, name)))
            .filter(|step| *step != "install")
            .collect();
        text.push_str(&format!(
            "\n{manager} has no {}; these steps do without: {} (`cargo xtask test --only STEP`)",
            absent.join(", "),
            steps.join(", ")
        ));
    }
    text
}

/// Asks `id` rather than the environment, which may say anything.
fn is_root(root: &RepositoryRoot) -> Result<bool, String> {
    Ok(ChildTool::new("id -u").read(root)?.trim() == "0")
}

fn subcommands(root: &RepositoryRoot, wanted: &[&Subcommand]) -> ChoreResult {
    for Subcommand { name, get, why } in wanted {
        if is_here(name) {
            continue;
        }
        println!("{name} is missing; it {why}");
        if let Some(quick) = prebuilt(get)
            && ChildTool::new(&quick).run(root).is_ok()
        {
            continue;
        }
        ChildTool::new(get).run(root).map_err(|error| format!("{name} could not be installed: {error}"))?;
    }
    println!("{} subcommands of cargo are here", wanted.len());
    Ok(())
}

/// The same version as a program that somebody else compiled, where the tool for that is here: minutes less.
fn prebuilt(get: &str) -> Option<String> {
    on_path("cargo-binstall")?;
    binstall(get)
}

fn binstall(get: &str) -> Option<String> {
    let (name, version) = get.strip_prefix("cargo install --locked ")?.split_once(" --version ")?;
    Some(format!("cargo binstall --no-confirm {name}@{version}"))
}

/// Cargo finds its subcommands on the search path and in its own folder.
fn is_here(name: &str) -> bool {
    let own = std::env::var_os("CARGO")
        .is_some_and(|cargo| Path::new(&cargo).with_file_name(format!("{name}{EXE_SUFFIX}")).is_file());
    own || on_path(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::needs::{CLIENTS, CROSS, CROSS_WINDOWS, NODE};

    #[test]
    fn every_need_says_why_or_which_version() {
        assert!(PROGRAMS.iter().all(|program| !program.why.is_empty() && !program.package.is_empty()));
        assert!(PYTHON.iter().all(|package| package.contains("==")));
        assert!(NODE.iter().chain(CLIENTS).all(|package| package.rfind('@').is_some_and(|at| at > 0)));
        assert!(SUBCOMMANDS.iter().all(|tool| !tool.why.is_empty() && tool.get.contains(' ')));
    }

    #[test]
    fn the_versions_of_the_clients_are_those_that_the_page_names() {
        let page = include_str!("../../CONTRIBUTING.md");
        for client in CLIENTS {
            let (_, version) = client.rsplit_once('@').expect("a version");
            assert!(page.contains(&format!("| {version} |")), "CONTRIBUTING.md does not name {client}");
        }
    }

    #[test]
    fn only_subcommands_of_the_table_can_be_asked_for() {
        assert_eq!(named(&["cargo-nextest".to_owned()]).unwrap()[0].name, "cargo-nextest");
        assert!(named(&["cargo-mystery".to_owned()]).unwrap_err().contains("cargo-mystery"));
    }

    #[test]
    fn where_there_is_no_debian_the_packages_are_named() {
        let text = not_debian(&CROSS_WINDOWS.iter().collect::<Vec<_>>());
        assert!(text.contains("wine64") && text.contains("apt-get"), "{text}");
        assert!(CROSS.iter().chain(CROSS_WINDOWS).all(|package| !package.why.is_empty()));
    }

    #[test]
    fn elsewhere_the_command_is_ready_to_paste_and_what_cannot_be_had_is_told() {
        let of = |names: &[&str]| {
            PROGRAMS.iter().filter(|program| names.contains(&program.name)).collect::<Vec<_>>()
        };
        let fedora = advice(&of(&["g++", "setsid", "prlimit"]), MANAGERS[0]);
        assert_eq!(fedora, "\nhere that is:\n  sudo dnf install gcc-c++ util-linux");
        let macos = advice(&of(&["zsh", "strace"]), MANAGERS[3]);
        assert!(
            macos.contains("brew install zsh\nbrew has no strace; these steps do without: fmt, clippy, tidy"),
            "{macos}"
        );
        assert!(!macos.contains("nextest"), "{macos}");
    }

    #[test]
    fn without_leave_the_person_is_told_what_to_type() {
        let text = by_hand(&["strace", "tmux"]);
        assert!(text.ends_with("sudo apt-get install --no-install-recommends strace tmux"), "{text}");
    }

    #[test]
    fn a_prebuilt_tool_has_the_same_version() {
        let get = "cargo install --locked cargo-deny --version 0.20.2";
        assert_eq!(binstall(get).as_deref(), Some("cargo binstall --no-confirm cargo-deny@0.20.2"));
        assert_eq!(binstall("rustup component add clippy"), None);
    }

    #[test]
    fn what_is_missing_is_named_with_its_package() {
        let setsid = PROGRAMS.iter().find(|program| program.name == "setsid").expect("it is needed");
        let text = wanted(&[setsid]);
        assert!(text.contains("setsid") && text.contains("util-linux"), "{text}");
    }
}
