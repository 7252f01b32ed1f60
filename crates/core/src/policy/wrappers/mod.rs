//! Looking through commands that start others: what `env`, `timeout`, `xargs`, `sh -c` and their kin would start.
//!
//! A command that starts something is understood completely or not at all. May not judge, and may not look at the
//! host.
//! Read first: [`through`], then the [`table`].

mod carried;
mod env;
mod find;
mod interactive;
mod more;
mod name;
mod opaque;
mod options;
mod plain;
mod shells;
mod sways;
mod table;
#[cfg(test)]
mod tests;
mod texts;
mod windows;
mod xargs;

pub(super) use carried::code_file;
pub use carried::{Carried, carried, runs_code};
pub use interactive::interactive;
pub use sways::sways_programs;

use super::runs_others::is_shell_word;
use super::{Opaque, Spread, Word};
use name::name_of;

/// Something that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartedCommand {
    /// A command of words, the name first. The name is always known and never empty.
    Words(Vec<Word>),
    /// A text for a shell.
    Script {
        /// The shell, as it was named; `$SHELL` where the command takes whichever the environment names.
        shell: String,
        /// The text.
        text: String,
    },
}

/// What a command starts besides itself; nothing for most. The words are the command's own, its name first.
pub fn through(words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let Some(first) = words.first() else { return Err(Opaque::because("there is no command")) };
    let Some(name) = name_of(first) else {
        return Err(Opaque::because("the name of a program is only known when it runs"));
    };
    if let Some(started) = table::starts(&name, words) {
        return started;
    }
    if crate::policy::activation::file(words).is_some() {
        return Ok(Vec::new());
    }
    if is_shell_word(&name) {
        return Err(Opaque::because(format!("`{name}` means something to a shell alone")));
    }
    opaque::is_understood(&name, words)?;
    Ok(Vec::new())
}

/// Whether a command runs what it is fed.
pub(super) fn asks(words: &[Word]) -> bool {
    words.first().and_then(name_of).is_some_and(|name| carried::asks(&name, words))
}

/// Whether a file goes by the name of a shell.
pub(super) fn is_shell(file: &std::path::Path) -> bool {
    name_of(&Word::known(file)).is_some_and(|name| table::is_shell(&name))
}

/// The rest of a wrapper's words, which are the command it starts; nothing where there are none.
fn started(rest: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    match rest.first() {
        None => Ok(Vec::new()),
        Some(Word::Open { .. }) => {
            Err(Opaque::because("the name of the program it starts is only known when it runs"))
        }
        Some(Word::Known(name)) if name.is_empty() => {
            Err(Opaque::because("it starts a program without a name"))
        }
        // Where one program stops reading options, another of the same name reads on.
        Some(word) if word.may_be_option() => {
            Err(Opaque::because("the name of the program it starts begins with a dash"))
        }
        // `env` takes it for a variable, its kin for a name.
        Some(Word::Known(name)) if name.as_encoded_bytes().contains(&b'=') => {
            Err(Opaque::because("the name of the program it starts looks like a variable"))
        }
        Some(Word::Known(_)) => Ok(vec![StartedCommand::Words(rest.to_vec())]),
    }
}

/// A text that a shell is given, where it is known.
fn script(shell: &str, text: &Word) -> Result<StartedCommand, Opaque> {
    match text.text() {
        Some(text) => Ok(StartedCommand::Script { shell: shell.to_owned(), text: text.to_owned() }),
        None => Err(Opaque::because("the text a shell is given is only known when it runs")),
    }
}

/// Whether it is one word, known or not.
fn is_one(word: &Word) -> bool {
    matches!(word, Word::Known(_) | Word::Open { spread: Spread::One, .. })
}
