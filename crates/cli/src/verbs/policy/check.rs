//! `runward policy check`: every command in a text, every rule that matches it, and the decision.

use super::VerbResult;
use crate::args::{CallerKind, CheckArgs};
use crate::output::{OutputFormat, emit, folded, print};
use crate::places::{self, UserFile};
use crate::rules::RulesInForce;
use crate::setup::{Setup, SpoolChoice};
use runward::core::plan::Leave;
use runward::core::policy::{Additions, Judged, Match, ProgramIdentity, Ruling, Word, runs_code};
use runward::core::render::{command_line, one_line, word};
use runward::{Caller, CommandSpec, Decision, Door, Draft, ErrorView, Request, Terminal};
use serde::Serialize;
use std::fmt::Write;
use std::io::{self, IsTerminal};
use std::path::Path;

/// The exit code for a judged command line.
const REFUSED: i32 = 126;

/// The answer, as `--json` prints it.
#[derive(Debug, Serialize)]
struct CheckView<'a> {
    asked: String,
    decision: Decision,
    understood: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    opaque: Option<&'a str>,
    commands: &'a [Judged],
    rules: Vec<&'a Match>,
    refusal: Option<ErrorView>,
}

pub(super) fn run(args: &CheckArgs, file: Option<&Path>) -> VerbResult {
    let setup = Setup::open(file)?;
    let engine = setup.engine(SpoolChoice::Off)?;
    let draft = engine.explain(Request::by(caller(args), spec(args)))?;
    let mut view = view(args, &draft);
    match OutputFormat::of(&args.format) {
        OutputFormat::Plain => {
            let rules = RulesInForce::of(&setup.settings, &engine.policy());
            if let (Some(refusal), false, true) = (&mut view.refusal, rules.opens(), to_a_person()) {
                refusal.hint = Some(to_the_owner(file, &setup));
            }
            print(folded::for_stdout(text(&view, args.verbose).trim_end(), 6).as_str())?;
        }
        structured => emit(&view, structured)?,
    }
    Ok(if view.decision == Decision::Allow { 0 } else { REFUSED })
}

fn to_a_person() -> bool {
    io::stdout().is_terminal()
}

/// A person at a terminal need not ask the owner: they are.
fn to_the_owner(file: Option<&Path>, setup: &Setup) -> String {
    let place = match places::user_file(file, &setup.facts) {
        UserFile::Named(path) | UserFile::Usual(path) => one_line(&word(path.as_os_str())),
        UserFile::Nowhere => "your configuration".to_owned(),
    };
    format!("You are the owner: add presets = [\"readonly\"] under [policy] in {place}, or run: runward init")
}

fn caller(args: &CheckArgs) -> Caller {
    match args.by {
        CallerKind::Program => Caller::tool(Door::Mcp, &args.tool),
        CallerKind::Typed => Caller::person(),
        CallerKind::File => Caller::file(Door::Flow),
    }
}

fn spec(args: &CheckArgs) -> CommandSpec {
    let mut spec = match (&args.text, &args.command[..]) {
        (Some(text), _) => CommandSpec::shell(text),
        (None, [name, rest @ ..]) => CommandSpec::exec(name).args(rest),
        (None, []) => CommandSpec::shell(""),
    };
    spec.cwd.clone_from(&args.cwd);
    if args.pty {
        spec.terminal = Terminal::Pty { rows: 24, cols: 80 };
    }
    spec
}

fn view<'a>(args: &CheckArgs, draft: &'a Draft) -> CheckView<'a> {
    let ruling: &Ruling = draft.ruling();
    CheckView {
        asked: args.text.as_ref().map_or_else(|| command_line(&args.command), |text| one_line(&word(text))),
        decision: ruling.decision(),
        understood: ruling.opaque().is_none(),
        opaque: ruling.opaque(),
        commands: ruling.commands(),
        rules: ruling.matches().collect(),
        refusal: match draft.leave() {
            Leave::Refused(refusal) => Some(refusal.view()),
            Leave::Granted(_) | Leave::Ask(_) => None,
        },
    }
}

