//! Commands that carry code of their own in their words, or ask to be fed code: naming the program alone is no leave
//! for those.
//!
//! May not judge, and may not read the code. Doubt counts as code.
//! Read first: [`carried`].

mod git;
mod interpreters;
mod queries;
mod runners;
mod scripts;
mod starters;
#[cfg(test)]
mod tests;
mod told;

use super::Word;
use super::name::name_of;

pub(super) use interpreters::asks;
pub(in crate::policy) use interpreters::code_file;

/// That a command carries code of its own, or asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    /// What it does: a fragment for people, such as "`python3 -c` carries code of its own".
    pub because: String,
    /// How many words an entry of a list must have to allow this on purpose; [`usize::MAX`] where no entry does.
    pub words: usize,
}

impl Carried {
    fn new(because: impl Into<String>, words: usize) -> Self {
        Self { because: because.into(), words }
    }

    /// No entry of words covers it.
    fn never(because: impl Into<String>) -> Self {
        Self::new(because, usize::MAX)
    }
}

/// Whether a program's job is to run code, so that naming it is leave for the code that it is given: interpreters, build
/// and package tools, containers, other machines. Shells are none of these: their text is read.
pub fn runs_code(name: &Word) -> bool {
    name_of(name).is_some_and(|name| {
        interpreters::is_language(&name) || runners::is_runner(&name) || starters::is_other_machine(&name)
    })
}

/// Whether a command carries code of its own in its words, or asks to be fed code.
pub fn carried(words: &[Word]) -> Option<Carried> {
    let name = name_of(words.first()?)?;
    if name != "yarn" && is_asked_about_itself(words) {
        return None;
    }
    let says = [
        interpreters::says,
        git::says,
        queries::says,
        told::says,
        starters::says,
        runners::says,
        scripts::says,
    ];
    says.iter().filter_map(|says| says(&name, words)).max_by_key(|carried| carried.words)
}

/// Whether a program is only asked for its version or for help.
pub(super) fn is_asked_about_itself(words: &[Word]) -> bool {
    let about = |word: &Word| word.text().is_some_and(|word| ["--version", "--help"].contains(&word));
    matches!(words, [_, word] if about(word))
}

/// The first words of a command, for people.
fn shown(name: &str, words: &[Word], last: usize) -> String {
    let text = words.get(last).and_then(Word::text).unwrap_or_default();
    let text: String = text.chars().take(40).collect();
    if last == 0 || text.is_empty() { format!("`{name}`") } else { format!("`{name} {text}`") }
}

/// Where a reliable `--` ends the options: it may itself be the value of an option right before it.
fn end_of_options(words: &[Word]) -> usize {
    let is_end = |at: &usize| {
        words[*at].exact().is_some_and(|word| word == "--") && (*at == 1 || !words[*at - 1].may_be_option())
    };
    (1..words.len()).find(is_end).unwrap_or(words.len())
}
