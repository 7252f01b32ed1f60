//! What a template may be given: values by name. May not know Liquid.

use crate::front::Value;
use std::time::SystemTime;

/// The names that a template may read, each with its value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scope {
    entries: Vec<(String, Value)>,
    /// What `now` and `today` mean to the filter `date`. Without it they are texts like others.
    pub now: Option<SystemTime>,
}

impl Scope {
    /// A scope without a name in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a name its value; what it had before is gone.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) -> &mut Self {
        let (name, value) = (name.into(), value.into());
        match self.entries.iter_mut().find(|(known, _)| *known == name) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((name, value)),
        }
        self
    }

    /// The value of a name. Nil is none.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let entry = self.entries.iter().find(|(known, _)| known == name)?;
        (entry.1 != Value::Null).then_some(&entry.1)
    }

    /// Names and values, in the order in which the names were first set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
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
        scope.set("a", Value::Null);
        assert_eq!(scope.get("a"), None);
    }

    #[test]
    fn a_map_is_shown_as_json_and_a_number_as_it_was_written() {
        let map =
            Value::map(vec![("a".into(), Value::Number("1.0".into())), ("b".into(), Value::List(vec![]))]);
        assert_eq!(map.to_string(), r#"{"a":1.0,"b":[]}"#);
        assert_eq!(Value::Number("1.0".into()).to_string(), "1.0");
        assert_eq!(Value::Number("0x1F".into()).to_json(), serde_json::json!("0x1F"));
    }
}
