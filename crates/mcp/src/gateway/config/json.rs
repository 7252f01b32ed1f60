//! JSON that keeps the order of keys and notices when one is given twice.
//!
//! May not know what keys mean.

use super::problem::Problem;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Any JSON value, objects as they are written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Whole(u64),
    /// Any other number; no key takes one.
    Number,
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// What it is, with its article.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a boolean",
            Json::Whole(_) | Json::Number => "a number",
            Json::Text(_) => "a string",
            Json::List(_) => "a list",
            Json::Object(_) => "an object",
        }
    }
}

/// The value that a text is, or where it stops being JSON.
pub(super) fn parse(text: &str) -> Result<Json, Problem> {
    serde_json::from_str(text).map_err(|error| {
        let said = error.to_string();
        let what = said.split(" at line ").next().unwrap_or(&said);
        Problem::at_line(error.line(), error.column(), format!("expected JSON: {what}"))
    })
}

struct AnyJson;

impl<'de> Visitor<'de> for AnyJson {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(Json::Whole(value))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Json, E> {
        Ok(Json::Number)
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut members = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            members.push(entry);
        }
        Ok(Json::Object(members))
    }
}

impl<'de> Deserialize<'de> for Json {
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
        let list = vec![Json::Null, Json::Bool(true), Json::Number, Json::Number, Json::Text("x".to_owned())];
        let expected = [("z", Json::Whole(1)), ("a", Json::List(list)), ("z", Json::Object(Vec::new()))];
        assert_eq!(json, Json::Object(expected.map(|(key, value)| (key.to_owned(), value)).to_vec()));
    }

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        let problem = parse("{\n  \"a\": x\n}").unwrap_err();
        assert_eq!(problem.to_string(), "line 2, column 8: expected JSON: expected value");
        assert!(parse(&"[".repeat(100_000)).unwrap_err().to_string().contains("recursion"));
    }
}
