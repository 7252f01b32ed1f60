//! Looking through commands that start others: what `env`, `timeout`, `xargs`, `sh -c` and their kin would start.
//!
//! A command that starts something is understood completely or not at all. May not judge, and may not look at the
//! host.
//! Read first: [`through`].

use super::runs_others::runs_others;
use super::{Opaque, Word};
use std::ffi::OsStr;

/// Something that a command starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Started {
    /// A command of words, the name first. The name is always known and never empty.
    Words(Vec<Word>),
    /// A text for a shell.
    Script {
        /// The shell, as it was named.
        shell: String,
        /// The text.
        text: String,
    },
}

/// What a command starts besides itself; nothing for most. The words are the command's own, its name first.
pub fn through(words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let known: Vec<&OsStr> = words.iter().filter_map(Word::exact).collect();
    if runs_others(&known) {
        return Err(Opaque::because("it starts what its words say"));
    }
    Ok(Vec::new())
}

/// Code that a command carries in its own words, so that its name alone does not say what it will do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// What carries it: a fragment for people.
    pub because: String,
    /// How many words of the command must be named to allow it on purpose; `usize::MAX` for none that would do.
    pub words: usize,
}

/// The code that a command carries, if it does.
pub fn carried(_: &[Word]) -> Option<Carried> {
    None
}

/// Why whoever types into this command could run anything, if they could.
pub fn interactive(_: &[Word]) -> Option<String> {
    None
}
