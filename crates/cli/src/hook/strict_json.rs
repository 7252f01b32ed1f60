//! JSON without doubt: a key that stands twice is an error. Readers differ in which of the two they take, so what is judged
//! might not be what is run. May not say what the values mean.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// The value of a text.
pub(super) fn parse(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice::<Doubtless>(bytes).map(|found| found.0).map_err(|error| error.to_string())
}

struct Doubtless(Value);

impl<'de> Deserialize<'de> for Doubtless {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(DoubtlessVisitor).map(Doubtless)
    }
}

struct DoubtlessVisitor;

impl<'de> Visitor<'de> for DoubtlessVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Doubtless(value)) = from.next_element()? {
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some((key, Doubtless(value))) = from.next_entry::<String, Doubtless>()? {
            if all.contains_key(&key) {
                return Err(A::Error::custom(format!("the key `{key}` stands twice")));
            }
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_that_stands_twice_is_an_error_however_deep() {
        let told = parse(br#"{"a": [{"command": "ls", "comm\u0061nd": "rm"}]}"#).unwrap_err();
        assert!(told.contains("the key `command` stands twice"), "{told}");
    }

    #[test]
    fn everything_else_is_as_it_was_written() {
        let text = br#"{"a":[1,-2,3.5,true,null,"\u00e9"],"b":{}}"#;
        assert_eq!(parse(text).unwrap(), serde_json::from_slice::<Value>(text).unwrap());
        for broken in [&b"{\"a\": \"\\ud800\"}"[..], b"\xff", b"", b"{} {}"] {
            parse(broken).unwrap_err();
        }
        parse("[".repeat(5000).as_bytes()).unwrap_err();
    }
}
