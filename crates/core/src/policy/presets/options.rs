//! Parses options exactly as programs do, and refuses what is not in the table.
//!
//! Hazard: a word taken for the value of an option, where the program takes it for an option itself, would let
//! anything through. So an option is known only by its whole name, a value that is the next word must not look
//! like an option unless the table says so, and a word that is not known yet must not be able to become one.

use super::grammar::{Operands, OptionGrammar, Style, Taker, Takes};
use super::walk::{No, shown};
use crate::policy::{Spread, Word};

/// What the words of a command say.
#[derive(Debug, Default)]
pub(super) struct GivenOptions<'a> {
    /// The options, by their names.
    pub(super) options: Vec<&'static str>,
    /// Everything else, in order.
    pub(super) operands: Vec<&'a Word>,
    /// Whether an option stands behind an operand. Some programs read it as an operand then, and so do all where
    /// the system's own reading of options stops at the first operand.
    pub(super) mixed: bool,
}

impl GivenOptions<'_> {
    pub(super) fn has(&self, options: &[&str]) -> bool {
        self.options.iter().any(|option| options.contains(option))
    }
}

struct WordCursor<'a, 'g> {
    grammar: &'g OptionGrammar,
    path: &'g str,
    words: &'a [Word],
    at: usize,
    given: GivenOptions<'a>,
}

/// Reads words as a program of this style does.
pub(super) fn given<'a>(
    grammar: &OptionGrammar,
    path: &str,
    words: &'a [Word],
    style: Style,
) -> Result<GivenOptions<'a>, No> {
    let mut cursor = WordCursor { grammar, path, words, at: 0, given: GivenOptions::default() };
    if style == Style::Tar {
        cursor.bundle_without_dash()?;
    }
    while let Some(word) = cursor.words.get(cursor.at) {
        cursor.at += 1;
        let open = matches!(word, Word::Open { .. });
        if style == Style::Plain || !word.may_be_option() {
            cursor.given.operands.push(word);
            if matches!(style, Style::First | Style::DashesFirst) {
                cursor.rest();
            }
        } else if word.text() == Some("--") {
            cursor.rest();
        } else {
            cursor.given.mixed |= !cursor.given.operands.is_empty();
            if open { cursor.open(word)? } else { cursor.option(word, style)? }
        }
    }
    Ok(cursor.given)
}

impl<'a, 'g> WordCursor<'a, 'g> {
    fn rest(&mut self) {
        self.given.operands.extend(&self.words[self.at..]);
        self.at = self.words.len();
    }

    fn option(&mut self, word: &'a Word, style: Style) -> Result<(), No> {
        let text = word.text().ok_or_else(|| self.unknown(&shown(word)))?;
        if self.grammar.numbers && text[1..].bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(());
        }
        let dashes = matches!(style, Style::Dashes | Style::DashesFirst);
        if dashes || text.starts_with("--") { self.long(text, dashes) } else { self.bundle(text) }
    }

    /// `--name`, `--name=value`, `--name value`.
    fn long(&mut self, text: &'a str, dashes: bool) -> Result<(), No> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let single = name.strip_prefix('-').filter(|rest| dashes && rest.starts_with('-')).unwrap_or(name);
        if let Some(flag) = self.flag(single).filter(|_| value.is_none()) {
            self.given.options.push(flag);
            return Ok(());
        }
        let taker = self.taker(single).ok_or_else(|| self.unknown(name))?;
        self.given.options.push(taker.name);
        match (taker.takes, value) {
            (Takes::Two, Some(_)) => Err(self.unknown(text)),
            (_, Some(value)) => taker.check.holds(&self.of(taker.name), value),
            (Takes::Maybe, None) => Ok(()),
            (Takes::One, None) => self.next_value(taker),
            (Takes::Two, None) => self.next_value(taker).and_then(|()| self.next_value(taker)),
        }
    }

    /// `-a`, `-abc`, `-ovalue`, `-o value`.
    fn bundle(&mut self, text: &'a str) -> Result<(), No> {
        // A whole word such as `-name` comes before a bundle of the same letters.
        if let Some(flag) = self.flag(text) {
            self.given.options.push(flag);
            return Ok(());
        }
        if text.len() > 2 && self.taker(text).is_some() {
            return self.long(text, false);
        }
        for (index, letter) in text.char_indices().skip(1) {
            let name = format!("-{letter}");
            if let Some(flag) = self.flag(&name) {
                self.given.options.push(flag);
                continue;
            }
            let taker = self.taker(&name).ok_or_else(|| self.unknown(&name))?;
            self.given.options.push(taker.name);
            let value = &text[index + letter.len_utf8()..];
            return match taker.takes {
                Takes::Maybe if value.is_empty() => Ok(()),
                Takes::One if value.is_empty() => self.next_value(taker),
                Takes::One | Takes::Maybe => taker.check.holds(&self.of(taker.name), value),
                Takes::Two => Err(self.unknown(text)),
            };
        }
        Ok(())
    }

    /// `tf archive`: letters first, then their values in the same order.
    fn bundle_without_dash(&mut self) -> Result<(), No> {
        let Some(word) = self.words.first() else { return Ok(()) };
        if word.may_be_option() {
            return Ok(());
        }
        let letters = word.text().ok_or_else(|| self.unknown(&shown(word)))?;
        self.at = 1;
        for letter in letters.chars() {
            let name = format!("-{letter}");
            if let Some(flag) = self.flag(&name) {
                self.given.options.push(flag);
            } else {
                let taker = self.taker(&name).ok_or_else(|| self.unknown(&name))?;
                self.given.options.push(taker.name);
                self.next_value(taker)?;
            }
        }
        Ok(())
    }

    fn next_value(&mut self, taker: &Taker) -> Result<(), No> {
        // Without a next word the program complains by itself, or takes a default.
        let Some(word) = self.words.get(self.at) else { return Ok(()) };
        self.at += 1;
        taker.check.holds_next(&self.of(taker.name), word)
    }

    /// `--name="$value"` is a value; any other word that may become an option is refused.
    fn open(&mut self, word: &Word) -> Result<(), No> {
        let Word::Open { start, spread } = word else { return Ok(()) };
        // A pattern of file names becomes words that all begin with the option's name.
        let name = start.split_once('=').map(|(name, _)| name).filter(|_| *spread != Spread::Any);
        let taker = name.filter(|name| name.starts_with("--")).and_then(|name| self.taker(name));
        match taker {
            Some(taker) if taker.takes != Takes::Two && taker.check.lets_open() => {
                self.given.options.push(taker.name);
                Ok(())
            }
            _ => Err(No::Because(format!(
                "a word of `{}` that is only known when it runs may turn out to be an option; put `--` before it",
                self.path
            ))),
        }
    }

    fn flag(&self, name: &str) -> Option<&'static str> {
        self.grammar.flags.iter().find(|flag| **flag == name).copied()
    }

    fn taker(&self, name: &str) -> Option<&'g Taker> {
        self.grammar.takers.iter().find(|taker| taker.name == name)
    }

    fn of(&self, option: &str) -> String {
        format!("{} {option}", self.path)
    }

    fn unknown(&self, option: &str) -> No {
        No::Option { of: self.path.to_owned(), option: option.to_owned() }
    }
}

