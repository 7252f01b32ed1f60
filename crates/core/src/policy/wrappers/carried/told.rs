//! Programs that can be told, by an option, to run something else.
//!
//! May not read all options of these programs: what looks like one of those counts, even where it is a value.

use super::{Carried, end_of_options, shown};
use crate::policy::Word;
use crate::policy::tables::{ProgramTable, TableSection};
use crate::policy::wrappers::name::unversioned;
use std::sync::LazyLock;

static TABLE: LazyLock<ProgramTable> =
    LazyLock::new(|| ProgramTable::read(include_str!("../../../../presets/told.table")));

pub(super) fn says(name: &str, words: &[Word]) -> Option<Carried> {
    let told = TABLE.find(name, unversioned(name))?;
    if old_tar(told, words) {
        return Some(Carried::never(format!("{} runs what it names", shown(name, words, 1))));
    }
    let all = (1..end_of_options(words)).filter_map(|at| one_word(told, name, words, at));
    all.max_by_key(|carried| carried.words)
}

/// What one word says. An entry that has it, and its value, names it on purpose.
fn one_word(told: TableSection, name: &str, words: &[Word], at: usize) -> Option<Carried> {
    let word = &words[at];
    let Some(text) = word.text() else {
        let because = format!("what `{name}` is told to run is only known when it runs");
        return word.may_be_option().then(|| Carried::never(because));
    };
    let values = told.value("values").unwrap_or_default();
    let token = told.words("runs").find(|token| is_it(token, text, values))?;
    let letter = token.strip_prefix('-').filter(|letter| letter.len() == 1);
    let has_value = match letter {
        Some(letter) => !text.ends_with(letter),
        None => !token.starts_with('-') || token.ends_with('*') || text.contains('='),
    };
    let needed = (at + 1 + usize::from(!has_value)).min(words.len());
    Some(Carried::new(format!("{} may run what it names", shown(name, words, at)), needed))
}

/// `tar cIf PROGRAM …`: letters without a dash.
fn old_tar(told: TableSection, words: &[Word]) -> bool {
    let letters = words.get(1).and_then(Word::text).filter(|word| !word.starts_with('-'));
    told.names().any(|name| name == "tar")
        && letters.is_some_and(|letters| letters.contains(['I', 'F', 'T', 'M', 'L']))
}

/// Options that are whole, though another begins so.
const WHOLE: &[&str] = &["file"];

/// Whether a word is what a line of the table names.
fn is_it(token: &str, text: &str, values: &str) -> bool {
    if token == "*=*" {
        return !text.starts_with('-') && text.contains('=');
    }
    if let Some(start) = token.strip_suffix('*') {
        return text.starts_with(start);
    }
    let name = text.split('=').next().unwrap_or(text);
    if let Some(long) = token.strip_prefix("--") {
        // A program that takes one dash for long options reads this as well.
        let begun = name.strip_prefix("--").is_some_and(|given| {
            !given.is_empty() && long.starts_with(given) && (given == long || !WHOLE.contains(&given))
        });
        return begun || name.strip_prefix('-').is_some_and(|given| given == long);
    }
    match token.strip_prefix('-') {
        Some(letter) if letter.len() == 1 => has_letter(text, letter, values),
        Some(word) => name.trim_start_matches('-') == word && name.starts_with('-') || text == token,
        None => text == token,
    }
}

/// Whether a letter is among bundled options, before one that takes the rest for its value.
fn has_letter(text: &str, letter: &str, values: &str) -> bool {
    let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
        return false;
    };
    let own = letters.find(|given| values.contains(given)).map_or(letters, |end| &letters[..=end]);
    own.contains(letter)
}
