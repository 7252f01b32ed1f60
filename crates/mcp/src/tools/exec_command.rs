//! `exec_command`: a program with arguments, run once inside the workspace. A thin wrapper over the agent toolkit.

use super::Call;
use super::schema::answer_schema;
use crate::answer::{Answer, Failure, Verdict};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::Door;
use runward::toolkit::{TOOL_DEFINITIONS, ToolkitGround, create_agent_toolkit};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const NAME: &str = "exec_command";

pub(super) fn definition() -> Tool {
    let definition = &TOOL_DEFINITIONS.exec_command;
    let input = match serde_json::to_value(definition).map(|mut value| value["parameters"].take()) {
        Ok(Value::Object(parameters)) => parameters,
        _ => JsonObject::new(),
    };
    Tool::new(NAME, definition.description, Arc::new(input))
        .with_title("Run a program in the workspace")
        .with_raw_output_schema(output_schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

fn output_schema() -> Arc<JsonObject> {
    let (text, number, truth) =
        (json!({"type": "string"}), json!({"type": "integer"}), json!({"type": "boolean"}));
    let properties = json!({
        "cwd": text, "command": {"type": "array", "items": text}, "exit_code": number, "stdout": text, "stderr": text,
        "stdout_truncated": truth, "stderr_truncated": truth, "timed_out": truth, "duration_ms": number,
    });
    let required = [
        "cwd",
        "command",
        "exit_code",
        "stdout",
        "stderr",
        "stdout_truncated",
        "stderr_truncated",
        "timed_out",
        "duration_ms",
    ];
    answer_schema(properties, &required)
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let toolkit = create_agent_toolkit(ToolkitGround {
        engine: call.sessions.engine().clone(),
        workspace: call.workspace.folder().to_owned(),
        roots: None,
        door: Door::Mcp,
        client: call.caller.name.clone(),
    });
    let answer = toolkit.invoke(NAME, &Value::Object(arguments.unwrap_or_default())).await;
    Ok(match answer {
        Ok(answer) => {
            let fields = json!(answer.output);
            Answer {
                text: fields.to_string(),
                fields,
                verdict: Verdict::Well,
                meta: Some(json!(answer.meta)),
            }
        }
        Err(error) => {
            let text = match &error.hint {
                Some(hint) => format!("{}. {hint}", error.message),
                None => error.message.clone(),
            };
            Answer { text, fields: json!({ "error": error }), verdict: Verdict::Ill, meta: None }
        }
    })
}
