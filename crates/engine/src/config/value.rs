//! Values and where they came from. May not judge them.

use serde::Serialize;
use std::fmt;

/// The value of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ConfigValue {
    /// Nothing: the limit is off, or the host's own choice holds.
    Unset,
    /// A number of milliseconds, bytes or items.
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

impl fmt::Display for ConfigValue {
    /// The value as a file would spell it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConfigValue::Unset => f.write_str("(unset)"),
            ConfigValue::Number(number) => number.fmt(f),
            ConfigValue::Bool(word) => word.fmt(f),
            ConfigValue::Decimal(text) => f.write_str(text),
            ConfigValue::Word(word) => write!(f, "{word:?}"),
            ConfigValue::List(words) => write!(f, "{words:?}"),
            ConfigValue::Table(entries) => {
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
pub enum ValueOrigin {
    /// The default: no file has it.
    BuiltIn,
    /// A file has it.
    File {
        /// Its name.
        file: String,
        /// The line, counted from 1.
        line: usize,
    },
    /// A variable of the environment has it.
    Variable(String),
    /// An option of the command line has it, perhaps besides a file.
    CommandLine,
    /// The owner's file has it, and the project's file added to it.
    Both(Box<ValueOrigin>, Box<ValueOrigin>),
}

impl fmt::Display for ValueOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueOrigin::BuiltIn => f.write_str("built-in"),
            ValueOrigin::File { file, line } => write!(f, "{file}:{line}"),
            ValueOrigin::Variable(name) => f.write_str(name),
            ValueOrigin::CommandLine => f.write_str("command line"),
            ValueOrigin::Both(owner, project) => write!(f, "{owner}, {project}"),
        }
    }
}

impl Serialize for ValueOrigin {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
