//! OpenAI's Chat Completions: one message, streamed as chunks without names.

use super::dialect::{HeardRequest, ModelEvent, ModelReply, ModelTurn, list, offered, word};
use super::record::ShownResult;
use serde_json::{Value, json};

pub(super) fn hear(body: &Value) -> HeardRequest {
    let results = list(&body["messages"])
        .filter(|message| message["role"] == "tool")
        .map(|message| ShownResult {
            call: word(&message["tool_call_id"]),
            content: message["content"].clone(),
        })
        .collect();
    let tools = list(&body["tools"]).filter_map(|tool| offered(&tool["function"], None));
    HeardRequest { results, offered: tools.collect() }
}

pub(super) fn speak(body: &Value, turn: &ModelTurn, streams: bool) -> ModelReply {
    let (message, reason) = match turn {
        ModelTurn::Say(text) => (json!({"role": "assistant", "content": text}), "stop"),
        ModelTurn::Call { tool, arguments, number } => {
            let function = json!({"name": tool.name, "arguments": arguments.to_string()});
            let call = json!({
                "index": 0, "id": format!("call_{number}"), "type": "function", "function": function
            });
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
    };
    let usage = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15});
    let piece = |object: &str, choices: Value| {
        json!({
            "id": "chatcmpl-scripted", "created": 1_790_000_000, "model": body["model"], "object": object,
            "choices": choices
        })
    };
    if !streams {
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        let mut whole = piece("chat.completion", json!([choice]));
        whole["usage"] = usage;
        return ModelReply::Whole(whole);
    }
    let chunk = |choices| piece("chat.completion.chunk", choices);
    let mut last = chunk(json!([]));
    last["usage"] = usage;
    ModelReply::Streamed(vec![
        ModelEvent::plain(&chunk(json!([{"index": 0, "delta": message, "finish_reason": null}]))),
        ModelEvent::plain(&chunk(json!([{"index": 0, "delta": {}, "finish_reason": reason}]))),
        ModelEvent::plain(&last),
        ModelEvent::plain(&"[DONE]"),
    ])
}
