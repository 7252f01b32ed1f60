//! What a client is told, in its own words: its standard output, its standard error, and the exit status, which is 0 or 2.
//!
//! Clients run a command when its hook fails; so a no that is not in the client's words is exit status 2 with a sentence.
//! May not decide what the answer is.

use super::{HookClient, HookEvent, HookMoment};
use runward::core::render::one_line;
use runward::{Code, ErrorView};
use serde_json::{Map, Value, json};

/// The answer to one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HookAnswer {
    /// Nothing is said: the client's own rules decide.
    Silence,
    /// The command may not run; this is why.
    Deny(String),
    /// The client has to ask its person.
    Ask(String),
    /// The tool has to be used with this input.
    Rewrite(Map<String, Value>),
    /// The client has to ask its person about the tool with this input.
    AskRewritten(String, Map<String, Value>),
}

/// What is printed, and the exit status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClientWords {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// The words for a refusal: message, code and hint, as the model is shown them.
pub(crate) fn denial(view: &ErrorView) -> String {
    let hint = view.hint.as_ref().map(|hint| format!("\nhint: {}", one_line(hint))).unwrap_or_default();
    format!("runward: {} [{}]{hint}", one_line(&view.message), view.code)
}

/// The words for an event that could not be judged. The command is refused, where the client lets a hook refuse.
pub(crate) fn failure(client: HookClient, why: &str) -> ClientWords {
    let why = one_line(why);
    let told = format!("runward: the hook could not judge this command: {why} [{}]", Code::HookFailed);
    // Whether these two heed the exit status of a hook is not written down, so they are told twice.
    let stdout = match client {
        HookClient::Copilot | HookClient::Cline => denied(client, &told).to_string(),
        _ => String::new(),
    };
    ClientWords { stdout, stderr: told, code: 2 }
}

fn denied(client: HookClient, why: &str) -> Value {
    match client {
        HookClient::Gemini => json!({"decision": "deny", "reason": why}),
        HookClient::Cursor => json!({"permission": "deny", "agent_message": why, "user_message": why}),
        HookClient::Copilot => json!({"permissionDecision": "deny", "permissionDecisionReason": why}),
        HookClient::Cline => json!({"cancel": true, "errorMessage": why}),
        HookClient::ClaudeCode | HookClient::Codex | HookClient::OpenCode => {
            decision("PreToolUse", "deny", Some(why), None)
        }
    }
}

/// A decision as Claude Code and Codex read it.
fn decision(event: &str, word: &str, why: Option<&str>, input: Option<&Map<String, Value>>) -> Value {
    let mut output = json!({"hookEventName": event, "permissionDecision": word});
    if let Some(why) = why {
        output["permissionDecisionReason"] = why.into();
    }
    if let Some(input) = input {
        output["updatedInput"] = Value::Object(input.clone());
    }
    json!({"hookSpecificOutput": output})
}

