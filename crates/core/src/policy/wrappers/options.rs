//! How a program reads its options, from the lines that a table has about it: `wrappers.table` says what each key means.
//!
//! May not guess: an option that is not named, or a beginning that fits several, is opaque.

use super::Word;
use crate::policy::tables::TableSection;
use crate::policy::{Opaque, Spread};
use std::ffi::OsStr;

/// What the value of an option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValue {
    /// Nothing that runs.
    Plain,
    /// A text for a shell: `:text`.
    Text,
    /// Words that the program itself takes apart: `:split`.
    Split,
    /// A variable and its value: `:set`.
    Set,
    /// A file, or a command where it begins with `|` or `!`: `:file`.
    File,
    /// Code of the program's own language: `:code`.
    Code,
    /// The name of code to load: `:load`.
    Load,
}

/// What an option takes and means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionMark {
    Flag,
    Takes(OptionValue),
    MayTake,
    Ends,
    Refused,
    /// It makes the program ask for code.
    Asks,
}

/// Where options may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionOrder {
    /// Before the first operand only.
    First,
    /// Anywhere before `--`.
    Anywhere,
}

/// One option that was given.
#[derive(Debug)]
pub(super) struct FoundOption {
    /// All its names, as the table has them.
    names: &'static str,
    pub(super) mark: OptionMark,
    pub(super) value: Option<Word>,
    /// In which word it stood, counted from the program's name.
    pub(super) at: usize,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct OptionsRead {
    pub(super) found: Vec<FoundOption>,
    pub(super) operands: Vec<Word>,
    /// An option was given that makes the program start nothing.
    pub(super) ends: bool,
    /// How many operands stood before `--`, where there was one.
    pub(super) before_dashes: Option<usize>,
}

impl OptionsRead {
    /// Whether an option was given, by one of its names.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Every time an option was given.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a FoundOption> {
        self.found.iter().filter(move |found| found.names.split('|').any(|known| known == name))
    }
}

/// What the key of a line says about the options behind it; nothing for a key that is not about options.
fn mark_of(key: &str, word: &'static str) -> Option<(&'static str, OptionMark)> {
    let mark = match key {
        "flags" => OptionMark::Flag,
        "takes" => {
            let (names, value) = word.split_once(':').unwrap_or((word, ""));
            return Some((names, OptionMark::Takes(value_of(value)?)));
        }
        "maybe" => OptionMark::MayTake,
        "ends" => OptionMark::Ends,
        "never" => OptionMark::Refused,
        "asks" => OptionMark::Asks,
        "numbers" => return Some((NUMBER, OptionMark::Flag)),
        _ => return None,
    };
    Some((word, mark))
}

fn value_of(meaning: &str) -> Option<OptionValue> {
    Some(match meaning {
        "" => OptionValue::Plain,
        "text" => OptionValue::Text,
        "split" => OptionValue::Split,
        "set" => OptionValue::Set,
        "file" => OptionValue::File,
        "code" => OptionValue::Code,
        "load" => OptionValue::Load,
        _ => return None,
    })
}

/// The name under which a number behind a dash is found.
const NUMBER: &str = "-NUMBER";

/// Whether a key of a table is about options.
#[cfg(test)]
pub(super) fn is_option_key(key: &str) -> bool {
    mark_of(key, "").is_some()
}

/// Every option that a program of a table is known to have.
pub(super) fn all_options(of: TableSection) -> impl Iterator<Item = (&'static str, OptionMark)> {
    of.lines().flat_map(|line| {
        let key = line.key.unwrap_or_default();
        line.rest.split_whitespace().filter_map(move |word| mark_of(key, word))
    })
}

/// Reads the words behind a program's name.
pub(super) fn read(table: TableSection, order: OptionOrder, words: &[Word]) -> Result<OptionsRead, Opaque> {
    let mut reader = OptionReader { table, words, at: 1, next: 1, read: OptionsRead::default() };
    while let Some(word) = words.get(reader.next) {
        reader.at = reader.next;
        reader.next += 1;
        if word.exact().is_some_and(|word| word == "--") {
            reader.read.before_dashes = Some(reader.read.operands.len());
            break;
        }
        if reader.option(word)? {
            if reader.read.ends {
                return Ok(reader.read);
            }
            if reader.read.found.last().is_some_and(|last| is_last(last.mark)) {
                break;
            }
        } else if order == OptionOrder::First {
            reader.next -= 1;
            break;
        } else {
            reader.read.operands.push(word.clone());
        }
    }
    let rest = words.get(reader.next..).unwrap_or_default();
    reader.read.operands.extend_from_slice(rest);
    Ok(reader.read)
}

/// Whether what follows is no longer the program's own: what a value is taken apart to comes first, and code is
/// given the rest.
fn is_last(mark: OptionMark) -> bool {
    matches!(mark, OptionMark::Takes(OptionValue::Split | OptionValue::Code | OptionValue::Load))
}

struct OptionReader<'a> {
    table: TableSection,
    words: &'a [Word],
    at: usize,
    next: usize,
    read: OptionsRead,
}

