//! One event of a client, read from its own format. What is not understood is a trouble, never a guess.
//!
//! May not decide anything about the command, and may not look at a file.

use super::HookClient;
use super::command_text::{self, ToolCommand, kind};
use super::strict_json;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// The longest event.
pub(crate) const LARGEST: usize = 1 << 20;

/// Why an event could not be judged, as the rest of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookTrouble(pub(crate) String);

/// When the event comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HookMoment {
    /// Before a tool is used.
    Before,
    /// After it was.
    After,
}

/// What the tool would run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToolRuns {
    /// No command.
    Nothing,
    /// This command.
    Command(ToolCommand),
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HookEvent {
    pub(crate) client: HookClient,
    pub(crate) moment: HookMoment,
    /// The event's own name, which some clients want back.
    pub(crate) name: String,
    pub(crate) session: Option<String>,
    pub(crate) call: Option<String>,
    pub(crate) tool: String,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) input: Map<String, Value>,
    pub(crate) runs: ToolRuns,
    pub(crate) exit_code: Option<i32>,
}

/// How one client writes its events.
struct EventFormat {
    before: &'static [&'static str],
    after: &'static [&'static str],
    name: &'static str,
    tool: &'static str,
    input: &'static str,
    session: &'static [&'static str],
    call: &'static [&'static str],
}

const CLAUDE: EventFormat = EventFormat {
    before: &["PreToolUse"],
    after: &["PostToolUse", "PostToolUseFailure"],
    name: "hook_event_name",
    tool: "tool_name",
    input: "tool_input",
    session: &["session_id"],
    call: &["tool_use_id"],
};

fn format(client: HookClient) -> EventFormat {
    match client {
        HookClient::ClaudeCode | HookClient::Codex => CLAUDE,
        HookClient::Gemini => EventFormat { before: &["BeforeTool"], after: &["AfterTool"], ..CLAUDE },
        HookClient::OpenCode => EventFormat {
            before: &["tool.execute.before"],
            after: &["tool.execute.after"],
            name: "event",
            tool: "tool",
            input: "args",
            session: &["sessionID"],
            call: &["callID"],
        },
        HookClient::Cursor => EventFormat {
            before: &["beforeShellExecution", "preToolUse"],
            after: &["afterShellExecution", "postToolUse", "postToolUseFailure"],
            session: &["conversation_id", "session_id"],
            call: &["tool_use_id"],
            ..CLAUDE
        },
        HookClient::Copilot => EventFormat {
            before: &["preToolUse"],
            after: &["postToolUse"],
            name: "hookName",
            tool: "toolName",
            input: "toolArgs",
            session: &["sessionId"],
            call: &["toolCallId"],
        },
        HookClient::Cline => EventFormat {
            before: &["PreToolUse"],
            after: &["PostToolUse"],
            name: "hookName",
            tool: "toolName",
            input: "parameters",
            session: &["taskId"],
            call: &[],
        },
    }
}

impl HookEvent {
    /// Reads the event in these bytes.
    pub(crate) fn read(client: HookClient, bytes: &[u8]) -> Result<Self, HookTrouble> {
        if bytes.len() > LARGEST {
            return Err(HookTrouble("its input is larger than 1 MiB".to_owned()));
        }
        let value =
            strict_json::parse(bytes).map_err(|why| HookTrouble(format!("its input is not JSON: {why}")))?;
        let Value::Object(fields) = value else {
            return Err(HookTrouble(format!("its input is not an object, but {}", kind(&value))));
        };
        let format = format(client);
        let (name, moment) = moment(client, &format, &fields)?;
        // Cline puts what belongs to an event into a field of its name.
        let inner = match (client, moment) {
            (HookClient::Cline, HookMoment::Before) => inside(&fields, "preToolUse")?,
            (HookClient::Cline, HookMoment::After) => inside(&fields, "postToolUse")?,
            _ => &fields,
        };
        let (tool, input) = tool(client, &format, &name, inner)?;
        let found = command_text::find(&tool, client.shells(), input.as_ref())?;
        let input = input.unwrap_or_default();
        Ok(Self {
            client,
            moment,
            session: first(&fields, format.session)?,
            call: first(inner, format.call)?,
            cwd: if found.is_some() { folder(&fields, &input)? } else { None },
            runs: found.map_or(ToolRuns::Nothing, ToolRuns::Command),
            exit_code: exit_code(inner),
            name,
            tool,
            input,
        })
    }
}

fn moment(
    client: HookClient,
    format: &EventFormat,
    fields: &Map<String, Value>,
) -> Result<(String, HookMoment), HookTrouble> {
    let name = match (text(fields, format.name)?, client) {
        (Some(name), _) => name,
        // Copilot does not say which event it is; only the one after it has a result.
        (None, HookClient::Copilot) => {
            let after = fields.contains_key("toolResult");
            (if after { "postToolUse" } else { "preToolUse" }).to_owned()
        }
        (None, _) => return Err(HookTrouble(format!("its input has no `{}`", format.name))),
    };
    if format.before.contains(&name.as_str()) {
        Ok((name, HookMoment::Before))
    } else if format.after.contains(&name.as_str()) {
        Ok((name, HookMoment::After))
    } else {
        Err(HookTrouble(format!("the event `{name}` is not known")))
    }
}

type ToolInput = Option<Map<String, Value>>;

