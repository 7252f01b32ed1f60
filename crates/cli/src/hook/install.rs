//! The hook in a client's settings: given their text, the text with our entry, or without it. Every other byte stays.
//!
//! May not read or write a file: whoever installs does.
//! Read first: [`HookEntry`], then [`with_entry`].

pub(crate) mod json_text;

use super::HookClient;
use super::wrapping::quoted;
use json_text::JsonPlace;
use serde_json::{Value, json};

/// Our entry: which program, in which mode, and how long the client waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookEntry {
    pub(crate) client: HookClient,
    /// This program, by its whole path.
    pub(crate) program: String,
    /// Whether what may run is wrapped.
    pub(crate) wrap: bool,
    /// Seconds.
    pub(crate) timeout: u64,
    /// The address of the plugin, for OpenCode.
    pub(crate) plugin: String,
}

/// Why a text cannot take an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnfitSettings(pub(crate) &'static str);

impl HookEntry {
    fn words(&self) -> Vec<String> {
        let mut words = vec!["hook".to_owned(), "--client".to_owned(), self.client.name().to_owned()];
        if self.wrap {
            words.extend(["--mode", "wrap"].map(str::to_owned));
        }
        words
    }

    /// The whole command, for clients that have it read by a shell.
    pub(crate) fn line(&self) -> String {
        format!("{} {}", quoted(&self.program), self.words().join(" "))
    }

    /// Our entries, each with the list that it belongs to.
    fn entries(&self) -> Vec<(Vec<&'static str>, Value)> {
        let (line, timeout) = (self.line(), self.timeout);
        match self.client {
            HookClient::ClaudeCode => {
                let mut hook = json!({
                    "type": "command", "command": self.program, "args": self.words(), "timeout": timeout,
                });
                // What has a shell beside `Bash` is listed too: a name that a version does not have matches nothing.
                let entry = |hook: &Value| json!({"matcher": "Bash|PowerShell|Monitor", "hooks": [hook]});
                let after =
                    ["PostToolUse", "PostToolUseFailure"].map(|event| (vec!["hooks", event], entry(&hook)));
                hook["onFailure"] = "block".into();
                [(vec!["hooks", "PreToolUse"], entry(&hook))].into_iter().chain(after).collect()
            }
            HookClient::Codex => {
                let hook = json!({"type": "command", "command": line, "timeout": timeout});
                let entry = json!({"matcher": "Bash", "hooks": [hook]});
                ["PreToolUse", "PostToolUse"]
                    .into_iter()
                    .map(|event| (vec!["hooks", event], entry.clone()))
                    .collect()
            }
            HookClient::Gemini => {
                let hook =
                    json!({"name": "runward", "type": "command", "command": line, "timeout": timeout * 1000});
                let entry = json!({"matcher": "run_shell_command", "hooks": [hook]});
                ["BeforeTool", "AfterTool"]
                    .into_iter()
                    .map(|event| (vec!["hooks", event], entry.clone()))
                    .collect()
            }
            HookClient::Cursor => {
                let entry = json!({"command": line, "timeout": timeout, "failClosed": true});
                vec![(vec!["hooks", "beforeShellExecution"], entry)]
            }
            HookClient::Copilot => {
                let entry = json!({"type": "command", "bash": line, "timeoutSec": timeout});
                ["preToolUse", "postToolUse"]
                    .into_iter()
                    .map(|event| (vec!["hooks", event], entry.clone()))
                    .collect()
            }
            HookClient::OpenCode => vec![(vec!["plugin"], Value::String(self.plugin.clone()))],
            HookClient::Cline => Vec::new(),
        }
    }
}

/// The text of a client's settings with our entry, once. An older entry of ours goes.
pub(crate) fn with_entry(text: &str, entry: &HookEntry) -> Result<String, UnfitSettings> {
    if entry.client == HookClient::Cline {
        return script(text, entry);
    }
    let entries = entry.entries();
    if entries.iter().all(|(path, value)| json_text::has(text, path, value)) {
        return Ok(text.to_owned());
    }
    let mut new = without_entry(text, entry.client)?;
    if new.trim().is_empty() {
        new = match entry.client {
            HookClient::Cursor | HookClient::Copilot => "{\n  \"version\": 1\n}\n".to_owned(),
            _ => "{}\n".to_owned(),
        };
    }
    for (path, value) in entries {
        new = json_text::added(&new, &path, &value)
            .ok_or(UnfitSettings("it is not JSON with an object `hooks` that holds lists"))?;
    }
    Ok(new)
}

/// The text without any entry of ours.
pub(crate) fn without_entry(text: &str, client: HookClient) -> Result<String, UnfitSettings> {
    if client == HookClient::Cline {
        return if is_our_script(text) { Ok(String::new()) } else { Ok(text.to_owned()) };
    }
    if text.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let mut new = text.to_owned();
    loop {
        let root = JsonPlace::root(&new).ok_or(UnfitSettings("it is not JSON"))?;
        let Some(ours) = root.find_element(&new, &|element| is_ours(element, client)) else { return Ok(new) };
        new = ours.removed(&new);
    }
}

/// Whether an element of a list is an entry of ours, whatever its path and mode.
fn is_ours(element: &Value, client: HookClient) -> bool {
    let calls =
        |text: &str| text.contains("runward") && text.contains(&format!("hook --client {}", client.name()));
    let by_words = |hook: &Value| {
        let words = hook.get("args").and_then(Value::as_array)?;
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        Some(words.starts_with(&["hook", "--client", client.name()]))
    };
    let is_hook = |hook: &Value| {
        let line = ["command", "bash"].iter().find_map(|key| hook.get(*key)?.as_str());
        by_words(hook) == Some(true) || line.is_some_and(calls)
    };
    match element {
        Value::String(plugin) => client == HookClient::OpenCode && plugin.ends_with("/runward-opencode.js"),
        Value::Object(_) if is_hook(element) => true,
        // A list of hooks with others beside ours stays: then ours is taken out of that list.
        Value::Object(_) => {
            let hooks = element.get("hooks").and_then(Value::as_array);
            hooks.is_some_and(|hooks| !hooks.is_empty() && hooks.iter().all(is_hook))
        }
        _ => false,
    }
}

const SCRIPT: &str = "#!/bin/sh\n# runward: judges commands before Cline runs them\n";

fn is_our_script(text: &str) -> bool {
    text.starts_with(SCRIPT)
}

/// Cline's hook is a file of its own.
fn script(text: &str, entry: &HookEntry) -> Result<String, UnfitSettings> {
    if !text.trim().is_empty() && !is_our_script(text) {
        return Err(UnfitSettings("there is a hook of somebody else already, and Cline takes one"));
    }
    Ok(format!("{SCRIPT}exec {}\n", entry.line()))
}

/// The plugin through which OpenCode calls us.
pub(crate) fn plugin(entry: &HookEntry) -> String {
    let words = serde_json::to_string(&entry.words()).unwrap_or_default();
    let program = Value::String(entry.program.clone()).to_string();
    include_str!("install/opencode.js")
        .replace("\"RUNWARD\"", &program)
        .replace("[\"HOOK\"]", &words)
        .replace("TIMEOUT_MS", &(entry.timeout * 1000).to_string())
}

#[cfg(test)]
mod tests;
