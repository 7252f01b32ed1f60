//! A source text as words, marks and quoted texts, without its comments, and which bracket closes which. May not know what
//! they mean.

use super::super::mask::{Mask, QuoteLanguage};

/// What a sign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SignKind {
    /// A name, a word of the language or a number.
    Word,
    /// A single other character.
    Mark,
    /// Something between quotes.
    Text,
}

#[derive(Debug, Clone, Copy)]
struct Sign {
    at: usize,
    end: usize,
    kind: SignKind,
    /// Whether it is the first of its line.
    first: bool,
    /// How many brackets are open around it, and the last of them.
    depth: usize,
    inside: Option<usize>,
    /// The bracket that closes this one, or that this one closes.
    pair: Option<usize>,
}

/// The signs of a text. Asking for one that is not there is answered with nothing.
pub(super) struct Signs<'t> {
    text: &'t str,
    all: Vec<Sign>,
}

impl<'t> Signs<'t> {
    pub(super) fn of(text: &'t str, mask: &Mask, language: QuoteLanguage) -> Self {
        let mut signs = Self { text, all: Vec::new() };
        let mut at = 0;
        while let Some(one) = text[at..].chars().next() {
            let end = match one {
                _ if mask.is_text(at) => quoted(text, mask, at),
                _ if mask.is_comment(at) || one.is_whitespace() => {
                    at += one.len_utf8();
                    continue;
                }
                'r' if language == QuoteLanguage::Rust && is_raw_name(&text[at..]) => {
                    word(text, mask, at + 2)
                }
                _ if is_part(one) => word(text, mask, at),
                _ => at + one.len_utf8(),
            };
            let kind = match one {
                _ if mask.is_text(at) => SignKind::Text,
                _ if is_part(one) => SignKind::Word,
                _ => SignKind::Mark,
            };
            let before = signs.all.last().map_or(0, |last| last.end);
            let first = signs.all.is_empty() || text[before..at].contains('\n');
            signs.all.push(Sign { at, end, kind, first, depth: 0, inside: None, pair: None });
            at = end;
        }
        signs.pair_brackets();
        signs
    }

    /// What was opened and never closed has no pair. A round or square bracket never closes one outside of its braces.
    fn pair_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        // How many round and square ones are open within each pair of braces.
        let mut within: Vec<[usize; 2]> = vec![[0, 0]];
        for at in 0..self.all.len() {
            let mark = self.mark(at).unwrap_or_default();
            let same = ["(", "["].iter().position(|opens| closing(opens) == mark);
            let has_one = match (mark, same) {
                ("}", _) => within.len() > 1,
                (_, Some(kind)) => within.last().is_some_and(|counts| counts[kind] > 0),
                _ => false,
            };
            while has_one && let Some(last) = open.pop() {
                match self.mark(last) {
                    Some("{") => drop(within.pop()),
                    Some("[") => within.iter_mut().last().into_iter().for_each(|counts| counts[1] -= 1),
                    _ => within.iter_mut().last().into_iter().for_each(|counts| counts[0] -= 1),
                }
                if self.mark(last).is_some_and(|opens| closing(opens) == mark) {
                    (self.all[last].pair, self.all[at].pair) = (Some(at), Some(last));
                    break;
                }
            }
            (self.all[at].depth, self.all[at].inside) = (open.len(), open.last().copied());
            match mark {
                "{" => within.push([0, 0]),
                "(" => within.iter_mut().last().into_iter().for_each(|counts| counts[0] += 1),
                "[" => within.iter_mut().last().into_iter().for_each(|counts| counts[1] += 1),
                _ => continue,
            }
            open.push(at);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    fn of_kind(&self, at: usize, kind: SignKind) -> Option<&'t str> {
        let sign = self.all.get(at).filter(|sign| sign.kind == kind)?;
        Some(&self.text[sign.at..sign.end])
    }

    pub(super) fn word(&self, at: usize) -> Option<&'t str> {
        self.of_kind(at, SignKind::Word)
    }

    pub(super) fn mark(&self, at: usize) -> Option<&'t str> {
        self.of_kind(at, SignKind::Mark)
    }

    pub(super) fn is_text(&self, at: usize) -> bool {
        self.of_kind(at, SignKind::Text).is_some()
    }

    /// A word that can be the name of something.
    pub(super) fn name(&self, at: usize) -> Option<&'t str> {
        let word = self.word(at)?;
        let word = word.strip_prefix("r#").unwrap_or(word);
        (!word.starts_with(|one: char| one.is_numeric())).then_some(word)
    }

    /// A mark or a word.
    pub(super) fn sign(&self, at: usize) -> Option<&'t str> {
        self.mark(at).or_else(|| self.word(at))
    }

    /// Whether there is one of these marks or words.
    pub(super) fn is_one_of(&self, at: usize, signs: &[&str]) -> bool {
        self.sign(at).is_some_and(|sign| signs.contains(&sign))
    }

    /// Whether it is the first of its line. What is behind the last one is.
    pub(super) fn is_first(&self, at: usize) -> bool {
        self.all.get(at).is_none_or(|sign| sign.first)
    }

    /// Whether two marks stand side by side.
    pub(super) fn are(&self, at: usize, marks: [&str; 2]) -> bool {
        let touch = self.all.get(at).zip(self.all.get(at + 1)).is_some_and(|(one, next)| one.end == next.at);
        touch && self.mark(at) == Some(marks[0]) && self.mark(at + 1) == Some(marks[1])
    }

    pub(super) fn pair(&self, at: usize) -> Option<usize> {
        self.all.get(at)?.pair
    }

    /// What follows the bracket that closes this one.
    pub(super) fn behind(&self, at: usize) -> usize {
        self.pair(at).map_or(self.all.len(), |close| close + 1)
    }

    pub(super) fn inside(&self, at: usize) -> Option<usize> {
        self.all.get(at)?.inside
    }

    pub(super) fn depth(&self, at: usize) -> usize {
        self.all.get(at).map_or(0, |sign| sign.depth)
    }

    /// Its first byte; of what is behind the last one, the end of the text.
    pub(super) fn begin(&self, at: usize) -> usize {
        self.all.get(at).map_or(self.text.len(), |sign| sign.at)
    }

    /// The byte behind it; of what is behind the last one, the end of everything that is not blank.
    pub(super) fn end(&self, at: usize) -> usize {
        self.all.get(at).map_or(self.text.trim_end().len(), |sign| sign.end)
    }
}

fn closing(opens: &str) -> &'static str {
    match opens {
        "(" => ")",
        "[" => "]",
        "{" => "}",
        _ => "none",
    }
}

/// The end of the word that begins here.
fn word(text: &str, mask: &Mask, from: usize) -> usize {
    let goes_on = |(at, one): &(usize, char)| is_part(*one) && mask.is_code(from + at);
    let last = text[from..].char_indices().take_while(goes_on).last();
    last.map_or(from, |(at, one)| from + at + one.len_utf8())
}

/// The end of what stands between quotes here.
fn quoted(text: &str, mask: &Mask, from: usize) -> usize {
    let last = text[from..].char_indices().take_while(|(at, _)| mask.is_text(from + at)).last();
    last.map_or(from, |(at, one)| from + at + one.len_utf8())
}

/// A name that is a word of Rust: `r#type`.
fn is_raw_name(text: &str) -> bool {
    let name = text.strip_prefix("r#");
    name.and_then(|name| name.chars().next()).is_some_and(is_part)
}

pub(super) fn is_part(one: char) -> bool {
    one.is_alphanumeric() || one == '_' || one == '$'
}
