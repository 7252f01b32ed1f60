//! The command in the input of a tool: a text, or a list of words that is joined by quoting. May not judge it.

use super::event::HookTrouble;
use super::wrapping::quoted;
use serde_json::{Map, Value};

/// Where tools have their command.
const KEYS: &[&str] = &["command", "cmd", "script", "shell_command", "commandLine"];

/// Tools with a `command` that is no shell's: of an editor, a patch, a prompt.
const OTHERS: &[&str] = &[
    "apply_patch",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "Read",
    "Skill",
    "SlashCommand",
    "str_replace_based_edit_tool",
    "str_replace_editor",
    "Write",
];

/// How Runward's own tools are called by clients that name the server with the tool.
const OURS: &[&str] = &["mcp__runward__", "mcp_runward_", "runward__", "runward_", "runward-"];

/// A command, and the key that has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolCommand {
    pub(crate) key: &'static str,
    pub(crate) text: String,
}

/// The command that a tool runs with this input; nothing where it runs none.
pub(super) fn find(
    tool: &str,
    shells: &[&str],
    input: Option<&Map<String, Value>>,
) -> Result<Option<ToolCommand>, HookTrouble> {
    let is_shell = shells.contains(&tool);
    if !is_shell && (OTHERS.contains(&tool) || OURS.iter().any(|prefix| tool.starts_with(prefix))) {
        return Ok(None);
    }
    let none = || HookTrouble(format!("the input of `{tool}` has no `command`"));
    let Some(input) = input else { return if is_shell { Err(none()) } else { Ok(None) } };
    let there = KEYS.iter().filter_map(|key| Some((*key, input.get(*key)?)));
    let mut there = there.filter(|(key, value)| *key == "command" || !value.is_null());
    let Some((key, value)) = there.next() else { return if is_shell { Err(none()) } else { Ok(None) } };
    if let Some((other, _)) = there.next() {
        return Err(HookTrouble(format!("the input of `{tool}` has both `{key}` and `{other}`")));
    }
    let text = text_of(value).ok_or_else(|| {
        HookTrouble(format!("`{key}` of `{tool}` is neither a text nor a list of words, but {}", kind(value)))
    })?;
    if text.trim().is_empty() {
        return Err(HookTrouble(format!("`{key}` of `{tool}` is empty")));
    }
    if text.contains('\0') {
        return Err(HookTrouble(format!("`{key}` of `{tool}` contains a NUL byte")));
    }
    Ok(Some(ToolCommand { key, text }))
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let words = words.iter().map(|word| word.as_str().map(word_for_shell));
            Some(words.collect::<Option<Vec<_>>>()?.join(" "))
        }
        _ => None,
    }
}

/// A word that every shell reads as itself. One that needs no quotes gets none: a name in quotes is no other name.
fn word_for_shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "%+,-./:@_".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { quoted(word) }
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(tool: &str, input: &Value) -> Result<Option<String>, String> {
        let found = find(tool, &["Bash"], input.as_object());
        found.map(|found| found.map(|found| found.text)).map_err(|trouble| trouble.0)
    }

    #[test]
    fn words_are_joined_by_quoting() {
        let list = json!({"command": ["bash", "-lc", "echo 'a b'; rm -rf $HOME", ""]});
        assert_eq!(
            found("Bash", &list),
            Ok(Some(r"bash -lc 'echo '\''a b'\''; rm -rf $HOME' ''".to_owned()))
        );
    }

    #[test]
    fn a_shell_without_a_command_and_a_command_that_is_no_text_are_troubles() {
        for input in [
            json!({}),
            json!({"command": 3}),
            json!({"command": null}),
            json!({"command": [["rm"]]}),
            json!({"command": {}}),
            json!({"command": ""}),
            json!({"command": "a\u{0}b"}),
            json!(null),
            json!({"command": "ls", "cmd": "rm"}),
            json!({"command": []}),
        ] {
            found("Bash", &input).unwrap_err();
        }
        assert!(found("Bash", &json!({"command": 3})).unwrap_err().contains("but a number"));
    }

    #[test]
    fn what_runs_no_command_is_told_from_what_may() {
        assert_eq!(found("Read", &json!({"file_path": "/x"})), Ok(None));
        assert_eq!(found("Anything", &json!({"query": "x"})), Ok(None));
        assert_eq!(found("Anything", &json!({"cmd": "rm x"})), Ok(Some("rm x".to_owned())));
        assert_eq!(found("mcp__runward__execute_command", &json!({"command": "rm x"})), Ok(None));
        assert_eq!(found("mcp__other__run", &json!({"command": "rm x"})), Ok(Some("rm x".to_owned())));
        assert_eq!(found("apply_patch", &json!({"command": "*** Begin Patch"})), Ok(None));
    }
}
