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
