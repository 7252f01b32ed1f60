//! A program where a verb is expected, a program without `--`, and verbs that are not there.

use super::{line, line_with, shell};
use crate::args::Cli;
use crate::output::VerbFailure;
use crate::setup;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use runward::core::render::{one_line, word};
use runward::core::resolve::{find_program, nearest};
use runward::host;
use std::ffi::OsString;

/// What to say instead of the parser's own words, where we know better.
pub(crate) fn meant(error: &clap::Error, typed: &[OsString]) -> Option<VerbFailure> {
    let root = Cli::command();
    let at = first_word(&root, &root, typed, 1)?;
    let verb = typed[at].to_str().and_then(|name| root.find_subcommand(name));
    match (error.kind(), verb) {
        (ErrorKind::InvalidSubcommand, None) => Some(no_verb(&root, typed, at)),
        (ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument, Some(verb))
            if ["exec", "explain"].contains(&verb.get_name()) =>
        {
            let program = first_word(verb, &root, typed, at + 1)?;
            (typed[program].to_str() == invalid(error)).then(|| without_dashes(typed, program))
        }
        (ErrorKind::InvalidSubcommand, Some(verb)) => Some(no_inner_verb(verb, invalid(error)?)),
        _ => None,
    }
}

fn invalid(error: &clap::Error) -> Option<&str> {
    let of = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    of(ContextKind::InvalidSubcommand).or_else(|| of(ContextKind::InvalidArg))
}

/// The index of the first word, from here on, that is neither an option nor the value of one.
fn first_word(command: &Command, root: &Command, typed: &[OsString], mut at: usize) -> Option<usize> {
    loop {
        let text = typed.get(at)?.to_string_lossy();
        if text == "--" {
            return None;
        }
        let known = |fits: &dyn Fn(&Arg) -> bool| {
            command.get_arguments().chain(root.get_arguments()).find(|arg| fits(arg))
        };
        let option = match (text.strip_prefix("--"), text.strip_prefix('-')) {
            (Some(long), _) => known(&|arg| arg.get_long() == Some(long)),
            (None, Some(short)) if !short.is_empty() => {
                known(&|arg| arg.get_short().is_some_and(|known| short == known.to_string()))
            }
            _ => return Some(at),
        };
        at += if option.is_some_and(|arg| arg.get_action().takes_values()) { 2 } else { 1 };
    }
}

/// `runward exec ls -la`
fn without_dashes(typed: &[OsString], at: usize) -> VerbFailure {
    let (ours, program) = (&typed[1..at], &typed[at..]);
    let hint = if program.len() == 1 && shell::is_script(&program[0]) {
        let behind = ["--shell".into(), program[0].clone()];
        format!("This looks like shell text: {}", line_with(ours, &behind))
    } else {
        format!("Put -- before the program: {}", line(&[ours, &["--".into()], program].concat()))
    };
    let message = format!("`{}` stands where an option is expected", one_line(&word(&program[0])));
    VerbFailure::bad_value(message, &hint)
}

/// `runward ls`
fn no_verb(root: &Command, typed: &[OsString], at: usize) -> VerbFailure {
    let (ours, program) = (&typed[1..at], &typed[at..]);
    let name = one_line(&word(&program[0]));
    let exec = [ours, &["exec".into()]].concat();
    let near = nearest(&name, visible(root)).into_iter().next();
    let hint = if let Some(hint) = shell::instead(program, &exec) {
        hint
    } else if is_program(&program[0]) {
        format!("To run it: {}", line(&[&exec[..], &["--".into()], program].concat()))
    } else if let Some(near) = near {
        format!("Did you mean: {}", line(&[ours, &[near.into()], &program[1..]].concat()))
    } else {
        "See `runward --help` for the verbs.".to_owned()
    };
    VerbFailure::bad_value(format!("there is no verb `{name}`"), &hint)
}

/// `runward config set`
fn no_inner_verb(verb: &Command, inner: &str) -> VerbFailure {
    let outer = verb.get_name();
    let near = match (outer, inner) {
        // A value is changed in the file, where its comments are.
        ("config", "set" | "unset" | "add") => Some("edit".to_owned()),
        _ => nearest(inner, visible(verb)).into_iter().next(),
    };
    let near = near.map(|near| format!("Did you mean `runward {outer} {near}`? ")).unwrap_or_default();
    let all: Vec<&str> = visible(verb).collect();
    let hint = format!("{near}Its verbs are {}: see `runward help {outer}`.", all.join(", "));
    VerbFailure::bad_value(format!("there is no verb `{outer} {}`", one_line(inner)), &hint)
}

/// The names of verbs that a person may be told of.
fn visible(command: &Command) -> impl Iterator<Item = &str> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(Command::get_name)
}

fn is_program(name: &OsString) -> bool {
    let Ok(facts) = setup::facts() else { return false };
    let path = facts.env_var("PATH").unwrap_or_default().to_owned();
    find_program(name, &path, &facts, &host::Disk).is_some()
}
