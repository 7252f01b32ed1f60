//! Bringing onto this machine what the checks need and what is not there yet.
//!
//! May not fail for a program that is there already. The table is [`crate::needs`].

use crate::needs::{DebianPackage, NeededProgram, PROGRAMS, PYTHON, SUBCOMMANDS, Subcommand, ZIG};
use crate::process::{ChildTool, on_path};
use crate::root::RepositoryRoot;
use crate::{ChoreResult, node};
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
    programs(root)?;
    python(root)?;
    node::install(root)?;
    subcommands(root, &SUBCOMMANDS.iter().collect::<Vec<_>>())
}

fn named(names: &[String]) -> Result<Vec<&'static Subcommand>, String> {
    let find = |name: &String| {
        let known = SUBCOMMANDS.iter().find(|tool| tool.name == name);
        known.ok_or_else(|| format!("`{name}` is not among the subcommands in xtask/src/needs.rs"))
    };
    names.iter().map(find).collect()
}

/// Programs by name, from the packages that bring them.
pub(crate) fn programs(root: &RepositoryRoot) -> ChoreResult {
    let missing: Vec<_> = PROGRAMS.iter().filter(|program| on_path(program.name).is_none()).collect();
    println!("{} of {} programs are here", PROGRAMS.len() - missing.len(), PROGRAMS.len());
    if missing.is_empty() {
        return Ok(());
    }
    if on_path("apt-get").is_none() {
        return Err(wanted(&missing));
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
    let apt = format!("{sudo}env DEBIAN_FRONTEND=noninteractive apt-get");
    ChildTool::new(&format!("{apt} update")).run(root)?;
    ChildTool::new(&format!("{apt} install --yes --no-install-recommends {}", packages.join(" "))).run(root)
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
        ChildTool::new(get).run(root).map_err(|error| format!("{name} could not be installed: {error}"))?;
    }
    println!("{} subcommands of cargo are here", wanted.len());
    Ok(())
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
    use crate::needs::{CROSS, CROSS_WINDOWS, NODE};

    #[test]
    fn every_need_says_why_or_which_version() {
        assert!(PROGRAMS.iter().all(|program| !program.why.is_empty() && !program.package.is_empty()));
        assert!(PYTHON.iter().all(|package| package.contains("==")));
        assert!(NODE.iter().all(|package| package.rfind('@').is_some_and(|at| at > 0)));
        assert!(SUBCOMMANDS.iter().all(|tool| !tool.why.is_empty() && tool.get.contains(' ')));
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
    fn what_is_missing_is_named_with_its_package() {
        let setsid = PROGRAMS.iter().find(|program| program.name == "setsid").expect("it is needed");
        let text = wanted(&[setsid]);
        assert!(text.contains("setsid") && text.contains("util-linux"), "{text}");
    }
}