/// Reads an expression of `find`: places first, then tests and actions with a fixed number of words each.
pub(super) fn find<'a>(
    grammar: &OptionGrammar,
    path: &str,
    words: &'a [Word],
) -> Result<GivenOptions<'a>, No> {
    let mut cursor = WordCursor { grammar, path, words, at: 0, given: GivenOptions::default() };
    while let Some(word) = cursor.words.get(cursor.at) {
        cursor.at += 1;
        match word.text() {
            Some("(" | ")" | "!" | ",") => {}
            // What it runs is looked through, and judged by itself.
            Some("-exec") if cursor.flag("-exec").is_some() => {
                let ends = |word: &Word| matches!(word.text(), Some(";" | "+"));
                let length = cursor.words[cursor.at..].iter().position(ends);
                cursor.at = length.map_or(cursor.words.len(), |length| cursor.at + length + 1);
            }
            Some(text) if word.may_be_option() => cursor.long(text, false)?,
            Some(_) => cursor.given.operands.push(word),
            None if word.may_be_option() => cursor.open(word)?,
            None => cursor.given.operands.push(word),
        }
    }
    Ok(cursor.given)
}

impl Operands {
    /// Whether the operands are ones that the table allows.
    pub(super) fn hold(&self, path: &str, given: &GivenOptions<'_>) -> Result<(), No> {
        let operands = &given.operands;
        let too_many = |most: usize| {
            let extra = operands.get(most).map_or_else(String::new, |word| shown(word));
            No::Because(format!(
                "`{path}` takes no `{extra}` here: only {most} operands are known to be harmless"
            ))
        };
        match self {
            Operands::Any => Ok(()),
            Operands::None { unless } if operands.is_empty() || given.has(unless) => Ok(()),
            Operands::None { .. } => Err(too_many(0)),
            Operands::UpTo { unless, .. } if given.has(unless) => Ok(()),
            Operands::UpTo { .. } if given.mixed => {
                Err(No::Because(format!("the options of `{path}` must stand before its operand")))
            }
            Operands::UpTo { most, .. } if operands.len() <= *most && !spreads(operands) => Ok(()),
            Operands::UpTo { most, .. } => Err(too_many(*most)),
            Operands::Each(check) => operands.iter().try_for_each(|word| check.holds_operand(path, word)),
            Operands::Script { check, unless, others } => {
                let scripts = usize::from(!given.has(unless) || given.mixed).min(operands.len());
                let (script, files) = operands.split_at(scripts);
                script.iter().try_for_each(|word| check.holds_operand(path, word))?;
                files.iter().try_for_each(|word| others.holds_operand(path, word))
            }
            Operands::Code { unless, .. } if given.has(unless) => Ok(()),
            Operands::Code { check, .. } => match operands.first() {
                Some(file) => check.holds_operand(path, file),
                None => Err(No::Because(format!("`{path}` would run what it is fed"))),
            },
            Operands::Test => super::check::test_expression(path, operands),
        }
    }
}

fn spreads(operands: &[&Word]) -> bool {
    operands.iter().any(|word| matches!(word, Word::Open { spread: Spread::Each | Spread::Any, .. }))
}
