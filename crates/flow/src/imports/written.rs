//! Text that is put together from files, and where each stretch of it was written. May not change a letter of it.
//!
//! Templates are read from the text that was put together; people know the files, and [`Assembled::mark`] leads back to
//! them. Data and the borders of commands are no text: they stand beside it as [`Inset`]s, each at its place. In the text
//! that place has one sign, so that what stands on its two sides does not meet. The sign alone means nothing: which
//! places are insets is known by where they are, not by what is written there.

use super::embedded::EmbeddedKind;
use crate::Mark;
use std::ops::Range;
use std::sync::Arc;

/// A text of the program as it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The file, as people know it.
    pub shown: String,
    /// The number of the text's first line in its file.
    pub first_line: usize,
    /// The text.
    pub text: String,
}

/// A stretch that was copied from a source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Copied {
    /// Where it stands now.
    at: usize,
    /// Where it stands in its source.
    from: usize,
    length: usize,
    source: Arc<SourceText>,
}

impl Copied {
    /// Whether a stretch of a source would go on with this one.
    fn goes_on(&self, at: usize, from: usize, source: &Arc<SourceText>) -> bool {
        self.at + self.length == at && self.from + self.length == from && Arc::ptr_eq(&self.source, source)
    }
}

/// What stands in a text without being a text of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inset {
    /// Data, which is put there to the letter and never looked into.
    Data(Arc<str>),
    /// A command's text begins here.
    CommandBegins(EmbeddedKind, Mark),
    /// The command's text ends here.
    CommandEnds,
}

/// The sign at the place of an inset: Unicode's own for an object among text. It is no white space and no letter.
const INSET_SIGN: char = '\u{FFFC}';

/// Text that was put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assembled {
    text: String,
    copied: Vec<Copied>,
    /// Where each stands, in order.
    insets: Vec<(usize, Inset)>,
}

/// A stretch of an assembled text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssembledPart<'a> {
    /// Text of the program, by its bytes.
    Text(Range<usize>),
    /// Something else, and the bytes of its place.
    Inset(&'a Inset, Range<usize>),
}

impl Assembled {
    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Adds a stretch of a source.
    pub fn copy(&mut self, source: &Arc<SourceText>, range: Range<usize>) {
        let (at, from, length) = (self.text.len(), range.start, range.len());
        self.text.push_str(&source.text[range]);
        match self.copied.last_mut() {
            Some(last) if last.goes_on(at, from, source) => last.length += length,
            _ => self.copied.push(Copied { at, from, length, source: Arc::clone(source) }),
        }
    }

    /// Adds something that is no text.
    pub fn insert(&mut self, inset: Inset) {
        self.insets.push((self.text.len(), inset));
        self.text.push(INSET_SIGN);
    }

    /// Adds another text behind this one.
    pub fn append(&mut self, other: Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.copied.extend(other.copied.into_iter().map(|one| Copied { at: one.at + shift, ..one }));
        self.insets.extend(other.insets.into_iter().map(|(at, inset)| (at + shift, inset)));
    }

    /// Takes back the last sign, which was copied and is one byte.
    pub(super) fn take_back(&mut self) {
        self.text.pop();
        if let Some(last) = self.copied.last_mut() {
            last.length -= 1;
        }
    }

    /// Text and insets of a stretch, in their order.
    pub fn parts(&self, range: Range<usize>) -> Vec<AssembledPart<'_>> {
        let (mut parts, mut from) = (Vec::new(), range.start);
        for (at, inset) in self.insets_in(&range) {
            parts.push(AssembledPart::Text(from..*at));
            from = at + INSET_SIGN.len_utf8();
            parts.push(AssembledPart::Inset(inset, *at..from));
        }
        parts.push(AssembledPart::Text(from..range.end));
        parts.retain(|part| !matches!(part, AssembledPart::Text(range) if range.is_empty()));
        parts
    }

    /// The insets in a stretch, with their places.
    pub(crate) fn insets_in(&self, range: &Range<usize>) -> &[(usize, Inset)] {
        let first = self.insets.partition_point(|(at, _)| *at < range.start);
        let end = self.insets.partition_point(|(at, _)| *at < range.end);
        &self.insets[first..end]
    }

    /// Where that was written which stands at these bytes. What was not written by anybody was wanted by what stands
    /// before it.
    pub fn mark(&self, range: Range<usize>) -> Mark {
        let found = self.copied.partition_point(|one| one.at <= range.start).saturating_sub(1);
        let Some(found) = self.copied.get(found) else { return Mark::of("", &self.text, 1, range) };
        let within = |at: usize| found.from + at.saturating_sub(found.at).min(found.length);
        let source = &found.source;
        Mark::of(&source.shown, &source.text, source.first_line, within(range.start)..within(range.end))
    }
}

impl From<SourceText> for Assembled {
    /// The whole of one source.
    fn from(source: SourceText) -> Self {
        let mut whole = Self::default();
        let length = source.text.len();
        whole.copy(&Arc::new(source), 0..length);
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(shown: &str, first_line: usize, text: &str) -> Arc<SourceText> {
        Arc::new(SourceText { shown: shown.to_owned(), first_line, text: text.to_owned() })
    }

    #[test]
    fn a_place_in_the_whole_leads_back_to_the_file() {
        let (main, other) =
            (source("main.md", 5, "a\nb @ c {{ x }}\n"), source("b.md", 1, "one\ntwo {{ y }}"));
        let mut whole = Assembled::default();
        whole.copy(&main, 0..4);
        let mut inner = Assembled::default();
        inner.copy(&other, 0..other.text.len());
        whole.append(inner);
        whole.insert(Inset::Data("##".into()));
        whole.copy(&main, 5..main.text.len());
        assert_eq!(whole.text(), "a\nb one\ntwo {{ y }}\u{FFFC} c {{ x }}\n");
        for (wanted, place, line) in
            [("{{ y }}", "b.md:2:5", "two {{ y }}"), ("{{ x }}", "main.md:6:7", "b @ c {{ x }}")]
        {
            let at = whole.text().find(wanted).unwrap();
            let mark = whole.mark(at..at + wanted.len());
            assert_eq!((mark.place().as_str(), mark.text.as_str(), mark.length), (place, line, wanted.len()));
        }
    }

    #[test]
    fn what_nobody_wrote_leads_to_what_stands_before_it() {
        let main = source("a.md", 1, "x ");
        let mut whole = Assembled::default();
        assert_eq!(whole.mark(0..0).place(), ":1:1");
        whole.copy(&main, 0..2);
        whole.insert(Inset::CommandEnds);
        assert_eq!(whole.mark(4..5).place(), "a.md:1:3");
    }

    #[test]
    fn an_inset_is_known_by_its_place_and_not_by_its_sign() {
        let main = source("a.md", 1, "x\u{FFFC}y");
        let mut whole = Assembled::default();
        whole.copy(&main, 0..main.text.len());
        whole.insert(Inset::Data("\u{FFFC}".into()));
        let data = Inset::Data("\u{FFFC}".into());
        assert_eq!(whole.parts(0..8), [AssembledPart::Text(0..5), AssembledPart::Inset(&data, 5..8)]);
    }
}
