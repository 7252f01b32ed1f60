//! A template cut into its text, its outputs and its tags. May not know which tags belong together.
//!
//! White space that a dash takes away is gone after this; so are comments, and what stands in `raw` is text.

use super::token::{Fault, Inside, TemplateToken, closes, inside, name, unclosed};
use crate::imports::{Assembled, AssembledPart, Inset};
use crate::meant;
use std::ops::Range;

/// A piece of a template.
#[derive(Debug)]
pub(super) enum TemplatePiece {
    /// Text to be written as it is.
    Text(Range<usize>),
    /// Something that is no text: data, or the border of a command.
    Inset(Inset, Range<usize>),
    /// `{{ … }}`.
    Output { tokens: Vec<TemplateToken>, range: Range<usize> },
    /// `{% name … %}`.
    Tag(TagPiece),
}

/// A tag: its name, what stands behind that, and the whole of it.
#[derive(Debug)]
pub(super) struct TagPiece {
    pub(super) name: Range<usize>,
    pub(super) tokens: Vec<TemplateToken>,
    pub(super) range: Range<usize>,
}

/// The tags that a template may use.
const TAGS: &str = "assign break capture case comment continue cycle echo else elsif endcapture endcase endcomment endfor \
                    endif endraw endunless for if raw unless when";

/// Cuts a template.
pub(super) fn scan(assembled: &Assembled) -> Result<Vec<TemplatePiece>, Fault> {
    let text = assembled.text();
    let mut scanner = TemplateScanner { assembled, text, at: 0, trims: false, pieces: Vec::new() };
    while let Some(open) = opening(text, scanner.at) {
        scanner.tag(open)?;
    }
    scanner.text_up_to(text.len(), false);
    Ok(scanner.pieces)
}

/// Where the next `{{` or `{%` stands.
pub(super) fn opening(text: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(found) = text[at..].find('{') {
        at += found + 1;
        if matches!(bytes.get(at), Some(b'{' | b'%')) {
            return Some(at - 1);
        }
    }
    None
}

struct TemplateScanner<'t> {
    assembled: &'t Assembled,
    text: &'t str,
    at: usize,
    trims: bool,
    pieces: Vec<TemplatePiece>,
}

