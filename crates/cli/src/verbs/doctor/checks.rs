//! The lines of the doctor. Each looks and reports; none changes anything but making the state folder.

use super::{CheckState, DoctorCheck, clients, hooks, journal, sandbox};
use crate::output::VerbFailure;
use crate::places::{self, UserFile};
use crate::rules::RulesInForce;
use crate::setup;
use runward::config::Settings;
use runward::core::facts::{Backslashes, Containment, Keeper};
use runward::core::render::word;
use runward::core::resolve::{find_program, resolve_command};
use runward::{ErrorView, HostFacts, host};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// Fewer open files than this are soon used up by running commands.
const FEW_FILES: u64 = 1024;

/// Every line, in order.
pub(super) fn all(facts: &HostFacts, file: Option<&Path>) -> Vec<DoctorCheck> {
    let start = starting();
    let starts = start.is_none();
    let mut checks: Vec<DoctorCheck> = start.into_iter().chain([shell(facts)]).collect();
    checks.extend(programs(facts).map(|(name, fix)| program(name, fix, facts)));
    checks.extend(containment(facts));
    checks.push(keeper("memory limit", facts.abilities.memory));
    checks.push(keeper("process limit", facts.abilities.processes));
    checks.push(per_process(facts));
    checks.push(terminal(facts));
    let walls = setup::read(file, facts).ok().map(|settings| settings.sandbox(Vec::new()));
    if starts {
        checks.extend(sandbox::checks(facts, walls.as_ref()));
    }
    checks.push(configuration(facts, file));
    checks.extend(setup::read(file, facts).ok().map(|settings| rules(&settings)));
    checks.extend(setup::read(file, facts).ok().and_then(|settings| run_code(&settings)));
    checks.push(state(facts));
    checks.extend(journal::check(facts, file));
    checks.extend(hooks::checks(facts));
    checks.push(open_files());
    checks.extend(clients::checks(facts));
    checks
}

/// A line where no command can be started at all; the checks that would start one are left out then.
fn starting() -> Option<DoctorCheck> {
    let view = ErrorView::of(&host::trial_start().err()?);
    Some(DoctorCheck { name: "starting", state: CheckState::Broken, found: view.message, fix: view.hint })
}

/// A program's name, and what to do where it is missing.
type WantedProgram = (&'static str, &'static str);

const UNIX: &[WantedProgram] = &[
    ("bash", "Install bash; scripts are read by sh until then."),
    ("python3", "Install Python 3, or add its folder to PATH."),
];

/// Python's installer brings `python.exe`, and scripts are read by `cmd.exe`.
const WINDOWS: &[WantedProgram] = &[("python", "Install Python 3, or add its folder to PATH.")];

const ANYWHERE: &[WantedProgram] = &[
    ("node", "Install Node.js, or name it with `RUNWARD_NODE` or `[runtimes.node] path`."),
    ("npm", "Install npm beside node."),
    ("npx", "Install npm, which brings npx, beside node."),
];

fn is_windows(facts: &HostFacts) -> bool {
    facts.naming.backslashes == Backslashes::Separate
}

fn programs(facts: &HostFacts) -> impl Iterator<Item = &'static WantedProgram> {
    let own = if is_windows(facts) { WINDOWS } else { UNIX };
    own.iter().chain(ANYWHERE)
}

fn shell(facts: &HostFacts) -> DoctorCheck {
    match &facts.shell {
        Some(shell) => DoctorCheck::ok("shell", word(shell.path.as_os_str())),
        None => DoctorCheck::missing("shell", "no shell reads scripts", no_shell(facts)),
    }
}

fn no_shell(facts: &HostFacts) -> &'static str {
    if is_windows(facts) { "Repair Windows; `cmd.exe` is part of it." } else { "Install bash or sh." }
}

