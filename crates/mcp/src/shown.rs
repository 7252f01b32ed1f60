//! Clients that show a model more of an answer than its text.
//!
//! May not change what an answer says, only leave out what says it again.

use rmcp::RoleServer;
use rmcp::model::CallToolResult;
use rmcp::service::RequestContext;

/// How the names of clients begin that show a model the whole result of a call that went wrong, as JSON: text, structured
/// content and `_meta`. A time limit was 1 649 characters there (Gemini CLI 0.61), with the receipt in it.
const SHOW_EVERYTHING: [&str; 1] = ["gemini-cli"];

/// The answer as this client can show it.
pub(crate) fn fit(answer: CallToolResult, context: &RequestContext<RoleServer>) -> CallToolResult {
    match context.client_info() {
        Some(client) => fit_for(answer, &client.name),
        None => answer,
    }
}

fn fit_for(mut answer: CallToolResult, client: &str) -> CallToolResult {
    let is_shown = SHOW_EVERYTHING.iter().any(|begins| client.starts_with(begins));
    if is_shown && answer.is_error == Some(true) {
        answer.structured_content = None;
        answer.meta = None;
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::{CallFailure, ToolAnswer};

    fn refusal() -> CallToolResult {
        ToolAnswer::from(CallFailure::bad_value("`x` is odd".to_owned(), "Use `y`.")).into()
    }

    #[test]
    fn a_client_that_shows_everything_of_an_error_gets_its_text_alone() {
        let fitted = fit_for(refusal(), "gemini-cli-mcp-client");
        assert_eq!((&fitted.structured_content, &fitted.meta), (&None, &None));
        assert_eq!(fitted.content, refusal().content);
        assert!(fit_for(refusal(), "codex-mcp-client").structured_content.is_some());
    }

    #[test]
    fn what_went_well_is_whole_for_every_client() {
        let mut well = refusal();
        well.is_error = Some(false);
        assert!(fit_for(well, "gemini-cli-mcp-client").structured_content.is_some());
    }
}
