//! The JSON-RPC messages of a child server, and those to it, one at a time.
//!
//! Results stay raw JSON: a gateway that parses them into types of its own would drop unknown fields. May
//! not know which methods there are.

use super::lines::LineText;
use super::sparing::Sparing;
use super::whose::{LineBeginning, id_at_end};
use rmcp::ErrorData;
use rmcp::model::RequestId;
use serde::de::DeserializeSeed;
use serde_json::{Deserializer, Map, Value, json};

/// How many times the longest message a parsed one may take in memory.
const IN_MEMORY: usize = 4;

/// One message of a child.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ChildMessage {
    /// It answers a request of ours.
    Answer {
        /// The id of the request.
        id: u64,
        /// Its answer.
        result: Result<Value, ErrorData>,
    },
    /// It answers a request of ours, and the answer cannot be used.
    Useless {
        /// The id of the request.
        id: u64,
        /// What is wrong with the answer: the rest of a sentence that begins with the server.
        why: String,
    },
    /// A request.
    Question {
        /// Its id.
        id: RequestId,
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<Value>,
    },
    /// A notification.
    Notice {
        /// Its method.
        method: String,
        /// Its parameters.
        params: Option<Value>,
    },
}

impl ChildMessage {
    /// Whether it has to wait for the client to take it. An answer does not: a caller waits for it.
    pub(super) fn params(&self) -> Option<&Value> {
        match self {
            ChildMessage::Answer { .. } | ChildMessage::Useless { .. } => None,
            ChildMessage::Question { params, .. } | ChildMessage::Notice { params, .. } => {
                Some(params.as_ref().unwrap_or(&Value::Null))
            }
        }
    }

    /// Its kind and method, without its content.
    pub(super) fn headline(&self) -> String {
        match self {
            ChildMessage::Answer { id, result: Ok(_) } => format!("answer #{id}"),
            ChildMessage::Answer { id, result: Err(error) } => format!("error #{id} ({})", error.code.0),
            ChildMessage::Useless { id, .. } => format!("useless answer #{id}"),
            ChildMessage::Question { id, method, .. } => format!("{method} #{id}"),
            ChildMessage::Notice { method, .. } => method.clone(),
        }
    }
}

/// A line that is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Junk;

/// Parses a line. A line of at most `most` bytes must not take many times of that in memory either.
pub(super) fn read(line: &LineText, most: usize) -> Result<ChildMessage, Junk> {
    let text = line.text();
    let read = value(text, most);
    read.map_or_else(|why| useless(text, &why), said)
}

fn value(text: &[u8], most: usize) -> serde_json::Result<Value> {
    let mut left = most.saturating_mul(IN_MEMORY);
    let mut from = Deserializer::from_slice(text);
    let value = Sparing { left: &mut left }.deserialize(&mut from)?;
    from.end().map(|()| value)
}

/// A line that cannot be parsed is an answer all the same, if it has an id.
fn useless(text: &[u8], why: &serde_json::Error) -> Result<ChildMessage, Junk> {
    let id = match LineBeginning::of(text) {
        LineBeginning::Answer(id) => Some(id),
        LineBeginning::Unknown => id_at_end(text),
        LineBeginning::Other => None,
    };
    let why = format!("gave an answer that cannot be read: {why}");
    id.map(|id| ChildMessage::Useless { id, why }).ok_or(Junk)
}

/// A message from JSON that was parsed before.
pub(super) fn reread(message: Value) -> Result<ChildMessage, Junk> {
    said(message)
}

fn said(message: Value) -> Result<ChildMessage, Junk> {
    let Value::Object(mut fields) = message else { return Err(Junk) };
    if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(Junk);
    }
    let id = absent_or(fields.remove("id"))?;
    let method: Option<String> = absent_or(fields.remove("method"))?;
    let params = fields.remove("params").filter(|params| !params.is_null());
    // `null` is an answer too, but no error.
    let result = fields.remove("result");
    let error = error(&mut fields, id.as_ref())?;
    match (method, id, result, error) {
        (Some(method), Some(id), None, None) => Ok(ChildMessage::Question { id, method, params }),
        (Some(method), None, None, None) => Ok(ChildMessage::Notice { method, params }),
        (None, Some(id), Some(result), None) => {
            Ok(ChildMessage::Answer { id: number(&id)?, result: Ok(result) })
        }
        (None, Some(id), None, Some(error)) => {
            Ok(ChildMessage::Answer { id: number(&id)?, result: Err(error) })
        }
        _ => Err(Junk),
    }
}

