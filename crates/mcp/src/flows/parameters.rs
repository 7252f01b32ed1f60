//! The inputs of an agent, as a tool's schema and as a prompt's arguments. May not check a value.

use rmcp::model::{JsonObject, PromptArgument};
use runward_flow::inputs::{self, Input, InputKind, Need};
use runward_flow::run::Published;
use serde_json::{Value, json};
use std::sync::Arc;

/// The argument that takes the place of standard input, unless the agent has a variable of that name.
pub(super) const INPUT: &str = "input";

const ABOUT_INPUT: &str = "Text that stands in the place of standard input: it comes before the prompt, between \
`<stdin>` and `</stdin>`, and templates read it as `_stdin`.";

/// Whether an agent can be given text in the place of standard input.
pub(super) fn takes_input(agent: &Published) -> bool {
    agent.parameters.iter().all(|input| input.name != INPUT)
}

/// The input schema of an agent's tool.
pub(super) fn schema(agent: &Published) -> Arc<JsonObject> {
    let mut schema = inputs::schema(&agent.parameters);
    if takes_input(agent) {
        schema["properties"][INPUT] = json!({ "type": "string", "description": ABOUT_INPUT });
    }
    match schema {
        Value::Object(schema) => Arc::new(schema),
        _ => Arc::default(),
    }
}

/// The arguments of an agent's prompt. Standard input is one of them only where the file reads it.
pub(super) fn arguments(agent: &Published) -> Vec<PromptArgument> {
    let mut all: Vec<PromptArgument> = agent.parameters.iter().map(argument).collect();
    if agent.reads_stdin && takes_input(agent) {
        all.push(PromptArgument::new(INPUT).with_description(ABOUT_INPUT).with_required(false));
    }
    all
}

fn argument(input: &Input) -> PromptArgument {
    let required = input.need == Need::Required && input.default.is_none();
    let argument = PromptArgument::new(&input.name).with_required(required);
    match described(input) {
        text if text.is_empty() => argument,
        text => argument.with_description(text),
    }
}

/// Its purpose, its allowed values and its default: a prompt's argument has no other place for them.
fn described(input: &Input) -> String {
    let takes = match input.kind {
        InputKind::Text | InputKind::Password => None,
        _ => Some(format!("Takes {}.", input.allowed())),
    };
    // A password in a file is bad enough; a list is published.
    let default = input.default.as_ref().filter(|_| input.kind != InputKind::Password);
    let default = default.map(|value| format!("Default: {value}."));
    let ended =
        |text: &String| if text.ends_with(['.', '!', '?']) { text.clone() } else { format!("{text}.") };
    let words = [input.description.as_ref().map(ended), takes, default];
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