fn tool(
    client: HookClient,
    format: &EventFormat,
    event: &str,
    fields: &Map<String, Value>,
) -> Result<(String, ToolInput), HookTrouble> {
    if client == HookClient::Cursor && event.ends_with("ShellExecution") {
        return Ok(("Shell".to_owned(), Some(fields.clone())));
    }
    let Some(tool) = text(fields, format.tool)? else {
        return Err(HookTrouble(format!("its input has no `{}`", format.tool)));
    };
    let input = match fields.get(format.input) {
        Some(Value::String(written)) if client == HookClient::Copilot => {
            let why = |why| HookTrouble(format!("`{}` is not JSON: {why}", format.input));
            Some(strict_json::parse(written.as_bytes()).map_err(why)?)
        }
        other => other.cloned(),
    };
    match input {
        None | Some(Value::Null) => Ok((tool, None)),
        Some(Value::Object(input)) => Ok((tool, Some(input))),
        Some(other) => Err(HookTrouble(format!("`{}` is not an object, but {}", format.input, kind(&other)))),
    }
}

fn inside<'a>(fields: &'a Map<String, Value>, name: &str) -> Result<&'a Map<String, Value>, HookTrouble> {
    let found = fields.get(name).and_then(Value::as_object);
    found.ok_or_else(|| HookTrouble(format!("its input has no object `{name}`")))
}

/// A text, if there is one. Something else in its place is a trouble.
fn text(fields: &Map<String, Value>, name: &str) -> Result<Option<String>, HookTrouble> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(HookTrouble(format!("`{name}` is not a text, but {}", kind(other)))),
    }
}

fn first(fields: &Map<String, Value>, names: &[&str]) -> Result<Option<String>, HookTrouble> {
    for name in names {
        if let Some(found) = text(fields, name)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Where tools have a folder of their own.
const FOLDERS: &[&str] = &["workdir", "dir_path", "directory", "working_directory", "cwd"];

/// The folder that the command would run in: the tool's own, in that of the event.
fn folder(fields: &Map<String, Value>, input: &Map<String, Value>) -> Result<Option<PathBuf>, HookTrouble> {
    let roots =
        ["workspaceRoots", "workspace_roots"].iter().find_map(|name| fields.get(*name)?.get(0)?.as_str());
    let around = text(fields, "cwd")?.or_else(|| roots.map(str::to_owned)).map(PathBuf::from);
    if let Some(relative) = around.as_ref().filter(|folder| !folder.is_absolute()) {
        return Err(HookTrouble(format!("its folder `{}` is not absolute", relative.display())));
    }
    let own = first(input, FOLDERS)?;
    Ok(match (around, own) {
        (Some(around), Some(own)) => Some(around.join(own)),
        (None, Some(own)) => Some(own.into()),
        (around, None) => around,
    })
}

/// The exit code, where the client says it.
fn exit_code(fields: &Map<String, Value>) -> Option<i32> {
    let told =
        ["tool_response", "toolResult", "result", "output"].iter().filter_map(|name| fields.get(*name));
    let told = told.chain(told_metadata(fields));
    let number = |value: &Value| {
        let named = ["exit_code", "exitCode", "exit"].iter().find_map(|name| value.get(*name)?.as_i64());
        i32::try_from(named?).ok()
    };
    let spelled = || {
        let error = fields.get("error")?.as_str()?.strip_prefix("Exit code ")?;
        error.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    told.into_iter().find_map(number).or_else(spelled)
}

fn told_metadata(fields: &Map<String, Value>) -> Option<&Value> {
    fields.get("output").or_else(|| fields.get("tool_response"))?.get("metadata")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::samples::{SampleKind, sample_of};

    fn read(client: HookClient, text: &str) -> Result<HookEvent, String> {
        HookEvent::read(client, text.as_bytes()).map_err(|trouble| trouble.0)
    }

    #[test]
    fn the_recorded_event_of_every_client_has_its_command_and_its_folder() {
        for client in HookClient::ALL {
            let event = read(client, &sample_of(client, SampleKind::Before, "rm -rf 'a b'")).unwrap();
            assert_eq!(event.moment, HookMoment::Before, "{client:?}");
            let ToolRuns::Command(found) = &event.runs else { panic!("{client:?}: {event:?}") };
            assert_eq!(found.text, "rm -rf 'a b'", "{client:?}");
            assert_eq!(event.cwd, Some(PathBuf::from("/tmp")), "{client:?}");
            let after = read(client, &sample_of(client, SampleKind::After, "ls")).unwrap();
            assert_eq!((after.moment, after.session), (HookMoment::After, event.session), "{client:?}");
        }
    }

    #[test]
    fn what_is_not_understood_is_a_trouble() {
        for (text, why) in [
            ("", "not JSON"),
            ("[]", "not an object, but a list"),
            (r#"{"tool_name": "Bash"}"#, "no `hook_event_name`"),
            (r#"{"hook_event_name": "Stop"}"#, "the event `Stop` is not known"),
            (r#"{"hook_event_name": 3}"#, "not a text, but a number"),
            (r#"{"hook_event_name": "PreToolUse"}"#, "no `tool_name`"),
            (r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash"}"#, "no `command`"),
            (r#"{"hook_event_name": "PreToolUse", "tool_name": "X", "tool_input": "ls"}"#, "but a text"),
            (
                r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": "x"}"#,
                "not absolute",
            ),
            (
                r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}, "cwd": 3}"#,
                "not a text",
            ),
        ] {
            let told = read(HookClient::ClaudeCode, text).unwrap_err();
            assert!(told.contains(why), "{text}: {told}");
        }
        let large = vec![b' '; LARGEST + 1];
        assert!(HookEvent::read(HookClient::Codex, &large).unwrap_err().0.contains("1 MiB"));
    }

    #[test]
    fn a_tool_with_a_folder_of_its_own_runs_there() {
        let text = r#"{"hook_event_name":"PreToolUse","tool_name":"exec_command","cwd":"/a","tool_input":{"cmd":"ls","workdir":"b"}}"#;
        assert_eq!(read(HookClient::Codex, text).unwrap().cwd, Some("/a/b".into()));
    }
}
