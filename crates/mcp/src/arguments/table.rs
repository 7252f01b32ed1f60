//! The table of a tool's arguments: one source for its input schema and for how a call is read.
//!
//! Schemas hold what every client can load: no `$schema`, `$ref`, `format`, `oneOf`, lists of types or null defaults.
//! Gemini refuses lists of types, OpenAI's strict mode unknown formats, and smolagents a schema without `properties`.

use super::GivenArguments;
use crate::answer::CallFailure;
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;

/// One argument of a tool.
#[derive(Debug)]
pub(crate) struct ArgumentField {
    pub(crate) name: &'static str,
    pub(crate) kind: ArgumentKind,
    /// For the model; empty where the name says it.
    pub(crate) about: &'static str,
}

/// What an argument is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ArgumentKind {
    /// Any text.
    Text,
    /// A whole number in a range.
    Whole(i64, i64),
    /// True or false.
    Truth,
    /// A list of texts.
    Words,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words; what else is taken the tool itself reads.
    Loose(&'static [&'static str]),
}

/// The arguments that a tool takes.
#[derive(Debug)]
pub(crate) struct ArgumentTable {
    pub(crate) tool: &'static str,
    pub(crate) fields: &'static [ArgumentField],
    pub(crate) required: &'static [&'static str],
}

/// A row of the table.
pub(crate) const fn field(name: &'static str, kind: ArgumentKind, about: &'static str) -> ArgumentField {
    ArgumentField { name, kind, about }
}

impl ArgumentTable {
    /// Reads a call.
    pub(crate) fn read(&self, arguments: Option<JsonObject>) -> Result<GivenArguments, CallFailure> {
        GivenArguments::read(self, arguments.unwrap_or_default())
    }

    /// The input schema.
    pub(crate) fn schema(&self) -> Arc<JsonObject> {
        let properties: JsonObject =
            self.fields.iter().map(|field| (field.name.to_owned(), field.schema())).collect();
        let mut schema = JsonObject::new();
        schema.insert("type".to_owned(), json!("object"));
        schema.insert("properties".to_owned(), Value::Object(properties));
        if !self.required.is_empty() {
            schema.insert("required".to_owned(), json!(self.required));
        }
        schema.insert("additionalProperties".to_owned(), json!(false));
        Arc::new(schema)
    }
}

impl ArgumentField {
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ArgumentKind::Text => json!({"type": "string"}),
            ArgumentKind::Whole(..) => json!({"type": "integer"}),
            ArgumentKind::Truth => json!({"type": "boolean"}),
            ArgumentKind::Words => json!({"type": "array", "items": {"type": "string"}}),
            ArgumentKind::Choice(words) | ArgumentKind::Loose(words) => {
                json!({"type": "string", "enum": words})
            }
        };
        if !self.about.is_empty() {
            schema["description"] = json!(self.about);
        }
        schema
    }
}
