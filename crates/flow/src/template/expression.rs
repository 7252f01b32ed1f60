//! Values, filters and conditions, read from the tokens of one tag. May not know which tags belong together.

use super::filters;
use super::token::{Fault, TemplateToken, TokenKind};
use super::tree::{ComparisonSign, FilterChain, MissingPart, Operand, TagComparison, TagCondition};
use super::value::LiquidValue;
use crate::meant;
use std::ops::Range;

/// How deep brackets may stand in brackets. Reading them recurses.
const DEEPEST_INDEX: usize = 16;
/// How many parts a condition may have.
const MOST_PARTS: usize = 64;

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

/// The tokens of one tag, read from left to right.
pub(super) struct TokenCursor<'t> {
    text: &'t str,
    tokens: &'t [TemplateToken],
    at: usize,
    /// The whole tag.
    pub(super) range: Range<usize>,
}

impl<'t> TokenCursor<'t> {
    pub(super) fn new(text: &'t str, tokens: &'t [TemplateToken], range: Range<usize>) -> Self {
        Self { text, tokens, at: 0, range }
    }

    fn peek(&self) -> Option<&'t TemplateToken> {
        self.tokens.get(self.at)
    }

    fn shown(&self, token: &TemplateToken) -> &'t str {
        &self.text[token.range.clone()]
    }

    pub(super) fn is_done(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// Takes the next token if it is this sign.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let is =
            matches!(self.peek(), Some(TemplateToken { kind: TokenKind::Sign(found), .. }) if *found == sign);
        self.at += usize::from(is);
        is
    }

    /// Takes this sign, which has to be there.
    pub(super) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    /// Takes the next token if it is this word.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.peek().is_some_and(|token| token.kind == TokenKind::Name && self.shown(token) == word);
        self.at += usize::from(is);
        is
    }

    /// Takes a name.
    pub(super) fn name(&mut self, what: &str) -> Result<(&'t str, Range<usize>), Fault> {
        match self.peek() {
            Some(token) if token.kind == TokenKind::Name => {
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
            pair[0].kind == TokenKind::Sign("|")
                && pair[1].kind == TokenKind::Name
                && self.shown(&pair[1]) == "default"
        })
    }
}

/// The names of a template: which it has, where each is read, and which it made itself.
pub(super) struct NameTable {
    pub(super) spots: Vec<Spot>,
    pub(super) names: Vec<String>,
    /// The names that the template has made itself up to here.
    pub(super) locals: Vec<usize>,
}

/// The number of the name `forloop`.
pub(super) const FORLOOP: usize = 0;

impl NameTable {
    pub(super) fn new() -> Self {
        Self { spots: Vec::new(), names: vec!["forloop".to_owned()], locals: Vec::new() }
    }

    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// A value with its filters.
    pub(super) fn chain(&mut self, cursor: &mut TokenCursor<'_>) -> Result<FilterChain, Fault> {
        let optional = cursor.has_default();
        let first = self.spots.len();
        let value = self.value(cursor, if optional { MissingPart::IsNil } else { MissingPart::Fails })?;
        if let Some(spot) = self.spots.get_mut(first).filter(|_| optional) {
            spot.optional = true;
        }
        let mut filters = Vec::new();
        while cursor.sign("|") {
            filters.push(self.filter(cursor)?);
        }
        Ok(FilterChain { value, filters })
    }

    fn filter(
        &mut self,
        cursor: &mut TokenCursor<'_>,
    ) -> Result<(&'static filters::TemplateFilter, Vec<Operand>), Fault> {
        let (name, range) = cursor.name("the name of a filter")?;
        let Some(filter) = filters::find(name) else { return Err(unknown(name, range)) };
        let mut arguments = Vec::new();
        if cursor.sign(":") {
            arguments.push(self.argument(name, cursor)?);
            while cursor.sign(",") {
                arguments.push(self.argument(name, cursor)?);
            }
        }
        if filter.takes.contains(&arguments.len()) {
            return Ok((filter, arguments));
        }
        let words = format!("`{name}` takes {}, not {}", filter.arguments(), arguments.len());
        Err(cannot_read(cursor, &words))
    }

    fn argument(&mut self, filter: &str, cursor: &mut TokenCursor<'_>) -> Result<Operand, Fault> {
        let start = cursor.at;
        if let Ok((name, _)) = cursor.name("")
            && cursor.sign(":")
        {
            return Err(cannot_read(cursor, &format!("`{filter}` takes no argument named `{name}`")));
        }
        cursor.at = start;
        self.value(cursor, MissingPart::Fails)
    }

    /// A literal, or a name with what is taken from it.
    pub(super) fn value(
        &mut self,
        cursor: &mut TokenCursor<'_>,
        missing: MissingPart,
    ) -> Result<Operand, Fault> {
        self.value_at(cursor, missing, 0)
    }

