//! Files as prompts: listed with their arguments, and expanded to the text that their command would be given. A document
//! is its own text.
//!
//! The command itself does not run, nor does the hook after it.

use super::ready::{AgentCall, is_about_arguments};
use super::{Flows, parameters};
use crate::answer::CallFailure;
use crate::progress::alive;
use crate::tools::ToolCall;
use rmcp::ErrorData;
use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptMessage, Role};
use runward_flow::run::{Published, SettledFile};
use serde_json::json;

/// The prompts of these agents.
pub(crate) fn prompts(agents: &[Published]) -> Vec<Prompt> {
    let prompt = |agent: &Published| {
        Prompt::new(&agent.name, agent.description.as_ref(), Some(parameters::arguments(agent)))
    };
    agents.iter().map(prompt).collect()
}

/// Expands an agent to its final prompt.
pub(crate) async fn get(
    flows: &Flows,
    agent: &Published,
    call: &ToolCall,
    arguments: Option<JsonObject>,
) -> Result<GetPromptResult, ErrorData> {
    let asked = AgentCall { flows, agent, call };
    let text = text(&asked, arguments.unwrap_or_default()).await.map_err(|error| told(&error))?;
    let result = GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]);
    Ok(match &agent.description {
        Some(description) => result.with_description(description),
        None => result,
    })
}

async fn text(asked: &AgentCall<'_>, arguments: JsonObject) -> Result<String, CallFailure> {
    let agent = match asked.open()? {
        SettledFile::Agent(agent) => *agent,
        SettledFile::Document(text) => return asked.takes_nothing(&arguments).map(|()| text),
    };
    let made = alive(&asked.call.line.now(), asked.make(agent, arguments)).await?;
    // Without a body, the results of the steps are all there is.
    Ok(made.ready.finished.unwrap_or(made.ready.prompt.text))
}

/// The error: about the arguments, or about the agent.
fn told(failure: &CallFailure) -> ErrorData {
    let (sentence, fields) = (failure.sentence(), Some(json!({ "error": failure.0 })));
    match is_about_arguments(failure) {
        true => ErrorData::invalid_params(sentence, fields),
        false => ErrorData::internal_error(sentence, fields),
    }
}
