//! `write_input`: text and keys for a session.

use super::Call;
use super::reading::Sheet;
use super::schema::answer_schema;
use crate::answer::{Answer, Failure};
use crate::arguments::read;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use runward::core::render::sentence;
use runward::sessions::Live;
use runward::{Code, ErrorView};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

pub(super) const NAME: &str = "write_input";

const DESCRIPTION: &str = "Type into a session: `input` as it is, a newline after it if asked, then `keys` by name, then \
the end of input if asked. Read what comes of it with `read_output`.";

/// The arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Arguments {
    /// The session, as `start_command` named it.
    session_id: String,
    /// Text, sent as it is.
    #[serde(default)]
    input: Option<String>,
    /// Whether a newline follows the text. Default: false.
    #[serde(default)]
    newline: Option<bool>,
    /// Keys by name, after the text: `ctrl-c`, `up`, `enter`, `f1`, `alt-b`.
    #[serde(default)]
    keys: Option<Vec<String>>,
    /// Whether input ends after that: a pipe is closed, on a terminal Ctrl-D is pressed. Default: false.
    #[serde(default)]
    eof: Option<bool>,
}

pub(super) fn definition() -> Tool {
    Tool::new(NAME, DESCRIPTION, JsonObject::new())
        .with_title("Type into a session")
        .with_input_schema::<Arguments>()
        .with_raw_output_schema(answer_schema(json!({ "success": { "const": true } }), &["success"]))
        .with_annotations(ToolAnnotations::new().read_only(false).destructive(true).open_world(true))
}

pub(super) async fn call(call: Call, arguments: Option<JsonObject>) -> Result<Answer, Failure> {
    let arguments: Arguments = read(NAME, arguments)?;
    let live = call.session(&arguments.session_id)?;
    if let Some(receipt) = live.standing().receipt {
        return Err(ended(&live, &sentence(&receipt)));
    }
    write(&live, &arguments).await?;
    let mut sheet = Sheet::under(&call.veil);
    sheet.plain("success", true);
    Ok(sheet.into())
}

async fn write(live: &Live, arguments: &Arguments) -> Result<(), Failure> {
    let mut text = arguments.input.clone().unwrap_or_default();
    if arguments.newline == Some(true) {
        text.push('\n');
    }
    if !text.is_empty() {
        live.write(text.into_bytes()).await?;
    }
    if let Some(keys) = arguments.keys.as_deref().filter(|keys| !keys.is_empty()) {
        let unknown = |error: runward::sessions::UnknownKey| {
            let hint = "Use names such as `enter`, `tab`, `up`, `ctrl-c`, `alt-b`, `f1`, or one character.";
            Failure::bad_value(error.to_string(), hint)
        };
        live.press(keys).await.map_err(unknown)??;
    }
    if arguments.eof == Some(true) {
        live.close_input().await?;
    }
    Ok(())
}

fn ended(live: &Live, how: &str) -> Failure {
    Failure(ErrorView {
        code: Code::SessionEnded,
        message: format!("the session {} has ended already: {how}", live.id()),
        hint: Some("Read what it printed with `read_output`, or start a new one.".to_owned()),
    })
}
