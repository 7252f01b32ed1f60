//! Wrappers with words in the usual order: options, what stands before the command, the command.
//!
//! May not know any program: the [`table`](super::table) does.

use super::options::{FoundOption, OptionMark, OptionOrder, OptionValue, OptionsRead, read};
use super::{Opaque, Spread, StartedCommand, Word, is_one, started, sways};
use crate::policy::tables::TableSection;

/// What stands behind the options and what else comes before the command.
pub(super) fn words_behind(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::First, words)?;
    if read.ends {
        return Ok(Vec::new());
    }
    harmless(&read)?;
    behind(wrapper, &read.operands)
}

/// The command in these operands of a wrapper.
pub(super) fn behind(wrapper: TableSection, operands: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let mut rest = operands;
    for before in wrapper.words("before") {
        rest = skip(before, rest)?;
    }
    if rest.is_empty() && wrapper.value("alone") == Some("shell") {
        return Err(Opaque::because("it starts a shell, which runs what it is fed"));
    }
    started(rest)
}

fn skip<'a>(before: &str, rest: &'a [Word]) -> Result<&'a [Word], Opaque> {
    let Some((first, behind)) = rest.split_first() else { return Ok(rest) };
    match before {
        "variables" => variables(rest),
        "word" if is_one(first) => Ok(behind),
        "number" if starts_with_digit(first) => Ok(behind),
        _ => Err(Opaque::because("where the command it starts begins is not known")),
    }
}

fn starts_with_digit(word: &Word) -> bool {
    let digit = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.');
    match word {
        Word::Known(text) => text.to_str().is_some_and(digit),
        Word::Open { start, spread } => *spread == Spread::One && digit(start),
    }
}

/// What stands behind `NAME=VALUE` words, none of which decides what programs do.
pub(super) fn variables(mut rest: &[Word]) -> Result<&[Word], Opaque> {
    while let Some((word, behind)) = rest.split_first() {
        let start = match word {
            Word::Known(text) => text.to_str().ok_or_else(|| Opaque::because("a word of it is no text"))?,
            Word::Open { start, spread: Spread::One } => start,
            Word::Open { .. } => break,
        };
        let Some((name, _)) = start.split_once('=') else { break };
        sways::is_free(name)?;
        rest = behind;
    }
    Ok(rest)
}

/// Refuses to understand options that set variables which decide what programs do, or that name a command.
pub(super) fn harmless(read: &OptionsRead) -> Result<(), Opaque> {
    read.found.iter().try_for_each(is_harmless)
}

fn is_harmless(found: &FoundOption) -> Result<(), Opaque> {
    let start = match &found.value {
        Some(Word::Known(text)) => text.to_str(),
        Some(Word::Open { start, .. }) => Some(start.as_str()),
        None => return Ok(()),
    };
    let is_known = found.value.as_ref().is_some_and(|value| value.text().is_some());
    match (found.mark, start) {
        (OptionMark::Takes(OptionValue::Set), Some(start)) if is_known || start.contains('=') => {
            sways::is_free(start.split_once('=').map_or(start, |(name, _)| name))
        }
        (OptionMark::Takes(OptionValue::File), Some(start))
            if !start.is_empty() && !start.starts_with(['|', '!']) =>
        {
            Ok(())
        }
        (OptionMark::Takes(OptionValue::Set | OptionValue::File), _) => {
            Err(Opaque::because("the value of an option may be a command"))
        }
        _ => Ok(()),
    }
}
