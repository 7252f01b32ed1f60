//! `xargs`: the command it names, with words behind or inside it that only its input knows.
//!
//! May not know the input: every word from it is open.

use super::options::{OptionOrder, OptionsRead, read};
use super::{Opaque, Spread, StartedCommand, Word, started};
use crate::policy::tables::TableSection;

pub(super) fn starts(wrapper: TableSection, words: &[Word]) -> Result<Vec<StartedCommand>, Opaque> {
    let read = read(wrapper, OptionOrder::First, words)?;
    if read.ends {
        return Ok(Vec::new());
    }
    let mark = replaced(&read)?;
    let named = if read.operands.is_empty() { vec![Word::known("echo")] } else { read.operands.clone() };
    let mut command: Vec<Word> = match &mark {
        Some(mark) => named.into_iter().map(|word| with_input(word, mark)).collect(),
        None => named,
    };
    // Which of `-I` and a count wins depends on their order and on the version.
    if mark.is_none() || ["-L", "-l", "-n"].iter().any(|count| read.has(count)) {
        command.push(Word::Open { start: String::new(), spread: Spread::Any });
    }
    started(&command)
}

/// What stands for a line of the input, where that was asked for.
fn replaced(read: &OptionsRead) -> Result<Option<String>, Opaque> {
    let mut marks = read.all("-I").chain(read.all("-i")).map(|found| found.value.as_ref());
    let (first, more) = (marks.next(), marks.next());
    match (first, more) {
        (None, _) => Ok(None),
        (Some(None), None) => Ok(Some("{}".to_owned())),
        (Some(Some(mark)), None) => match mark.text() {
            Some(mark) if !mark.is_empty() => Ok(Some(mark.to_owned())),
            _ => Err(Opaque::because("what the input takes the place of is not known")),
        },
        (Some(_), Some(_)) => Err(Opaque::because("the input takes the place of several things")),
    }
}

fn with_input(word: Word, mark: &str) -> Word {
    match &word {
        Word::Known(text) => match text.to_str() {
            Some(known) => match known.split_once(mark) {
                Some((start, _)) => Word::Open { start: start.to_owned(), spread: Spread::One },
                None => word,
            },
            None => Word::Open { start: String::new(), spread: Spread::One },
        },
        Word::Open { start, spread } => {
            let start = start.split_once(mark).map_or(start.as_str(), |(start, _)| start);
            Word::Open { start: start.to_owned(), spread: *spread }
        }
    }
}