fn program(name: &'static str, fix: &str, facts: &HostFacts) -> DoctorCheck {
    let ours = resolve_command(name, facts, &host::Disk);
    if ours != name {
        let place = facts.node.as_ref().map(|node| format!(" (through {})", node.place)).unwrap_or_default();
        return DoctorCheck::ok(name, format!("{ours}{place}"));
    }
    let path = facts.env_var("PATH").unwrap_or_default();
    match find_program(OsStr::new(name), path, facts, &host::Disk) {
        Some(found) => DoctorCheck::ok(name, format!("{} (first in PATH)", word(found.as_os_str()))),
        None => DoctorCheck::missing(name, "not found in PATH", fix),
    }
}

fn containment(facts: &HostFacts) -> Vec<DoctorCheck> {
    let ways = &facts.abilities.containment;
    let mut checks: Vec<DoctorCheck> = ways
        .iter()
        .enumerate()
        .map(|(index, way)| {
            DoctorCheck::ok(
                way.name(),
                if index == 0 { "holds process trees together" } else { "can be chosen instead" },
            )
        })
        .collect();
    if ways.contains(&Containment::Subreaper) && !ways.contains(&Containment::Cgroup) {
        checks.push(DoctorCheck::missing(
            "cgroup",
            "no cgroup is delegated to us",
            "Start Runward with `systemd-run --user --scope -p Delegate=yes`.",
        ));
    }
    if ways.is_empty() {
        let what = "nothing can hold a process tree together, so nothing can run";
        checks.push(DoctorCheck {
            name: "containment",
            state: CheckState::Broken,
            found: what.to_owned(),
            fix: None,
        });
    }
    checks
}

fn keeper(name: &'static str, keeper: Option<Keeper>) -> DoctorCheck {
    match keeper {
        Some(Keeper::Runward) => DoctorCheck::ok(name, "kept by Runward itself"),
        Some(Keeper::Cgroup) => DoctorCheck::ok(name, "kept by the command's cgroup"),
        Some(Keeper::Rlimit) => DoctorCheck::ok(name, "kept by a resource limit of each process"),
        Some(Keeper::Job) => DoctorCheck::ok(name, "kept by the command's job object"),
        None => DoctorCheck::missing(
            name,
            "nothing here can enforce it; a command that asks for it does not run",
            "Delegate a cgroup to Runward, or run it as an ordinary user.",
        ),
    }
}

fn per_process(facts: &HostFacts) -> DoctorCheck {
    let name = "per-process limits";
    match facts.abilities.per_process {
        None if is_windows(facts) => DoctorCheck::missing(
            name,
            "Windows keeps none; a command that asks for one does not run",
            "Limit its time, memory or processes instead.",
        ),
        kept => keeper(name, kept),
    }
}

fn terminal(facts: &HostFacts) -> DoctorCheck {
    if facts.abilities.pty {
        DoctorCheck::ok("pty", "commands can have a terminal")
    } else if is_windows(facts) {
        DoctorCheck {
            name: "pty",
            state: CheckState::Missing,
            found: "not on Windows yet".to_owned(),
            fix: None,
        }
    } else {
        DoctorCheck::missing("pty", "no pseudo-terminal can be opened", "Mount devpts at /dev/pts.")
    }
}

fn configuration(facts: &HostFacts, file: Option<&Path>) -> DoctorCheck {
    match setup::read(file, facts) {
        Ok(_) => {
            let files = setup::files_in_use(file, facts);
            let names: Vec<_> = files.iter().map(|path| word(path.as_os_str())).collect();
            let found = if names.is_empty() { unconfigured(facts, file) } else { names.join(", ") };
            DoctorCheck::ok("configuration", found)
        }
        Err(VerbFailure::Told(view) | VerbFailure::Marked(view, _)) => DoctorCheck {
            name: "configuration",
            state: CheckState::Broken,
            found: view.message,
            fix: view.hint,
        },
        Err(VerbFailure::ReaderGone | VerbFailure::Left) => DoctorCheck::ok("configuration", "not looked at"),
    }
}

/// Where a file would be read from.
fn unconfigured(facts: &HostFacts, file: Option<&Path>) -> String {
    match places::user_file(file, facts) {
        UserFile::Named(place) | UserFile::Usual(place) => {
            format!("no file; the built-in values hold; would be read from {}", word(place.as_os_str()))
        }
        UserFile::Nowhere => "no file; the built-in values hold".to_owned(),
    }
}

