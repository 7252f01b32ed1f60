//! The arguments of one call, as its tool's table names them.
//!
//! Models write numbers and truths in quotes, `null` for what they leave out, and `session_id` for `sessionId`: each has
//! one meaning, and is taken. `timeout: 30` may be seconds or milliseconds, and is not.

use super::table::{ArgumentField, ArgumentKind, ArgumentTable};
use super::within;
use crate::answer::CallFailure;
use rmcp::model::JsonObject;
use runward_engine::core::resolve::nearest;
use serde_json::Value;

/// What other tools call the same thing, for errors: it is not taken.
const MEANT: &[(&str, &str)] = &[
    ("cmd", "command"),
    ("script", "command"),
    ("commandline", "command"),
    ("program", "file"),
    ("executable", "file"),
    ("argv", "args"),
    ("arguments", "args"),
    ("dir", "cwd"),
    ("directory", "cwd"),
    ("workdir", "cwd"),
    ("workingdirectory", "cwd"),
    ("path", "cwd"),
    ("stdin", "input"),
    ("text", "input"),
    ("data", "input"),
    ("timeoutseconds", "timeout_ms"),
    ("session", "sessionId"),
    ("regex", "pattern"),
    ("condition", "until"),
];

/// The longest value that an error repeats.
const SHOWN: usize = 60;

/// The arguments that were given. Values fit their kinds and ranges.
#[derive(Debug, Default)]
pub(crate) struct GivenArguments(JsonObject);

impl GivenArguments {
    pub(super) fn read(table: &ArgumentTable, arguments: JsonObject) -> Result<Self, CallFailure> {
        let mut given = JsonObject::new();
        for (name, value) in arguments {
            let Some(field) = known(table, &name) else { return Err(unknown(table, &name)) };
            if value.is_null() {
                continue;
            }
            if given.insert(field.name.to_owned(), fitting(field, value)?).is_some() {
                let message = format!("`{}` is given twice", field.name);
                return Err(CallFailure::bad_value(message, "Give it once."));
            }
        }
        if let Some(missing) = table.required.iter().find(|name| !given.contains_key(**name)) {
            let hint = format!("Call `{}` with `{missing}`.", table.tool);
            return Err(CallFailure::bad_value(format!("`{missing}` is missing"), hint));
        }
        Ok(Self(given))
    }

    /// A text.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        match self.0.remove(name)? {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// A text that is required, so it is there.
    pub(crate) fn needed(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_default()
    }

    /// A whole number that may be negative.
    pub(crate) fn signed(&self, name: &str) -> Option<i64> {
        self.0.get(name)?.as_i64()
    }

    /// A whole number.
    pub(crate) fn whole(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    /// Whether something is wanted.
    pub(crate) fn truth(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// A list of texts.
    pub(crate) fn words(&mut self, name: &str) -> Option<Vec<String>> {
        let Value::Array(words) = self.0.remove(name)? else { return None };
        Some(words.into_iter().filter_map(|word| word.as_str().map(str::to_owned)).collect())
    }

    /// A value, left where it is.
    pub(crate) fn look(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A value as it came.
    pub(crate) fn value(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name)
    }
}

/// The field that a name means: its own spelling, or one that differs in case and underscores only.
fn known<'a>(table: &'a ArgumentTable, name: &str) -> Option<&'a ArgumentField> {
    let exact = table.fields.iter().find(|field| field.name == name);
    let plain = plain(name);
    let id = || table.fields.iter().find(|field| field.name == "sessionId" && plain == "id");
    // The same unit, and one place to go: `timeout_ms` of a tool that has only `timeout`.
    let wait = || {
        let has = |name: &str| table.fields.iter().find(|field| field.name == name);
        if plain == "timeoutms" && has("deadline_ms").is_none() { has("timeout") } else { None }
    };
    exact
        .or_else(|| table.fields.iter().find(|field| self::plain(field.name) == plain))
        .or_else(id)
        .or_else(wait)
}

fn plain(name: &str) -> String {
    name.chars().filter(|c| *c != '_' && *c != '-').map(|c| c.to_ascii_lowercase()).collect()
}

fn unknown(table: &ArgumentTable, name: &str) -> CallFailure {
    let names = || table.fields.iter().map(|field| field.name);
    let all: Vec<String> = names().map(|name| format!("`{name}`")).collect();
    let hint = match all.as_slice() {
        [] => format!("`{}` takes no arguments.", table.tool),
        _ => format!("`{}` takes {}.", table.tool, all.join(", ")),
    };
    if plain(name) == "timeout" && names().any(|name| name == "timeout_ms") {
        let message = format!("there is no `{name}` here; `timeout_ms` is in milliseconds");
        return CallFailure::bad_value(message, hint);
    }
    let meant = MEANT.iter().find(|(other, ours)| *other == plain(name) && names().any(|name| name == *ours));
    let near =
        meant.map(|(_, ours)| (*ours).to_owned()).or_else(|| nearest(name, names()).into_iter().next());
    let message = match near {
        Some(near) => format!("there is no `{name}`; did you mean `{near}`?"),
        None => format!("there is no `{name}` here"),
    };
    CallFailure::bad_value(message, hint)
}

