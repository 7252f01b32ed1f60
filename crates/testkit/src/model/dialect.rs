//! The protocols in which clients speak to models, behind one face.

use super::record::{OfferedTool, ShownResult};
use super::{chat, gemini, messages, responses};
use serde_json::Value;

/// What a request says, whatever its dialect.
#[derive(Debug, Default)]
pub(super) struct HeardRequest {
    /// The tools that may be called.
    pub(super) offered: Vec<OfferedTool>,
    /// The results that the conversation holds.
    pub(super) results: Vec<ShownResult>,
}

/// What the model does next.
#[derive(Debug)]
pub(super) enum ModelTurn {
    /// Says something, which ends the turn.
    Say(String),
    /// Calls a tool; the number makes the call's name.
    Call { tool: OfferedTool, arguments: Value, number: u64 },
}

/// A piece of a streamed answer.
#[derive(Debug)]
pub(super) struct ModelEvent {
    pub(super) name: Option<String>,
    pub(super) text: String,
}

impl ModelEvent {
    /// An event that is named after its own `type`.
    pub(super) fn typed(value: &Value) -> Self {
        Self { name: value["type"].as_str().map(str::to_owned), text: value.to_string() }
    }

    /// An event without a name.
    pub(super) fn plain(text: &impl ToString) -> Self {
        Self { name: None, text: text.to_string() }
    }
}

/// The answer to a request.
#[derive(Debug)]
pub(super) enum ModelReply {
    Whole(Value),
    Streamed(Vec<ModelEvent>),
}

/// A protocol of a model.
#[derive(Debug, Clone, Copy)]
pub(super) enum ModelDialect {
    /// Anthropic's Messages.
    Messages,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's Chat Completions.
    Chat,
    /// Google's `generateContent`.
    Gemini,
}

impl ModelDialect {
    /// The dialect of a path, if it is one where the model is asked to speak.
    pub(super) fn of(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        let ends = |end| path.ends_with(end);
        if ends("/messages") {
            Some(Self::Messages)
        } else if ends("/responses") {
            Some(Self::Responses)
        } else if ends("/chat/completions") {
            Some(Self::Chat)
        } else if ends(":generateContent") || ends(":streamGenerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    /// Reads a request.
    pub(super) fn hear(self, body: &Value) -> HeardRequest {
        match self {
            Self::Messages => messages::hear(body),
            Self::Responses => responses::hear(body),
            Self::Chat => chat::hear(body),
            Self::Gemini => gemini::hear(body),
        }
    }

    /// Writes an answer in the form that was asked for.
    pub(super) fn speak(self, path: &str, body: &Value, turn: &ModelTurn) -> ModelReply {
        let streams = body["stream"] == true || path.contains(":stream");
        match self {
            Self::Messages => messages::speak(body, turn, streams),
            Self::Responses => responses::speak(body, turn, streams),
            Self::Chat => chat::speak(body, turn, streams),
            Self::Gemini => gemini::speak(body, turn, streams),
        }
    }
}

/// The elements of a list that may be absent.
pub(super) fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A text that may be absent.
pub(super) fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// A tool whose name stands under `name`.
pub(super) fn offered(definition: &Value, space: Option<&str>) -> Option<OfferedTool> {
    let name = definition["name"].as_str()?.to_owned();
    Some(OfferedTool { name, space: space.map(str::to_owned), definition: definition.clone() })
}
