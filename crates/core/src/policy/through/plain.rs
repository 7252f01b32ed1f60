//! Wrappers whose words follow the usual order: options, what stands before the command, the command.
//!
//! May not know any program: the [`table`](super::table) does.

use super::options::{Found, Mark, Order, Read, Value, read};
use super::table::{Alone, Before, Wrapper};
use super::{Opaque, Spread, Started, Word, is_one, started, sways};

/// What stands behind the options and what else comes before the command.
pub(super) fn words_behind(wrapper: &Wrapper, words: &[Word]) -> Result<Vec<Started>, Opaque> {
    let read = read(wrapper.options, Order::First, words)?;
    if read.ends {
        return Ok(Vec::new());
    }
    harmless(&read)?;
    behind(wrapper, &read.operands)
}

/// The command in these operands of a wrapper.
pub(super) fn behind(wrapper: &Wrapper, operands: &[Word]) -> Result<Vec<Started>, Opaque> {
    let mut rest = operands;
    for before in wrapper.before {
        rest = skip(*before, rest)?;
    }
    if rest.is_empty() && wrapper.alone == Alone::Shell {
        return Err(Opaque::because("it starts a shell, which runs what it is fed"));
    }
    started(rest)
}

fn skip(before: Before, rest: &[Word]) -> Result<&[Word], Opaque> {
    let Some((first, behind)) = rest.split_first() else { return Ok(rest) };
    match before {
        Before::Variables => variables(rest),
        Before::Word if is_one(first) => Ok(behind),
        Before::Number if starts_with_digit(first) => Ok(behind),
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
pub(super) fn harmless(read: &Read) -> Result<(), Opaque> {
    read.found.iter().try_for_each(is_harmless)
}

fn is_harmless(found: &Found) -> Result<(), Opaque> {
    let start = match &found.value {
        Some(Word::Known(text)) => text.to_str(),
        Some(Word::Open { start, .. }) => Some(start.as_str()),
        None => return Ok(()),
    };
    let is_known = found.value.as_ref().is_some_and(|value| value.text().is_some());
    match (found.mark, start) {
        (Mark::Takes(Value::Set), Some(start)) if is_known || start.contains('=') => {
            sways::is_free(start.split_once('=').map_or(start, |(name, _)| name))
        }
        (Mark::Takes(Value::File), Some(start)) if !start.is_empty() && !start.starts_with(['|', '!']) => {
            Ok(())
        }
        (Mark::Takes(Value::Set | Value::File), _) => {
            Err(Opaque::because("the value of an option may be a command"))
        }
        _ => Ok(()),
    }
}
