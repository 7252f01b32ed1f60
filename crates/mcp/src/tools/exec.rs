//! `exec`: a snippet of code, by language. A thin wrapper over the engine's languages.

use super::ToolCall;
use super::attend::{Attended, attend};
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::ErrorView;
use runward_engine::languages::{CodeAnswer, CodeRequest, CodeRunner, Languages};
use serde_json::{Value, json};
use std::sync::Arc;

pub(super) const NAME: &str = "exec";

const DESCRIPTION: &str = "Run a snippet of code in a fresh process and return what it printed. Languages: bash (sh), \
javascript (js, node), python (py, python3), and those that the owner configured. Nothing is kept between calls.";

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, object(input()))
        .with_title("Run code")
        .with_raw_output_schema(object(output()))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

fn input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "lang": {"type": "string", "description": "The language, by name or alias."},
            "code": {"type": "string", "description": "The code, run exactly as it is."},
            "cwd": {"type": "string", "description": "The directory to run in. Default: the server's own."},
            "timeout": {"type": "integer", "minimum": 1, "maximum": 600_000, "default": 30_000,
                "description": "Milliseconds after which it is stopped (default: 30000)."},
            "version": {"type": "string", "description": "The version of the interpreter, such as 3.12."},
            "return_output": {"type": "boolean", "default": true,
                "description": "Whether stdout and stderr are returned (default: true)."},
            "stdin": {"type": "string", "description": "The standard input of the code; empty otherwise."},
        },
        "required": ["lang", "code"],
        "additionalProperties": false,
    })
}

fn output() -> Value {
    json!({"type": "object", "required": ["success", "stdout", "stderr"]})
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

pub(super) async fn call(call: ToolCall, arguments: Option<JsonObject>) -> Result<ToolAnswer, CallFailure> {
    let runner = CodeRunner::new(
        call.sessions.engine().clone(),
        Languages::clone(&call.languages),
        call.caller.clone(),
    );
    let answer = match CodeRequest::read(&Value::Object(arguments.unwrap_or_default())) {
        Ok(request) => run(&runner, &request, &call).await,
        Err(issue) => CodeAnswer::before_start(&issue),
    };
    let fields = call.veil.over_fields(json!(answer.result));
    // What ran is an answer, whatever its exit code; what never started is an error.
    let verdict = if answer.id.is_some() { CallVerdict::Well } else { CallVerdict::Ill };
    let meta = answer.id.map(|id| json!({ "id": id, "rule": answer.rule, "sandbox": answer.sandbox }));
    Ok(ToolAnswer { text: serde_json::to_string(&fields).unwrap_or_default(), fields, verdict, meta })
}

async fn run(runner: &CodeRunner, request: &CodeRequest, call: &ToolCall) -> CodeAnswer {
    let prepared = match runner.prepare_aside(request).await {
        Ok(prepared) => prepared,
        Err(issue) => return CodeAnswer::before_start(&issue),
    };
    match attend(prepared.request(), call).await {
        Ok(Attended::Ran(receipt)) => prepared.answer(&receipt),
        Ok(Attended::Refused(refusal)) => prepared.failure(&refusal.view()),
        Err(error) => prepared.failure(&ErrorView::of(&error)),
    }
}