/// What agents may run.
fn rules(settings: &Settings) -> DoctorCheck {
    let rules = RulesInForce::of(settings, &settings.policy());
    if rules.opens() {
        return DoctorCheck::ok("rules", rules.sentence());
    }
    let found = "none, so every command of an agent is refused";
    DoctorCheck::missing("rules", found, "Allow reading and building with: runward init")
}

/// Names that allow any code, because running code is the program's job.
fn run_code(settings: &Settings) -> Option<DoctorCheck> {
    let policy = settings.policy();
    let names: Vec<String> = policy.names_that_run_code().iter().map(|name| format!("`{name}`")).collect();
    let told = || format!("{} run code: a caller that may run them may run anything", names.join(", "));
    (!names.is_empty()).then(|| DoctorCheck::ok("allowed programs", told()))
}

fn state(facts: &HostFacts) -> DoctorCheck {
    let Some(folder) = places::state_folder(facts) else {
        return DoctorCheck::missing(
            "state folder",
            "no home to put it in",
            "Name one with `RUNWARD_STATE_DIR`.",
        );
    };
    let shown = word(folder.as_os_str());
    match writable(&folder) {
        Ok(()) => DoctorCheck::ok("state folder", shown),
        Err(error) => DoctorCheck::missing(
            "state folder",
            format!("{shown} cannot be written: {error}"),
            "Make it writable, or name another with `RUNWARD_STATE_DIR`.",
        ),
    }
}

/// Trying is the only honest answer: permissions alone do not show full or read-only file systems.
pub(super) fn writable(folder: &Path) -> io::Result<()> {
    host::private_folder(folder)?;
    let trial = folder.join(format!("doctor-{}", std::process::id()));
    drop(host::private_file(&trial)?);
    std::fs::remove_file(&trial)
}

fn open_files() -> DoctorCheck {
    match host::open_files_limit() {
        None => DoctorCheck::ok("open files", "no limit"),
        Some(limit) if limit >= FEW_FILES => DoctorCheck::ok("open files", limit.to_string()),
        Some(limit) => {
            DoctorCheck::missing("open files", format!("only {limit}"), "Raise it with `ulimit -n 4096`.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runward::core::facts::{Abilities, Naming, System};

    fn facts(naming: Naming, way: Containment, keeper: Keeper) -> HostFacts {
        let kept = Some(keeper);
        let containment = vec![way];
        HostFacts {
            system: if naming.backslashes == Backslashes::Separate { System::Windows } else { System::Linux },
            cwd: "/".into(),
            home: None,
            env: std::collections::BTreeMap::new(),
            naming,
            shell: None,
            node: None,
            abilities: Abilities {
                containment,
                memory: kept,
                processes: kept,
                layers: Some(Vec::new()),
                ..Abilities::default()
            },
        }
    }

    #[test]
    fn a_host_on_which_nothing_holds_a_tree_is_told_to_run_nothing() {
        let mut bare = facts(Naming::unix(), Containment::Subreaper, Keeper::Rlimit);
        bare.abilities.containment.clear();
        let told = containment(&bare);
        assert_eq!(told.len(), 1);
        assert!(told[0].state == CheckState::Broken && told[0].line().contains("nothing can run"));
    }

    #[test]
    fn a_cure_is_one_of_the_host() {
        let windows = facts(Naming::windows(None), Containment::Job, Keeper::Job);
        let lines: Vec<String> = all(&windows, None).iter().map(DoctorCheck::line).collect();
        let told = lines.join("\n");
        for foreign in ["bash", "python3", "cgroup", "devpts", "sysctl"] {
            assert!(!told.contains(foreign), "{foreign}: {told}");
        }
        let linux = facts(Naming::unix(), Containment::Subreaper, Keeper::Rlimit);
        assert!(all(&linux, None).iter().any(|check| check.name == "python3"));
    }
}