impl HookAnswer {
    /// The answer to this event, in its client's words. What a client cannot be told becomes a no.
    pub(crate) fn words(&self, event: &HookEvent) -> ClientWords {
        let client = event.client;
        let out = |value: &Value| ClientWords { stdout: value.to_string(), ..ClientWords::default() };
        match (self, client) {
            (HookAnswer::Silence, HookClient::Cursor) if event.moment == HookMoment::Before => {
                out(&json!({"permission": "allow"}))
            }
            (HookAnswer::Silence, HookClient::Cline | HookClient::Cursor) => out(&json!({})),
            (HookAnswer::Silence, _) => ClientWords::default(),
            // What Codex and the plugin for OpenCode heed is the exit status.
            (HookAnswer::Deny(why), HookClient::Codex | HookClient::OpenCode) => stopped(why),
            (HookAnswer::Deny(why), _) => out(&denied(client, why)),
            (HookAnswer::Ask(why), HookClient::ClaudeCode) => {
                out(&decision(&event.name, "ask", Some(why), None))
            }
            (HookAnswer::Ask(why), HookClient::Cursor) => {
                out(&json!({"permission": "ask", "agent_message": why, "user_message": why}))
            }
            (HookAnswer::Ask(why), HookClient::Copilot) => {
                out(&json!({"permissionDecision": "ask", "permissionDecisionReason": why}))
            }
            (HookAnswer::AskRewritten(why, input), HookClient::ClaudeCode) => {
                out(&decision(&event.name, "ask", Some(why), Some(input)))
            }
            (HookAnswer::AskRewritten(why, input), HookClient::Copilot) => out(
                &json!({"permissionDecision": "ask", "permissionDecisionReason": why, "modifiedArgs": input}),
            ),
            (HookAnswer::Rewrite(input), HookClient::ClaudeCode | HookClient::Codex) => {
                out(&decision(&event.name, "allow", None, Some(input)))
            }
            (HookAnswer::Rewrite(input), HookClient::Gemini) => {
                out(&json!({"hookSpecificOutput": {"hookEventName": event.name, "tool_input": input}}))
            }
            (HookAnswer::Rewrite(input), HookClient::OpenCode) => out(&json!({"args": input})),
            (HookAnswer::Rewrite(input), HookClient::Copilot) => {
                out(&json!({"permissionDecision": "allow", "modifiedArgs": input}))
            }
            (HookAnswer::Ask(_) | HookAnswer::AskRewritten(..), _) => {
                failure(client, "a person must be asked, and this client has no question that holds")
            }
            (HookAnswer::Rewrite(_), HookClient::Cursor | HookClient::Cline) => {
                failure(client, "this client does not take another text for a command")
            }
        }
    }
}

fn stopped(why: &str) -> ClientWords {
    ClientWords { stdout: String::new(), stderr: why.to_owned(), code: 2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::samples::{SampleKind, sample_of};

    fn event(client: HookClient) -> HookEvent {
        HookEvent::read(client, sample_of(client, SampleKind::Before, "ls").as_bytes()).unwrap()
    }

    fn all() -> [HookAnswer; 5] {
        let input = Map::from_iter([("command".to_owned(), Value::from("x"))]);
        [
            HookAnswer::Silence,
            HookAnswer::Deny("no".to_owned()),
            HookAnswer::Ask("why".to_owned()),
            HookAnswer::Rewrite(input.clone()),
            HookAnswer::AskRewritten("why".to_owned(), input),
        ]
    }

    #[test]
    fn the_words_of_every_client_are_these() {
        let mut table = String::new();
        for client in HookClient::ALL {
            for answer in all() {
                let words = answer.words(&event(client));
                let name = format!("{answer:?}");
                let name = name.split('(').next().unwrap();
                let (out, err) = (&words.stdout, &words.stderr);
                table += &format!("{} {name}: {} {out:?} {err:?}\n", client.name(), words.code);
            }
            let words = failure(client, "it\nhangs");
            table +=
                &format!("{} failure: {} {:?} {:?}\n", client.name(), words.code, words.stdout, words.stderr);
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn two_always_has_a_sentence_and_nothing_else_is_ever_the_status() {
        for client in HookClient::ALL {
            for answer in all() {
                let words = answer.words(&event(client));
                assert!(
                    words.code == 0 || (words.code == 2 && !words.stderr.is_empty()),
                    "{client:?} {answer:?}"
                );
            }
            assert_eq!(failure(client, "x").code, 2);
        }
    }

    #[test]
    fn codex_is_never_told_what_makes_it_run_the_command() {
        for answer in all() {
            let words = answer.words(&event(HookClient::Codex));
            for poison in ["\"ask\"", "\"continue\"", "\"suppressOutput\"", "\"deny\""] {
                assert!(!words.stdout.contains(poison), "{answer:?}: {words:?}");
            }
            assert_eq!(words.stdout.contains("\"allow\""), words.stdout.contains("updatedInput"));
        }
    }
}
