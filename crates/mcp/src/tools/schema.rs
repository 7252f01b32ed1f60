//! Output schemas: what a tool answers with when all went well, or an error. Every answer fits its schema.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;

/// A schema of these properties, some of which are always there, or of an error.
pub(crate) fn answer_schema(mut properties: Value, required: &[&str]) -> Arc<JsonObject> {
    properties["error"] = json!({
        "type": "object",
        "properties": {
            "code": { "type": "string" },
            "message": { "type": "string" },
            "hint": { "type": ["string", "null"] }
        },
        "required": ["code", "message"]
    });
    let schema = json!({
        "type": "object",
        "properties": properties,
        "anyOf": [{ "required": required }, { "required": ["error"] }]
    });
    let Value::Object(schema) = schema else { return Arc::default() };
    Arc::new(schema)
}
