//! A value of the front matter, as it was written. May not know which key it belongs to.

use super::Front;
use std::fmt;

/// A value of the front matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`, `~` or nothing at all.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was written: `1.0` stays `1.0`.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Further keys with their values.
    Map(Front),
}

impl Value {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Value::Text(text.into())
    }

    /// Values by name, in order.
    pub fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Self {
        Value::Map(entries.into_iter().collect())
    }

    /// The text, if it is one. A number is none.
    pub fn as_text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }

    /// True or false, if it is one of them.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(word) = self { Some(*word) } else { None }
    }

    /// The list, if it is one.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(items) = self { Some(items) } else { None }
    }

    /// The keys in it, if it has any.
    pub fn as_map(&self) -> Option<&Front> {
        if let Value::Map(front) = self { Some(front) } else { None }
    }

    /// The number, if it is one that a machine can count with.
    pub fn as_number(&self) -> Option<f64> {
        let Value::Number(number) = self else { return None };
        super::scalar::number(number)
    }

    /// Whether it is a single word or nothing: no list, no map.
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Value::List(_) | Value::Map(_))
    }

    /// Whether it says nothing: null, or a text without a character.
    pub fn is_empty(&self) -> bool {
        matches!(self, Value::Null) || self.as_text() == Some("")
    }

    /// What it is, in words for an error.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Map(_) => "an object",
        }
    }

    /// The value as JSON. A number that JSON cannot spell becomes a text.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value as Json;
        match self {
            Value::Null => Json::Null,
            Value::Bool(word) => Json::Bool(*word),
            Value::Number(number) => {
                serde_json::from_str(number).unwrap_or_else(|_| Json::String(number.clone()))
            }
            Value::Text(text) => Json::String(text.clone()),
            Value::List(items) => Json::Array(items.iter().map(Value::to_json).collect()),
            Value::Map(front) => {
                Json::Object(front.iter().map(|(key, value)| (key.to_owned(), value.to_json())).collect())
            }
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

impl fmt::Display for Value {
    /// The value as an argument: the text itself, the parts of a list with commas between.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("null"),
            Value::Bool(word) => word.fmt(f),
            Value::Number(text) | Value::Text(text) => f.write_str(text),
            Value::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { "," })?;
                    item.fmt(f)?;
                }
                Ok(())
            }
            Value::Map(_) => f.write_str(&self.to_json().to_string()),
        }
    }
}
