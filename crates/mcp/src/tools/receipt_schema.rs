//! The output schema of a tool that answers with a receipt: the receipt's published names.

use super::schema::answer_schema;
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;

/// The schema.
pub(crate) fn schema() -> Arc<JsonObject> {
    answer_schema(properties(), &["id", "exit_code", "stdout", "stderr", "timed_out", "duration_ms"])
}

fn properties() -> Value {
    json!({
        "id": { "type": "string", "description": "The run's name." },
        "command": { "type": "array", "items": { "type": "string" }, "description": "Program and arguments." },
        "cwd": { "type": "string", "description": "Where it ran." },
        "exit_code": { "type": ["integer", "null"], "description": "124 at the time limit; null when a signal ended it." },
        "signal": { "type": ["string", "null"], "description": "The signal that ended it, such as SIGKILL." },
        "stdout": { "type": "string", "description": "What it printed: head and tail if it was long." },
        "stderr": { "type": "string", "description": "What it complained about: head and tail if it was long." },
        "stdout_bytes": { "type": "integer" },
        "stderr_bytes": { "type": "integer" },
        "stdout_truncated": { "type": "boolean" },
        "stderr_truncated": { "type": "boolean" },
        "stdout_encoding": { "enum": ["utf-8", "binary"] },
        "stderr_encoding": { "enum": ["utf-8", "binary"] },
        "timed_out": { "type": "boolean" },
        "stopped": { "type": ["string", "null"], "description": "Why it was made to end, if it was." },
        "leftovers": { "type": ["integer", "null"], "description": "Processes that outlived it and were killed." },
        "duration_ms": { "type": "integer" },
        "sandbox": { "type": "array", "items": { "type": "string" }, "description": "Layers in force." },
        "rule": { "type": "string", "description": "What gave leave." },
        "notes": { "type": "array", "items": { "type": "string" } }
    })
}
