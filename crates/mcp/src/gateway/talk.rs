//! What a child server says, one message at a time, and what is said to it.
//!
//! Results stay what they are: a gateway that reads them into types of its own would drop what it does not know. May
//! not know which methods there are.

use rmcp::ErrorData;
use rmcp::model::{JsonRpcVersion2_0, RequestId};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// One message of a child.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Said {
    /// It answers a question of ours.
    Answer {
        /// The number of the question.
        id: u64,
        /// Its answer.
        result: Result<Value, ErrorData>,
    },
    /// It asks.
    Question {
        /// Under which id it wants the answer.
        id: RequestId,
        /// What.
        method: String,
        /// About what.
        params: Option<Value>,
    },
    /// It tells.
    Notice {
        /// What.
        method: String,
        /// About what.
        params: Option<Value>,
    },
}

impl Said {
    /// What it is, without what is in it.
    pub(super) fn headline(&self) -> String {
        match self {
            Said::Answer { id, result: Ok(_) } => format!("answer #{id}"),
            Said::Answer { id, result: Err(error) } => format!("error #{id} ({})", error.code.0),
            Said::Question { id, method, .. } => format!("{method} #{id}"),
            Said::Notice { method, .. } => method.clone(),
        }
    }
}

/// A line that is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Junk;

#[derive(Deserialize)]
struct Envelope {
    #[serde(rename = "jsonrpc")]
    _version: JsonRpcVersion2_0,
    id: Option<RequestId>,
    method: Option<String>,
    params: Option<Value>,
    /// `null` is an answer too.
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    error: Option<ErrorData>,
}

fn present<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Result<Said, Junk> {
    said(serde_json::from_slice(line).map_err(|_| Junk)?)
}

/// Reads a message that was read before.
pub(super) fn reread(message: Value) -> Result<Said, Junk> {
    said(serde_json::from_value(message).map_err(|_| Junk)?)
}

fn said(envelope: Envelope) -> Result<Said, Junk> {
    let Envelope { id, method, params, result, error, .. } = envelope;
    match (method, id, result, error) {
        (Some(method), Some(id), None, None) => Ok(Said::Question { id, method, params }),
        (Some(method), None, None, None) => Ok(Said::Notice { method, params }),
        (None, Some(id), Some(result), None) => Ok(Said::Answer { id: number(&id)?, result: Ok(result) }),
        (None, Some(id), None, Some(error)) => Ok(Said::Answer { id: number(&id)?, result: Err(error) }),
        _ => Err(Junk),
    }
}

/// Our questions are numbered; some servers give the number back as a text.
fn number(id: &RequestId) -> Result<u64, Junk> {
    match id {
        RequestId::Number(number) => u64::try_from(*number).map_err(|_| Junk),
        RequestId::String(text) => text.parse().map_err(|_| Junk),
    }
}

/// A question to a child.
pub(super) fn question(id: u64, method: &str, params: &Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A notice to a child.
pub(super) fn notice(method: &str, params: Option<&Value>) -> Value {
    match params {
        Some(params) => json!({"jsonrpc": "2.0", "method": method, "params": params}),
        None => json!({"jsonrpc": "2.0", "method": method}),
    }
}

/// The answer to a child's question.
pub(super) fn answer(id: &RequestId, result: Result<Value, ErrorData>) -> Value {
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_message_is_told_apart() {
        let read = |line: &str| read(line.as_bytes());
        let answer = read(r#"{"jsonrpc":"2.0","id":7,"result":{"unknown":[1.0]}}"#);
        assert_eq!(answer, Ok(Said::Answer { id: 7, result: Ok(json!({"unknown": [1.0]})) }));
        let null = read(r#"{"jsonrpc":"2.0","id":"7","result":null}"#);
        assert_eq!(null, Ok(Said::Answer { id: 7, result: Ok(Value::Null) }));
        let error = read(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32050,"message":"no","data":[1]}}"#);
        let Ok(Said::Answer { result: Err(error), .. }) = error else { panic!("{error:?}") };
        assert_eq!((error.code.0, error.data), (-32050, Some(json!([1]))));
        let question = read(r#"{"jsonrpc":"2.0","id":"q","method":"roots/list"}"#);
        assert!(
            matches!(question, Ok(Said::Question { method, params: None, .. }) if method == "roots/list")
        );
        let notice = read(r#"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#);
        assert_eq!(notice, Ok(Said::Notice { method: "m".to_owned(), params: Some(json!({"a": 1})) }));
    }

    #[test]
    fn what_is_no_message_is_junk() {
        for line in [
            "starting…",
            "[1]",
            "{}",
            r#"{"jsonrpc":"1.0","id":7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":7}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":""}}"#,
            r#"{"jsonrpc":"2.0","id":7,"method":"m","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":-7,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"x","result":{}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#,
        ] {
            assert_eq!(read(line.as_bytes()), Err(Junk), "{line}");
        }
    }

    #[test]
    fn what_is_said_can_be_read_again() {
        let said = reread(question(3, "tools/call", &json!({"name": "t"})));
        assert!(matches!(said, Ok(Said::Question { id: RequestId::Number(3), .. })));
        assert!(matches!(reread(notice("m", None)), Ok(Said::Notice { params: None, .. })));
        let said = reread(answer(&RequestId::Number(4), Ok(json!({}))));
        assert_eq!(said, Ok(Said::Answer { id: 4, result: Ok(json!({})) }));
    }
}
