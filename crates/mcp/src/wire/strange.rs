//! Text that is no JSON at all: a person typed into a server, or a program prints into its pipe. It is answered, because the
//! SDK's reader would drop it and its sender wait for ever, and the operator is told once.
//!
//! May not judge what is JSON: the SDK's reader does.

use serde::de::IgnoredAny;
use serde_json::json;

/// Where the operator hears of it.
pub(crate) type Telling = fn(&str);

/// JSON-RPC's code for it.
const PARSE_ERROR: i64 = -32700;

/// Whether such a line came already.
#[derive(Debug, Default)]
pub(super) struct StrangeLines {
    /// Nobody, once they were told.
    tell: Option<Telling>,
}

impl StrangeLines {
    pub(super) fn told_to(tell: Option<Telling>) -> Self {
        Self { tell }
    }

    /// The answer to a line that is no JSON. Blank lines are let pass.
    pub(super) fn answer(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        let error = serde_json::from_slice::<IgnoredAny>(line).err()?;
        if line.trim_ascii().is_empty() {
            return None;
        }
        if let Some(tell) = self.tell.take() {
            tell(TOLD);
        }
        let error = json!({"code": PARSE_ERROR, "message": format!("the line is no JSON: {error}")});
        Some(format!("{}\n", json!({"jsonrpc": "2.0", "id": null, "error": error})).into_bytes())
    }
}

const TOLD: &str = "standard input is no MCP: a line came that is no JSON. A client starts this server and speaks \
    JSON-RPC with it; see `runward init`. (Told once.)";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn what_is_no_json_is_answered_and_a_blank_line_is_not() {
        let mut lines = StrangeLines::default();
        for strange in [&b"hello\n"[..], b"{half", b"\xff\xfe\n", "\u{feff}{}".as_bytes()] {
            let answer: Value = serde_json::from_slice(&lines.answer(strange).unwrap()).unwrap();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&Value::Null, &json!(-32700)));
        }
        for usual in ["", "  \r\n", "{}\n", "42", "[]", " {\"a\": 1}\r"] {
            assert!(lines.answer(usual.as_bytes()).is_none(), "{usual}");
        }
    }
}
