//! Resources, prompts and completions, and the words of errors.

use serde_json::{Value, json};

/// An error of JSON-RPC.
pub(crate) fn refusal(code: i64, message: &str) -> Value {
    json!({"code": code, "message": message})
}

/// Resources with an address of their own, without those that were added.
pub(crate) fn resources() -> Vec<Value> {
    vec![
        json!({"uri": "test://a", "name": "a", "title": "Text", "mimeType": "text/plain", "x-unknown": {"kept": true}}),
        json!({"uri": "test://blob", "name": "blob", "mimeType": "application/octet-stream", "size": 4}),
    ]
}

/// Addresses with a hole.
pub(crate) fn templates() -> Vec<Value> {
    vec![json!({"uriTemplate": "test://item/{id}", "name": "item", "mimeType": "text/plain"})]
}

/// What an address holds.
pub(crate) fn read(uri: &str, known: bool) -> Result<Value, Value> {
    let content = match uri {
        "test://blob" => json!({"uri": uri, "mimeType": "application/octet-stream", "blob": "AAEC/w=="}),
        _ if uri.strip_prefix("test://item/").is_some_and(|item| !item.is_empty()) => {
            json!({"uri": uri, "mimeType": "text/plain", "text": format!("item {}", &uri["test://item/".len()..])})
        }
        _ if known => json!({"uri": uri, "mimeType": "text/plain", "text": format!("text of {uri}")}),
        _ => {
            let data = json!({"uri": uri});
            return Err(json!({"code": -32002, "message": "no such resource", "data": data}));
        }
    };
    Ok(json!({"contents": [content], "x-unknown": "kept"}))
}

/// Prompts, without those that were added.
pub(crate) fn prompts() -> Vec<Value> {
    let name = json!({"name": "name", "description": "whom to greet", "required": true});
    vec![json!({"name": "greet", "title": "Greeting", "arguments": [name]})]
}

/// What a prompt says.
pub(crate) fn prompt(name: &str, known: bool, arguments: &Value) -> Result<Value, Value> {
    if !known {
        return Err(refusal(-32602, &format!("no such prompt: {name}")));
    }
    let text = match (name, arguments["name"].as_str()) {
        ("greet", None) => return Err(refusal(-32602, "the prompt `greet` needs a `name`")),
        ("greet", Some(whom)) => format!("Say hello to {whom}."),
        _ => name.to_owned(),
    };
    let message = json!({"role": "user", "content": {"type": "text", "text": text}});
    Ok(json!({"description": "a greeting", "messages": [message]}))
}

/// What an argument may be completed to.
pub(crate) fn complete(params: &Value) -> Result<Value, Value> {
    let (to, argument) = (&params["ref"], &params["argument"]);
    let all: &[&str] = match (to["type"].as_str(), to["name"].as_str(), to["uri"].as_str()) {
        (Some("ref/prompt"), Some("greet"), _) => &["Ada", "Alan", "Grace"],
        (Some("ref/resource"), _, Some("test://item/{id}")) => &["1", "10", "2"],
        _ => return Err(refusal(-32602, &format!("nothing to complete: {to}"))),
    };
    let begun = argument["value"].as_str().unwrap_or_default();
    let values: Vec<_> = all.iter().filter(|value| value.starts_with(begun)).collect();
    Ok(json!({"completion": {"values": values, "total": values.len(), "hasMore": false}}))
}
