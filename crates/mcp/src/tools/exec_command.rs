//! `exec_command`: a program with arguments, run once inside the workspace. A thin wrapper over the agent toolkit.

use super::Call;
use super::attend::{Attended, attend};
use super::schema::answer_schema;
use crate::answer::{Answer, Failure, Verdict};
use crate::roots::{Meant, PATIENCE};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::core::render::duration;
use runward::toolkit::{
    AgentToolkit, ExecCommandAnswer, ExecCommandArguments, TOOL_DEFINITIONS, ToolError, ToolErrorCode,
};
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
    let meant = call.meant().await;
    let toolkit = call.toolkit.clone().serving(call.caller.name.clone());
    let toolkit = match &meant {
        Meant::Everything => toolkit,
        Meant::Only(folders) => toolkit.narrowed(folders),
        Meant::Untold => toolkit.narrowed(&[]),
    };
    Ok(match run(&toolkit, &call, &Value::Object(arguments.unwrap_or_default())).await {
        Ok(answer) => {
            let fields = call.veil.over_fields(json!(answer.output));
            Answer {
                text: serde_json::to_string(&fields).unwrap_or_default(),
                fields,
                verdict: Verdict::Well,
                meta: Some(json!(answer.meta)),
            }
        }
        Err(mut error) => {
            error.message = call.veil.over(&error.message).into_owned();
            refused(error, &meant)
        }
    })
}

async fn run(toolkit: &AgentToolkit, call: &Call, arguments: &Value) -> Result<ExecCommandAnswer, ToolError> {
    let ExecCommandArguments { cwd, command, options } = ExecCommandArguments::read(arguments)?;
    let prepared = toolkit.prepare(&cwd, &command, options)?;
    match attend(prepared.request(), call).await {
        Ok(Attended::Ran(receipt)) => Ok(prepared.answer(&receipt)),
        Ok(Attended::Refused(refusal)) => Err(ToolError::of(&refusal)),
        Err(error) => Err(prepared.failure(&error)),
    }
}

fn refused(mut error: ToolError, meant: &Meant) -> Answer {
    if *meant == Meant::Untold && error.code == ToolErrorCode::SandboxViolation {
        error.message = format!(
            "nothing of the workspace may be used: the client has roots and did not list them within {}",
            duration(PATIENCE)
        );
        error.hint = Some("Answer `roots/list`, or connect without declaring `roots`.".to_owned());
    }
    let text = match &error.hint {
        Some(hint) => format!("{}. {hint}", error.message),
        None => error.message.clone(),
    };
    Answer { text, fields: json!({ "error": error }), verdict: Verdict::Ill, meta: None }
}
