//! What a scripted model was asked and shown, to the character.

use serde_json::Value;

/// A tool as a client offers it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Its name on the wire.
    pub name: String,
    /// The group it stands in, where the client groups the tools of a server.
    pub space: Option<String>,
    /// All that is said about it: description and schema, in the client's own form.
    pub definition: Value,
}

/// The result of a tool call as the model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownResult {
    /// The call that it answers.
    pub call: String,
    /// What the client made of the answer, as it came.
    pub content: Value,
}

impl ShownResult {
    /// The text in it: strings as they are, parts one after the other, anything else as JSON.
    pub fn text(&self) -> String {
        text(&self.content)
    }
}

fn text(content: &Value) -> String {
    match content {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect::<Vec<_>>().join("\n"),
        Value::Object(fields) => {
            let inner = ["text", "output", "content"].iter().find_map(|name| fields.get(*name));
            match inner {
                Some(inner @ (Value::String(_) | Value::Array(_))) => text(inner),
                _ => content.to_string(),
            }
        }
        other => other.to_string(),
    }
}

/// One request of a client.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// The path that was asked for, with its query.
    pub path: String,
    /// The body as JSON; `null` where there was none.
    pub body: Value,
}

/// Everything so far.
#[derive(Debug, Clone, Default)]
pub struct ModelRecord {
    /// Every request, in the order of arrival.
    pub requests: Vec<ModelRequest>,
    /// Every result of a tool call, once, in the order of the conversation.
    pub shown: Vec<ShownResult>,
    /// The tools that the last request with tools offered.
    pub offered: Vec<OfferedTool>,
    /// Tools of the script that could not be called: not offered, or without arguments.
    pub missing: Vec<String>,
}

impl ModelRecord {
    /// The texts of the results.
    pub fn texts(&self) -> Vec<String> {
        self.shown.iter().map(ShownResult::text).collect()
    }

    /// The tools of a server: those that come with its name.
    pub fn offered_by(&self, server: &str) -> Vec<&OfferedTool> {
        let of_server = |tool: &&OfferedTool| {
            tool.name.contains(server) || tool.space.as_deref().is_some_and(|space| space.contains(server))
        };
        self.offered.iter().filter(of_server).collect()
    }
}
