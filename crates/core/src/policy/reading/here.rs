//! Here-documents: where their text begins and ends, and what is run to make it.
//!
//! May not decide who reads the text.

use super::Opaque;
use super::reader::{Read, Reader, is_border};
use super::word::Spelling;

/// A here-document whose text begins at the next line.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    end: String,
    quoted: bool,
    strips_tabs: bool,
}

impl Reader<'_> {
    /// The word after `<<`: what ends the text.
    pub(super) fn here_document(&mut self, strips_tabs: bool) -> Read<()> {
        self.blanks();
        let rest = self.rest();
        let length = rest.bytes().position(is_border).unwrap_or(rest.len());
        let raw = &rest[..length];
        let inner = raw
            .strip_prefix('\'')
            .and_then(|raw| raw.strip_suffix('\''))
            .or_else(|| raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')))
            .or_else(|| raw.strip_prefix('\\'));
        let end = inner.unwrap_or(raw);
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+');
        if end.is_empty() || !end.bytes().all(plain) {
            return Err(Opaque::because("the end of a here-document is not a plain word"));
        }
        self.at += length;
        self.pending.push(Pending { end: end.to_owned(), quoted: inner.is_some(), strips_tabs });
        Ok(())
    }

    /// Reads the texts that begin at this line.
    pub(super) fn bodies(&mut self) -> Read<()> {
        for pending in std::mem::take(&mut self.pending) {
            let from = self.at;
            let (to, after) = self.body(&pending)?;
            if !pending.quoted {
                self.expand(&pending, from, to)?;
            }
            self.at = after;
        }
        Ok(())
    }

    /// Where the text ends, and where the line after it begins.
    fn body(&self, pending: &Pending) -> Read<(usize, usize)> {
        let mut at = self.at;
        while at < self.end {
            let line = &self.text[at..self.end];
            let line = &line[..line.find('\n').unwrap_or(line.len())];
            let shown = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
            if shown == pending.end {
                return Ok((at, (at + line.len() + 1).min(self.end)));
            }
            if !pending.quoted && line.ends_with('\\') {
                return Err(Opaque::because("a line of a here-document ends in a backslash"));
            }
            at += line.len() + 1;
        }
        Err(Opaque::because("a here-document has no end"))
    }

    /// Reads what is run to make the text.
    fn expand(&mut self, pending: &Pending, from: usize, to: usize) -> Read<()> {
        let body = &self.text[from..to];
        // Tabs are taken out before the text is expanded, also inside what is run.
        if pending.strips_tabs && body.contains('\t') && (body.contains("$(") || body.contains('`')) {
            return Err(Opaque::because("a here-document is stripped of tabs before something in it is run"));
        }
        self.at = from;
        self.part(to, |reader| {
            let mut spelling = Spelling::default();
            while reader.at < reader.end {
                reader.quoted_letter(&mut spelling, true)?;
            }
            Ok(())
        })
    }
}
