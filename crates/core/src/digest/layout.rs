//! Which parts of a text are shown, and what stands for the others. Parts cover the text without a hole, so that whatever
//! is hidden can be counted. May not choose what is hidden.

use super::brackets::{self, StreamAddress};
use super::cost::WrittenForm;
use super::stream::RenderedStream;
use super::tally::{LeftOutLines, LeftOutTally};
use std::ops::Range;

/// What becomes of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// It is shown as it is.
    Shown,
    /// A digest leaves it out; it is counted at the end of the stream.
    LeftOut,
    /// So many lines like the ones around it.
    Folded(usize),
    /// Whole lines that are cut.
    Cut,
    /// The middle of a long line.
    InnerCut,
    /// Nothing of the text: here the stream goes on in its spool.
    Gap(usize),
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LayoutPart {
    pub(super) range: Range<usize>,
    pub(super) kind: PartKind,
}

impl LayoutPart {
    pub(super) fn new(range: Range<usize>, kind: PartKind) -> Self {
        Self { range, kind }
    }
}

/// What one bracket stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HiddenStretch {
    pub(super) raw: Range<u64>,
    /// Unknown where not all of it was read, and where it lies within a line.
    pub(super) lines: Option<usize>,
    pub(super) marked: usize,
}

/// A stream on its way into an answer.
#[derive(Debug)]
pub(super) struct TextLayout<'a> {
    pub(super) stream: &'a RenderedStream<'a>,
    pub(super) address: StreamAddress<'a>,
    pub(super) form: WrittenForm,
    pub(super) parts: Vec<LayoutPart>,
    pub(super) tally: LeftOutTally,
}

/// The lines of a part of a text, each with its end.
#[derive(Debug, Clone)]
pub(super) struct LineRanges<'a> {
    bytes: &'a [u8],
    rest: Range<usize>,
}

/// The lines of a part of a text.
pub(super) fn lines(text: &str, part: Range<usize>) -> LineRanges<'_> {
    LineRanges { bytes: text.as_bytes(), rest: part }
}

impl Iterator for LineRanges<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        if self.rest.is_empty() {
            return None;
        }
        let start = self.rest.start;
        let end = memchr::memchr(b'\n', &self.bytes[self.rest.clone()]);
        self.rest.start = end.map_or(self.rest.end, |end| start + end + 1);
        Some(start..self.rest.start)
    }
}

impl DoubleEndedIterator for LineRanges<'_> {
    fn next_back(&mut self) -> Option<Range<usize>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.end;
        // The line's own end is not that of the one before it.
        let before = memchr::memrchr(b'\n', &self.bytes[self.rest.start..end - 1]);
        self.rest.end = before.map_or(self.rest.start, |before| self.rest.start + before + 1);
        Some(self.rest.end..end)
    }
}

impl<'a> TextLayout<'a> {
    /// Everything is shown, but for what is only in the spool.
    pub(super) fn whole(stream: &'a RenderedStream<'a>, address: StreamAddress<'a>) -> Self {
        let mut layout = Self {
            stream,
            address,
            form: WrittenForm::of(&stream.text),
            parts: Vec::new(),
            tally: LeftOutTally::default(),
        };
        layout.show_all();
        layout
    }

    /// Shows everything, but for what is only in the spool.
    pub(super) fn show_all(&mut self) {
        self.parts = self.with_gaps([LayoutPart::new(0..self.stream.text.len(), PartKind::Shown)]);
        self.tally = LeftOutTally::default();
    }

    fn with_gaps(&self, parts: impl IntoIterator<Item = LayoutPart>) -> Vec<LayoutPart> {
        let (mut all, mut gaps) = (Vec::new(), self.stream.gaps.iter().enumerate().peekable());
        for LayoutPart { range, kind } in parts {
            let mut from = range.start;
            while let Some((index, gap)) = gaps.next_if(|(_, gap)| gap.at < range.end || range.is_empty()) {
                all.push(LayoutPart::new(from..gap.at, kind));
                all.push(LayoutPart::new(gap.at..gap.at, PartKind::Gap(index)));
                from = gap.at;
            }
            all.push(LayoutPart::new(from..range.end, kind));
        }
        let end = self.stream.text.len();
        all.extend(gaps.map(|(index, _)| LayoutPart::new(end..end, PartKind::Gap(index))));
        all.retain(|part| !part.range.is_empty() || matches!(part.kind, PartKind::Gap(_)));
        all
    }

    /// Leaves these lines out, unless the notes about it take more than they did. Says what it costs then.
    pub(super) fn leave_out(&mut self, left_out: &LeftOutLines, cost: usize) -> usize {
        if left_out.ranges.is_empty() {
            return cost;
        }
        self.attempt(cost, |layout| {
            let (mut parts, mut from) = (Vec::new(), 0);
            for range in &left_out.ranges {
                parts.push(LayoutPart::new(from..range.start, PartKind::Shown));
                parts.push(LayoutPart::new(range.clone(), PartKind::LeftOut));
                from = range.end;
            }
            parts.push(LayoutPart::new(from..layout.stream.text.len(), PartKind::Shown));
            layout.parts = layout.with_gaps(parts);
            layout.tally = left_out.tally.clone();
        })
    }

