//! JSON that keeps the order of keys and notices when one is given twice.
//!
//! May not know what keys mean.

use super::problem::ServerListProblem;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Any JSON value, objects as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonAsWritten {
    Null,
    Bool(bool),
    Whole(u64),
    /// Any other number; no key takes one.
    Number,
    Text(String),
    List(Vec<JsonAsWritten>),
    Object(Vec<(String, JsonAsWritten)>),
}

impl JsonAsWritten {
    /// What it is, with its article.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            JsonAsWritten::Null => "null",
            JsonAsWritten::Bool(_) => "a boolean",
            JsonAsWritten::Whole(_) | JsonAsWritten::Number => "a number",
            JsonAsWritten::Text(_) => "a string",
            JsonAsWritten::List(_) => "a list",
            JsonAsWritten::Object(_) => "an object",
        }
    }
}

/// The value that a text is, or where it stops being JSON.
pub(super) fn parse(text: &str) -> Result<JsonAsWritten, ServerListProblem> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let what = said.split(" at line ").next().unwrap_or(&said);
        ServerListProblem::at_line(error.line(), error.column(), format!("expected JSON: {what}"))
    })
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = JsonAsWritten;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Whole(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<JsonAsWritten, E> {
        Ok(JsonAsWritten::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<JsonAsWritten, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(JsonAsWritten::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<JsonAsWritten, A::Error> {
        let mut members = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            members.push(entry);
        }
        Ok(JsonAsWritten::Object(members))
    }
}

impl<'de> Deserialize<'de> for JsonAsWritten {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyJson)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_in_the_order_of_the_file_and_twice_is_twice() {
        let json = parse(r#"{"z": 1, "a": [null, true, -1, 1.5, "x"], "z": {}}"#).unwrap();
        let list = vec![
            JsonAsWritten::Null,
            JsonAsWritten::Bool(true),
            JsonAsWritten::Number,
            JsonAsWritten::Number,
            JsonAsWritten::Text("x".to_owned()),
        ];
        let expected = [
            ("z", JsonAsWritten::Whole(1)),
            ("a", JsonAsWritten::List(list)),
            ("z", JsonAsWritten::Object(Vec::new())),
        ];
        assert_eq!(
            json,
            JsonAsWritten::Object(expected.map(|(key, value)| (key.to_owned(), value)).to_vec())
        );
    }

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        let problem = parse("{\n  \"a\": x\n}").unwrap_err();
        assert_eq!(problem.to_string(), "line 2, column 8: expected JSON: expected value");
        assert!(parse(&"[".repeat(100_000)).unwrap_err().to_string().contains("recursion"));
    }
}
