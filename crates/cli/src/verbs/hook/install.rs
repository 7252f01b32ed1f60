//! `runward hook install`: shows the change of a client's settings, asks, makes it in one step, and proves the hook.
//!
//! What was there is kept, so that `--remove` gives the file back as it was. May not be used by a command that Runward runs:
//! it would set up its own judge.

use super::VerbResult;
use super::test;
use super::wrap::own_program;
use crate::args::{HookInstallArgs, HookTestArgs};
use crate::ask;
use crate::hook::install::{HookEntry, plugin, with_entry, without_entry};
use crate::hook::theirs::{self, ClientRule, RulePlaces, TakenOver};
use crate::hook::{HookClient, TicketDesk};
use crate::output::{VerbFailure, print};
use crate::places;
use crate::private;
use crate::remember::{self, OwnersFile};
use crate::setup::Setup;
use runward::approve::{Remember, RuleWritten};
use runward::core::policy::Rule;
use runward::core::render::word;
use runward::{Code, ErrorView, HostFacts, host};
use serde::{Deserialize, Serialize};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

/// Beside the time for a person's answer, and for a host that is busy.
const SPARE_SECONDS: u64 = 10;

/// What a file was before the hook came into it.
#[derive(Debug, Serialize, Deserialize)]
struct SettingsBefore {
    path: PathBuf,
    /// Nothing where there was no file.
    before: Option<String>,
    /// The hash of what was written.
    written: String,
}

/// A change of one file.
struct SettingsChange {
    path: PathBuf,
    old: Option<String>,
    new: Option<String>,
}

pub(in crate::verbs) fn run(args: &HookInstallArgs, file: Option<&Path>) -> VerbResult {
    if host::runs_under_runward() == Some(true) {
        return Err(refused(
            "a command that Runward runs may not change a client's hooks",
            "Do it yourself, in a terminal.",
        ));
    }
    let setup = Setup::open(file)?;
    let state = places::state_folder(&setup.facts)
        .ok_or_else(|| refused("there is no state folder", "Name one with `RUNWARD_STATE_DIR`."))?;
    let desk = TicketDesk::in_state(&state);
    if args.remove {
        return remove(args, &setup, &desk);
    }
    let program = own_program().map_err(|trouble| refused(&trouble.0, "Install Runward again."))?;
    let waits = setup.settings.hooks().ask_wait.as_secs();
    let plugin_file = places::config_folder(&setup.facts).map(|folder| folder.join("runward-opencode.js"));
    let entry = HookEntry {
        client: args.client,
        program,
        wrap: args.wrap,
        timeout: waits + SPARE_SECONDS,
        plugin: plugin_file.as_ref().map(|path| format!("file://{}", path.display())).unwrap_or_default(),
    };
    let rules = if args.wrap { taken_over(args.client, &setup)? } else { Vec::new() };
    let path = settings_file(args.client, &setup.facts)?;
    let old = read(&path)?;
    let new = with_entry(old.as_deref().unwrap_or_default(), &entry).map_err(|why| {
        refused(
            &format!("`{}` cannot take the hook: {}", path.display(), why.0),
            "Change the file, then try again.",
        )
    })?;
    let change = SettingsChange { path, old, new: Some(new) };
    let ours: Vec<Rule> = new_rules(&rules, &setup);
    tell(&change, &ours)?;
    if args.dry_run || !agreed(args)? {
        return Ok(0);
    }
    take_over(args, file, &setup, &desk, (&rules, &ours))?;
    if args.client == HookClient::OpenCode
        && let Some(file) = plugin_file
    {
        write(&file, &plugin(&entry))?;
    }
    make(&change, args.client, &desk)?;
    prove(args.client, file, &change.path)
}

/// The client's own rules, all of which can be said as ours.
fn taken_over(client: HookClient, setup: &Setup) -> Result<Vec<ClientRule>, VerbFailure> {
    if !client.rewrites() {
        let message = format!("{} does not take another text for a command from its hook", client.title());
        return Err(refused(&message, "Install it without `--wrap`."));
    }
    let places = RulePlaces::of(&setup.facts, &setup.facts.cwd);
    let rules =
        theirs::rules_of(client, &places).map_err(|why| refused(&why, "Install it without `--wrap`."))?;
    let lost: Vec<&ClientRule> = rules.iter().filter(|rule| rule.rule.is_none()).collect();
    if lost.is_empty() {
        return Ok(rules);
    }
    let message =
        format!("{} would stop working: {}", theirs::counted(client, lost.len()), theirs::listed(&lost));
    Err(refused(&message, "Install it without `--wrap`: then the client's own rules stay in force."))
}

