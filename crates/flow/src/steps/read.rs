//! `_steps` read into steps. May not know how they depend on each other.

use super::StepText;
use crate::front::{Front, Value};
use crate::{FlowError, Mark, meant};
use runward_engine::Code;

const KEYS: &[&str] = &["id", "run", "command", "needs", "when", "retry"];

/// How often a step may be tried again.
pub const MOST_TRIES_AGAIN: u32 = 10;

/// Reads the value of `_steps`, which stands at this mark.
pub fn read(steps: &Value, mark: &Mark) -> Result<Vec<StepText>, FlowError> {
    let Value::List(steps) = steps else {
        let error = wrong("`_steps` is not a list", "Write each step with a dash: `- id: fetch`.");
        return Err(error.at(mark.clone()));
    };
    let read = steps.iter().zip(1..).map(|(step, number)| {
        let mark = step.as_map().and_then(mark_of).unwrap_or(mark);
        one(step, number, mark).map_err(|error| error.at(mark.clone()))
    });
    read.collect()
}

/// Where a step stands: its prompt, or its first key.
fn mark_of(step: &Front) -> Option<&Mark> {
    let first = || step.iter().next().and_then(|(key, _)| step.mark_of(key));
    step.mark_of("run").or_else(first)
}

fn one(step: &Value, number: usize, mark: &Mark) -> Result<StepText, FlowError> {
    let Value::Map(step) = step else {
        return Err(wrong(format!("step {number} is not a map"), "Give it at least `id` and `run`."));
    };
    let id = word(step.get("id"));
    let name = match &id {
        Some(id) if !id.is_empty() => format!("step `{id}`"),
        _ => format!("step {number}"),
    };
    if let Some((key, _)) = step.iter().find(|(key, _)| !KEYS.contains(key)) {
        let hint = meant(key, KEYS, format!("Use {}.", KEYS.join(", ")));
        return Err(wrong(format!("{name} has an unknown key `{key}`"), hint));
    }
    let Some(Value::Text(run)) = step.get("run") else {
        return Err(wrong(format!("{name} has no text under `run`"), "Write the step's prompt there."));
    };
    Ok(StepText {
        id: id.ok_or_else(|| wrong(format!("{name} has no `id`"), "Give every step a name of its own."))?,
        run: run.clone(),
        command: optional(step, "command", &name)?,
        needs: needs(step.get("needs"), &name)?,
        when: optional(step, "when", &name)?,
        retry: retry(step.get("retry"), &name)?,
        mark: mark.clone(),
    })
}

/// A value that people write as one word.
fn word(value: Option<&Value>) -> Option<String> {
    match value {
        Some(Value::Text(text) | Value::Number(text)) => Some(text.clone()),
        Some(Value::Bool(yes)) => Some(yes.to_string()),
        _ => None,
    }
}

fn optional(step: &Front, key: &str, name: &str) -> Result<Option<String>, FlowError> {
    match step.get(key) {
        None | Some(Value::Null) => Ok(None),
        some => word(some)
            .map(Some)
            .ok_or_else(|| wrong(format!("`{key}` of {name} is not a text"), "Write one text there.")),
    }
}

fn needs(value: Option<&Value>, name: &str) -> Result<Vec<String>, FlowError> {
    let bad =
        || wrong(format!("`needs` of {name} names no steps"), "Write the `id` of a step, or a list of them.");
    match value {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::List(items)) => items.iter().map(|item| word(Some(item)).ok_or_else(bad)).collect(),
        some => Ok(vec![word(some).ok_or_else(bad)?]),
    }
}

fn retry(value: Option<&Value>, name: &str) -> Result<u32, FlowError> {
    let shown = match value {
        None | Some(Value::Null) => return Ok(0),
        Some(value) => value.to_string(),
    };
    shown.parse().ok().filter(|times| *times <= MOST_TRIES_AGAIN).ok_or_else(|| {
        let hint = format!("Write a whole number from 0 to {MOST_TRIES_AGAIN}.");
        wrong(format!("`retry` of {name} cannot be `{shown}`"), hint)
    })
}

fn wrong(message: impl Into<String>, hint: impl Into<String>) -> FlowError {
    FlowError::new(Code::FlowBadStep, message).hint(hint)
}
