//! What a person probably meant who typed what cannot be parsed, found or read: whole command lines, to be pasted.
//!
//! May not run anything, nor suggest what destroys. Read first: [`meant`].

mod pattern;
mod shell;
mod verb;

pub(crate) use pattern::unread_pattern;
pub(crate) use verb::meant;

use crate::output::VerbFailure;
use runward::core::render::command_line;
use runward::{Code, ErrorView};
use std::ffi::OsString;

/// The failure of a command that was typed, with the hint that fits what was typed.
pub(crate) fn at_the_command_line(failure: VerbFailure, program: &[OsString]) -> VerbFailure {
    match failure {
        VerbFailure::Told(view) if view.code == Code::ResolveNotFound => {
            let typed: Vec<OsString> = std::env::args_os().collect();
            let hint = shell::instead(program, &before_the_program(&typed)).or(view.hint.clone());
            VerbFailure::Told(ErrorView { hint, ..view })
        }
        other => other,
    }
}

/// The words before `--`, without the name of this program.
fn before_the_program(typed: &[OsString]) -> Vec<OsString> {
    match typed.iter().position(|word| word == "--") {
        Some(at) if at > 1 => typed[1..at].to_vec(),
        _ => vec!["exec".into()],
    }
}

/// A command line of ours.
fn line(words: &[OsString]) -> String {
    format!("runward {}", command_line(words))
}

/// The same, with these words behind it.
fn line_with(words: &[OsString], behind: &[OsString]) -> String {
    line(&[words, behind].concat())
}
