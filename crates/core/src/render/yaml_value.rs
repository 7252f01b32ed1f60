//! A whole value as YAML: everything that has a JSON, its keys in the order of its type. May not know what the keys mean.
//!
//! The value is written down as JSON and read back while the YAML is written: so every type that the product shows as JSON
//! has a YAML that says the same. A text is always a block or in quotes, so that `no` and `1.0` stay texts for every parser.

use super::Yaml;
use super::yaml::{deeper, escape, push_item, push_text};
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

impl Yaml {
    /// The whole of a value. The error is that of its JSON.
    pub fn of(value: &impl Serialize) -> Result<Self, serde_json::Error> {
        let json = serde_json::to_string(value)?;
        Ok(Self(match serde_json::from_str(&json)? {
            YamlValue::Inline(text) | YamlValue::Lines(text) => text,
        }))
    }
}

impl Yaml {
    /// A key with any value. The error is that of its JSON.
    pub fn value(&mut self, key: &str, value: &impl Serialize) -> Result<&mut Self, serde_json::Error> {
        let Yaml(text) = Yaml::of(&std::collections::BTreeMap::from([(key, value)]))?;
        self.0.push_str(&text);
        Ok(self)
    }
}

/// A value on its way to its place behind a key or a dash.
enum YamlValue {
    /// It begins on the line of its key; further lines are deeper than the key.
    Inline(String),
    /// It has lines of its own.
    Lines(String),
}

impl YamlValue {
    fn word(word: impl fmt::Display) -> Self {
        Self::Inline(format!("{word}\n"))
    }

    fn lines(lines: String, if_empty: &str) -> Self {
        if lines.is_empty() { Self::word(if_empty) } else { Self::Lines(lines) }
    }
}

impl<'de> Deserialize<'de> for YamlValue {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(YamlVisitor)
    }
}

struct YamlVisitor;

impl<'de> Visitor<'de> for YamlVisitor {
    type Value = YamlValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<YamlValue, E> {
        Ok(YamlValue::word("null"))
    }

    fn visit_bool<E>(self, yes: bool) -> Result<YamlValue, E> {
        Ok(YamlValue::word(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<YamlValue, E> {
        Ok(YamlValue::word(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<YamlValue, E> {
        Ok(YamlValue::word(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<YamlValue, E> {
        Ok(YamlValue::word(serde_json::Value::from(number)))
    }

    fn visit_str<E>(self, text: &str) -> Result<YamlValue, E> {
        let mut written = String::new();
        push_text(&mut written, text);
        Ok(YamlValue::Inline(written))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<YamlValue, A::Error> {
        let mut lines = String::new();
        while let Some(item) = items.next_element()? {
            match item {
                YamlValue::Inline(text) => lines.extend(["- ", &text]),
                YamlValue::Lines(inner) => push_item(&mut lines, &inner),
            }
        }
        Ok(YamlValue::lines(lines, "[]"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<YamlValue, A::Error> {
        let mut lines = String::new();
        while let Some((key, value)) = entries.next_entry::<String, YamlValue>()? {
            push_key(&mut lines, &key);
            match value {
                YamlValue::Inline(text) => lines.extend([": ", &text]),
                YamlValue::Lines(inner) => {
                    lines.push_str(":\n");
                    deeper(&mut lines, &inner);
                }
            }
        }
        Ok(YamlValue::lines(lines, "{}"))
    }
}

/// Words that parsers of older YAML take for something else than a text.
const NO_TEXTS: &[&str] = &["true", "false", "yes", "no", "on", "off", "y", "n", "null"];

/// A key as it is where it is a plain name, and in quotes on one line where it is not.
fn push_key(lines: &mut String, key: &str) {
    let is_name = key.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && key.chars().all(|one| one.is_ascii_alphanumeric() || "_-./".contains(one))
        && !NO_TEXTS.iter().any(|word| word.eq_ignore_ascii_case(key));
    if is_name {
        return lines.push_str(key);
    }
    lines.push('"');
    key.chars().for_each(|one| escape(lines, one));
    lines.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn written(value: &impl Serialize) -> String {
        Yaml::of(value).unwrap().finish()
    }

    #[derive(Serialize)]
    struct Shown {
        zeta: u8,
        alpha: Option<&'static str>,
        list: Vec<serde_json::Value>,
        map: serde_json::Value,
    }

    #[test]
    fn a_value_has_its_keys_in_the_order_of_its_type() {
        let list = vec![
            json!({"a": 1, "b": [2, [3, "x"]]}),
            json!("two\nlines\n"),
            json!([]),
            json!({"text": " a\n\n  b"}),
        ];
        let value = Shown { zeta: 1, alpha: None, list, map: json!({"deep": {"deeper": "no"}, "none": {}}) };
        assert_eq!(
            written(&value),
            "zeta: 1\nalpha: null\nlist:\n  - a: 1\n    b:\n      - 2\n      - - 3\n        - \"x\"\n  - |\n    two\n    lines\n  \
             - []\n  - text: |2-\n       a\n\n        b\nmap:\n  deep:\n    deeper: \"no\"\n  none: {}\n"
        );
    }

    #[test]
    fn a_value_that_is_no_map_is_a_document_too() {
        assert_eq!(written(&json!([1.5, true, -3])), "- 1.5\n- true\n- -3\n");
        assert_eq!(written(&json!("a")), "\"a\"\n");
        assert_eq!(written(&json!({})), "{}\n");
    }

    #[test]
    fn a_key_that_is_no_plain_name_is_in_quotes_on_one_line() {
        let value = json!({"a b": 1, "no": 2, "1": 3, "x\ny: \"": 4, "limits.timeout_ms": 5});
        assert_eq!(
            written(&value),
            "\"a b\": 1\n\"no\": 2\n\"1\": 3\n\"x\\ny: \\\"\": 4\nlimits.timeout_ms: 5\n"
        );
    }
}
