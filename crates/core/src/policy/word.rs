//! The words (arguments) of a command, as far as they can be known before it runs.
//!
//! May not guess: what is only known when the command runs is told as open.

use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// One word of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Word {
    /// Exactly this.
    Known(#[serde(serialize_with = "crate::os_text::one")] OsString),
    /// Only known when the command runs: a variable, a pattern of file names, what another command prints.
    Open {
        /// What it certainly begins with; may be empty.
        start: String,
        /// How many words it may become.
        spread: Spread,
    },
}

/// How many words an open word may become.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// Exactly one, which begins with the start.
    One,
    /// One or more, each of which begins with the start: a pattern of file names.
    Each,
    /// Any number. Where there are some, the first begins with the start; the others are anything.
    Any,
}

impl Word {
    /// A word that is exactly this.
    pub fn known(text: impl Into<OsString>) -> Self {
        Word::Known(text.into())
    }

    /// The word, where it is known and is Unicode.
    pub fn text(&self) -> Option<&str> {
        self.exact().and_then(OsStr::to_str)
    }

    /// The word, where it is known.
    pub fn exact(&self) -> Option<&OsStr> {
        match self {
            Word::Known(text) => Some(text),
            Word::Open { .. } => None,
        }
    }

    /// Whether it could turn out to be an option: it begins with a dash, or its beginning is not known.
    pub fn may_be_option(&self) -> bool {
        match self {
            Word::Known(text) => text.as_encoded_bytes().starts_with(b"-") && text != "-",
            Word::Open { spread: Spread::Any, .. } => true,
            Word::Open { start, .. } => start.is_empty() || start.starts_with('-'),
        }
    }
}
