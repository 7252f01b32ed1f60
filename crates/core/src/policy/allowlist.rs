//! `ALLOWED_COMMANDS`: the commands that may run, whoever asks and through whichever door.
//!
//! May not allow what it does not understand: a script that is not one simple command, and a command that
//! runs others, are refused unless everything is allowed.

use super::reading::{self, Dialect};
use super::runs_others::runs_others;
use super::{Decision, Match, Told, Word};
use crate::error::Code;
use crate::spec::Program;
use std::ffi::OsStr;
use std::path::Path;

/// The list, as its owner wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowedCommands {
    entries: Vec<String>,
}

/// What can be known about a command from its words.
enum Understood<'a> {
    Words(Vec<&'a OsStr>),
    Opaque,
}

impl AllowedCommands {
    /// The entries of a comma-separated text.
    pub fn read(text: &str) -> Self {
        Self::of(text.split(','))
    }

    /// These entries, trimmed; empty ones are dropped.
    pub fn of<S: AsRef<str>>(entries: impl IntoIterator<Item = S>) -> Self {
        let trimmed = entries.into_iter().map(|entry| entry.as_ref().trim().to_owned());
        Self { entries: trimmed.filter(|entry| !entry.is_empty()).collect() }
    }

    /// Whether nothing at all is allowed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is allowed, for people: the entries, or `(none)`.
    fn listed(&self) -> String {
        if self.entries.is_empty() { "(none)".to_owned() } else { self.entries.join(", ") }
    }

    /// What the list says about a program. `shell` is who would read a script.
    pub(super) fn says(&self, asked: &Program, shell: &Path) -> Match {
        if self.entries.iter().any(|entry| entry == "*") {
            return allowed("*");
        }
        let text;
        let read = match asked {
            Program::Exec { name, args } => {
                Understood::Words([name].into_iter().chain(args).map(|word| word.as_os_str()).collect())
            }
            Program::Shell { script, .. } => {
                // One simple command of plain words is all that this list looks at, whatever the shell.
                let dialect = match Dialect::of(shell) {
                    Dialect::Other => Dialect::Other,
                    Dialect::Bash | Dialect::Posix | Dialect::Zsh => Dialect::Zsh,
                };
                text = script.to_str().and_then(|script| reading::read(script, dialect).ok());
                match &text {
                    Some(reading) => Understood::Words(
                        reading.commands.iter().flat_map(|c| &c.words).filter_map(Word::exact).collect(),
                    ),
                    None => Understood::Opaque,
                }
            }
        };
        match read {
            Understood::Words(words) if runs_others(&words) => self.refused(asked, &words, OPAQUE),
            Understood::Words(words) => match self.entries.iter().find(|entry| begins(&words, entry)) {
                Some(entry) => allowed(entry),
                None => self.refused(asked, &words, HOW),
            },
            Understood::Opaque => self.refused(asked, &[], OPAQUE),
        }
    }

    fn refused(&self, asked: &Program, words: &[&OsStr], hint: &str) -> Match {
        let shown = shown(asked, words, |name| {
            self.entries.iter().any(|entry| entry.split(' ').next() == Some(name))
        });
        Match {
            rule: "ALLOWED_COMMANDS".to_owned(),
            decision: Decision::Deny,
            because: format!("only these may run: {}", self.listed()),
            told: Some(Told {
                code: Code::PolicyDenied,
                message: format!("Command \"{shown}\" is not allowed, allowed commands: {}", self.listed()),
                hint: hint.to_owned(),
            }),
        }
    }

    /// The words for a door that a missing list keeps shut.
    pub(crate) fn nothing_allows(asked: &Program) -> Told {
        let refusal = Self::default().says(asked, Path::new("sh"));
        refusal.told.unwrap_or_else(|| Told {
            code: Code::PolicyDenied,
            message: String::new(),
            hint: HOW.to_owned(),
        })
    }
}

const HOW: &str = "Ask the owner to add it to ALLOWED_COMMANDS (or to `policy.allowed_commands`), which agents cannot change.";

const OPAQUE: &str = "Give one simple command of plain words: what runs other commands, or cannot be understood completely, is refused unless ALLOWED_COMMANDS is `*`.";

fn allowed(entry: &str) -> Match {
    Match {
        rule: format!("ALLOWED_COMMANDS: {entry}"),
        decision: Decision::Allow,
        because: "the list of allowed commands has it".to_owned(),
        told: None,
    }
}

/// Whether the words begin with all the words of an entry.
fn begins(words: &[&OsStr], entry: &str) -> bool {
    let mut words = words.iter();
    entry.split_whitespace().all(|wanted| words.next().is_some_and(|word| *word == OsStr::new(wanted)))
}

/// The command for a message: its name, and all of it where the name alone would mislead.
fn shown(asked: &Program, words: &[&OsStr], is_listed: impl Fn(&str) -> bool) -> String {
    let name = words.first().and_then(|name| name.to_str()).filter(|name| !is_listed(name));
    let text = match (asked, name) {
        (_, Some(name)) => name.to_owned(),
        (Program::Shell { script, .. }, None) => crate::render::word(script),
        (Program::Exec { .. }, None) => crate::render::command_line(words),
    };
    crate::render::one_line(&text)
}
