//! Parses JSON within a bound of memory, and stops where it would take more.
//!
//! A few bytes of text can become a hundred in memory: `{"":0}` is a tree of its own. May not know what is read.

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// What every value takes, whatever it is.
const VALUE: usize = size_of::<Value>();
/// What a list takes that has at least one entry: room for some more.
const LIST: usize = 4 * VALUE;
/// What an object takes that has at least one member: room for some more.
const OBJECT: usize = 640;
/// What the name of a member takes beside its letters.
const NAME: usize = 64;

/// Reads one value within what is left.
pub(super) struct Sparing<'a> {
    /// Bytes of memory that may still be taken.
    pub(super) left: &'a mut usize,
}

impl Sparing<'_> {
    fn spend<E: Error>(&mut self, bytes: usize) -> Result<(), E> {
        let too_much = || E::custom("it would take too much memory");
        *self.left = self.left.checked_sub(bytes).ok_or_else(too_much)?;
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Sparing<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Sparing<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(mut self, value: &str) -> Result<Value, E> {
        self.spend(value.len())?;
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut from: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = from.next_element_seed(Sparing { left: &mut *self.left })? {
            self.spend(if list.is_empty() { LIST } else { VALUE })?;
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut from: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            self.spend(NAME + name.len() + if object.is_empty() { OBJECT } else { 0 })?;
            let value = from.next_value_seed(Sparing { left: &mut *self.left })?;
            object.insert(name, value);
        }
        Ok(Value::Object(object))
    }
}

/// About how much memory a value takes.
pub(super) fn weight(value: &Value) -> usize {
    VALUE
        + match value {
            Value::String(text) => text.len(),
            Value::Array(list) => list.iter().map(weight).sum(),
            Value::Object(object) => {
                OBJECT + object.iter().map(|(name, value)| NAME + name.len() + weight(value)).sum::<usize>()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str, mut left: usize) -> serde_json::Result<Value> {
        let mut from = serde_json::Deserializer::from_str(text);
        let value = Sparing { left: &mut left }.deserialize(&mut from)?;
        from.end().map(|()| value)
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
            ".{0,9}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,4}", inner, 0..6)
                    .prop_map(|object| Value::Object(object.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_anybody_reads(value in any_json()) {
            let text = value.to_string();
            let anybody: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read(&text, usize::MAX).unwrap(), anybody);
        }
    }

    #[test]
    fn what_would_grow_in_memory_is_stopped() {
        let many = |one: &str| format!("[{}{one}]", format!("{one},").repeat(100_000));
        for one in ["{\"\":0}", "[1]", "1", "null", "[[]]", "\"\""] {
            let error = read(&many(one), 1_000_000).unwrap_err();
            assert!(error.to_string().contains("too much memory"), "{one}: {error}");
        }
        assert!(read(&format!("\"{}\"", "x".repeat(1_000_000)), 1_000_001).is_ok());
        assert!(read(&format!("\"{}\"", "x".repeat(1_000_001)), 1_000_000).is_err());
    }

    #[test]
    fn a_long_text_weighs_what_it_is() {
        let value = serde_json::json!({"a": "x".repeat(1_000_000), "b": [1, null]});
        assert!((1_000_000..1_002_000).contains(&weight(&value)), "{}", weight(&value));
    }
}
