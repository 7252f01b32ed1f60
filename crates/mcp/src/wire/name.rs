//! The id of a request that is too long to be kept, found as its bytes pass by.
//!
//! Clients put it first or last. May not remember more than a few bytes, whatever comes.

use rmcp::model::RequestId;

/// The longest id that is remembered, as it is written.
const LONGEST: usize = 256;

/// The longest key that matters.
const KEY: usize = 8;

/// Looks for the fields of a message, and not at what is inside them.
#[derive(Debug, Default)]
pub(super) struct RequestName {
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Whether the next bytes are the value of the key.
    in_value: bool,
    key: Vec<u8>,
    id: Vec<u8>,
    has_method: bool,
}

impl RequestName {
    /// Takes more of the line.
    pub(super) fn hear(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.step(*byte));
    }

    /// The id, if it is a request that has one. An answer to a request of ours has an id too, and no method.
    pub(super) fn id(&self) -> Option<RequestId> {
        let whole = self.has_method && self.id.len() < LONGEST;
        serde_json::from_slice(&self.id).ok().filter(|_| whole)
    }

    fn step(&mut self, byte: u8) {
        if self.in_text {
            self.note(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_text = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_text = true;
                if self.depth == 1 && !self.in_value {
                    self.key.clear();
                }
                self.note(byte);
            }
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if self.depth == 1 => self.begin_value(),
            b',' if self.depth == 1 => self.in_value = false,
            b' ' | b'\t' | b'\r' | b'\n' => {}
            _ => self.note(byte),
        }
    }

    fn begin_value(&mut self) {
        self.in_value = true;
        match self.key.as_slice() {
            b"\"id\"" => self.id.clear(),
            b"\"method\"" => self.has_method = true,
            _ => {}
        }
    }

    fn note(&mut self, byte: u8) {
        let (note, most) = match (self.depth, self.in_value) {
            (1, false) => (&mut self.key, KEY + 1),
            (1, true) if self.key == b"\"id\"" => (&mut self.id, LONGEST),
            _ => return,
        };
        if note.len() < most {
            note.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn name(text: &str) -> Option<RequestId> {
        let mut name = RequestName::default();
        name.hear(text.as_bytes());
        name.id()
    }

    #[test]
    fn a_request_is_named_and_nothing_else_is() {
        let text = |text: &str| Some(RequestId::String(text.into()));
        assert_eq!(name(r#"{"method":"m","id":1}"#), Some(RequestId::Number(1)));
        assert_eq!(name(r#"{"method":"m", "id" : -3 }"#), Some(RequestId::Number(-3)));
        assert_eq!(name(r#"{"id":"a\"b,}","method":"m"}"#), text("a\"b,}"));
        assert_eq!(name(r#"{"id":"x","params":{"id":2},"method":"m"}"#), text("x"));
        for none in [
            r#"{"id":1,"result":{}}"#,
            r#"{"method":"m"}"#,
            r#"{"method":"m","id":{"id":1}}"#,
            r#"{"method":"m","id":null}"#,
            r#"{"method":"m","params":{"id":1}}"#,
            r#"{"method":"m","x":"\"id\":1"}"#,
            r#"[{"method":"m","id":1}]"#,
            "",
            "\"id\":1",
            "}}}}{\"id\"",
        ] {
            assert_eq!(name(none), None, "{none}");
        }
        let long = format!(r#"{{"method":"m","id":"{}"}}"#, "x".repeat(LONGEST));
        assert_eq!(name(&long), None);
    }

    proptest! {
        #[test]
        fn whatever_passes_by_little_is_remembered(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
            let mut name = RequestName::default();
            name.hear(&bytes);
            prop_assert!(name.key.len() <= KEY + 1 && name.id.len() <= LONGEST);
        }

        #[test]
        fn a_request_is_named_whatever_else_it_holds(id in any::<i32>(), key in ".{0,12}", text in ".{0,40}", last in any::<bool>()) {
            prop_assume!(key != "id" && key != "method");
            let mut fields = vec![format!("{}:{}", serde_json::json!(key), serde_json::json!({"id": text, "t": [text]}))];
            fields.insert(usize::from(last), format!("\"id\":{id}"));
            let line = format!("{{\"method\":\"m\",{}}}", fields.join(","));
            prop_assert_eq!(name(&line), Some(RequestId::Number(i64::from(id))));
        }
    }
}