    fn value_at(
        &mut self,
        cursor: &mut TokenCursor<'_>,
        missing: MissingPart,
        depth: usize,
    ) -> Result<Operand, Fault> {
        let Some(token) = cursor.peek() else { return Err(cursor.unexpected("a value")) };
        let shown = cursor.shown(token);
        if let Some(literal) = literal(token.kind, shown) {
            cursor.at += 1;
            return Ok(Operand::Literal(literal));
        }
        let (name, range) = cursor.name("a value")?;
        let (spot, number) = (self.spots.len(), self.number(name));
        let local = self.locals.contains(&number);
        self.spots.push(Spot { name: name.to_owned(), optional: false, local, range });
        let path = self.path(cursor, depth)?;
        Ok(Operand::Read { spot, name: number, missing, path })
    }

    fn path(&mut self, cursor: &mut TokenCursor<'_>, depth: usize) -> Result<Vec<Operand>, Fault> {
        let mut path = Vec::new();
        loop {
            if cursor.sign(".") {
                let (name, _) = cursor.name("a name after the dot")?;
                path.push(Operand::Literal(LiquidValue::text(name)));
            } else if cursor.sign("[") {
                if depth == DEEPEST_INDEX {
                    let (range, hint) =
                        (cursor.range.clone(), "Take the parts one after the other with `assign`.");
                    return Err(Fault::new(range, "brackets stand too deep in brackets", hint));
                }
                path.push(self.value_at(cursor, MissingPart::Fails, depth + 1)?);
                cursor.expect("]")?;
            } else {
                return Ok(path);
            }
        }
    }

    /// `a`, `a == b`, joined by `and` and `or`.
    pub(super) fn condition(&mut self, cursor: &mut TokenCursor<'_>) -> Result<TagCondition, Fault> {
        let (mut any, mut all) = (Vec::new(), Vec::new());
        for _ in 0..MOST_PARTS {
            all.push(self.comparison(cursor)?);
            if cursor.word("or") {
                any.push(std::mem::take(&mut all));
            } else if cursor.sign("|") {
                let hint = "Give the filtered value a name with `assign` first.";
                return Err(Fault::new(cursor.range.clone(), "a filter stands in a condition", hint));
            } else if !cursor.word("and") {
                any.push(all);
                return cursor.done().map(|()| TagCondition(any));
            }
        }
        let hint = "Split the condition into several tags.";
        Err(Fault::new(cursor.range.clone(), "a condition has too many parts", hint))
    }

    fn comparison(&mut self, cursor: &mut TokenCursor<'_>) -> Result<TagComparison, Fault> {
        let left = self.value(cursor, MissingPart::IsNil)?;
        let sign = ComparisonSign::WRITTEN.iter().find(|(written, _)| cursor.sign(written));
        let sign = sign.map(|(_, sign)| *sign);
        let sign = sign.or_else(|| cursor.word("contains").then_some(ComparisonSign::Contains));
        let Some(sign) = sign else { return Ok(TagComparison { left, right: None }) };
        let right = self.value(cursor, MissingPart::IsNil)?;
        Ok(TagComparison { left, right: Some((sign, right)) })
    }
}

/// What a token stands for by itself, unless it is a name.
fn literal(kind: TokenKind, shown: &str) -> Option<LiquidValue> {
    match (kind, shown) {
        (TokenKind::Text, _) => Some(LiquidValue::text(&shown[1..shown.len() - 1])),
        (TokenKind::Number, _) => {
            let whole = shown.parse().ok().map(LiquidValue::Integer);
            whole.or_else(|| shown.parse().ok().map(LiquidValue::Float))
        }
        (TokenKind::Name, "nil" | "null") => Some(LiquidValue::Nil),
        (TokenKind::Name, "true") => Some(LiquidValue::Bool(true)),
        (TokenKind::Name, "false") => Some(LiquidValue::Bool(false)),
        (TokenKind::Name, "empty") => Some(LiquidValue::Empty),
        (TokenKind::Name, "blank") => Some(LiquidValue::Blank),
        (TokenKind::Name | TokenKind::Sign(_), _) => None,
    }
}

fn unknown(name: &str, range: Range<usize>) -> Fault {
    let all = "Use one of Liquid's own filters, or `shell_escape`, `q`, `json`.";
    let hint = meant(name, filters::names(), all);
    Fault::new(range, format!("no filter is named `{name}`"), hint)
}

fn cannot_read(cursor: &TokenCursor<'_>, words: &str) -> Fault {
    let hint = "Look up what the tag and its filters take.";
    Fault::new(cursor.range.clone(), format!("the template cannot be read: {words}"), hint)
}
