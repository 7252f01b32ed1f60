//! Values and where they came from. May not judge them.

use serde::Serialize;
use std::fmt;

/// The value of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Nothing: the limit is off, or the host's own choice holds.
    Unset,
    /// A number of milliseconds, bytes or pieces.
    Number(u64),
    /// True or false.
    Bool(bool),
    /// A number with a fraction or a sign, as it was written.
    #[serde(serialize_with = "decimal")]
    Decimal(String),
    /// A word or a path.
    Word(String),
    /// A list of words.
    List(Vec<String>),
    /// Names with their texts, in the order of their lines.
    #[serde(serialize_with = "table")]
    Table(Vec<(String, String)>),
}

impl fmt::Display for Value {
    /// The value as a file would spell it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Unset => f.write_str("(unset)"),
            Value::Number(number) => number.fmt(f),
            Value::Bool(word) => word.fmt(f),
            Value::Decimal(text) => f.write_str(text),
            Value::Word(word) => write!(f, "{word:?}"),
            Value::List(words) => write!(f, "{words:?}"),
            Value::Table(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(name, text)| format!("{name:?} = {text:?}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
        }
    }
}

/// A number as one, where it is a number that JSON has.
fn decimal<S: serde::Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => to.serialize_f64(number),
        _ => to.serialize_str(text),
    }
}

fn table<S: serde::Serializer>(entries: &[(String, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(entries.iter().map(|(name, text)| (name, text)))
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// No file said anything.
    BuiltIn,
    /// A file said so.
    File {
        /// Its name.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A variable of the environment said so.
    Variable(String),
    /// The owner's file said something, and the project's file added to it.
    Both(Box<Origin>, Box<Origin>),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::BuiltIn => f.write_str("built-in"),
            Origin::File { file, line } => write!(f, "{file}:{line}"),
            Origin::Variable(name) => f.write_str(name),
            Origin::Both(owner, project) => write!(f, "{owner}, {project}"),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
