//! OpenAI's Responses: a list of items, streamed with a number on every event.

use super::dialect::{HeardRequest, ModelEvent, ModelReply, ModelTurn, list, offered, word};
use super::record::{OfferedTool, ShownResult};
use serde_json::{Value, json};

pub(super) fn hear(body: &Value) -> HeardRequest {
    let results = list(&body["input"])
        .filter(|item| item["type"].as_str().is_some_and(|kind| kind.ends_with("_call_output")))
        .map(|item| ShownResult { call: word(&item["call_id"]), content: item["output"].clone() })
        .collect();
    HeardRequest { results, offered: list(&body["tools"]).flat_map(tools).collect() }
}

/// A tool, or the tools of a group.
fn tools(tool: &Value) -> Vec<OfferedTool> {
    if tool["type"] == "namespace" {
        let space = tool["name"].as_str();
        list(&tool["tools"]).filter_map(|inner| offered(inner, space)).collect()
    } else {
        offered(tool, None).into_iter().collect()
    }
}

pub(super) fn speak(body: &Value, turn: &ModelTurn, streams: bool) -> ModelReply {
    let item = item(turn);
    let usage = json!({
        "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15
    });
    let response = |status: &str, output: Value, usage: &Value| {
        json!({
            "id": "resp_scripted", "object": "response", "created_at": 1_790_000_000, "status": status,
            "model": body["model"], "output": output, "usage": usage, "parallel_tool_calls": false,
            "tool_choice": "auto", "tools": [], "error": null, "incomplete_details": null,
            "instructions": null, "metadata": {}
        })
    };
    let whole = response("completed", json!([item]), &usage);
    if !streams {
        return ModelReply::Whole(whole);
    }
    let mut events = vec![
        json!({"type": "response.created", "response": response("in_progress", json!([]), &Value::Null)}),
    ];
    events.extend(pieces(turn, &item));
    events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
    events.push(json!({"type": "response.completed", "response": whole}));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = json!(number);
    }
    ModelReply::Streamed(events.iter().map(ModelEvent::typed).collect())
}

fn item(turn: &ModelTurn) -> Value {
    match turn {
        ModelTurn::Say(text) => json!({
            "type": "message", "id": "msg_scripted", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]
        }),
        ModelTurn::Call { tool, arguments, number } => {
            let mut item = json!({
                "type": "function_call", "id": format!("fc_{number}"), "call_id": format!("call_{number}"),
                "name": tool.name, "arguments": arguments.to_string(), "status": "completed"
            });
            if let Some(space) = &tool.space {
                item["namespace"] = json!(space);
            }
            item
        }
    }
}

/// How the item comes to be.
fn pieces(turn: &ModelTurn, item: &Value) -> Vec<Value> {
    let mut begun = item.clone();
    begun["status"] = json!("in_progress");
    let (id, place) = (&item["id"], 0);
    match turn {
        ModelTurn::Say(text) => {
            begun["content"] = json!([]);
            let part = |text: &str| json!({"type": "output_text", "text": text, "annotations": []});
            vec![
                json!({"type": "response.output_item.added", "output_index": place, "item": begun}),
                json!({"type": "response.content_part.added", "item_id": id, "output_index": place,
                    "content_index": 0, "part": part("")}),
                json!({"type": "response.output_text.delta", "item_id": id, "output_index": place,
                    "content_index": 0, "delta": text}),
                json!({"type": "response.output_text.done", "item_id": id, "output_index": place,
                    "content_index": 0, "text": text}),
                json!({"type": "response.content_part.done", "item_id": id, "output_index": place,
                    "content_index": 0, "part": part(text)}),
            ]
        }
        ModelTurn::Call { .. } => {
            begun["arguments"] = json!("");
            let arguments = &item["arguments"];
            vec![
                json!({"type": "response.output_item.added", "output_index": place, "item": begun}),
                json!({"type": "response.function_call_arguments.delta", "item_id": id,
                    "output_index": place, "delta": arguments}),
                json!({"type": "response.function_call_arguments.done", "item_id": id,
                    "output_index": place, "arguments": arguments}),
            ]
        }
    }
}
