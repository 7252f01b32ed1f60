//! The tools' definitions, in the shape of functions that models know.
//!
//! The texts are fixed: a test compares them with the agreed ones. May not hold behaviour.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

/// One tool's definition: `{name, description, parameters}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ToolDefinition {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub description: &'static str,
    /// Its parameters.
    pub parameters: Parameters,
}

/// The parameters of a tool, as a JSON schema of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameters {
    /// Every parameter, in order.
    pub properties: &'static [Parameter],
    /// Those that must be given.
    pub required: &'static [&'static str],
}

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What its values look like.
    pub kind: ParameterKind,
    /// Its default.
    pub default: Option<DefaultValue>,
    /// What it is for.
    pub description: &'static str,
}

/// What a parameter's values look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParameterKind {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A number.
    Number,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// The default of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DefaultValue {
    /// A word.
    Word(&'static str),
    /// A number.
    Number(u64),
}

/// The definitions of all tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ToolDefinitions {
    /// `exec_command`.
    pub exec_command: ToolDefinition,
}

impl ToolDefinitions {
    /// Every definition.
    pub fn iter(&self) -> impl Iterator<Item = &ToolDefinition> {
        [&self.exec_command].into_iter()
    }
}

/// The definitions of all tools.
pub static TOOL_DEFINITIONS: ToolDefinitions = ToolDefinitions {
    exec_command: ToolDefinition {
        name: "exec_command",
        description: "Runs a command once in the workspace and returns stdout, stderr, and exit code.",
        parameters: Parameters {
            properties: &[
                parameter("cwd", ParameterKind::Text, None, "Working directory path in workspace."),
                parameter(
                    "command",
                    ParameterKind::Texts,
                    None,
                    "Only the target command tokens to run (e.g. bun run dev).",
                ),
                parameter(
                    "shell_mode",
                    ParameterKind::OneOf(&["default", "direct"]),
                    Some(DefaultValue::Word("default")),
                    "Use default to apply OS shell wrapper automatically (default: default).",
                ),
                parameter("stdin", ParameterKind::Text, None, "UTF-8 stdin text."),
                parameter(
                    "timeout_ms",
                    ParameterKind::Number,
                    Some(DefaultValue::Number(30_000)),
                    "Execution timeout in milliseconds (default: 30000).",
                ),
                parameter(
                    "max_output_chars",
                    ParameterKind::Number,
                    Some(DefaultValue::Number(200_000)),
                    "Per-stream output char limit (default: 200000).",
                ),
            ],
            required: &["cwd", "command"],
        },
    },
};

const fn parameter(
    name: &'static str,
    kind: ParameterKind,
    default: Option<DefaultValue>,
    description: &'static str,
) -> Parameter {
    Parameter { name, kind, default, description }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        struct Properties(&'static [Parameter]);
        impl Serialize for Properties {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_map(self.0.iter().map(|parameter| (parameter.name, parameter)))
            }
        }
        let mut map = to.serialize_map(Some(3))?;
        map.serialize_entry("type", "object")?;
        map.serialize_entry("properties", &Properties(self.properties))?;
        map.serialize_entry("required", self.required)?;
        map.end()
    }
}

impl Serialize for Parameter {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        match self.kind {
            ParameterKind::Text => map.serialize_entry("type", "string")?,
            ParameterKind::Number => map.serialize_entry("type", "number")?,
            ParameterKind::Texts => {
                map.serialize_entry("type", "array")?;
                map.serialize_entry("items", &serde_json::json!({ "type": "string" }))?;
            }
            ParameterKind::OneOf(words) => {
                map.serialize_entry("type", "string")?;
                map.serialize_entry("enum", words)?;
            }
        }
        if let Some(default) = self.default {
            map.serialize_entry("default", &default)?;
        }
        map.serialize_entry("description", self.description)?;
        map.end()
    }
}
