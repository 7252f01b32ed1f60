//! The arguments of `exec`: parsed from JSON, and checked. May not look at the host.

use super::CodeIssue;
use crate::Wish;
use runward_core::render::one_line;
use serde_json::{Map, Value};
use std::path::PathBuf;
use std::time::Duration;

/// A snippet, and how to run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRequest {
    /// The language, by name or other name.
    pub lang: String,
    /// The code, as it is.
    pub code: String,
    /// Its working directory; Runward's own by default.
    pub cwd: Option<PathBuf>,
    /// How long it may run.
    pub timeout: Wish<Duration>,
    /// Which version of the interpreter.
    pub version: Option<String>,
    /// Whether its output is answered.
    pub return_output: bool,
    /// Its standard input.
    pub stdin: Option<String>,
}

const FIELDS: &[&str] = &["lang", "code", "cwd", "timeout", "version", "return_output", "stdin"];

/// The longest time that can be asked for: ten minutes.
const LONGEST_MS: u64 = 600_000;

impl CodeRequest {
    /// A snippet, run in the usual way.
    pub fn new(lang: impl Into<String>, code: impl Into<String>) -> Self {
        Self {
            lang: lang.into(),
            code: code.into(),
            cwd: None,
            timeout: Wish::Default,
            version: None,
            return_output: true,
            stdin: None,
        }
    }

    /// Reads the arguments of a call. What does not belong there is an issue that names it.
    pub fn read(json: &Value) -> Result<Self, CodeIssue> {
        let Value::Object(fields) = json else {
            return Err(CodeIssue::invalid("The arguments are not an object"));
        };
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(CodeIssue::invalid(format!("There is no parameter '{}'", one_line(unknown))));
        }
        let required =
            |name| text(fields, name)?.ok_or_else(|| CodeIssue::invalid(format!("'{name}' is missing")));
        Ok(Self {
            cwd: text(fields, "cwd")?.map(PathBuf::from),
            timeout: timeout(fields)?,
            version: text(fields, "version")?,
            return_output: yes_or_no(fields, "return_output")?.unwrap_or(true),
            stdin: text(fields, "stdin")?,
            ..Self::new(required("lang")?, required("code")?)
        })
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, CodeIssue> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(CodeIssue::invalid(format!("'{name}' is not a string"))),
    }
}

fn yes_or_no(fields: &Map<String, Value>, name: &str) -> Result<Option<bool>, CodeIssue> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::Bool(said)) => Ok(Some(*said)),
        Some(_) => Err(CodeIssue::invalid(format!("'{name}' is not true or false"))),
    }
}

fn timeout(fields: &Map<String, Value>) -> Result<Wish<Duration>, CodeIssue> {
    let Some(value) = fields.get("timeout") else { return Ok(Wish::Default) };
    let whole = value.as_u64().or_else(|| value.as_f64().and_then(|number| format!("{number}").parse().ok()));
    match whole.filter(|millis| (1..=LONGEST_MS).contains(millis)) {
        Some(millis) => Ok(Wish::At(Duration::from_millis(millis))),
        None => {
            Err(CodeIssue::invalid(format!("'timeout' is {value}, which is not between 1 and {LONGEST_MS}")))
        }
    }
}