/// The error of an answer. One that is not valid is an answer all the same, and the caller must get it.
fn error(fields: &mut Map<String, Value>, id: Option<&RequestId>) -> Result<Option<ErrorData>, Junk> {
    let Some(error) = fields.remove("error").filter(|error| !error.is_null()) else { return Ok(None) };
    match serde_json::from_value(error) {
        Ok(error) => Ok(Some(error)),
        Err(_) if id.is_none() => Err(Junk),
        Err(why) => {
            let words = format!("the server sent an error that cannot be read: {why}");
            Ok(Some(ErrorData::internal_error(words, None)))
        }
    }
}

fn absent_or<T: serde::de::DeserializeOwned>(value: Option<Value>) -> Result<Option<T>, Junk> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(value) => serde_json::from_value(value).map(Some).map_err(|_| Junk),
    }
}

/// Our requests are numbered; some servers give the number back as a string.
fn number(id: &RequestId) -> Result<u64, Junk> {
    match id {
        RequestId::Number(number) => u64::try_from(*number).map_err(|_| Junk),
        RequestId::String(text) => text.parse().map_err(|_| Junk),
    }
}

/// A request to a child.
pub(super) fn question(id: u64, method: &str, params: Value) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
    message["params"] = params;
    message
}

/// A notification to a child.
pub(super) fn notice(method: &str, params: Option<Value>) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "method": method});
    if let Some(params) = params {
        message["params"] = params;
    }
    message
}

/// The answer to a child's request.
pub(super) fn answer(id: &RequestId, result: Result<Value, ErrorData>) -> Value {
    let mut message = json!({"jsonrpc": "2.0", "id": id});
    match result {
        Ok(result) => message["result"] = result,
        Err(error) => message["error"] = json!(error),
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn read_line(line: &[u8]) -> Result<ChildMessage, Junk> {
        read(&LineText::of(Bytes::copy_from_slice(line)), 1 << 20)
    }

    #[test]
    fn every_kind_of_message_is_told_apart() {
        let read = |line: &str| read_line(line.as_bytes());
        let answer = read(r#"{"jsonrpc":"2.0","id":7,"result":{"unknown":[1.0]}}"#);
        assert_eq!(answer, Ok(ChildMessage::Answer { id: 7, result: Ok(json!({"unknown": [1.0]})) }));
        let null = read(r#"{"jsonrpc":"2.0","id":"7","result":null}"#);
        assert_eq!(null, Ok(ChildMessage::Answer { id: 7, result: Ok(Value::Null) }));
        let error = read(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32050,"message":"no","data":[1]}}"#);
        let Ok(ChildMessage::Answer { result: Err(error), .. }) = error else { panic!("{error:?}") };
        assert_eq!((error.code.0, error.data), (-32050, Some(json!([1]))));
        let question = read(r#"{"jsonrpc":"2.0","id":"q","method":"roots/list"}"#);
        assert!(
            matches!(question, Ok(ChildMessage::Question { method, params: None, .. }) if method == "roots/list")
        );
        let notice = read(r#"{"jsonrpc":"2.0","method":"m","params":{"a":1}}"#);
        assert_eq!(
            notice,
            Ok(ChildMessage::Notice { method: "m".to_owned(), params: Some(json!({"a": 1})) })
        );
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
            assert_eq!(read_line(line.as_bytes()), Err(Junk), "{line}");
        }
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_still_somebodys() {
        let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        let many = format!("[{}0]", r#"{"":0},"#.repeat(100_000));
        let lines: [Vec<u8>; 6] = [
            format!(r#"{{"jsonrpc":"2.0","id":7,"result":{deep}}}"#).into_bytes(),
            format!(r#"{{"result":{deep},"jsonrpc":"2.0","id":7}}"#).into_bytes(),
            format!(r#"{{"jsonrpc":"2.0","id":7,"result":{many}}}"#).into_bytes(),
            br#"{"jsonrpc":"2.0","id":7,"result":1e999999}"#.to_vec(),
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"\xff\xfe\"}".to_vec(),
            b"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":\"a\0b\"}".to_vec(),
        ];
        for line in lines {
            let said = read_line(&line);
            let shown = line[..line.len().min(60)].escape_ascii().to_string();
            assert!(matches!(said, Ok(ChildMessage::Useless { id: 7, .. })), "{shown}: {said:?}");
        }
        let odd = read_line(br#"{"jsonrpc":"2.0","id":7,"error":"no"}"#);
        assert!(matches!(odd, Ok(ChildMessage::Answer { id: 7, result: Err(_) })), "{odd:?}");
    }

    #[test]
    fn what_is_said_can_be_read_again() {
        let said = reread(question(3, "tools/call", json!({"name": "t"})));
        assert!(matches!(said, Ok(ChildMessage::Question { id: RequestId::Number(3), .. })));
        assert!(matches!(reread(notice("m", None)), Ok(ChildMessage::Notice { params: None, .. })));
        let said = reread(answer(&RequestId::Number(4), Ok(json!({}))));
        assert_eq!(said, Ok(ChildMessage::Answer { id: 4, result: Ok(json!({})) }));
    }
}
