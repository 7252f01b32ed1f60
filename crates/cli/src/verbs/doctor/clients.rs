//! The doctor's lines about clients: found, Runward in it or not, what it starts, and by which rules.
//!
//! May not show a value of another server.

use super::DoctorCheck;
use crate::clients::RunwardEntry;
use crate::verbs::init::{ClientStanding, standing};
use runward::HostFacts;
use runward::core::render::word;
use runward::core::resolve::find_program;
use runward::host::Disk;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One line for each client that is found; one for all of them where there is none.
pub(super) fn checks(facts: &HostFacts) -> Vec<DoctorCheck> {
    let found = standing(facts);
    if found.is_empty() {
        return vec![DoctorCheck::ok("clients", "none found")];
    }
    found.iter().map(|client| check(client, facts)).collect()
}

fn check(standing: &ClientStanding, facts: &HostFacts) -> DoctorCheck {
    let name = standing.client.name;
    let file = word(standing.path.as_os_str());
    match &standing.entry {
        Err(why) => DoctorCheck::missing(
            "clients",
            format!("{name}: {file} cannot be read: {why}"),
            format!("Mend it, then run `runward init {}`.", standing.client.id),
        ),
        Ok(None) => DoctorCheck::missing(
            "clients",
            format!("{name}: Runward is not in {file}"),
            format!("Put it in with `runward init {}`.", standing.client.id),
        ),
        Ok(Some(entry)) => match started(entry, facts) {
            Err(why) => DoctorCheck::missing(
                "clients",
                format!("{name}: {why}, which {file} starts"),
                format!("Write it anew with `runward init {}`.", standing.client.id),
            ),
            Ok(what) => DoctorCheck::ok("clients", format!("{name}: {what}, {}", rules(entry))),
        },
    }
}

/// The program that an entry starts, and whether it is this one.
fn started(entry: &RunwardEntry, facts: &HostFacts) -> Result<String, String> {
    let command = Path::new(&entry.command);
    let path = facts.env_var("PATH").unwrap_or_default();
    let found: Option<PathBuf> = if command.is_absolute() {
        Some(command.to_owned()).filter(|path| path.is_file())
    } else {
        find_program(OsStr::new(&entry.command), path, facts, &Disk)
    };
    let Some(found) = found else { return Err(format!("`{}` is not there", entry.command)) };
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let is_this = std::env::current_exe().is_ok_and(|this| real(&this) == real(&found));
    let shown = word(found.as_os_str());
    Ok(if is_this {
        format!("{shown} (this program)")
    } else {
        format!("{shown} (another file than this one)")
    })
}

fn rules(entry: &RunwardEntry) -> String {
    let rules = entry.rules();
    let presets: Vec<&str> = rules.presets.iter().map(String::as_str).collect();
    match (&rules.allowed, &presets[..]) {
        (Some(_), _) => "a list of commands in its own variables".to_owned(),
        (None, []) => "no rules of its own".to_owned(),
        (None, presets) => {
            let sandbox = if rules.sandboxed { ", in a sandbox" } else { "" };
            format!("rules {}{sandbox}", presets.join(", "))
        }
    }
}