impl TemplateScanner<'_> {
    /// The text from where we are up to here, without the white space that the tags beside it take away.
    fn text_up_to(&mut self, end: usize, trims: bool) {
        let (mut start, mut end) = (self.at, end);
        if self.trims {
            start = end - self.text[start..end].trim_start().len();
        }
        if trims {
            end = start + self.text[start..end].trim_end().len();
        }
        if start < end {
            self.pieces.extend(self.assembled.parts(start..end).into_iter().map(|part| match part {
                AssembledPart::Text(range) => TemplatePiece::Text(range),
                AssembledPart::Inset(inset, range) => TemplatePiece::Inset(inset.clone(), range),
            }));
        }
    }

    fn go_on(&mut self, at: usize, trims: bool) {
        (self.at, self.trims) = (at, trims);
    }

    fn tag(&mut self, open: usize) -> Result<(), Fault> {
        let dash = self.text[open + 2..].starts_with('-');
        let start = open + 2 + usize::from(dash);
        self.text_up_to(open, dash);
        if self.text[open..].starts_with("{{") {
            let inside = self.inside(open, start, "}}")?;
            self.pieces.push(TemplatePiece::Output { tokens: inside.tokens, range: open..inside.end });
            self.go_on(inside.end, inside.trims);
            return Ok(());
        }
        let start = self.text.len() - self.text[start..].trim_start().len();
        if self.text[start..].starts_with('#') {
            return self.note(open, start);
        }
        self.named(open, start)
    }

    /// The tokens of a tag, in which nothing may stand that is no text.
    fn inside(&self, open: usize, at: usize, close: &str) -> Result<Inside, Fault> {
        let inside = inside(self.text, open, at, close)?;
        match self.assembled.insets_in(&(open..inside.end)).first() {
            None => Ok(inside),
            Some((at, _)) => {
                let hint =
                    "Take it out of the tag: what is imported as data, or printed, is no part of a template.";
                Err(Fault::new(*at..at + 1, "an import or a command stands inside of a tag", hint))
            }
        }
    }

    /// `{% # for people %}`.
    fn note(&mut self, open: usize, start: usize) -> Result<(), Fault> {
        let end = self.text[start..].find("%}").ok_or_else(|| unclosed(self.text, open, "%}"))?;
        let trims = self.text[start..start + end].ends_with('-');
        self.go_on(start + end + 2, trims);
        Ok(())
    }

    fn named(&mut self, open: usize, start: usize) -> Result<(), Fault> {
        let range = start..start + name(&self.text[start..]);
        let word = &self.text[range.clone()];
        if !TAGS.split(' ').any(|tag| tag == word) {
            return Err(unknown(word, open, range));
        }
        let inside = self.inside(open, range.end, "%}")?;
        self.go_on(inside.end, inside.trims);
        match word {
            "comment" => self.skip(open),
            "raw" => self.raw(open),
            _ => {
                let (tokens, whole) = (inside.tokens, open..inside.end);
                self.pieces.push(TemplatePiece::Tag(TagPiece { name: range, tokens, range: whole }));
                Ok(())
            }
        }
    }

    /// Goes on behind the end of a comment. Comments stand in comments.
    fn skip(&mut self, open: usize) -> Result<(), Fault> {
        let mut depth = 1_usize;
        let mut from = self.at;
        while let Some(at) = opening(self.text, from) {
            let Some((word, end, dashes)) = bare(self.text, at) else {
                from = at + 2;
                continue;
            };
            from = end;
            match word {
                "comment" => depth += 1,
                "endcomment" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.go_on(end, dashes.1);
                return Ok(());
            }
        }
        Err(never_ends("comment", open..self.at))
    }

    /// What stands in `raw` is text, up to the first `endraw`.
    fn raw(&mut self, open: usize) -> Result<(), Fault> {
        let mut from = self.at;
        while let Some(at) = opening(self.text, from) {
            match bare(self.text, at) {
                Some(("endraw", end, dashes)) => {
                    self.text_up_to(at, dashes.0);
                    self.go_on(end, dashes.1);
                    return Ok(());
                }
                // One byte on: in `{{% endraw %}` the tag begins at the second brace.
                _ => from = at + 1,
            }
        }
        Err(never_ends("raw", open..self.at))
    }
}

/// A tag with nothing but a name in it: the name, where it ends, and on which sides it has a dash.
fn bare(text: &str, at: usize) -> Option<(&str, usize, (bool, bool))> {
    let rest = text[at..].strip_prefix("{%")?;
    let inner = rest.strip_prefix('-');
    let (rest, before) = (inner.unwrap_or(rest).trim_start(), inner.is_some());
    let length = name(rest);
    let (word, rest) = (&rest[..length], rest[length..].trim_start());
    let after = closes(rest, "%}")?;
    Some((word, text.len() - rest.len() + 2 + usize::from(after), (before, after)))
}

pub(super) fn never_ends(word: &str, range: Range<usize>) -> Fault {
    Fault::new(range, format!("`{word}` does not end"), format!("Write `{{% end{word} %}}` where it ends."))
}

fn unknown(word: &str, open: usize, range: Range<usize>) -> Fault {
    if word.is_empty() {
        let hint =
            "Write a tag between `{%` and `%}`, or put the text between `{% raw %}` and `{% endraw %}`.";
        return Fault::new(open..open + 2, "no tag stands after `{%`", hint);
    }
    let message = format!("no tag is named `{word}`");
    let all = "Use one of assign, capture, case, comment, cycle, echo, for, if, raw, unless.";
    let hint = match word {
        "include" | "render" => "Write `@./file.md` outside of tags to put a file in.".to_owned(),
        _ => meant(word, TAGS.split(' '), all),
    };
    Fault::new(range, message, hint)
}
