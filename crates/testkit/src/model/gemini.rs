//! Google's `generateContent`: parts of contents; a stream is the whole answer in one event.

use super::dialect::{HeardRequest, ModelEvent, ModelReply, ModelTurn, list, offered};
use super::record::ShownResult;
use serde_json::{Value, json};

pub(super) fn hear(body: &Value) -> HeardRequest {
    let parts = list(&body["contents"]).flat_map(|content| list(&content["parts"]));
    let results = parts
        .filter_map(|part| part.get("functionResponse"))
        .enumerate()
        .map(|(number, answer)| ShownResult {
            // Older clients give calls no name of their own: then the place in the conversation is one.
            call: answer["id"].as_str().map_or_else(|| number.to_string(), str::to_owned),
            content: answer["response"].clone(),
        })
        .collect();
    let tools = list(&body["tools"]).flat_map(|group| list(&group["functionDeclarations"]));
    HeardRequest { results, offered: tools.filter_map(|tool| offered(tool, None)).collect() }
}

pub(super) fn speak(body: &Value, turn: &ModelTurn, streams: bool) -> ModelReply {
    let part = match turn {
        ModelTurn::Say(text) => json!({"text": text}),
        ModelTurn::Call { tool, arguments, number } => {
            json!({"functionCall": {"name": tool.name, "args": arguments, "id": format!("call_{number}")}})
        }
    };
    let value = json!({
        "candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": body["model"].as_str().unwrap_or("scripted")
    });
    if streams { ModelReply::Streamed(vec![ModelEvent::plain(&value)]) } else { ModelReply::Whole(value) }
}
