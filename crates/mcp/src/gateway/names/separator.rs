//! The text between the key of a server and the name of its tool.

use super::is_usual;
use runward_engine::{Code, Coded};
use std::fmt;

/// The longest separator; a longer one leaves too little for names.
const LONGEST: usize = 8;

/// A text between key and tool, in the characters that clients take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Separator(String);

impl Default for Separator {
    fn default() -> Self {
        Self("__".to_owned())
    }
}

impl Separator {
    /// A separator of one to eight letters, digits, `_` or `-`.
    pub fn new(text: &str) -> Result<Self, SeparatorError> {
        if (1..=LONGEST).contains(&text.len()) && text.bytes().all(is_usual) {
            Ok(Self(text.to_owned()))
        } else {
            Err(SeparatorError { text: text.to_owned() })
        }
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A text that cannot stand between key and tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeparatorError {
    text: String,
}

impl fmt::Display for SeparatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` cannot separate a server from its tool", self.text.escape_debug())
    }
}

impl std::error::Error for SeparatorError {}

impl Coded for SeparatorError {
    fn code(&self) -> Code {
        Code::SpecBadValue
    }

    fn hint(&self) -> Option<String> {
        Some(format!(
            "Choose one to {LONGEST} letters, digits, `_` or `-`; clients take no other characters in names."
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_separator_is_made_of_what_clients_take_in_names() {
        assert_eq!(Separator::default().as_str(), "__");
        assert_eq!(Separator::new("-").unwrap().as_str(), "-");
        for wrong in ["", ".", "::", "_________", "é"] {
            let error = Separator::new(wrong).unwrap_err();
            assert_eq!(error.code(), Code::SpecBadValue, "{wrong:?}");
            assert!(error.hint().unwrap().starts_with("Choose "));
        }
    }
}