fn new_rules(rules: &[ClientRule], setup: &Setup) -> Vec<Rule> {
    let known: Vec<&Rule> = setup.settings.configured_rules().map(|setting| &setting.rule).collect();
    let all = rules.iter().filter_map(|rule| rule.rule.clone());
    all.filter(|rule| !known.contains(&rule)).collect()
}

/// Writes the rules, and keeps which of them are said. Both come before the hook.
fn take_over(
    args: &HookInstallArgs,
    file: Option<&Path>,
    setup: &Setup,
    desk: &TicketDesk,
    (theirs, ours): (&[ClientRule], &[Rule]),
) -> Result<(), VerbFailure> {
    if !ours.is_empty() {
        let owners = OwnersFile::of(file, &setup.facts);
        if owners.is_none_or(|owners| owners.write(ours) == RuleWritten::No) {
            return Err(refused(
                "the client's own rules could not be written to your configuration",
                "Install it without `--wrap`.",
            ));
        }
    }
    if args.wrap {
        let kept = desk.keep_of(args.client, "rules", &TakenOver::of(theirs));
        kept.map_err(|error| VerbFailure::host("which rules were taken over could not be kept", &error))?;
    } else {
        desk.forget(args.client, "rules");
    }
    Ok(())
}

fn remove(args: &HookInstallArgs, setup: &Setup, desk: &TicketDesk) -> VerbResult {
    let path = settings_file(args.client, &setup.facts)?;
    let Some(old) = read(&path)? else {
        print(&format!("there is no hook to take out: `{}` does not exist", word(path.as_os_str())))?;
        return Ok(0);
    };
    let kept: Option<SettingsBefore> = desk.kept_of(args.client, "before");
    let kept = kept.filter(|kept| kept.path == path && kept.written == TicketDesk::hash_of(&old));
    let new = match kept {
        Some(kept) => kept.before,
        None => {
            let new = without_entry(&old, args.client);
            Some(new.map_err(|why| {
                refused(
                    &format!("`{}` cannot be read: {}", path.display(), why.0),
                    "Take the hook out yourself.",
                )
            })?)
        }
    };
    if new.as_deref() == Some(&old) {
        print(&format!("there is no hook of Runward in `{}`", word(path.as_os_str())))?;
        return Ok(0);
    }
    let change = SettingsChange {
        path,
        old: Some(old),
        new: new.filter(|new| args.client != HookClient::Cline || !new.is_empty()),
    };
    tell(&change, &[])?;
    if args.dry_run || !agreed(args)? {
        return Ok(0);
    }
    match &change.new {
        Some(new) => write(&change.path, new)?,
        None => std::fs::remove_file(remember::real(&change.path))
            .map_err(|error| unwritten(&change.path, &error))?,
    }
    for what in ["before", "rules", "after", "alive", "bypassed"] {
        desk.forget(args.client, what);
    }
    print("the hook is taken out")?;
    Ok(0)
}

/// Where a client has its hooks.
fn settings_file(client: HookClient, facts: &HostFacts) -> Result<PathBuf, VerbFailure> {
    let named = |name: &str| facts.env_var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = |name: &str| facts.home.as_ref().map(|home| home.join(name));
    let path = match client {
        HookClient::ClaudeCode => {
            named("CLAUDE_CONFIG_DIR").or_else(|| home(".claude")).map(|folder| folder.join("settings.json"))
        }
        HookClient::Codex => {
            named("CODEX_HOME").or_else(|| home(".codex")).map(|folder| folder.join("hooks.json"))
        }
        HookClient::Gemini => home(".gemini/settings.json"),
        HookClient::OpenCode => {
            let config = named("XDG_CONFIG_HOME").or_else(|| home(".config"));
            config.map(|config| config.join("opencode/opencode.json"))
        }
        HookClient::Cursor => home(".cursor/hooks.json"),
        HookClient::Copilot => Some(facts.cwd.join(".github/hooks/runward.json")),
        HookClient::Cline => home("Documents/Cline/Hooks/PreToolUse"),
    };
    path.map(|path| facts.cwd.join(path))
        .ok_or_else(|| refused("there is no home to find the client's settings in", "Set `HOME`."))
}

