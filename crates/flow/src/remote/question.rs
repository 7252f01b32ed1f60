//! What a person is shown before they trust a file. May not ask them.
//!
//! The file is not trusted yet, so nothing of it may move the cursor, hide a line or turn the direction of the text.

use super::trust::untrusted;
use super::{Cached, Remote};
use crate::FlowError;
use runward_engine::core::render;
use std::fmt;

/// How many lines of the file are shown.
const LINES: usize = 12;
/// How many characters of each.
const CHARS: usize = 96;

/// A question about a file that nobody has trusted yet.
#[derive(Debug, Clone, Copy)]
pub struct TrustQuestion<'q> {
    /// The file.
    pub remote: &'q Remote,
    /// Its text.
    pub text: &'q Cached,
    /// The command it would run, if that is known.
    pub command: Option<&'q str>,
}

impl TrustQuestion<'_> {
    /// Whether an answer is a yes.
    pub fn agrees(answer: &str) -> bool {
        matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
    }

    /// The error when the answer is not a yes.
    pub fn refusal(&self) -> FlowError {
        untrusted(self.remote, self.text)
    }
}

impl fmt::Display for TrustQuestion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text.text();
        let lines = text.lines().count();
        writeln!(f, "This file lies elsewhere, and nobody has trusted what is in it:\n")?;
        writeln!(f, "  address  {}", self.remote.asked)?;
        if self.remote.raw != self.remote.asked {
            writeln!(f, "  text at  {}", self.remote.raw)?;
        }
        writeln!(f, "  content  blake3:{}", self.text.digest())?;
        writeln!(f, "  size     {}, {lines} lines", render::bytes(text.len() as u64))?;
        match self.command {
            Some(command) => writeln!(f, "  runs     {}", shown(command))?,
            None => writeln!(f, "  runs     nothing says which command yet")?,
        }
        writeln!(f)?;
        for line in text.lines().take(LINES) {
            writeln!(f, "  | {}", shown(line))?;
        }
        if lines > LINES {
            writeln!(f, "  | … {} more lines", lines - LINES)?;
        }
        write!(f, "\nExpand and run it, and trust this content from now on? [y/N] ")
    }
}

/// A line with everything that a terminal would obey written out.
fn shown(line: &str) -> String {
    let mut out = String::new();
    for char in line.chars().take(CHARS) {
        match char {
            '\t' => out.push_str("    "),
            _ if obeyed(char) => out.extend(char.escape_unicode()),
            _ => out.push(char),
        }
    }
    if line.chars().nth(CHARS).is_some() {
        out.push('…');
    }
    out
}

/// Controls, marks of direction, and what has no width.
fn obeyed(char: char) -> bool {
    char.is_control()
        || matches!(char, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
