//! `exec_command`: a program with arguments, run once inside the workspace. A thin wrapper over the agent toolkit.

use super::ToolCall;
use super::attend::{Attended, attend};
use super::schema::answer_schema;
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::roots::{MeantRoots, PATIENCE};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::core::render::duration;
use runward_engine::toolkit::{
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
    answer_schema(&required)
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let meant = call.meant().await;
    let toolkit = call.toolkit.clone().serving(call.caller.name.clone());
    let toolkit = match &meant {
        MeantRoots::Everything => toolkit,
        MeantRoots::Only(folders) => toolkit.narrowed(folders),
        MeantRoots::Untold => toolkit.narrowed(&[]),
    };
    Ok(match run(&toolkit, &call, &Value::Object(arguments.unwrap_or_default())).await {
        Ok(answer) => {
            let fields = call.veil.over_fields(json!(answer.output));
            ToolAnswer {
                text: serde_json::to_string(&fields).unwrap_or_default(),
                fields,
                verdict: CallVerdict::Well,
                meta: Some(json!(answer.meta)),
            }
        }
        Err(mut error) => {
            error.message = call.veil.over(&error.message).into_owned();
            refused(error, &meant)
        }
    })
}

async fn run(
    toolkit: &AgentToolkit,
    call: &ToolCall,
    arguments: &Value,
) -> Result<ExecCommandAnswer, ToolError> {
    let ExecCommandArguments { cwd, command, options } = ExecCommandArguments::read(arguments)?;
    let prepared = toolkit.prepare(&cwd, &command, options).await?;
    match attend(prepared.request(), call).await {
        Ok(Attended::Ran(receipt)) => Ok(prepared.answer(&receipt)),
        Ok(Attended::Refused(refusal)) => Err(ToolError::of(&refusal)),
        Err(error) => Err(prepared.failure(&error)),
    }
}

fn refused(mut error: ToolError, meant: &MeantRoots) -> ToolAnswer {
    if *meant == MeantRoots::Untold && error.code == ToolErrorCode::SandboxViolation {
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
    ToolAnswer { text, fields: json!({ "error": error }), verdict: CallVerdict::Ill, meta: None }
}
