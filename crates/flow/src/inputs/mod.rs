//! Typed inputs: what a file wants to be told, and whether a value will do. May not ask anybody.
//!
//! Read first: [`Input`], then [`read()`] and [`Input::check`].

mod check;
mod read;
mod schema;

pub use check::settle;
pub(crate) use check::{is_yes, sift};
pub use read::read;
pub use schema::{arguments, checked, schema};

use crate::Mark;
use crate::front::Value;

/// What kind of value an input takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// Any text.
    Text,
    /// One of these.
    Select {
        /// The words to choose from.
        options: Vec<String>,
    },
    /// A number between two ends, as far as they are said.
    Number {
        /// The least, as it was written.
        min: Option<Value>,
        /// The most, as it was written.
        max: Option<Value>,
    },
    /// Yes or no.
    Confirm,
    /// A text that is never shown.
    Password,
}

/// The kinds by name.
pub const KINDS: &[&str] = &["text", "select", "number", "confirm", "password"];

/// Whether there must be a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// There must be one.
    Required,
    /// There may be none.
    Optional,
}

/// Something that a file wants to be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The name of the variable.
    pub name: String,
    /// What kind of value it takes.
    pub kind: InputKind,
    /// What it is for, in words.
    pub description: Option<String>,
    /// The value where none is given; it has been checked.
    pub default: Option<Value>,
    /// Whether there must be a value.
    pub need: Need,
    /// Where it stands in its file.
    pub mark: Option<Box<Mark>>,
}

#[cfg(test)]
mod tests;