fn text(view: &CheckView<'_>, verbose: bool) -> String {
    let mut out = format!("{}: {}\n", view.decision.name(), view.asked);
    if let Some(opaque) = view.opaque {
        line(&mut out, 1, &format!("not understood: {opaque}"));
    }
    for command in view.commands {
        command_lines(&mut out, command, verbose);
    }
    let inside: Vec<&Match> = view.commands.iter().flat_map(|command| &command.matches).collect();
    for rule in view.rules.iter().filter(|rule| !inside.iter().any(|known| std::ptr::eq(*known, **rule))) {
        line(&mut out, 1, &spoken(rule));
    }
    if let Some(refusal) = &view.refusal {
        line(&mut out, 0, &format!("refused: {}", refusal.message));
        line(&mut out, 0, &format!("hint: {}", refusal.hint.as_deref().unwrap_or("none")));
    }
    out
}

fn command_lines(out: &mut String, command: &Judged, verbose: bool) {
    let via =
        if command.via.is_empty() { String::new() } else { format!(" (through {})", command.via.join(", ")) };
    line(out, 1, &format!("{}: {}{via}", command.decision.name(), command.command));
    line(out, 2, &format!("program: {}", program(&command.program)));
    command.matches.iter().for_each(|rule| line(out, 2, &spoken(rule)));
    if command.decision == Decision::Allow && runs_code(&Word::known(&command.name)) {
        line(out, 2, "runs code: a caller that may run it may run anything");
    }
    command.unless.iter().for_each(|why| line(out, 2, &format!("not allowed: {why}")));
    given(&command.given, verbose).iter().for_each(|what| line(out, 2, what));
    if command.matches.is_empty() && command.decision == Decision::Deny {
        line(out, 2, "no rule allows it");
    }
}

/// What the command is given besides its arguments: how much, or by name; values are never shown.
fn given(settled: &Additions, verbose: bool) -> Vec<String> {
    let args: Vec<&str> = settled.args.iter().map(|(_, text)| text.as_str()).collect();
    let names: Vec<&str> = settled.env.iter().map(|(name, _)| name.as_str()).collect();
    let settings: Vec<&str> = settled.config.iter().map(|(name, _)| name.as_str()).collect();
    if verbose {
        let all = [("arguments added", args), ("variables set", names), ("settings of git", settings)];
        let there = all.into_iter().filter(|(_, words)| !words.is_empty());
        return there.map(|(what, words)| format!("{what}: {}", words.join(" "))).collect();
    }
    let all = [(args.len(), "argument"), (names.len(), "variable"), (settings.len(), "setting of git")];
    let counts: Vec<String> = all.into_iter().filter(|(count, _)| *count > 0).map(counted).collect();
    let why = if settled.config.is_empty() { "" } else { " so that the repository runs nothing" };
    let told =
        |counts: Vec<String>| format!("given with it: {}{why} (--verbose names them)", counts.join(", "));
    (!counts.is_empty()).then(|| told(counts)).into_iter().collect()
}

/// `1 variable`, `45 variables`, `17 settings of git`
fn counted((count, what): (usize, &str)) -> String {
    match (count, what.split_once(' ')) {
        (1, _) => format!("1 {what}"),
        (_, Some((first, rest))) => format!("{count} {first}s {rest}"),
        (_, None) => format!("{count} {what}s"),
    }
}

fn spoken(rule: &Match) -> String {
    format!("{} by the rule `{}`: {}", rule.decision.name(), rule.rule, rule.because)
}

fn program(identity: &ProgramIdentity) -> String {
    match identity {
        ProgramIdentity::Builtin => "a builtin of the shell".to_owned(),
        ProgramIdentity::File { path, planted: true, .. } => {
            format!("{}, in a folder that the command works in", word(path.as_os_str()))
        }
        ProgramIdentity::File { path, .. } => word(path.as_os_str()),
        ProgramIdentity::Missing => "none of that name was found".to_owned(),
        ProgramIdentity::Unsure => "depends on the folder that the script changes to".to_owned(),
    }
}

fn line(out: &mut String, depth: usize, text: &str) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{:indent$}{text}", "", indent = depth * 2);
}