    /// Takes a step, and takes it back where the stream does not get shorter by it. Given what the stream costs, it says
    /// what it costs then.
    pub(super) fn attempt(&mut self, cost: usize, step: impl FnOnce(&mut Self)) -> usize {
        let before = (self.parts.clone(), self.tally.clone());
        step(self);
        let after = self.cost();
        if after < cost {
            return after;
        }
        (self.parts, self.tally) = before;
        cost
    }

    pub(super) fn is_whole(&self) -> bool {
        self.parts.iter().all(|part| part.kind == PartKind::Shown)
    }

    /// The most that a bracket for a cut takes.
    pub(super) fn bracket_cost(&self) -> usize {
        let most = self.stream.total.max(1);
        let hidden = HiddenStretch {
            raw: most..most * 2,
            lines: Some(self.stream.text.len()),
            marked: self.stream.text.len(),
        };
        self.form.cost(&self.address.cut(&hidden))
    }

    /// What the notes at the end of the stream take.
    pub(super) fn closing_cost(&self) -> usize {
        let left_out =
            if self.tally.is_empty() { 0 } else { self.form.cost(&brackets::left_out(&self.tally)) };
        // One for the end of a last line that has none.
        self.form.cost(&self.address.whole()) + left_out + 7
    }

    /// What a part takes.
    pub(super) fn part_cost(&self, part: &LayoutPart) -> usize {
        match part.kind {
            PartKind::Shown => self.form.cost(&self.stream.text[part.range.clone()]),
            PartKind::LeftOut => 0,
            PartKind::Folded(lines) => self.form.cost(&brackets::folded(lines)),
            // The line before it may need an end.
            PartKind::Cut | PartKind::InnerCut | PartKind::Gap(_) => self.bracket_cost() + 7,
        }
    }

    /// What the whole stream takes.
    pub(super) fn cost(&self) -> usize {
        let parts = self.parts.iter().map(|part| self.part_cost(part)).sum::<usize>();
        parts + if self.is_whole() { 0 } else { self.closing_cost() }
    }

    /// The stream as it is written.
    pub(super) fn written(&self) -> String {
        let mut out = String::new();
        let mut rest = self.parts.iter().peekable();
        while let Some(part) = rest.next() {
            match part.kind {
                PartKind::Shown => out.push_str(&self.stream.text[part.range.clone()]),
                PartKind::LeftOut => {}
                PartKind::Folded(lines) => push_note(&mut out, &brackets::folded(lines)),
                PartKind::Cut | PartKind::InnerCut | PartKind::Gap(_) => {
                    let mut hidden = self.hidden(part);
                    while let Some(next) = rest.next_if(|next| is_hidden(next.kind)) {
                        hidden = joined(&hidden, &self.hidden(next));
                    }
                    push_note(&mut out, &self.address.cut(&hidden));
                }
            }
        }
        if !self.is_whole() {
            if !self.tally.is_empty() {
                push_note(&mut out, &brackets::left_out(&self.tally));
            }
            if !self.is_one_cut() {
                push_note(&mut out, &self.address.whole());
            }
        }
        out
    }

    /// Whether all of it is behind one bracket: its address is that of the whole.
    fn is_one_cut(&self) -> bool {
        self.parts.iter().all(|part| is_hidden(part.kind)) && self.tally.is_empty()
    }

    fn hidden(&self, part: &LayoutPart) -> HiddenStretch {
        let text = &self.stream.text[part.range.clone()];
        let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        let lines = ends + usize::from(!text.is_empty() && !text.ends_with('\n'));
        let raw = || self.stream.raw_start(part.range.start)..self.stream.raw_end(part.range.end);
        match part.kind {
            PartKind::Gap(index) => {
                HiddenStretch { raw: self.stream.gaps[index].raw.clone(), lines: None, marked: 0 }
            }
            PartKind::InnerCut => HiddenStretch { raw: raw(), lines: None, marked: 0 },
            _ => {
                let marked =
                    if self.stream.is_binary { 0 } else { self.stream.marked().within(&part.range).len() };
                HiddenStretch { raw: raw(), lines: Some(lines), marked }
            }
        }
    }
}

fn is_hidden(kind: PartKind) -> bool {
    matches!(kind, PartKind::Cut | PartKind::InnerCut | PartKind::Gap(_))
}

fn joined(one: &HiddenStretch, other: &HiddenStretch) -> HiddenStretch {
    HiddenStretch {
        raw: one.raw.start.min(other.raw.start)..one.raw.end.max(other.raw.end),
        lines: one.lines.zip(other.lines).map(|(one, other)| one + other),
        marked: one.marked + other.marked,
    }
}

/// Adds a line of ours, on a line of its own.
fn push_note(out: &mut String, note: &str) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(note);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_the_same_from_both_ends(text in "[ab\n]{0,30}", begins in 0_usize..30, length in 0_usize..30) {
            let start = begins.min(text.len());
            let part = start..(start + length).min(text.len());
            let ahead: Vec<_> = lines(&text, part.clone()).collect();
            let mut back: Vec<_> = lines(&text, part.clone()).rev().collect();
            back.reverse();
            prop_assert_eq!(&ahead, &back);
            let texts: Vec<_> = ahead.into_iter().map(|line| &text[line]).collect();
            prop_assert_eq!(texts, text[part].split_inclusive('\n').collect::<Vec<_>>());
        }
    }
}
