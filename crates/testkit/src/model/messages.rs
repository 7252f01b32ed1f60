//! Anthropic's Messages: content blocks, streamed as `content_block_delta`.

use super::dialect::{HeardRequest, ModelEvent, ModelReply, ModelTurn, list, offered, word};
use super::record::ShownResult;
use serde_json::{Value, json};

pub(super) fn hear(body: &Value) -> HeardRequest {
    let blocks = list(&body["messages"]).flat_map(|message| list(&message["content"]));
    let results = blocks
        .filter(|block| block["type"] == "tool_result")
        .map(|block| ShownResult { call: word(&block["tool_use_id"]), content: block["content"].clone() })
        .collect();
    HeardRequest { results, offered: list(&body["tools"]).filter_map(|tool| offered(tool, None)).collect() }
}

pub(super) fn speak(body: &Value, turn: &ModelTurn, streams: bool) -> ModelReply {
    let (block, empty, delta, reason) = match turn {
        ModelTurn::Say(text) => (
            json!({"type": "text", "text": text}),
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": text}),
            "end_turn",
        ),
        ModelTurn::Call { tool, arguments, number } => {
            let id = format!("toolu_{number:020}");
            (
                json!({"type": "tool_use", "id": id, "name": tool.name, "input": arguments}),
                json!({"type": "tool_use", "id": id, "name": tool.name, "input": {}}),
                json!({"type": "input_json_delta", "partial_json": arguments.to_string()}),
                "tool_use",
            )
        }
    };
    let usage = json!({
        "input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0
    });
    let message = |content: Value, reason: Value| {
        json!({
            "id": "msg_scripted", "type": "message", "role": "assistant", "model": body["model"],
            "content": content, "stop_reason": reason, "stop_sequence": null, "usage": usage
        })
    };
    if !streams {
        return ModelReply::Whole(message(json!([block]), json!(reason)));
    }
    let ended = json!({"stop_reason": reason, "stop_sequence": null});
    let events = [
        json!({"type": "message_start", "message": message(json!([]), Value::Null)}),
        json!({"type": "content_block_start", "index": 0, "content_block": empty}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": ended, "usage": usage}),
        json!({"type": "message_stop"}),
    ];
    ModelReply::Streamed(events.iter().map(ModelEvent::typed).collect())
}
