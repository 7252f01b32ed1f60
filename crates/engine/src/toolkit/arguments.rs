//! The arguments of `exec_command`: parsed from JSON, and checked. May not look at the host.

use super::ToolError;
use runward_core::render::one_line;
use serde::Serialize;
use serde_json::{Map, Value};

/// Whether a shell starts the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ShellMode {
    /// The system's usual shell starts the command, with every token quoted.
    #[default]
    Default,
    /// The tokens go to the system as they are.
    Direct,
}

/// What may be left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecCommandOptions {
    /// Whether a shell starts the command.
    pub shell_mode: ShellMode,
    /// Its standard input.
    pub stdin: Option<String>,
    /// How long it may run: 1 to 120 000, or 30 000 by default.
    pub timeout_ms: Option<u64>,
    /// How many characters of each stream are answered: 1000 to 1 000 000, or 200 000 by default.
    pub max_output_chars: Option<u64>,
}

/// All of it, as one call carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecCommandArguments {
    /// Its working directory.
    pub cwd: String,
    /// The tokens.
    pub command: Vec<String>,
    /// The rest.
    pub options: ExecCommandOptions,
}

const FIELDS: &[&str] = &["cwd", "command", "shell_mode", "stdin", "timeout_ms", "max_output_chars"];

impl ExecCommandOptions {
    /// How long it may run, in milliseconds.
    pub fn timeout(&self) -> u64 {
        self.timeout_ms.unwrap_or(30_000)
    }

    /// How many characters of each stream are answered.
    pub fn letters(&self) -> u64 {
        self.max_output_chars.unwrap_or(200_000)
    }
}

impl ExecCommandArguments {
    /// Reads the arguments of a call. What does not belong there is an error that names it.
    pub fn read(json: &Value) -> Result<Self, ToolError> {
        let Value::Object(fields) = json else {
            return Err(ToolError::invalid(
                "the arguments are not an object",
                "Give an object with `cwd` and `command`.",
            ));
        };
        if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            let known = FIELDS.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            let message = format!("there is no parameter `{}`", one_line(unknown));
            return Err(ToolError::invalid(message, &format!("Use {known}.")));
        }
        let options = ExecCommandOptions {
            shell_mode: shell_mode(fields)?,
            stdin: text(fields, "stdin")?,
            timeout_ms: number(fields, "timeout_ms")?,
            max_output_chars: number(fields, "max_output_chars")?,
        };
        let cwd = text(fields, "cwd")?.ok_or_else(|| missing("cwd"))?;
        Ok(Self { cwd, command: tokens(fields)?, options })
    }
}

/// Checks what can be checked without a host.
pub(super) fn check(cwd: &str, command: &[String], options: &ExecCommandOptions) -> Result<(), ToolError> {
    if cwd.is_empty() {
        return Err(ToolError::invalid("`cwd` is empty", "Name a directory in the workspace, such as `.`."));
    }
    match command.first() {
        None => return Err(ToolError::invalid("`command` is empty", "Give the program and its arguments.")),
        Some(program) if program.is_empty() => {
            return Err(ToolError::invalid("`command[0]` is empty", "Name a program, such as `echo`."));
        }
        Some(_) => {}
    }
    let with_nul =
        command.iter().position(|token| token.contains('\0')).map(|index| format!("`command[{index}]`"));
    if let Some(what) = with_nul.or_else(|| cwd.contains('\0').then(|| "`cwd`".to_owned())) {
        return Err(ToolError::invalid(format!("{what} contains a NUL byte"), "Remove it, or use `stdin`."));
    }
    in_range("timeout_ms", options.timeout(), 1, 120_000)?;
    in_range("max_output_chars", options.letters(), 1_000, 1_000_000)
}

fn in_range(name: &str, value: u64, least: u64, most: u64) -> Result<(), ToolError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    let message = format!("`{name}` is {value}, which is not between {least} and {most}");
    Err(ToolError::invalid(message, "Give a number in that range, or leave it out."))
}

fn missing(name: &str) -> ToolError {
    ToolError::invalid(format!("`{name}` is missing"), "Give both `cwd` and `command`.")
}

fn wrong(name: &str, expected: &str) -> ToolError {
    ToolError::invalid(
        format!("`{name}` is not {expected}"),
        "Look at the tool's definition for its parameters.",
    )
}

fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, ToolError> {
    match fields.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong(name, "a string")),
    }
}

fn number(fields: &Map<String, Value>, name: &str) -> Result<Option<u64>, ToolError> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    // Some clients write every number with a decimal point; `30000.0` is still whole.
    let whole = value.as_u64().or_else(|| value.as_f64().and_then(|number| format!("{number}").parse().ok()));
    whole.map(Some).ok_or_else(|| match value {
        Value::Number(number) => ToolError::invalid(
            format!("`{name}` is {number}, which is not a whole number above 0"),
            "Give a whole number, or leave it out.",
        ),
        _ => wrong(name, "a number"),
    })
}

fn tokens(fields: &Map<String, Value>) -> Result<Vec<String>, ToolError> {
    let Value::Array(items) = fields.get("command").ok_or_else(|| missing("command"))? else {
        return Err(wrong("command", "an array of strings"));
    };
    let token = |(index, item): (usize, &Value)| {
        item.as_str().map(str::to_owned).ok_or_else(|| wrong(&format!("command[{index}]"), "a string"))
    };
    items.iter().enumerate().map(token).collect()
}

fn shell_mode(fields: &Map<String, Value>) -> Result<ShellMode, ToolError> {
    match text(fields, "shell_mode")?.as_deref() {
        None | Some("default") => Ok(ShellMode::Default),
        Some("direct") => Ok(ShellMode::Direct),
        Some(_) => Err(wrong("shell_mode", "`default` or `direct`")),
    }
}
