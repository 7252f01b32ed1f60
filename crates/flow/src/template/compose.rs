//! Values, filters and conditions, read with care and written again in the spelling that the Liquid crate takes.
//!
//! The crate is never shown the author's own text: its grammar refuses tabs and names like `empty_list`, needs time that
//! grows with the square of white space, and ends the process at large numbers. Every name becomes a number here, and every
//! text outside of tags a name. May not know which tags belong together.

use super::language::language;
use super::token::{Fault, Kind, Token};
use runward::core::resolve::nearest;
use std::fmt::Write;
use std::ops::Range;

/// How deep brackets may stand in brackets. Reading them recurs.
const DEEPEST_INDEX: usize = 16;
/// How many parts a condition may have. Reading them recurs in the crate.
const MOST_PARTS: usize = 64;
/// Words that are values, not names.
const WORDS: &[&str] = &["nil", "null", "true", "false", "empty", "blank"];
const COMPARISONS: &[&str] = &["==", "!=", "<>", "<=", ">=", "<", ">"];

/// One place where a name is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) name: String,
    /// Behind `default:`.
    pub(super) optional: bool,
    /// The template made the name itself: by a loop, `assign` or `capture`.
    pub(super) local: bool,
    pub(super) range: Range<usize>,
}

/// What happens where a part of a value is missing (`b` in `a.b`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    Fails,
    IsNil,
}

