//! `env`: options, variables, and `-S`, which takes one word apart before anything else is read.
//!
//! May not expand anything: a text with `$`, a backslash or a comment in it is opaque.

use super::options::{OptionMark, OptionOrder, OptionValue, OptionsRead, read};
use super::plain::variables;
use super::sways::is_free;
use super::{Opaque, StartedCommand, Word, started};
use crate::policy::tables::TableSection;

/// How often `-S` may stand inside what `-S` was given.
const DEPTH: usize = 4;

pub(super) fn starts(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let mut words = words.to_vec();
    for _ in 0..DEPTH {
        let read = read(wrapper, OptionOrder::First, &words)?;
        if read.ends {
            return Ok(Vec::new());
        }
        takes_nothing_away(&read)?;
        let last = read
            .found
            .into_iter()
            .next_back()
            .filter(|last| last.mark == OptionMark::Takes(OptionValue::Split));
        let Some(split) = last.and_then(|last| last.value) else {
            return behind_variables(&read.operands);
        };
        let text = split
            .text()
            .ok_or_else(|| Opaque::because("what `-S` takes apart is only known when it runs"))?;
        words.truncate(1);
        words.extend(take_apart(text)?.into_iter().map(Word::known));
        words.extend(read.operands);
    }
    Err(Opaque::because("it takes words apart too often"))
}

/// A variable that is missing decides as much as one that is set: bash without a PATH may look in the folder it works in.
fn takes_nothing_away(read: &OptionsRead) -> Result<(), Opaque> {
    if read.has("-i") {
        return Err(Opaque::because("`env -i` takes away what decides which programs run"));
    }
    for found in read.all("-u") {
        match found.value.as_ref().and_then(Word::text) {
            Some(name) => is_free(name)?,
            None => {
                return Err(Opaque::because("which variable `env -u` takes away is only known when it runs"));
            }
        }
    }
    Ok(())
}

fn behind_variables(operands: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    // A mere dash means `-i`.
    if operands.first().is_some_and(|word| word.exact().is_some_and(|word| word == "-")) {
        return Err(Opaque::because("`env -` takes away what decides which programs run"));
    }
    started(variables(operands)?)
}

/// The words of a text, as `env -S` takes it apart.
fn take_apart(text: &str) -> Result<Vec<String>, Opaque> {
    if text.contains(['$', '\\', '#', '\0']) {
        return Err(Opaque::because("what `-S` takes apart is expanded when it runs"));
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n' | '\r' | '\x0b' | '\x0c') => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err(Opaque::because("a quote is not closed")) } else { Ok(words) }
}
