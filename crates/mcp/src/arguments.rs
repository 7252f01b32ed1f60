//! A call's arguments: read into a tool's own type, with errors that name the field and the value.
//!
//! May not guess: what is unknown, of another type or out of range is an error.

use crate::answer::Failure;
use regex::Regex;
use rmcp::model::JsonObject;
use runward::sessions::Pattern;
use runward::{Code, ErrorView};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::RangeInclusive;

/// Reads arguments into a tool's own type.
pub(crate) fn read<T: DeserializeOwned>(tool: &str, arguments: Option<JsonObject>) -> Result<T, Failure> {
    let arguments = Value::Object(arguments.unwrap_or_default());
    serde_path_to_error::deserialize(arguments).map_err(|error| {
        let (path, what) = (error.path().to_string(), error.inner());
        let place = if path == "." { String::new() } else { format!("`{path}`: ") };
        let hint = format!("See the input schema of `{tool}`.");
        Failure::bad_value(format!("the arguments of `{tool}` cannot be read: {place}{what}"), hint)
    })
}

/// A number that must lie in a range; nothing is moved into it in silence.
pub(crate) fn within(name: &str, value: u64, range: &RangeInclusive<u64>) -> Result<u64, Failure> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = (range.start(), range.end());
    Err(Failure(ErrorView {
        code: Code::SpecBadLimit,
        message: format!("`{name}` is {value}, which is not between {least} and {most}"),
        hint: Some(format!("Use a value from {least} to {most}.")),
    }))
}

/// A regular expression, or an error that says what is wrong with it.
pub(crate) fn regex(name: &str, text: &str) -> Result<Regex, Failure> {
    Regex::new(text).map_err(|error| no_regex(name, &error))
}

/// The same for what output is searched for.
pub(crate) fn pattern(name: &str, text: &str) -> Result<Pattern, Failure> {
    Pattern::new(text).map_err(|error| no_regex(name, &error))
}

fn no_regex(name: &str, error: &regex::Error) -> Failure {
    let message = format!("`{name}` is not a regular expression: {error}");
    Failure::bad_value(message, "Escape what is meant as it is, such as `\\(`.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sample {
        #[expect(dead_code, reason = "only whether it can be read matters")]
        command: String,
    }

    fn failure(arguments: Value) -> String {
        let Value::Object(arguments) = arguments else { panic!("an object") };
        read::<Sample>("sample", Some(arguments)).unwrap_err().sentence()
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(
            failure(serde_json::json!({"command": "x", "comand": "y"})).contains("unknown field `comand`")
        );
        assert!(failure(serde_json::json!({})).contains("missing field `command`"));
        assert!(failure(serde_json::json!({"command": 5})).contains("`command`: invalid type: integer `5`"));
        assert!(read::<Sample>("sample", None).is_err());
    }

    #[test]
    fn out_of_range_names_value_and_range() {
        assert_eq!(within("timeout_ms", 5, &(1..=9)).unwrap(), 5);
        let failure = within("timeout_ms", 0, &(1..=600_000)).unwrap_err().sentence();
        assert_eq!(
            failure,
            "`timeout_ms` is 0, which is not between 1 and 600000. Use a value from 1 to 600000."
        );
    }
}
