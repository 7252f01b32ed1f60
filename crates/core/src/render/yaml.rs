//! YAML for answers: readable for models, and exactly the same text again for every parser.
//!
//! Text of several lines is a literal block. What a literal block cannot carry (carriage returns, control
//! characters, line separators, text of nothing but blanks) is a quoted scalar, folded at its line ends so that
//! it still reads line by line. May not know what the keys mean.

use std::fmt::Write;

/// A mapping, written key by key in the order of asking.
#[derive(Debug, Default)]
pub struct Yaml(pub(super) String);

impl Yaml {
    /// A key with a plain value: a number or a boolean.
    pub fn plain(&mut self, key: &str, value: impl std::fmt::Display) -> &mut Self {
        // Writing to a String cannot fail.
        let _ = writeln!(self.0, "{key}: {value}");
        self
    }

    /// A key with any text.
    pub fn text(&mut self, key: &str, text: &str) -> &mut Self {
        let _ = write!(self.0, "{key}: ");
        push_text(&mut self.0, text);
        self
    }

    /// A key with a list of mappings.
    pub fn list(&mut self, key: &str, rows: impl IntoIterator<Item = Yaml>) -> &mut Self {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return self.plain(key, "[]");
        }
        let _ = writeln!(self.0, "{key}:");
        let mut items = String::new();
        rows.for_each(|Yaml(row)| push_item(&mut items, &row));
        deeper(&mut self.0, &items);
        self
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.0
    }
}

const INDENT: &str = "  ";

/// Adds lines two deeper. A line of nothing stays one: whatever stands in it would be part of a text.
pub(super) fn deeper(out: &mut String, lines: &str) {
    for line in lines.split_inclusive('\n') {
        out.extend([if line == "\n" { "" } else { INDENT }, line]);
    }
}

/// Adds the lines of one item of a list.
pub(super) fn push_item(out: &mut String, lines: &str) {
    let at = out.len();
    deeper(out, lines);
    if out.len() > at {
        out.replace_range(at..at + INDENT.len(), "- ");
    }
}

/// Adds any text, and the end of its last line.
pub(super) fn push_text(out: &mut String, text: &str) {
    if is_literal(text) {
        literal(out, text);
    } else {
        quoted(out, text);
    }
}

/// Whether a literal block gives this very text back: several lines, something to see in them, and only characters
/// that every parser takes as they are.
fn is_literal(text: &str) -> bool {
    text.contains('\n') && text.contains(|c| c != ' ' && c != '\t' && c != '\n') && text.chars().all(is_shown)
}

/// Characters that may stand unescaped, line ends included.
pub(crate) fn is_shown(c: char) -> bool {
    match c {
        '\n' | '\t' => true,
        '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        ' '..='~' | '\u{a0}'..='\u{fffd}' | '\u{10000}'.. => true,
        _ => false,
    }
}

fn literal(out: &mut String, text: &str) {
    out.push('|');
    // Blanks at the beginning would be taken for indentation, unless it is said how deep that is.
    if text.starts_with([' ', '\t', '\n']) {
        out.push('2');
    }
    let body = match text.strip_suffix('\n') {
        None => {
            out.push('-');
            text
        }
        Some(body) => {
            if body.ends_with('\n') {
                out.push('+');
            }
            body
        }
    };
    out.push('\n');
    for line in body.split('\n') {
        if !line.is_empty() {
            out.push_str(INDENT);
            out.push_str(line);
        }
        out.push('\n');
    }
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut at_start = false;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        // The indentation before a folded line is not part of it; blanks that are must be marked.
        if at_start && c == ' ' {
            out.push('\\');
        }
        at_start = c == '\n' && rest.peek().is_some();
        match c {
            '\n' if at_start => {
                out.push_str("\\n\\\n");
                out.push_str(INDENT);
            }
            c => escape(out, c),
        }
    }
    out.push_str("\"\n");
}

pub(super) fn escape(out: &mut String, c: char) {
    let code = u32::from(c);
    let _ = match c {
        '"' | '\\' => write!(out, "\\{c}"),
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        c if is_shown(c) => out.write_char(c),
        _ if code <= 0xff => write!(out, "\\x{code:02x}"),
        _ if code <= 0xffff => write!(out, "\\u{code:04x}"),
        _ => write!(out, "\\U{code:08x}"),
    };
}
