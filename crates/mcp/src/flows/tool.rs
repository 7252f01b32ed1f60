//! Agents as tools: made ready, run to their end, and answered with their output.

use super::Flows;
use super::parameters;
use super::ready::{AgentCall, ReadyAgent};
use crate::answer::{CallFailure, CallVerdict, ToolAnswer};
use crate::progress::alive;
use crate::tools::{AnswerSheet, Attended, RanAnswer, ToolCall, attend, ran_schema};
use crate::veil::Veil;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward_engine::{Code, Coded, Error, ErrorView, Receipt, Request};
use runward_flow::build::Prompt;
use runward_flow::run::{BuiltAgent, Published};
use std::sync::Arc;

/// What to do about an agent that was stopped at its limit.
const LONGER: &str = "The file can say how long it may take, with `_timeout`.";

/// The tool of an agent.
pub(crate) fn definition(agent: &Published) -> Tool {
    let command = agent.command.as_deref().unwrap_or_default();
    let usual = || format!("Run the markdown agent `{}` with `{command}`.", agent.name);
    let description = agent.description.clone().unwrap_or_else(usual);
    Tool::new(agent.tool.clone(), description, parameters::schema(agent))
        .with_title(agent.name.clone())
        .with_raw_output_schema(ran_schema())
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

/// Runs an agent to its end.
pub(crate) async fn call(
    flows: Arc<Flows>,
    agent: Published,
    call: ToolCall,
    arguments: Option<JsonObject>,
) -> Result<ToolAnswer, CallFailure> {
    let asked = AgentCall { flows: &flows, agent: &agent, call: &call };
    let found = asked.agent()?;
    let ReadyAgent { mut ready, road, body } =
        alive(&call.line.now(), asked.make(found, arguments.unwrap_or_default())).await?;
    let mut notes = std::mem::take(&mut ready.account.remarks);
    notes.append(&mut ready.account.notes);
    if let Some(stdout) = ready.finished.take() {
        notes.extend(ready.after(0, &road).await);
        return Ok(steps_only(&ready, &stdout, notes, &call));
    }
    begins_well(&ready, &body)?;
    let spec = road.set(ready.spec());
    let came = attend(Request::by(call.caller.clone(), spec), &call).await;
    notes.extend(alive(&call.line.now(), ready.after(exit_code(&came), &road)).await);
    match came? {
        Attended::Ran(receipt) => Ok(render(&receipt, &ready, notes, &call)),
        Attended::Refused(refusal) => Err(refusal.into()),
    }
}

/// A prompt that begins with a dash is an option for most programs. Where the file itself does not begin with one, an
/// argument does, or the output of one of its commands.
fn begins_well(ready: &BuiltAgent, body: &str) -> Result<(), CallFailure> {
    if ready.prompt.way == Prompt::Stdin
        || !ready.prompt.text.starts_with('-')
        || body.trim_start().starts_with('-')
    {
        return Ok(());
    }
    Err(CallFailure(ErrorView {
        code: Code::FlowBadInput,
        message: format!(
            "the prompt begins with `-`, and `{}` would read it as an option",
            ready.command.executable
        ),
        hint: Some("Give values that do not begin with a dash, or begin the file with a word.".to_owned()),
    }))
}

/// What the hook after is given.
fn exit_code(came: &Result<Attended, Error>) -> i32 {
    match came {
        Ok(Attended::Ran(receipt)) => receipt.end.exit_code(),
        Ok(Attended::Refused(refusal)) => i32::from(refusal.view().code.exit()),
        Err(error) => i32::from(error.code().exit()),
    }
}

/// The answer for an agent that ran: that of its command, and what it was.
fn render(receipt: &Receipt, ready: &BuiltAgent, notes: Vec<String>, call: &ToolCall) -> ToolAnswer {
    let asked = ready.spec().program;
    let ran = RanAnswer { receipt, asked: &asked, max_chars: call.answers.max_chars, longer: LONGER };
    let (mut sheet, verdict) = ran.sheet(call, notes);
    command(&mut sheet, ready, &call.veil);
    let mut answer = sheet.answer(verdict);
    answer.meta = Some(ran.meta(call));
    answer
}

/// The answer for an agent that has steps and no command after them.
fn steps_only(ready: &BuiltAgent, stdout: &str, notes: Vec<String>, call: &ToolCall) -> ToolAnswer {
    let mut sheet = AnswerSheet::default();
    sheet.plain("exit_code", 0).text("stdout", call.veil.over(stdout)).text("stderr", "");
    sheet.notes(notes);
    command(&mut sheet, ready, &call.veil);
    sheet.answer(CallVerdict::Well)
}

/// The command that the agent is for.
fn command(sheet: &mut AnswerSheet, ready: &BuiltAgent, veil: &Veil) {
    sheet.text("command", veil.over(&ready.command.executable));
}
