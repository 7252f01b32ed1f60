//! Agents as tools: made ready, run to their end, and answered with what they printed.

use super::Flows;
use super::parameters;
use super::ready::{Asked, Made};
use crate::answer::{Answer, Failure, Verdict};
use crate::progress::alive;
use crate::tools::{Attended, Call, answer_schema, attend, receipt_yaml};
use crate::trim;
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::core::output::Text;
use runward::core::render::Yaml;
use runward::{Code, Coded, Error, ErrorView, Receipt, Request, StopCause, Wish};
use runward_flow::run::{Published, Ready};
use serde_json::{Value, json};
use std::sync::Arc;

/// The tool of an agent.
pub(crate) fn definition(agent: &Published) -> Tool {
    let command = agent.command.as_deref().unwrap_or_default();
    let usual = || format!("Run the markdown agent `{}` with `{command}`.", agent.name);
    let description = agent.description.clone().unwrap_or_else(usual);
    Tool::new(agent.tool.clone(), description, parameters::schema(agent))
        .with_title(agent.name.clone())
        .with_raw_output_schema(output_schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

fn output_schema() -> Arc<JsonObject> {
    let (text, truth) = (json!({"type": "string"}), json!({"type": "boolean"}));
    let properties = json!({
        "exitCode": {"type": "integer", "description": "124 at the time limit; 128 and more for a signal."},
        "command": {"type": "string", "description": "The command that the agent is for."},
        "args": {"type": "array", "items": text, "description": "Its arguments, the prompt among them."},
        "stdout": {"type": "string", "description": "What it printed: head and tail if it was long."},
        "stderr": {"type": "string", "description": "What it complained about: head and tail if it was long."},
        "id": {"type": "string", "description": "The run's name."},
        "timedOut": truth, "stdoutTruncated": truth, "stderrTruncated": truth,
        "durationMs": {"type": "integer"},
        "notes": {"type": "array", "items": text},
    });
    answer_schema(properties, &["exitCode", "command", "args", "stdout", "stderr"])
}

/// Runs an agent to its end.
pub(crate) async fn call(
    flows: Arc<Flows>,
    agent: Published,
    call: Call,
    arguments: Option<JsonObject>,
) -> Result<Answer, Failure> {
    let asked = Asked { flows: &flows, agent: &agent, call: &call };
    let found = asked.agent()?;
    let Made { mut ready, road, body } =
        alive(&call.line.now(), asked.make(found, arguments.unwrap_or_default())).await?;
    let mut notes = std::mem::take(&mut ready.remarks);
    notes.append(&mut ready.notes);
    if let Some(stdout) = ready.finished.take() {
        notes.extend(ready.after(0, &road).await);
        return Ok(steps_only(&ready, &stdout, &notes));
    }
    begins_well(&ready, &body)?;
    let mut spec = road.set(ready.spec());
    spec.limits.keep = Wish::At(trim::KEEP_BYTES);
    let came = attend(Request::by(call.caller.clone(), spec), &call).await;
    notes.extend(alive(&call.line.now(), ready.after(exit_code(&came), &road)).await);
    match came? {
        Attended::Ran(receipt) => Ok(render(&receipt, &ready, notes, &call.veil)),
        Attended::Refused(refusal) => Err(refusal.into()),
    }
}

/// A prompt that begins with a dash is an option for most programs. Where the file itself does not begin with one, what
/// was given does, or what was printed on the way.
fn begins_well(ready: &Ready, body: &str) -> Result<(), Failure> {
    if ready.prompt_on_stdin || !ready.prompt.starts_with('-') || body.trim_start().starts_with('-') {
        return Ok(());
    }
    Err(Failure(ErrorView {
        code: Code::FlowBadInput,
        message: format!("the prompt begins with `-`, and `{}` would read it as an option", ready.command),
        hint: Some("Give values that do not begin with a dash, or begin the file with a word.".to_owned()),
    }))
}

/// What the hook after is told.
fn exit_code(came: &Result<Attended, Error>) -> i32 {
    match came {
        Ok(Attended::Ran(receipt)) => receipt.end.exit_code(),
        Ok(Attended::Refused(refusal)) => i32::from(refusal.view().code.exit()),
        Err(error) => i32::from(error.code().exit()),
    }
}

/// The answer for an agent that ran.
fn render(receipt: &Receipt, ready: &Ready, notes: Vec<String>, veil: &Veil) -> Answer {
    let receipt = trim::receipt(receipt);
    let late = timeout_sentence(&receipt);
    let mut yaml = receipt_yaml(&receipt, late.as_deref(), veil);
    note(&mut yaml, &notes);
    let fields = json!({
        "exitCode": receipt.end.exit_code(), "command": ready.command, "args": ready.args,
        "stdout": Text::of(&receipt.stdout.kept).text, "stderr": Text::of(&receipt.stderr.kept).text,
        "id": receipt.id, "timedOut": late.is_some(),
        "stdoutTruncated": receipt.stdout.kept.missing() > 0,
        "stderrTruncated": receipt.stderr.kept.missing() > 0,
        "durationMs": u64::try_from(receipt.duration.as_millis()).unwrap_or(u64::MAX),
        "notes": notes.into_iter().chain(late.clone()).collect::<Vec<_>>(),
    });
    let fields = veil.over_fields(fields);
    let verdict = if late.is_some() { Verdict::Ill } else { Verdict::Well };
    let meta = Some(json!({ "id": receipt.id, "rule": receipt.permitted_by.name() }));
    Answer { text: yaml.finish(), fields, verdict, meta }
}

/// The answer for an agent that has steps and nothing to ask after them.
fn steps_only(ready: &Ready, stdout: &str, notes: &[String]) -> Answer {
    let mut yaml = Yaml::default();
    yaml.plain("exit_code", 0).text("stdout", stdout).text("stderr", "");
    note(&mut yaml, notes);
    let fields: Value = json!({
        "exitCode": 0, "command": ready.command, "args": [], "stdout": stdout, "stderr": "", "notes": notes,
    });
    Answer { text: yaml.finish(), fields, verdict: Verdict::Well, meta: None }
}

fn note(yaml: &mut Yaml, notes: &[String]) {
    if !notes.is_empty() {
        yaml.text("notes", &notes.join("\n"));
    }
}

fn timeout_sentence(receipt: &Receipt) -> Option<String> {
    if receipt.end.stopped != Some(StopCause::Timeout) {
        return None;
    }
    let limit = receipt.limits.iter().find(|limit| limit.name == "timeout_ms").map(|limit| limit.value);
    let millis = limit.map_or(receipt.duration.as_millis(), u128::from);
    Some(format!("Timed out after {millis}ms. The file can say how long it may take, with `_timeout`."))
}
