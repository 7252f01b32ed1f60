//! What may be given to an agent by name: its typed inputs, and every other variable as an input of its own.
//!
//! May not fetch anything: names that only imported files read are not known here.

use super::agent::Agent;
use super::in_progress::step_reads;
use crate::FlowError;
use crate::front::Value;
use crate::inputs::{Input, InputKind, Need};
use crate::template::{Read, Template};
use crate::words::Listening;
use std::collections::BTreeSet;

/// Everything that may be given to an agent, its typed inputs first.
pub(super) fn parameters(agent: &Agent) -> Result<Vec<Input>, FlowError> {
    let reads = reads(agent)?;
    let names: BTreeSet<String> = reads.iter().map(|read| read.name.clone()).collect();
    let who = Listening { front: &agent.program.flow.front, inputs: &agent.inputs, reads: &names };
    // No words are an empty list of them.
    let needed = |name: &str| name != "_args" && reads.iter().any(|read| read.name == name && !read.optional);
    let others = who.variables()?.into_iter().map(|(name, value)| {
        let need = if value.is_empty() && needed(&name) { Need::Required } else { Need::Optional };
        untyped(name, &value, need)
    });
    Ok(agent.inputs.iter().cloned().chain(others).collect())
}

/// An input for a variable that has no type: its value in the file tells what it looks like.
pub(super) fn untyped(name: String, value: &Value, need: Need) -> Input {
    let kind = match value {
        Value::Bool(_) => InputKind::Confirm,
        Value::Number(_) => InputKind::Number { min: None, max: None },
        _ => InputKind::Text,
    };
    // What no single word can say stays as it is in the file, unless a word is given.
    let default = (value.is_scalar() && !value.is_empty()).then(|| value.clone());
    Input { name, kind, description: None, default, need, mark: None }
}

/// The names that the file's own templates read, without those that the runner sets.
fn reads(agent: &Agent) -> Result<Vec<Read>, FlowError> {
    let flow = &agent.program.flow;
    let mut all = Template::parse(&flow.file, flow.body_line, &flow.body)?.reads();
    all.extend(step_reads(agent)?);
    let has_steps = agent.cascade.front().has("_steps");
    all.retain(|read| read.name != "_stdin" && !(has_steps && read.name == "steps"));
    Ok(all)
}

/// Whether the file's own templates read what comes on standard input.
pub(super) fn reads_stdin(agent: &Agent) -> bool {
    let flow = &agent.program.flow;
    let body = Template::parse(&flow.file, flow.body_line, &flow.body).map(|body| body.reads());
    let all = body.into_iter().chain(step_reads(agent)).flatten();
    all.into_iter().any(|read| read.name == "_stdin")
}