fn read(path: &Path) -> Result<Option<String>, VerbFailure> {
    private::read(path)
        .map_err(|error| VerbFailure::host(&format!("`{}` cannot be read", path.display()), &error))
}

fn tell(change: &SettingsChange, rules: &[Rule]) -> Result<(), VerbFailure> {
    let name = word(change.path.as_os_str());
    let old = change.old.as_deref().unwrap_or_default();
    let Some(new) = &change.new else { return print(&format!("{name} is removed")) };
    if new == old {
        print(&format!("{name} has the hook already"))?;
    } else {
        print(&format!("{name}\n{}", changed_lines(old, new)))?;
    }
    let tables: Vec<String> = rules.iter().filter_map(runward::config::rule_table).collect();
    if tables.is_empty() {
        Ok(())
    } else {
        print(&format!("rules for your configuration:\n{}", tables.join("\n")))
    }
}

/// The lines that go and come, between what stays at both ends.
fn changed_lines(old: &str, new: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = before.iter().zip(&after).take_while(|(one, other)| one == other).count();
    let rest = before.len().min(after.len()) - same;
    let tail = before
        .iter()
        .rev()
        .zip(after.iter().rev())
        .take(rest)
        .take_while(|(one, other)| one == other)
        .count();
    let gone = before[same..before.len() - tail].iter().map(|line| format!("- {line}"));
    let come = after[same..after.len() - tail].iter().map(|line| format!("+ {line}"));
    gone.chain(come).collect::<Vec<_>>().join("\n")
}

fn agreed(args: &HookInstallArgs) -> Result<bool, VerbFailure> {
    if args.yes {
        return Ok(true);
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(refused(
            "nobody is there to ask about this change",
            "Add `--yes` to make it, or `--dry-run` to only see it.",
        ));
    }
    let line = ask::put("Make this change? [y/N] ")
        .map_err(|error| VerbFailure::host("the question could not be put", &error))?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn make(change: &SettingsChange, client: HookClient, desk: &TicketDesk) -> Result<(), VerbFailure> {
    let Some(new) = change.new.as_ref().filter(|new| Some(*new) != change.old.as_ref()) else {
        return Ok(());
    };
    let kept: Option<SettingsBefore> = desk.kept_of(client, "before");
    // Where the hook was there already, the text from before it is what comes back.
    let old = change.old.clone();
    let again = kept.filter(|kept| {
        kept.path == change.path && old.as_ref().is_some_and(|old| kept.written == TicketDesk::hash_of(old))
    });
    let before = again.map_or(old, |kept| kept.before);
    let kept = SettingsBefore { path: change.path.clone(), before, written: TicketDesk::hash_of(new) };
    desk.keep_of(client, "before", &kept)
        .map_err(|error| VerbFailure::host("the file as it was could not be kept", &error))?;
    write(&change.path, new)?;
    desk.forget(client, "bypassed");
    if client != HookClient::Cursor && client != HookClient::Cline {
        desk.expect_after(client);
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), VerbFailure> {
    let real = remember::real(path);
    if std::fs::metadata(&real).is_ok_and(|found| found.permissions().readonly()) {
        return Err(refused(
            &format!("`{}` is read-only", path.display()),
            "Make it writable, then try again.",
        ));
    }
    remember::replace(&real, text).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &io::Error) -> VerbFailure {
    VerbFailure::host(&format!("`{}` could not be written", path.display()), error)
}

/// What holds from now on, and what the client would be told about a command that is refused.
fn prove(client: HookClient, file: Option<&Path>, path: &Path) -> VerbResult {
    print(&format!("the hook is in `{}`", word(path.as_os_str())))?;
    let more = match client {
        HookClient::Codex => Some(
            "Codex does not run a hook that nobody trusted, and does not say so: start `codex`, type `/hooks`, and trust it there.",
        ),
        HookClient::Cline => Some("Make the file executable: Cline runs it as a program."),
        _ => None,
    };
    if let Some(more) = more {
        print(more)?;
    }
    test::run(&HookTestArgs { client, text: "rm -rf / --no-preserve-root".to_owned() }, file)
}

fn refused(message: &str, hint: &str) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::SpecBadValue,
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
    })
}
