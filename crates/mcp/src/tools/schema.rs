//! Output schemas: the least that says which answers there are. A model pays for every character of them.

use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;

/// What is always there when all went well; otherwise there is an error.
pub(crate) fn answer_schema(required: &[&str]) -> Arc<JsonObject> {
    let schema = json!({ "type": "object", "anyOf": [{ "required": required }, { "required": ["error"] }] });
    let Value::Object(schema) = schema else { return Arc::default() };
    Arc::new(schema)
}

/// The schema of a tool that answers with the ending and the output of one command.
pub(crate) fn ran_schema() -> Arc<JsonObject> {
    answer_schema(&["exit_code", "stdout", "stderr"])
}
