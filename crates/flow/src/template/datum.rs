//! What a template may be given: values by name. May not know Liquid.

use crate::front::Value;

use std::fmt;

/// A value that a template can read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Datum {
    /// Nothing; a name that holds it counts as missing.
    #[default]
    Nil,
    /// Yes or no.
    Bool(bool),
    /// A number as it was written: `1.0` stays `1.0`.
    Number(String),
    /// Text.
    Text(String),
    /// Several values in order.
    List(Vec<Datum>),
    /// Values by name, in order.
    Map(Vec<(String, Datum)>),
}

impl Datum {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The value under a name, where this is a map.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        match self {
            Self::Map(entries) => entries.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The same as JSON, a number as it was written where JSON has such a number.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Nil => serde_json::Value::Null,
            Self::Bool(yes) => (*yes).into(),
            Self::Number(text) => serde_json::from_str::<serde_json::Number>(text)
                .map_or_else(|_| text.clone().into(), Into::into),
            Self::Text(text) => text.clone().into(),
            Self::List(items) => items.iter().map(Self::to_json).collect(),
            Self::Map(entries) => entries.iter().map(|(key, value)| (key.clone(), value.to_json())).collect(),
        }
    }
}

impl From<&str> for Datum {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&Value> for Datum {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Datum::Nil,
            Value::Bool(yes) => Datum::Bool(*yes),
            Value::Number(number) => Datum::Number(number.clone()),
            Value::Text(text) => Datum::Text(text.clone()),
            Value::List(items) => Datum::List(items.iter().map(Datum::from).collect()),
            Value::Map(front) => {
                Datum::Map(front.iter().map(|(key, value)| (key.to_owned(), value.into())).collect())
            }
        }
    }
}

impl From<bool> for Datum {
    fn from(yes: bool) -> Self {
        Self::Bool(yes)
    }
}

/// As a template writes it: nothing for nil, lists without anything between, maps as JSON.
impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => Ok(()),
            Self::Bool(yes) => yes.fmt(f),
            Self::Number(text) | Self::Text(text) => f.write_str(text),
            Self::List(items) => items.iter().try_for_each(|item| item.fmt(f)),
            Self::Map(_) => self.to_json().fmt(f),
        }
    }
}

/// The names that a template may read, each with its value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    entries: Vec<(String, Datum)>,
}

impl Scope {
    /// A scope without a name in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a name its value; what it had before is gone.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Datum>) -> &mut Self {
        let (name, value) = (name.into(), value.into());
        match self.entries.iter_mut().find(|(known, _)| *known == name) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((name, value)),
        }
        self
    }

    /// The value of a name. Nil is none.
    pub fn get(&self, name: &str) -> Option<&Datum> {
        let entry = self.entries.iter().find(|(known, _)| known == name)?;
        (entry.1 != Datum::Nil).then_some(&entry.1)
    }

    /// Names and values, in the order in which the names were first set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Datum)> {
        self.entries.iter().map(|(name, value)| (name.as_str(), value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_value_and_keeps_its_place() {
        let mut scope = Scope::new();
        scope.set("a", "1").set("b", "2").set("a", "3");
        let names: Vec<_> = scope.iter().map(|(name, value)| (name, value.to_string())).collect();
        assert_eq!(names, [("a", "3".to_owned()), ("b", "2".to_owned())]);
    }

    #[test]
    fn nil_is_no_value() {
        let mut scope = Scope::new();
        scope.set("a", Datum::Nil);
        assert_eq!(scope.get("a"), None);
    }

    #[test]
    fn a_map_is_shown_as_json_and_a_number_as_it_was_written() {
        let map =
            Datum::Map(vec![("a".into(), Datum::Number("1.0".into())), ("b".into(), Datum::List(vec![]))]);
        assert_eq!(map.to_string(), r#"{"a":1.0,"b":[]}"#);
        assert_eq!(Datum::Number("1.0".into()).to_string(), "1.0");
        assert_eq!(Datum::Number("0x1F".into()).to_json(), serde_json::json!("0x1F"));
    }
}
