//! A text of the program is taken apart: text, what is wanted, and commands. May not fetch or run anything.

use super::code::{StretchKind, stretches};
use super::{Assembled, EmbeddedKind, Inset, ProgramPiece, Rank, SourceText, reading};
use crate::{FlowError, Mark};
use runward_engine::Code;
use std::ops::Range;
use std::sync::Arc;

/// How many imports and commands one text may have.
const MOST: usize = 1000;

/// Takes a text of the program apart. `exists` answers whether there is a file with a path as it is written: it decides
/// whether the mark behind a path ends the sentence or belongs to the path.
pub fn take_apart(
    source: &Arc<SourceText>,
    rank: Rank,
    exists: &dyn Fn(&str) -> bool,
) -> Result<Vec<ProgramPiece>, FlowError> {
    let text = &source.text;
    let line = (0, source.first_line);
    let mut scan =
        Scan { source, text, exists, pieces: Vec::new(), plain: Assembled::default(), line, wants: 0 };
    for stretch in stretches(text) {
        let range = stretch.range;
        match stretch.kind {
            StretchKind::Prose => scan.prose(range)?,
            StretchKind::Span { ticks, quoted } => scan.span(range, ticks, quoted)?,
            StretchKind::Fence { from, to, indent }
                if rank == Rank::Main && is_script(&text[from..to], indent) =>
            {
                scan.fence(range, &indented_lines(text, from..to, indent))?;
            }
            StretchKind::Fence { .. } | StretchKind::Block => scan.plain.copy(source, range),
        }
    }
    scan.end_plain();
    Ok(scan.pieces)
}

struct Scan<'s> {
    source: &'s Arc<SourceText>,
    text: &'s str,
    exists: &'s dyn Fn(&str) -> bool,
    pieces: Vec<ProgramPiece>,
    plain: Assembled,
    /// Where the line of the last mark begins, and its number: a text is not counted again for each mark.
    line: (usize, usize),
    /// How many imports and commands there were.
    wants: usize,
}

impl Scan<'_> {
    fn prose(&mut self, range: Range<usize>) -> Result<(), FlowError> {
        let mut from = range.start;
        let mut at = range.start;
        // Where the word ends that was looked at last: one without white space may have many signs.
        let mut end = range.start;
        while let Some(found) = self.text[at..range.end].find('@') {
            let sign = at + found;
            at = sign + 1;
            if !can_begin(&self.text[..sign]) {
                continue;
            }
            if end < at {
                let rest = &self.text[at..range.end];
                end = at + rest.find(char::is_whitespace).unwrap_or(rest.len());
            }
            let word = &self.text[at..end];
            let (import, length) = match reading::read(word, self.exists) {
                Ok(Some(found)) => found,
                Ok(None) => continue,
                Err(error) => return Err(error.at(self.mark(sign..at + word.len())?)),
            };
            let mark = self.mark(sign..at + length)?;
            self.plain.copy(self.source, from..sign);
            self.end_plain();
            self.pieces.push(ProgramPiece::Wanted(import, mark));
            at += length;
            from = at;
        }
        self.plain.copy(self.source, from..range.end);
        Ok(())
    }

    /// A span is a command if a `!` stands before it, and text otherwise.
    fn span(&mut self, range: Range<usize>, ticks: usize, quoted: bool) -> Result<(), FlowError> {
        let inside = unpadded(self.text, range.start + ticks..range.end - ticks);
        let command = &self.text[inside.clone()];
        // The marks of the quote would be in the middle of the command.
        let torn = quoted && command.contains('\n');
        let before = self.plain.text();
        if command.trim().is_empty() || torn || !before.ends_with('!') || is_escaped(before) {
            self.plain.copy(self.source, range);
            return Ok(());
        }
        self.plain.take_back();
        let mark = self.mark(range.start - 1..range.end)?;
        self.command(EmbeddedKind::Inline, &[inside], mark);
        Ok(())
    }

    /// A fence is replaced whole; the end of its last line stays.
    fn fence(&mut self, range: Range<usize>, lines: &[Range<usize>]) -> Result<(), FlowError> {
        let end = range.start + self.text[range.clone()].trim_end_matches(['\r', '\n']).len();
        let (first, last) =
            (lines.first().map_or(end, |line| line.start), lines.last().map_or(end, |line| line.end));
        let mark = self.mark(first..last)?;
        self.command(EmbeddedKind::Fence, lines, mark);
        self.plain.copy(self.source, end..range.end);
        Ok(())
    }

    fn command(&mut self, kind: EmbeddedKind, inside: &[Range<usize>], mark: Mark) {
        self.plain.insert(Inset::CommandBegins(kind, mark));
        inside.iter().for_each(|piece| self.plain.copy(self.source, piece.clone()));
        self.plain.insert(Inset::CommandEnds);
    }

    fn end_plain(&mut self) {
        if !self.plain.is_empty() {
            self.pieces.push(ProgramPiece::Text(std::mem::take(&mut self.plain)));
        }
    }

    /// The mark of something that is wanted. Marks are asked for in the order of the text.
    fn mark(&mut self, range: Range<usize>) -> Result<Mark, FlowError> {
        let passed = &self.text[self.line.0..range.start];
        if let Some(end) = passed.rfind('\n') {
            self.line = (self.line.0 + end + 1, self.line.1 + passed.matches('\n').count());
        }
        let (start, number) = self.line;
        let mark =
            Mark::of(&self.source.shown, &self.text[start..], number, range.start - start..range.end - start);
        self.wants += 1;
        if self.wants > MOST {
            let message = format!("`{}` has more than {MOST} imports and commands", self.source.shown);
            let hint = "Import less of it, or use a pattern, which makes it data.";
            return Err(FlowError::new(Code::FlowImportTooLarge, message).hint(hint).at(mark));
        }
        Ok(mark)
    }
}

/// Whether an `@` behind this text can begin an import: not inside a word, an address or another `@`.
fn can_begin(before: &str) -> bool {
    let last = before.chars().next_back();
    !last.is_some_and(|last| last.is_alphanumeric() || "._%+-@/\\".contains(last))
}

/// Whether the last sign has a backslash before it that means it.
fn is_escaped(text: &str) -> bool {
    let before = &text[..text.len() - 1];
    (before.len() - before.trim_end_matches('\\').len()) % 2 == 1
}

fn is_script(inside: &str, indent: usize) -> bool {
    let first = inside.lines().next().unwrap_or_default();
    let first = &first[blanks(first, indent)..];
    first.strip_prefix("#!").is_some_and(|interpreter| !interpreter.trim().is_empty())
}

/// How many blanks a line begins with, and not more than the fence around it.
fn blanks(line: &str, most: usize) -> usize {
    line.bytes().take(most).take_while(|byte| *byte == b' ').count()
}

/// The lines of a fence without its own indentation.
fn indented_lines(text: &str, inside: Range<usize>, indent: usize) -> Vec<Range<usize>> {
    let mut at = inside.start;
    let lines = text[inside].split_inclusive('\n').map(|line| {
        let start = at + blanks(line, indent);
        at += line.len();
        start..at
    });
    lines.collect()
}

/// A span may be padded with one space on each side, so that a backtick can stand at its border.
fn unpadded(text: &str, inside: Range<usize>) -> Range<usize> {
    let (start, end) = (inside.start, inside.end);
    let padded = inside.len() >= 2 && text[inside].starts_with(' ') && text[start..end].ends_with(' ');
    if padded { start + 1..end - 1 } else { start..end }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
