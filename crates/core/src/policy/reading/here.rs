//! Here-documents (`<<`): where their text begins and ends, and what is run to make it.
//!
//! May not decide who reads the text.

use super::Opaque;
use super::reader::{ReadResult, ScriptReader, is_border};
use super::word::WordSpelling;
use std::collections::BTreeSet;

/// A here-document with its text beginning at the next line.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    end: String,
    quoted: bool,
    strips_tabs: bool,
    /// The functions and numbers that there certainly are when the command runs: not those of the rest of its line.
    certain: BTreeSet<String>,
    numbers: Vec<String>,
}

impl ScriptReader<'_> {
    /// The word after `<<`: what ends the text.
    pub(super) fn here_document(&mut self, strips_tabs: bool) -> ReadResult<()> {
        self.blanks();
        let rest = self.rest();
        let length = end_length(rest);
        let raw = &rest[..length];
        let inner = raw
            .strip_prefix('\'')
            .and_then(|raw| raw.strip_suffix('\''))
            .or_else(|| raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')))
            .or_else(|| raw.strip_prefix('\\'));
        let end = inner.unwrap_or(raw);
        let parted = length > 1 && raw.starts_with(['\'', '"']);
        let plain = |byte: u8| {
            byte.is_ascii_alphanumeric()
                || matches!(byte, b'_' | b'-' | b'.' | b'+')
                || parted && byte == b' '
        };
        if end.is_empty() || !end.bytes().all(plain) {
            return Err(Opaque::because("the end of a here-document is not a plain word"));
        }
        self.at += length;
        self.pending.push(Pending {
            end: end.to_owned(),
            quoted: inner.is_some(),
            strips_tabs,
            certain: self.names.certain.clone(),
            numbers: self.names.numbers.clone(),
        });
        Ok(())
    }

    /// Reads the texts that begin at this line.
    pub(super) fn bodies(&mut self) -> ReadResult<()> {
        for mut pending in std::mem::take(&mut self.pending) {
            let from = self.at;
            let (to, after) = self.body(&pending)?;
            if !pending.quoted {
                self.exchange(&mut pending);
                self.expand(&pending, from, to)?;
                self.exchange(&mut pending);
            }
            self.at = after;
        }
        Ok(())
    }

    fn exchange(&mut self, pending: &mut Pending) {
        std::mem::swap(&mut self.names.certain, &mut pending.certain);
        std::mem::swap(&mut self.names.numbers, &mut pending.numbers);
    }

    /// Where the text ends, and where the line after it begins.
    fn body(&self, pending: &Pending) -> ReadResult<(usize, usize)> {
        let mut at = self.at;
        while at < self.end {
            let line = &self.text[at..self.end];
            let line = &line[..line.find('\n').unwrap_or(line.len())];
            let shown = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
            if shown == pending.end {
                return Ok((at, (at + line.len() + 1).min(self.end)));
            }
            if shown.starts_with(&pending.end) && shown.contains(')') {
                return Err(Opaque::because(
                    "inside `$(…)` bash ends a here-document at a line that only begins like its end",
                ));
            }
            if !pending.quoted && line.ends_with('\\') {
                return Err(Opaque::because("a line of a here-document ends in a backslash"));
            }
            at += line.len() + 1;
        }
        Err(Opaque::because("a here-document has no end"))
    }

    /// Reads what is run to make the text.
    fn expand(&mut self, pending: &Pending, from: usize, to: usize) -> ReadResult<()> {
        let body = &self.text[from..to];
        // Tabs are taken out before the text is expanded, also inside what is run.
        if pending.strips_tabs && body.contains('\t') && (body.contains("$(") || body.contains('`')) {
            return Err(Opaque::because("a here-document is stripped of tabs before something in it is run"));
        }
        self.at = from;
        self.part(to, |reader| {
            let mut spelling = WordSpelling::default();
            while reader.at < reader.end {
                reader.quoted_letter(&mut spelling, true)?;
            }
            Ok(())
        })
    }
}

/// How long the word after `<<` is: in quotes, blanks belong to it.
fn end_length(rest: &str) -> usize {
    let quote = rest.chars().next().filter(|first| matches!(first, '\'' | '"'));
    let closed =
        quote.and_then(|quote| rest[1..].find([quote, '\n']).filter(|at| rest[1 + at..].starts_with(quote)));
    let from = closed.map_or(0, |at| at + 2);
    rest[from..].bytes().position(is_border).map_or(rest.len(), |length| from + length)
}
