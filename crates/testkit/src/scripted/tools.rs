//! Tools as they are listed, and those that answer at once and as they should.

use super::offers::refusal;
use serde_json::{Value, json};

/// Names of tools with the properties of their arguments and their types.
const TOOLS: &[(&str, &[(&str, &str)])] = &[
    ("echo", &[("text", "string")]),
    ("pid", &[]),
    ("env", &[("name", "string")]),
    ("cwd", &[]),
    ("sum", &[("a", "number"), ("b", "number")]),
    ("fail", &[("text", "string")]),
    ("rpc_error", &[]),
    ("big", &[("bytes", "integer")]),
    ("progress", &[("steps", "integer")]),
    ("wait", &[("until", "string"), ("log", "string")]),
    ("sample", &[("params", "object")]),
    ("elicit", &[("params", "object")]),
    ("roots", &[]),
    ("ask_capabilities", &[]),
    ("add_tool", &[("name", "string")]),
    ("remove_tool", &[("name", "string")]),
    ("add_resource", &[("uri", "string")]),
    ("add_prompt", &[("name", "string")]),
    ("touch", &[("uri", "string")]),
    ("log", &[("level", "string"), ("text", "string")]),
    ("spawn", &[]),
    ("die", &[("code", "integer")]),
    ("hang", &[("deaf", "boolean")]),
    ("twice", &[]),
    ("late", &[]),
    ("junk", &[]),
    ("flood", &[("bytes", "integer")]),
    ("storm", &[("kind", "string"), ("bytes", "integer"), ("size", "integer")]),
    ("raw", &[("text", "string"), ("bytes", "array"), ("nested", "integer"), ("end", "boolean")]),
    ("id_last", &[("bytes", "integer")]),
    ("endless", &[("bytes", "integer")]),
    ("shut", &[("what", "string")]),
];

/// The tools that are always there. `echo` has everything that a listing can say, and more.
pub(crate) fn all() -> Vec<Value> {
    let listed = TOOLS.iter().map(|(name, properties)| {
        let properties =
            properties.iter().map(|(key, kind)| ((*key).to_owned(), json!({"type": kind}))).collect();
        tool(name, &Value::Object(properties))
    });
    let mut listed: Vec<Value> = listed.collect();
    let echo = &mut listed[0];
    echo["title"] = json!("Echo");
    echo["annotations"] = json!({"readOnlyHint": true, "x-unknown": 1});
    echo["outputSchema"] = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    echo["_meta"] = json!({"example.com/kept": [1, null, 2.5]});
    echo["execution"] = json!({"taskSupport": "optional"});
    echo["x-unknown"] = json!({"kept": true});
    listed
}

/// A tool that says its own name.
pub(crate) fn named(name: &str) -> Value {
    tool(name, &json!({}))
}

fn tool(name: &str, properties: &Value) -> Value {
    let schema = json!({"type": "object", "properties": properties});
    json!({"name": name, "description": format!("the tool {name}"), "inputSchema": schema})
}

/// A result of one text.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// The answer of a tool that only looks at itself and its arguments; `None` for all others.
pub(crate) fn plain(name: &str, arguments: &Value) -> Option<Result<Value, Value>> {
    let word = |key: &str| arguments[key].as_str().unwrap_or_default();
    let answer = match name {
        "echo" => json!({
            "content": [{"type": "text", "text": word("text"), "annotations": {"priority": 0.5}, "x-unknown": null}],
            "structuredContent": {"text": word("text")}, "isError": false,
            "x-unknown": {"kept": [true, 1, 1.5, "é"]}, "_meta": {"example.com/kept": "yes"},
        }),
        "pid" => text(&std::process::id().to_string()),
        "env" => text(&std::env::var(word("name")).unwrap_or_else(|_| "(not set)".to_owned())),
        "cwd" => text(&std::env::current_dir().expect("a folder").display().to_string()),
        "sum" => {
            let number = |key: &str| arguments[key].as_f64().unwrap_or(0.0);
            text(&(number("a") + number("b")).to_string())
        }
        "fail" => {
            let mut failed = text(word("text"));
            failed["isError"] = json!(true);
            failed
        }
        "rpc_error" => {
            let mut error = refusal(-32050, "an error as asked");
            error["data"] = json!({"kept": [1, {"a": null}], "word": word("word")});
            return Some(Err(error));
        }
        "big" => text(&"x".repeat(size(&arguments["bytes"]))),
        _ => return None,
    };
    Some(Ok(answer))
}

/// A number of bytes or steps.
pub(crate) fn size(value: &Value) -> usize {
    value.as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or(0)
}
