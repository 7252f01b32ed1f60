//! The buffer of the line that is being read, as long as a line may be.
//!
//! A longer one is not kept: it is searched as it comes for the id of its request, so that
//! its caller gets an answer. May not grow beyond its bound, nor beyond what the host has.

use super::name::RequestName;
use rmcp::model::RequestId;
use runward_engine::Code;
use serde_json::json;

/// Beyond this, whether the host has the memory to read a line is asked before it is.
const LARGE: usize = 1024 * 1024;

/// Reading a line, and beginning what it asks, takes this many times its size.
const READING: usize = 8;

/// The longest line that is kept room for.
const KEPT: usize = 64 * 1024;

/// The beginning of a line without its end yet.
#[derive(Debug)]
pub(super) struct LineStretch {
    line: Vec<u8>,
    most: usize,
    /// Set while a line is left out.
    left_out: Option<LeftOut>,
}

/// A line that is not kept.
#[derive(Debug)]
struct LeftOut {
    why: Why,
    bytes: usize,
    name: RequestName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    TooLong,
    NoMemory,
}

/// The result of a chunk of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LineProgress {
    /// The line goes on.
    On,
    /// A whole line.
    Line(Vec<u8>),
    /// The answer to a line that was left out.
    Refusal(Vec<u8>),
}

impl LineStretch {
    /// Lines of so many bytes at most.
    pub(super) fn new(most: usize) -> Self {
        Self { line: Vec::new(), most, left_out: None }
    }

    /// Takes the rest of a line, or all there is of it. Gives how much it took.
    pub(super) fn add(&mut self, bytes: &[u8]) -> (usize, LineProgress) {
        let end = memchr::memchr(b'\n', bytes).map(|at| at + 1);
        let piece = &bytes[..end.unwrap_or(bytes.len())];
        if let Some(left_out) = &mut self.left_out {
            left_out.add(piece);
        } else if self.line.len() + piece.len() > self.most.saturating_add(1) {
            self.leave_out(Why::TooLong, piece);
        } else if self.line.try_reserve(piece.len()).is_err() {
            self.leave_out(Why::NoMemory, piece);
        } else {
            self.line.extend_from_slice(piece);
        }
        if end.is_none() {
            return (piece.len(), LineProgress::On);
        }
        if self.left_out.is_none() && self.line.len() > LARGE && !there_is_room(self.line.len() * READING) {
            self.leave_out(Why::NoMemory, &[]);
        }
        let came = match self.left_out.take() {
            Some(left_out) => {
                runward_engine::host::give_back_memory();
                LineProgress::Refusal(left_out.refusal(self.most))
            }
            None => LineProgress::Line(self.taken()),
        };
        (piece.len(), came)
    }

    /// The line, and room for the next one.
    fn taken(&mut self) -> Vec<u8> {
        let next = Vec::with_capacity(self.line.capacity().min(KEPT));
        std::mem::replace(&mut self.line, next)
    }

    fn leave_out(&mut self, why: Why, piece: &[u8]) {
        let mut left_out = LeftOut { why, bytes: 0, name: RequestName::default() };
        left_out.add(&self.line);
        left_out.add(piece);
        (self.line, self.left_out) = (Vec::new(), Some(left_out));
    }
}

/// Whether the host would allocate so much memory now. It is freed untouched.
fn there_is_room(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

impl LeftOut {
    fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len();
        self.name.hear(piece);
    }

    /// The line that answers it.
    fn refusal(&self, most: usize) -> Vec<u8> {
        let bytes = self.bytes.saturating_sub(1);
        let (number, code, message, hint) = match self.why {
            Why::TooLong => (
                -32600,
                Code::SpecTooLarge,
                format!("the request has `{bytes}` bytes, and `{most}` are read at most"),
                "Send less at once, or let the owner raise `mcp.request_bytes`.",
            ),
            Why::NoMemory => (
                -32603,
                Code::SpawnResources,
                format!("the host has no memory for a request of `{bytes}` bytes"),
                "Send less at once, or give the server more memory.",
            ),
        };
        let id = self.name.id().map_or(json!(null), |id| match id {
            RequestId::Number(number) => json!(number),
            RequestId::String(text) => json!(&*text),
        });
        let data = json!({"code": code.name(), "hint": hint});
        let error = json!({"code": number, "message": message, "data": data});
        format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "error": error})).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn all(most: usize, text: &str, pieces: usize) -> Vec<LineProgress> {
        let mut stretch = LineStretch::new(most);
        let mut came = Vec::new();
        for piece in text.as_bytes().chunks(pieces) {
            let mut at = 0;
            while at < piece.len() {
                let (taken, next) = stretch.add(&piece[at..]);
                at += taken;
                came.extend((next != LineProgress::On).then_some(next));
            }
        }
        came
    }

    fn refusal(came: &LineProgress) -> Value {
        let LineProgress::Refusal(line) = came else { panic!("{came:?}") };
        assert!(line.ends_with(b"}\n"));
        serde_json::from_slice(line).unwrap()
    }

    #[test]
    fn a_line_as_long_as_a_line_may_be_is_kept_and_the_next_byte_is_refused() {
        for pieces in 1..12 {
            let came = all(4, "abcd\nab\nabcde\nx\n", pieces);
            let line = |text: &str| LineProgress::Line(text.into());
            assert_eq!([&came[0], &came[1], &came[3]], [&line("abcd\n"), &line("ab\n"), &line("x\n")]);
            let said = refusal(&came[2]);
            assert_eq!(said["error"]["message"], "the request has `5` bytes, and `4` are read at most");
            assert_eq!(said["error"]["data"]["code"], "spec.too-large");
            assert!(said["id"].is_null());
        }
    }

    #[test]
    fn whoever_waits_for_the_answer_is_named_wherever_the_name_stands() {
        for text in [
            r#"{"id":7,"method":"tools/call","params":{"id":9,"a":"}\"id\":8,"}}"#,
            r#"{"method":"tools/call","params":{"id":9,"a":["\\",{"id":1}]},"jsonrpc":"2.0","id":7}"#,
        ] {
            for pieces in [1, 3, 1000] {
                assert_eq!(refusal(&all(20, &format!("{text}\n"), pieces)[0])["id"], 7, "{text}");
            }
        }
    }

    #[test]
    fn nothing_is_kept_of_what_is_left_out_nor_of_what_was_long() {
        let mut stretch = LineStretch::new(1 << 20);
        let piece = vec![b'x'; 1 << 16];
        (0..15).for_each(|_| assert_eq!(stretch.add(&piece).1, LineProgress::On));
        let LineProgress::Line(line) = stretch.add(b"\n").1 else { panic!() };
        assert_eq!(line.len(), (15 << 16) + 1);
        assert!(stretch.line.capacity() <= KEPT);
        for _ in 0..100 {
            stretch.add(&piece);
            assert!(stretch.line.capacity() <= 2 << 20);
        }
        assert_eq!(stretch.line.capacity(), 0);
    }
}
