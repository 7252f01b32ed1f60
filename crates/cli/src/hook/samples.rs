//! Recorded events: what each client sends, with a command put in. Tests and `runward hook test` use them.
//!
//! May not be taken for the newest format of a client: each was recorded, or written from its documentation, as
//! docs/hooks.md says.

use super::HookClient;
use serde_json::{Value, json};

/// Which event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SampleKind {
    Before,
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests feed what comes after"))]
    After,
}

/// The event before this command.
pub(crate) fn sample(client: HookClient, command: &str) -> String {
    sample_of(client, SampleKind::Before, command)
}

/// The event of this kind about this command.
pub(crate) fn sample_of(client: HookClient, kind: SampleKind, command: &str) -> String {
    let text = match (client, kind) {
        (HookClient::ClaudeCode, SampleKind::Before) => include_str!("samples/claude-code.before.json"),
        (HookClient::ClaudeCode, SampleKind::After) => include_str!("samples/claude-code.after.json"),
        (HookClient::Codex, SampleKind::Before) => include_str!("samples/codex.before.json"),
        (HookClient::Codex, SampleKind::After) => include_str!("samples/codex.after.json"),
        (HookClient::Gemini, SampleKind::Before) => include_str!("samples/gemini.before.json"),
        (HookClient::Gemini, SampleKind::After) => include_str!("samples/gemini.after.json"),
        (HookClient::OpenCode, SampleKind::Before) => include_str!("samples/opencode.before.json"),
        (HookClient::OpenCode, SampleKind::After) => include_str!("samples/opencode.after.json"),
        (HookClient::Cursor, SampleKind::Before) => include_str!("samples/cursor.before.json"),
        (HookClient::Cursor, SampleKind::After) => include_str!("samples/cursor.after.json"),
        (HookClient::Copilot, SampleKind::Before) => include_str!("samples/copilot.before.json"),
        (HookClient::Copilot, SampleKind::After) => include_str!("samples/copilot.after.json"),
        (HookClient::Cline, SampleKind::Before) => include_str!("samples/cline.before.json"),
        (HookClient::Cline, SampleKind::After) => include_str!("samples/cline.after.json"),
    };
    let mut event: Value = serde_json::from_str(text).unwrap_or_default();
    for place in ["/tool_input/command", "/args/command", "/command", "/preToolUse/parameters/command"] {
        put(&mut event, place, command);
    }
    put(&mut event, "/postToolUse/parameters/command", command);
    if let Some(args) = event.pointer_mut("/toolArgs") {
        *args = json!({"command": command, "description": "a recorded call"}).to_string().into();
    }
    event.to_string()
}

fn put(event: &mut Value, place: &str, command: &str) {
    if let Some(there) = event.pointer_mut(place) {
        *there = command.into();
    }
}
