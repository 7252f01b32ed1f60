//! What `wait_command` waits for, as models write it.
//!
//! The flat form is the one of the schema: a word, and beside it `pattern`, `port` or `idle_ms`. Taken too: `"port:3000"`,
//! and an object with one key, `{"port": 3000}`. May not choose between two conditions.

use crate::answer::CallFailure;
use crate::arguments::{GivenArguments, pattern, within, wrong};
use runward_engine::registry::Until;
use serde_json::Value;
use std::time::Duration;

/// The words of the condition.
pub(super) const WORDS: &[&str] = &["exit", "output", "idle", "port", "input"];

/// Reads the condition and what it needs beside it.
pub(super) fn lower(given: &mut GivenArguments) -> Result<Until, CallFailure> {
    let until = given.value("until").unwrap_or(Value::String("exit".to_owned()));
    let (word, own) = match &until {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(map)) => keyed(&Value::Object(map))?,
            _ => split(text),
        },
        Value::Object(_) => keyed(&until)?,
        _ => return Err(no_condition(&until)),
    };
    let beside = |name: &str| own.clone().filter(|own| !own.is_null()).or_else(|| given_value(given, name));
    match word.as_str() {
        "exit" => whether(own.as_ref(), Until::Exit),
        "input" => whether(own.as_ref(), Until::Input),
        "output" => match beside("pattern") {
            Some(Value::String(text)) => Ok(Until::Output(pattern("pattern", &text)?)),
            Some(other) => Err(wrong("pattern", &other, "a text")),
            None => Err(lacks("output", "pattern", "a regular expression")),
        },
        "idle" | "idle_ms" => {
            let millis = number("idle_ms", beside("idle_ms"), ("idle", "milliseconds without output"))?;
            Ok(Until::Idle(Duration::from_millis(within("idle_ms", millis, &(1..=600_000))?)))
        }
        "port" => {
            let port = number("port", beside("port"), ("port", "a TCP port"))?;
            Ok(Until::Port(u16::try_from(within("port", port, &(1..=65_535))?).unwrap_or(u16::MAX)))
        }
        _ => Err(no_condition(&until)),
    }
}

fn given_value(given: &GivenArguments, name: &str) -> Option<Value> {
    given.look(name).cloned()
}

/// `"port:3000"` and `"output:ready"`, or a word alone.
fn split(text: &str) -> (String, Option<Value>) {
    match text.split_once(':') {
        Some((word, own)) if WORDS.contains(&word) => {
            (word.to_owned(), Some(Value::String(own.trim().to_owned())))
        }
        _ => (text.to_owned(), None),
    }
}

/// An object with one key.
fn keyed(until: &Value) -> Result<(String, Option<Value>), CallFailure> {
    let entries: Vec<_> = until.as_object().into_iter().flatten().collect();
    match entries.as_slice() {
        [(word, own)] => Ok(((*word).clone(), Some((*own).clone()))),
        _ => Err(no_condition(until)),
    }
}

fn whether(own: Option<&Value>, until: Until) -> Result<Until, CallFailure> {
    match own {
        None | Some(Value::Bool(true)) => Ok(until),
        Some(Value::String(text)) if text == "true" => Ok(until),
        Some(_) => {
            let message = "`until` waits for something to become true, and is told not to".to_owned();
            Err(CallFailure::bad_value(message, "Use `until: \"exit\"` or `until: \"input\"`."))
        }
    }
}

fn number(name: &str, value: Option<Value>, (word, what): (&str, &str)) -> Result<u64, CallFailure> {
    let value = value.ok_or_else(|| lacks(word, name, what))?;
    let whole = match &value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    whole.ok_or_else(|| wrong(name, &value, "a whole number"))
}

fn lacks(word: &str, name: &str, what: &str) -> CallFailure {
    let message = format!("`until` is `{word}`, and `{name}` is missing");
    CallFailure::bad_value(message, format!("Give `{name}`: {what}."))
}

fn no_condition(until: &Value) -> CallFailure {
    let words: Vec<String> = WORDS.iter().map(|word| format!("`{word}`")).collect();
    wrong("until", until, &format!("one of {}", words.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::super::wait_command::TABLE;
    use super::*;
    use serde_json::json;

    fn lowered(mut arguments: Value) -> Result<Until, String> {
        arguments["sessionId"] = json!("x");
        let given = TABLE.read(arguments.as_object().cloned());
        given.and_then(|mut given| lower(&mut given)).map_err(|failure| failure.sentence())
    }

    #[test]
    fn every_condition_has_a_flat_form_and_an_object() {
        let all = [
            (json!({"until": "exit"}), "exit"),
            (json!({"until": {"exit": true}}), "exit"),
            (json!({"until": "{\"exit\": true}"}), "exit"),
            (json!({}), "exit"),
            (json!({"until": "output", "pattern": "a+"}), "output"),
            (json!({"until": {"output": "a+"}}), "output"),
            (json!({"until": "idle", "idle_ms": 5}), "idle_ms"),
            (json!({"until": {"idle_ms": 5}}), "idle_ms"),
            (json!({"until": "port", "port": 3000}), "port"),
            (json!({"until": "port", "port": "3000"}), "port"),
            (json!({"until": "port:3000"}), "port"),
            (json!({"until": {"port": 3000}}), "port"),
            (json!({"until": "input"}), "input"),
        ];
        for (arguments, name) in all {
            assert_eq!(lowered(arguments.clone()).map(|until| until.name()), Ok(name), "{arguments}");
        }
    }

    #[test]
    fn anything_else_names_what_there_is() {
        let moon = lowered(json!({"until": "moon"})).unwrap_err();
        for word in WORDS {
            assert!(moon.contains(&format!("`{word}`")), "{moon}");
        }
        for (arguments, says) in [
            (json!({"until": {"exit": true, "port": 1}}), "`until`"),
            (json!({"until": {}}), "`until`"),
            (json!({"until": {"exit": false}}), "`until`"),
            (json!({"until": "port"}), "`port` is missing"),
            (json!({"until": "output"}), "`pattern` is missing"),
            (json!({"until": "port:high"}), "not a whole number"),
            (json!({"until": {"port": 0}}), "between 1 and 65535"),
            (json!({"until": "output", "pattern": "("}), "regular expression"),
            (json!({"until": 5}), "`until` is 5"),
        ] {
            let said = lowered(arguments).unwrap_err();
            assert!(said.contains(says), "{said}");
        }
    }
}
