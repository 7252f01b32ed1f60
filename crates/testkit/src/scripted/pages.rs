//! Lists in pages, with a cursor that only this server can read.

use super::offers::refusal;
use serde_json::{Map, Value, json};

/// The page that a list request asks for, under the name of the list.
pub(crate) fn page(what: &str, items: &[Value], size: Option<usize>, params: &Value) -> Result<Value, Value> {
    let start = match &params["cursor"] {
        Value::Null => 0,
        cursor => offset(cursor).filter(|&at| at <= items.len()).ok_or_else(|| bad(cursor))?,
    };
    let end = size.map_or(items.len(), |size| items.len().min(start + size));
    let mut answer = Map::new();
    answer.insert(what.to_owned(), json!(items[start..end]));
    if end < items.len() {
        answer.insert("nextCursor".to_owned(), json!(format!("from {end}")));
    }
    Ok(Value::Object(answer))
}

fn offset(cursor: &Value) -> Option<usize> {
    cursor.as_str()?.strip_prefix("from ")?.parse().ok()
}

fn bad(cursor: &Value) -> Value {
    refusal(-32602, &format!("no such cursor: {cursor}"))
}
