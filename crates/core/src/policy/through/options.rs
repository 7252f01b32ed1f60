//! How a program reads its options, from one line of data.
//!
//! The line names every option that is understood, with a mark that says what it takes and means:
//! `-v|--verbose` stands alone, `-k|--kill-after=` takes a value (glued, behind `=`, or the next word),
//! `-e|--eof?` takes a value that is glued or behind `=`, `--help!` makes the program start nothing, and
//! `--chdir^` is known and refused. A word behind `=` says what the value means: [`Value`]. `-NUMBER` stands for
//! any number behind a dash.
//!
//! May not guess: an option that is not named, or whose beginning fits several, is opaque.

use super::Word;
use crate::policy::{Opaque, Spread};
use std::ffi::OsStr;

/// What the value of an option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// Nothing that runs: `=`.
    Plain,
    /// A text for a shell: `=text`.
    Text,
    /// Words that the program itself takes apart: `=split`.
    Split,
    /// A variable and its value: `=set`.
    Set,
    /// A file, or a command where it begins with `|` or `!`: `=file`.
    File,
    /// Code of the program's own language: `=code`.
    Code,
    /// The name of code to load: `=load`.
    Load,
}

/// What an option takes and means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Flag,
    Takes(Value),
    MayTake,
    Ends,
    Refused,
    /// It makes the program ask for code: `@`.
    Asks,
}

/// Where options may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Before the first operand only.
    First,
    /// Anywhere before `--`.
    Anywhere,
}

/// One option that was given.
#[derive(Debug)]
pub(super) struct Found {
    /// All its names, as the table has them.
    names: &'static str,
    pub(super) mark: Mark,
    pub(super) value: Option<Word>,
    /// In which word it stood, counted from the program's name.
    pub(super) at: usize,
}

/// What was read.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) found: Vec<Found>,
    pub(super) operands: Vec<Word>,
    /// An option was given that makes the program start nothing.
    pub(super) ends: bool,
    /// How many operands stood before `--`, where there was one.
    pub(super) before_dashes: Option<usize>,
}

impl Read {
    /// Whether an option was given, by one of its names.
    pub(super) fn has(&self, name: &str) -> bool {
        self.all(name).next().is_some()
    }

    /// Every time an option was given.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Found> {
        self.found.iter().filter(move |found| found.names.split('|').any(|known| known == name))
    }
}

fn mark_of(token: &'static str) -> (&'static str, Mark) {
    if let Some((names, meaning)) = token.split_once('=') {
        let value = match meaning {
            "text" => Value::Text,
            "split" => Value::Split,
            "set" => Value::Set,
            "file" => Value::File,
            "code" => Value::Code,
            "load" => Value::Load,
            _ => Value::Plain,
        };
        return (names, Mark::Takes(value));
    }
    let last = token.len().saturating_sub(1);
    match token.as_bytes().last() {
        Some(b'?') => (&token[..last], Mark::MayTake),
        Some(b'!') => (&token[..last], Mark::Ends),
        Some(b'^') => (&token[..last], Mark::Refused),
        Some(b'@') => (&token[..last], Mark::Asks),
        _ => (token, Mark::Flag),
    }
}

/// Reads the words behind a program's name.
pub(super) fn read(table: &'static str, order: Order, words: &[Word]) -> Result<Read, Opaque> {
    let mut reader = Reader { table, words, at: 1, next: 1, read: Read::default() };
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
        } else if order == Order::First {
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
fn is_last(mark: Mark) -> bool {
    matches!(mark, Mark::Takes(Value::Split | Value::Code | Value::Load))
}

struct Reader<'a> {
    table: &'static str,
    words: &'a [Word],
    at: usize,
    next: usize,
    read: Read,
}

impl Reader<'_> {
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
            (Mark::Takes(_), None) => Some(self.next_word(names)?),
            (Mark::Takes(_) | Mark::MayTake, value) => value,
            (_, None) => None,
            (_, Some(_)) => return Err(Opaque::because(format!("`--{name}` takes no value"))),
        };
        self.note(names, mark, value)
    }

    /// The option with this long name, or the only one whose name begins so.
    fn by_long(&self, name: &str) -> Option<(&'static str, Mark)> {
        let all = || self.table.split_whitespace().map(mark_of);
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
                Mark::Takes(_) if glued.is_empty() => Some(self.next_word(names)?),
                Mark::Takes(_) => Some(Word::known(glued)),
                Mark::MayTake => (!glued.is_empty()).then(|| Word::known(glued)),
                _ => None,
            };
            self.note(names, mark, value)?;
            if self.read.ends || matches!(mark, Mark::Takes(_) | Mark::MayTake) {
                break;
            }
        }
        Ok(())
    }

    fn by_short(&self, letter: char) -> Option<(&'static str, Mark)> {
        let is_it = |known: &str| {
            let mut letters = known.chars();
            letters.next() == Some('-') && letters.next() == Some(letter) && letters.next().is_none()
        };
        let mut all = self.table.split_whitespace().map(mark_of);
        all.find(|(names, _)| letter != '-' && names.split('|').any(is_it))
    }

    /// `-10`, `--10` and `-+10`, where the program takes a number for an option.
    fn numbered(&self, text: &str) -> Option<(&'static str, Mark)> {
        let number = text[1..].trim_start_matches(['-', '+']);
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let mut all = self.table.split_whitespace().map(mark_of);
        is_number.then(|| all.find(|(names, _)| *names == "-NUMBER")).flatten()
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

    fn note(&mut self, names: &'static str, mark: Mark, value: Option<Word>) -> Result<(), Opaque> {
        if mark == Mark::Refused {
            let name = names.split('|').next_back().unwrap_or(names);
            return Err(Opaque::because(format!("what it starts is not understood with `{name}`")));
        }
        self.read.ends |= mark == Mark::Ends;
        self.read.found.push(Found { names, mark, value, at: self.at });
        Ok(())
    }
}

fn unknown(option: &OsStr) -> Opaque {
    Opaque::because(format!("its option `{}` is not known here", option.display()))
}