impl OptionReader<'_> {
    /// Reads one word as options; says no where it is an operand.
    fn option(&mut self, word: &Word) -> Result<bool, Opaque> {
        match word {
            Word::Known(_) if !word.may_be_option() => Ok(false),
            Word::Known(text) => {
                let text = text.to_str().ok_or_else(|| unknown(text))?;
                match (self.numbered(text), text.strip_prefix("--")) {
                    (Some((names, mark)), _) => self.note(names, mark, None)?,
                    (None, None) => self.bundle(text)?,
                    (None, Some(long)) => match long.split_once('=') {
                        Some((name, value)) => self.long(name, Some(Word::known(value)))?,
                        None => self.long(long, None)?,
                    },
                }
                Ok(true)
            }
            Word::Open { start, spread: Spread::One } if start.starts_with("--") && start.contains('=') => {
                let (name, value) = start[2..].split_once('=').unwrap_or((start, ""));
                let value = Word::Open { start: value.to_owned(), spread: Spread::One };
                self.long(name, Some(value))?;
                Ok(true)
            }
            _ if word.may_be_option() => Err(Opaque::because("an option is only known when it runs")),
            Word::Open { .. } => Ok(false),
        }
    }

    fn long(&mut self, name: &str, value: Option<Word>) -> Result<(), Opaque> {
        let (names, mark) = self.by_long(name).ok_or_else(|| unknown(OsStr::new(&format!("--{name}"))))?;
        let value = match (mark, value) {
            (OptionMark::Takes(_), None) => Some(self.next_word(names)?),
            (OptionMark::Takes(_) | OptionMark::MayTake, value) => value,
            (_, None) => None,
            (_, Some(_)) => return Err(Opaque::because(format!("`--{name}` takes no value"))),
        };
        self.note(names, mark, value)
    }

    /// The option with this long name, or the only one with a name that begins so.
    fn by_long(&self, name: &str) -> Option<(&'static str, OptionMark)> {
        let all = || all_options(self.table);
        let fits = |names: &str, fit: &dyn Fn(&str) -> bool| {
            names.split('|').any(|known| known.strip_prefix("--").is_some_and(fit))
        };
        if let Some(exact) = all().find(|(names, _)| fits(names, &|known| known == name)) {
            return Some(exact);
        }
        let mut begun = all().filter(|(names, _)| fits(names, &|known| known.starts_with(name)));
        let first = begun.next()?;
        (begun.next().is_none() && !name.is_empty()).then_some(first)
    }

    fn bundle(&mut self, text: &str) -> Result<(), Opaque> {
        let mut letters = text[1..].chars();
        while let Some(letter) = letters.next() {
            let (names, mark) = self.by_short(letter).ok_or_else(|| unknown(OsStr::new(text)))?;
            let glued = letters.as_str();
            let value = match mark {
                OptionMark::Takes(_) if glued.is_empty() => Some(self.next_word(names)?),
                OptionMark::Takes(_) => Some(Word::known(glued)),
                OptionMark::MayTake => (!glued.is_empty()).then(|| Word::known(glued)),
                _ => None,
            };
            self.note(names, mark, value)?;
            if self.read.ends || matches!(mark, OptionMark::Takes(_) | OptionMark::MayTake) {
                break;
            }
        }
        Ok(())
    }

    fn by_short(&self, letter: char) -> Option<(&'static str, OptionMark)> {
        let is_it = |known: &str| {
            let mut letters = known.chars();
            letters.next() == Some('-') && letters.next() == Some(letter) && letters.next().is_none()
        };
        let mut all = all_options(self.table);
        all.find(|(names, _)| letter != '-' && names.split('|').any(is_it))
    }

    /// `-10`, `--10` and `-+10`, where the program takes a number for an option.
    fn numbered(&self, text: &str) -> Option<(&'static str, OptionMark)> {
        let number = text[1..].trim_start_matches(['-', '+']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let mut all = all_options(self.table);
        is_number.then(|| all.find(|(names, _)| *names == NUMBER)).flatten()
    }

    fn next_word(&mut self, names: &str) -> Result<Word, Opaque> {
        let word = self.words.get(self.next);
        self.next += 1;
        match word {
            Some(word @ (Word::Known(_) | Word::Open { spread: Spread::One, .. })) => Ok(word.clone()),
            Some(_) => {
                Err(Opaque::because("how many words an option's value has is only known when it runs"))
            }
            None => Err(Opaque::because(format!("the value of `{names}` is missing"))),
        }
    }

    fn note(&mut self, names: &'static str, mark: OptionMark, value: Option<Word>) -> Result<(), Opaque> {
        if mark == OptionMark::Refused {
            let name = names.split('|').next_back().unwrap_or(names);
            return Err(Opaque::because(format!("what it starts is not understood with `{name}`")));
        }
        self.read.ends |= mark == OptionMark::Ends;
        self.read.found.push(FoundOption { names, mark, value, at: self.at });
        Ok(())
    }
}

fn unknown(option: &OsStr) -> Opaque {
    Opaque::because(format!("its option `{}` is not known here", option.display()))
}