/// The tokens of one tag, read from left to right.
pub(super) struct Cursor<'t> {
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    /// The whole tag.
    pub(super) range: Range<usize>,
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t [Token], range: Range<usize>) -> Self {
        Self { text, tokens, at: 0, range }
    }

    fn peek(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    fn shown(&self, token: &Token) -> &'t str {
        &self.text[token.range.clone()]
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// Takes the next token if it is this sign.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Some(Token { kind: Kind::Sign(found), .. }) if *found == sign);
        self.at += usize::from(is);
        is
    }

    /// Takes the next token if it is this word.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.peek().is_some_and(|token| token.kind == Kind::Name && self.shown(token) == word);
        self.at += usize::from(is);
        is
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &str) -> Result<(&'t str, Range<usize>), Fault> {
        match self.peek() {
            Some(token) if token.kind == Kind::Name => {
                self.at += 1;
                Ok((self.shown(token), token.range.clone()))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// Nothing may follow.
    pub(super) fn done(&self) -> Result<(), Fault> {
        if self.is_done() { Ok(()) } else { Err(self.unexpected("the end of the tag")) }
    }

    /// What should stand here does not.
    pub(super) fn unexpected(&self, wanted: &str) -> Fault {
        let (range, message) = match self.peek() {
            Some(token) => {
                (token.range.clone(), format!("`{}` stands where {wanted} belongs", self.shown(token)))
            }
            None => (self.range.clone(), format!("{wanted} is missing in this tag")),
        };
        Fault::new(range, message, "Put text that is no template between `{% raw %}` and `{% endraw %}`.")
    }

    /// Whether the filters from here on have a `default` among them.
    fn has_default(&self) -> bool {
        self.tokens[self.at..].windows(2).any(|pair| {
            pair[0].kind == Kind::Sign("|") && pair[1].kind == Kind::Name && self.shown(&pair[1]) == "default"
        })
    }
}

/// Writes the crate's text, and keeps what it took out of ours.
pub(super) struct Composer {
    /// What the crate will read.
    pub(super) source: String,
    pub(super) spots: Vec<Spot>,
    pub(super) names: Vec<String>,
    pub(super) texts: Vec<Range<usize>>,
    /// The names that the template has made itself up to here.
    pub(super) locals: Vec<usize>,
}

/// The number of the name `forloop`.
pub(super) const FORLOOP: usize = 0;

impl Composer {
    pub(super) fn new() -> Self {
        let names = vec!["forloop".to_owned()];
        Self { source: String::new(), spots: Vec::new(), names, texts: Vec::new(), locals: Vec::new() }
    }

    pub(super) fn put(&mut self, text: &str) {
        self.source.push_str(text);
    }

    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// Text inside of a block.
    pub(super) fn text(&mut self, range: Range<usize>) {
        let _ = write!(self.source, "{{{{ t{} }}}}", self.texts.len());
        self.texts.push(range);
    }

    /// A value with its filters.
    pub(super) fn chain(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let optional = cursor.has_default();
        let first = self.spots.len();
        self.value(cursor, if optional { Missing::IsNil } else { Missing::Fails })?;
        if let Some(spot) = self.spots.get_mut(first).filter(|_| optional) {
            spot.optional = true;
        }
        while cursor.sign("|") {
            self.put(" | ");
            self.filter(cursor)?;
        }
        Ok(())
    }

    fn filter(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let (name, range) = cursor.name("the name of a filter")?;
        let known = &language().filters;
        if known.get(name).is_none() {
            let near = nearest(name, known.plugin_names());
            let hint = near.first().map_or_else(
                || "Use one of Liquid's own filters, or `shell_escape`, `q`, `json`.".to_owned(),
                |near| format!("Write `{near}` if that is what is meant."),
            );
            return Err(Fault::new(range, format!("no filter is named `{name}`"), hint));
        }
        self.put(name);
        if !cursor.sign(":") {
            return Ok(());
        }
        self.put(": ");
        self.argument(cursor)?;
        while cursor.sign(",") {
            self.put(", ");
            self.argument(cursor)?;
        }
        Ok(())
    }

    fn argument(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        let start = cursor.at;
        if let Ok((name, _)) = cursor.name("") {
            if cursor.sign(":") {
                let _ = write!(self.source, "{name}: ");
            } else {
                cursor.at = start;
            }
        }
        self.value(cursor, Missing::Fails)
    }

    /// A literal, or a name with what is taken from it.
    pub(super) fn value(&mut self, cursor: &mut Cursor<'_>, missing: Missing) -> Result<(), Fault> {
        self.value_at(cursor, missing, 0)
    }

    fn value_at(&mut self, cursor: &mut Cursor<'_>, missing: Missing, depth: usize) -> Result<(), Fault> {
        let Some(token) = cursor.peek() else { return Err(cursor.unexpected("a value")) };
        let shown = cursor.shown(token);
        match token.kind {
            Kind::Sign(_) => return Err(cursor.unexpected("a value")),
            Kind::Name if !WORDS.contains(&shown) => {}
            Kind::Name | Kind::Number | Kind::Text => {
                cursor.at += 1;
                self.put(shown);
                return Ok(());
            }
        }
        cursor.at += 1;
        self.read(shown, token.range.clone(), missing);
        self.members(cursor, depth)
    }

    /// One read of a name: its place, its name, and whether a missing part of it is nil.
    fn read(&mut self, name: &str, range: Range<usize>, missing: Missing) {
        let number = self.number(name);
        let local = self.locals.contains(&number);
        let suffix = if missing == Missing::IsNil { "-o" } else { "" };
        let _ = write!(self.source, "r{}-n{number}{suffix}", self.spots.len());
        self.spots.push(Spot { name: name.to_owned(), optional: false, local, range });
    }

    fn members(&mut self, cursor: &mut Cursor<'_>, depth: usize) -> Result<(), Fault> {
        loop {
            if cursor.sign(".") {
                let (name, _) = cursor.name("a name after the dot")?;
                let _ = write!(self.source, "[\"{name}\"]");
            } else if cursor.sign("[") {
                if depth == DEEPEST_INDEX {
                    let hint = "Take the parts one after the other with `assign`.";
                    return Err(Fault::new(
                        cursor.range.clone(),
                        "brackets stand too deep in brackets",
                        hint,
                    ));
                }
                self.put("[");
                self.value_at(cursor, Missing::Fails, depth + 1)?;
                if !cursor.sign("]") {
                    return Err(cursor.unexpected("`]`"));
                }
                self.put("]");
            } else {
                return Ok(());
            }
        }
    }

    /// `a`, `a == b`, joined by `and` and `or`.
    pub(super) fn condition(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        for _ in 0..MOST_PARTS {
            self.comparison(cursor)?;
            let joint = ["and", "or"].into_iter().find(|word| cursor.word(word));
            match joint {
                Some(word) => {
                    let _ = write!(self.source, " {word} ");
                }
                None if cursor.sign("|") => {
                    let hint = "Give the filtered value a name with `assign` first.";
                    return Err(Fault::new(cursor.range.clone(), "a filter stands in a condition", hint));
                }
                None => return cursor.done(),
            }
        }
        let hint = "Split the condition into several tags.";
        Err(Fault::new(cursor.range.clone(), "a condition has too many parts", hint))
    }

    fn comparison(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Fault> {
        self.value(cursor, Missing::IsNil)?;
        let sign = COMPARISONS.iter().copied().find(|sign| cursor.sign(sign));
        let sign = sign.or_else(|| cursor.word("contains").then_some("contains"));
        let Some(sign) = sign else { return Ok(()) };
        let _ = write!(self.source, " {sign} ");
        self.value(cursor, Missing::IsNil)
    }
}
