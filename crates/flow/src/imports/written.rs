//! Text that is put together from files, and where each stretch of it was written. May not change a letter of it.
//!
//! Templates are read from the text that was put together; people know the files. [`Assembled::written`] leads back.

use crate::Mark;
use std::ops::Range;
use std::sync::Arc;

/// A text of the program as it stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
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
    source: Arc<Source>,
}

impl Copied {
    /// Whether a stretch of a source would go on with this one.
    fn goes_on(&self, at: usize, from: usize, source: &Arc<Source>) -> bool {
        self.at + self.length == at && self.from + self.length == from && Arc::ptr_eq(&self.source, source)
    }
}

/// Text that was put together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Assembled {
    text: String,
    copied: Vec<Copied>,
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
    pub fn copy(&mut self, source: &Arc<Source>, range: Range<usize>) {
        let (at, from, length) = (self.text.len(), range.start, range.len());
        self.text.push_str(&source.text[range]);
        match self.copied.last_mut() {
            Some(last) if last.goes_on(at, from, source) => last.length += length,
            _ => self.copied.push(Copied { at, from, length, source: Arc::clone(source) }),
        }
    }

    /// Adds a mark that nobody wrote.
    pub fn mark(&mut self, mark: &str) {
        self.text.push_str(mark);
    }

    /// Adds another text behind this one.
    pub fn append(&mut self, other: Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.copied.extend(other.copied.into_iter().map(|one| Copied { at: one.at + shift, ..one }));
    }

    /// Takes back the last sign, which was copied and is one byte.
    pub(super) fn take_back(&mut self) {
        self.text.pop();
        if let Some(last) = self.copied.last_mut() {
            last.length -= 1;
        }
    }

    /// Where that was written which stands at a mark in this text, whose first line has the number 1. What was not
    /// written by anybody was wanted by what stands before it.
    pub fn written(&self, mark: &Mark) -> Mark {
        let offset = self.offset(mark.line, mark.column);
        let end = self.offset(mark.line, mark.column + mark.length);
        let Some(found) = self.copied.iter().rfind(|one| one.at <= offset).or(self.copied.first()) else {
            return mark.clone();
        };
        let within = |at: usize| found.from + at.saturating_sub(found.at).min(found.length);
        let source = &found.source;
        Mark::of(&source.shown, &source.text, source.first_line, within(offset)..within(end))
    }

    /// The byte at a line and a column, both counted from 1.
    fn offset(&self, line: usize, column: usize) -> usize {
        let mut lines = self.text.split_inclusive('\n');
        let start: usize = lines.by_ref().take(line.saturating_sub(1)).map(str::len).sum();
        let line = lines.next().unwrap_or_default();
        start + line.char_indices().nth(column.saturating_sub(1)).map_or(line.len(), |(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(shown: &str, first_line: usize, text: &str) -> Arc<Source> {
        Arc::new(Source { shown: shown.to_owned(), first_line, text: text.to_owned() })
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
        whole.mark("##");
        whole.copy(&main, 5..main.text.len());
        assert_eq!(whole.text(), "a\nb one\ntwo {{ y }}## c {{ x }}\n");
        for (wanted, place, line) in
            [("{{ y }}", "b.md:2:5", "two {{ y }}"), ("{{ x }}", "main.md:6:7", "b @ c {{ x }}")]
        {
            let at = whole.text().find(wanted).unwrap();
            let mark = whole.written(&Mark::of("main.md", whole.text(), 1, at..at + wanted.len()));
            assert_eq!((mark.place().as_str(), mark.text.as_str(), mark.length), (place, line, wanted.len()));
        }
    }

    #[test]
    fn what_nobody_wrote_leads_to_what_stands_before_it() {
        let main = source("a.md", 1, "x ");
        let mut whole = Assembled::default();
        assert_eq!(whole.written(&Mark::of("m", "", 1, 0..0)).place(), "m:1:1");
        whole.copy(&main, 0..2);
        whole.mark("mark");
        assert_eq!(whole.written(&Mark::of("m", whole.text(), 1, 4..5)).place(), "a.md:1:3");
    }
}
