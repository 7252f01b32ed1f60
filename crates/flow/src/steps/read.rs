//! `_steps` read into steps. May not know how they depend on each other.

use super::StepText;
use crate::template::Datum;
use crate::{FlowError, Mark};
use runward::Code;
use runward::core::resolve::nearest;

const KEYS: &[&str] = &["id", "run", "command", "needs", "when", "retry"];

/// How often a step may be tried again.
pub const MOST_TRIES_AGAIN: u32 = 10;

/// Reads the value of `_steps`, which stands at this mark.
pub fn read(steps: &Datum, mark: &Mark) -> Result<Vec<StepText>, FlowError> {
    read_at(steps, mark, |_| None)
}

/// The same, for whoever knows where each step stands, counted from 0.
pub fn read_at(
    steps: &Datum,
    mark: &Mark,
    own: impl Fn(usize) -> Option<Mark>,
) -> Result<Vec<StepText>, FlowError> {
    let Datum::List(steps) = steps else {
        return Err(
            wrong("`_steps` is not a list", "Write each step with a dash: `- id: fetch`.").at(mark.clone())
        );
    };
    let read = steps.iter().enumerate().map(|(at, step)| {
        let mark = own(at).unwrap_or_else(|| mark.clone());
        one(step, at + 1, &mark).map_err(|error| error.at(mark))
    });
    read.collect()
}

fn one(step: &Datum, number: usize, mark: &Mark) -> Result<StepText, FlowError> {
    let Datum::Map(entries) = step else {
        return Err(wrong(format!("step {number} is not a map"), "Give it at least `id` and `run`."));
    };
    let id = word(step.get("id"));
    let name = match &id {
        Some(id) if !id.is_empty() => format!("step `{id}`"),
        _ => format!("step {number}"),
    };
    if let Some((key, _)) = entries.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        let hint = match nearest(key, KEYS).first() {
            Some(near) => format!("Write `{near}` if that is what is meant."),
            None => format!("Use {}.", KEYS.join(", ")),
        };
        return Err(wrong(format!("{name} has an unknown key `{key}`"), hint));
    }
    let Some(Datum::Text(run)) = step.get("run") else {
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
fn word(value: Option<&Datum>) -> Option<String> {
    match value {
        Some(Datum::Text(text) | Datum::Number(text)) => Some(text.clone()),
        Some(Datum::Bool(yes)) => Some(yes.to_string()),
        _ => None,
    }
}

fn optional(step: &Datum, key: &str, name: &str) -> Result<Option<String>, FlowError> {
    match step.get(key) {
        None | Some(Datum::Nil) => Ok(None),
        some => word(some)
            .map(Some)
            .ok_or_else(|| wrong(format!("`{key}` of {name} is not a text"), "Write one text there.")),
    }
}

fn needs(value: Option<&Datum>, name: &str) -> Result<Vec<String>, FlowError> {
    let bad =
        || wrong(format!("`needs` of {name} names no steps"), "Write the `id` of a step, or a list of them.");
    match value {
        None | Some(Datum::Nil) => Ok(Vec::new()),
        Some(Datum::List(items)) => items.iter().map(|item| word(Some(item)).ok_or_else(bad)).collect(),
        some => Ok(vec![word(some).ok_or_else(bad)?]),
    }
}

fn retry(value: Option<&Datum>, name: &str) -> Result<u32, FlowError> {
    let shown = match value {
        None | Some(Datum::Nil) => return Ok(0),
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
