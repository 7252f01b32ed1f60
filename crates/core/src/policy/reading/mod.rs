//! The shell parser: every simple command that a script would run, with its words, or that it cannot be known.
//!
//! A script is understood completely or not at all. May not judge anything, and may not look at the host.
//! Read first: [`read`].

mod arguments;
mod builtins;
mod compound;
mod condition;
mod counting;
mod dollar;
mod here;
mod list;
mod lists;
mod plain;
mod quotes;
mod reader;
mod redirect;
mod second;
mod simple;
mod sum;
mod traps;
mod word;

use super::{Spread, Word};
use reader::ScriptReader;
use serde::Serialize;
use std::path::Path;

/// Everything a script could run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ScriptReading {
    /// Every simple command that could run, in the order of the text, whatever branch, loop, function, subshell or
    /// substitution it stands in. A command that only calls a function of the script is not listed.
    pub commands: Vec<Simple>,
    /// Assignments that hold beyond one command: alone, or through `export` and its kin.
    pub assigns: Vec<Assignment>,
    /// Redirections of compound commands, and of no command at all.
    pub redirects: Vec<Redirect>,
    /// Variables that the shell evaluates. Nothing in the text sets one to anything but a number; what the environment
    /// holds under such a name has to be looked at.
    pub worked_out: Vec<String>,
    /// Whether a command may run more than once, or later than where it stands: in a loop, a function or a trap.
    pub repeats: bool,
}

/// One simple command: a name that is known, and its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Simple {
    /// Its words, the name first. The name is always known and never empty.
    pub words: Vec<Word>,
    /// Assignments in front of it.
    pub assigns: Vec<Assignment>,
    /// Its redirections.
    pub redirects: Vec<Redirect>,
}

/// A variable that a script sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// What it is set to.
    pub value: Word,
}

/// Where a stream is sent, or comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Redirect {
    /// A file is read.
    Reads(Word),
    /// A file is written, made, or opened for both.
    Writes(Word),
    /// One descriptor is copied to another, moved or closed.
    Copies,
    /// Text of the script itself is read.
    Text,
}

/// Why a text or a command is not understood.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{because}")]
pub struct Opaque {
    /// What stands in the way: a fragment for people, such as `the name of a program is only known when it runs`.
    pub because: String,
    /// How to say the same so that it is understood: a whole sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

impl Opaque {
    /// Not understood, and this is why.
    pub fn because(why: impl Into<String>) -> Self {
        Self { because: why.into(), instead: None }
    }

    /// The same, with a spelling that is understood.
    #[must_use]
    pub fn instead(self, how: impl Into<String>) -> Self {
        Self { instead: Some(how.into()), ..self }
    }
}

/// How a shell reads text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dialect {
    /// bash.
    Bash,
    /// A shell that follows the standard: what is special to bash may mean something else.
    Posix,
    /// zsh.
    Zsh,
    /// Any other: nothing but plain words is understood.
    Other,
}

impl Dialect {
    /// The dialect of a shell, by its file's name.
    pub fn of(shell: &Path) -> Self {
        match shell.file_name().and_then(|name| name.to_str()) {
            Some("bash" | "rbash") => Dialect::Bash,
            Some("sh" | "dash" | "ash" | "ksh") => Dialect::Posix,
            Some("zsh") => Dialect::Zsh,
            _ => Dialect::Other,
        }
    }
}

/// The longest text that is looked at.
const LONGEST: usize = 10_000;

/// Reads a script completely, or says why it cannot be known what it runs.
pub fn read(script: &str, dialect: Dialect) -> Result<ScriptReading, Opaque> {
    // `bash -c +x` takes the text for an option, and what follows it for the text.
    if script.starts_with(['-', '+']) {
        return Err(Opaque::because("a shell would take the text for an option"));
    }
    match dialect {
        Dialect::Bash => fully(script, false),
        Dialect::Posix => fully(script, true),
        Dialect::Zsh | Dialect::Other => one_command(script, dialect),
    }
}

/// One simple command of plain words.
fn one_command(script: &str, dialect: Dialect) -> Result<ScriptReading, Opaque> {
    let words = plain::words(script, dialect)
        .ok_or_else(|| Opaque::because("the text is more than one simple command of plain words"))?;
    let words = words.into_iter().map(Word::known).collect();
    let command = Simple { words, assigns: Vec::new(), redirects: Vec::new() };
    Ok(ScriptReading { commands: vec![command], ..ScriptReading::default() })
}

/// A whole script, by two readers that must agree.
fn fully(script: &str, posix: bool) -> Result<ScriptReading, Opaque> {
    if script.len() > LONGEST {
        return Err(Opaque::because(format!("the text is longer than {LONGEST} bytes")));
    }
    let controls = |letter: char| letter.is_ascii_control() && !matches!(letter, '\t' | '\n' | '\r' | '\x0b');
    if script.contains(controls) {
        return Err(Opaque::because("there are control characters in the text"));
    }
    let mut reader = whole(ScriptReader::new(script, posix))?;
    if reader.names.agree().is_err() || reader.nullglob {
        // A variable was taken for a number, and is set to something else further on; or patterns may become nothing.
        let (distrusted, vanishing) = (reader.names.not_numbers, reader.nullglob);
        reader = ScriptReader::new(script, posix);
        reader.names.distrusted = distrusted;
        reader.vanishing = vanishing;
        reader = whole(reader)?;
        reader.names.agree()?;
    }
    reader.agrees_with_the_second()?;
    reader.commands.sort_by_key(|(at, _)| *at);
    let commands = reader.commands.into_iter().map(|(_, command)| command).collect();
    let worked_out = reader.names.worked_out.into_iter().collect();
    Ok(ScriptReading { commands, worked_out, ..reader.reading })
}

fn whole(mut reader: ScriptReader<'_>) -> Result<ScriptReader<'_>, Opaque> {
    reader.whole()?;
    if !reader.pending.is_empty() {
        return Err(Opaque::because("a here-document has no end"));
    }
    reader.found.sort_unstable();
    Ok(reader)
}

impl ScriptReader<'_> {
    /// Whether the second reader of the text finds the same commands at the same places.
    fn agrees_with_the_second(&self) -> Result<(), Opaque> {
        let second = lists::commands(self.text).or_else(|| second::commands(&self.for_the_second()));
        if second.is_some_and(|found| found == self.found) {
            return Ok(());
        }
        Err(Opaque::because("two readers of the text do not agree on what it runs"))
    }
}

#[cfg(test)]
mod tests;