/// The value as its kind has it.
fn fitting(field: &ArgumentField, value: Value) -> Result<Value, CallFailure> {
    let name = field.name;
    match field.kind {
        ArgumentKind::Text => match value {
            Value::String(_) => Ok(value),
            other => Err(wrong(name, &other, "a text")),
        },
        ArgumentKind::Whole(least, most) => {
            let whole = whole(&value).ok_or_else(|| wrong(name, &value, "a whole number"))?;
            Ok(Value::from(within(name, whole, &(least..=most))?))
        }
        ArgumentKind::Truth => match &value {
            Value::Bool(_) => Ok(value),
            Value::String(text) if text == "true" || text == "false" => Ok(Value::Bool(text == "true")),
            other => Err(wrong(name, other, "true or false")),
        },
        ArgumentKind::Words => words(name, &value),
        ArgumentKind::Choice(choices) => match value.as_str() {
            Some(word) if choices.contains(&word) => Ok(value),
            _ => {
                let choices: Vec<String> = choices.iter().map(|word| format!("`{word}`")).collect();
                Err(wrong(name, &value, &format!("one of {}", choices.join(", "))))
            }
        },
        ArgumentKind::Loose(_) => Ok(value),
    }
}

/// A whole number, in quotes or not; `5.0` is one, too.
fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
            format!("{float:.0}").parse().ok()
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

/// A list of texts, or a text that is such a list in JSON.
fn words(name: &str, value: &Value) -> Result<Value, CallFailure> {
    let list = match value {
        Value::String(text) => serde_json::from_str::<Value>(text).ok().filter(Value::is_array),
        Value::Array(_) => Some(value.clone()),
        _ => None,
    };
    let list = list.ok_or_else(|| wrong(name, value, "a list of texts"))?;
    match list.as_array().and_then(|all| all.iter().find(|word| !word.is_string())) {
        Some(odd) => Err(wrong(name, odd, "a list of texts")),
        None => Ok(list),
    }
}

/// An error about a value of another kind. It repeats the value, as far as that is short.
pub(crate) fn wrong(name: &str, value: &Value, kind: &str) -> CallFailure {
    let mut shown = value.to_string();
    if let Some((at, _)) = shown.char_indices().nth(SHOWN) {
        shown.truncate(at);
        shown.push('…');
    }
    CallFailure::bad_value(format!("`{name}` is {shown}, which is not {kind}"), format!("Give {kind}."))
}

#[cfg(test)]
mod tests {
    use super::super::field;
    use super::*;
    use serde_json::json;

    const TABLE: ArgumentTable = ArgumentTable {
        tool: "sample",
        fields: &[
            field("command", ArgumentKind::Text, ""),
            field("timeout_ms", ArgumentKind::Whole(1, 600_000), ""),
            field("pty", ArgumentKind::Truth, ""),
            field("args", ArgumentKind::Words, ""),
            field("sessionId", ArgumentKind::Text, ""),
        ],
        required: &["command"],
    };

    fn given(arguments: &Value) -> Result<GivenArguments, String> {
        TABLE.read(arguments.as_object().cloned()).map_err(|failure| failure.sentence())
    }

    #[test]
    fn numbers_and_truths_in_quotes_and_null_are_taken() {
        let read =
            given(&json!({"command": "x", "timeout_ms": "5000", "pty": "true", "args": null})).unwrap();
        assert_eq!((read.whole("timeout_ms"), read.truth("pty")), (Some(5000), Some(true)));
        let mut read = given(&json!({"command": "x", "timeout_ms": null, "args": "[\"a\", \"b\"]"})).unwrap();
        assert_eq!((read.whole("timeout_ms"), read.words("args").unwrap().len()), (None, 2));
        assert_eq!(given(&json!({"command": "x", "timeout_ms": 5.0})).unwrap().whole("timeout_ms"), Some(5));
    }

    #[test]
    fn other_spellings_of_a_session_are_taken_once() {
        for name in ["sessionId", "session_id", "id", "sessionID"] {
            assert_eq!(given(&json!({"command": "x", name: "s"})).unwrap().needed("sessionId"), "s");
        }
        assert!(given(&json!({"command": "x", "id": "a", "session_id": "b"})).unwrap_err().contains("twice"));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_value() {
        let said = |arguments| given(&arguments).unwrap_err();
        assert!(
            said(json!({"command": "x", "timeout_ms": "soon"}))
                .starts_with("`timeout_ms` is \"soon\", which is not a whole number")
        );
        assert!(said(json!({"cmd": "ls"})).starts_with("there is no `cmd`; did you mean `command`?"));
        assert!(
            said(json!({"command": "x", "timeout": 30}))
                .starts_with("there is no `timeout` here; `timeout_ms` is in milliseconds")
        );
        assert!(said(json!({"command": 5})).starts_with("`command` is 5, which is not a text"));
        assert!(said(json!({})).starts_with("`command` is missing"));
        assert!(said(json!({"command": "x", "comand": "y"})).contains("did you mean `command`?"));
        assert!(said(json!({"command": "x", "zzz": 1})).contains("there is no `zzz` here"));
        assert!(said(json!({"command": "x", "pty": "maybe"})).contains("is not true or false"));
        assert!(said(json!({"command": "x", "args": ["a", 1]})).contains("is not a list of texts"));
        assert!(said(json!({"command": "x", "timeout_ms": 0})).contains("not between 1 and 600000"));
    }
}
