//! Kept bytes as text for an answer: UTF-8 as it is, anything else escaped. May not lose a byte in silence.

use super::{KeptOutput, Utf8Stream};

/// What the bytes of a stream turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Text.
    Utf8,
    /// Something else; shown with every byte that is not text as `\xNN`.
    Binary,
}

impl Encoding {
    /// What the bytes of a stream are, as far as they were kept.
    pub fn of(kept: &KeptOutput) -> Self {
        let text = if kept.missing() == 0 && !kept.tail.is_empty() {
            std::str::from_utf8(&kept.bytes()).is_ok()
        } else {
            // The cut itself may fall into a character: that does not make the stream binary.
            let cut = kept.missing() > 0;
            let head = if cut { trim_end(&kept.head) } else { &kept.head };
            std::str::from_utf8(head).is_ok() && std::str::from_utf8(trim_start(&kept.tail)).is_ok()
        };
        if text { Encoding::Utf8 } else { Encoding::Binary }
    }

    /// The stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Binary => "binary",
        }
    }
}

/// A stream as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StreamText {
    /// The text. Where bytes are missing it says how many.
    pub text: String,
    /// What the bytes were. `Binary` text has `\xNN` for every byte outside UTF-8, and `\x5c` for every
    /// backslash, so that the bytes can be had back.
    pub encoding: Encoding,
}

impl StreamText {
    /// The text of what was kept.
    pub fn of(kept: &KeptOutput) -> Self {
        if kept.missing() == 0 {
            return Self::whole(&kept.bytes());
        }
        // The cut itself may fall into a character: that does not make the stream binary.
        let head = trim_end(&kept.head);
        let tail = trim_start(&kept.tail);
        let missing = kept.total - (head.len() + tail.len()) as u64;
        let (head, tail) = (Self::whole(head), Self::whole(tail));
        let binary = head.encoding == Encoding::Binary || tail.encoding == Encoding::Binary;
        Self {
            text: format!("{}\n[{missing} bytes not shown]\n{}", head.text, tail.text),
            encoding: if binary { Encoding::Binary } else { Encoding::Utf8 },
        }
    }

    pub(super) fn whole(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self { text: text.to_owned(), encoding: Encoding::Utf8 },
            Err(_) => Self { text: escaped(bytes), encoding: Encoding::Binary },
        }
    }
}

/// Any bytes as text that can be turned back: `\xNN` for what is not UTF-8 and for every backslash.
pub fn escaped(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 16);
    let mut stream = Utf8Stream::default();
    let mut rest = bytes;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        stream.push(&rest[..at], &mut out);
        stream.finish(&mut out);
        out.push_str("\\x5c");
        rest = &rest[at + 1..];
    }
    stream.push(rest, &mut out);
    stream.finish(&mut out);
    out
}

pub(super) fn trim_end(bytes: &[u8]) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => &bytes[..error.valid_up_to()],
        _ => bytes,
    }
}

pub(super) fn trim_start(bytes: &[u8]) -> &[u8] {
    let continued = bytes.iter().take(3).take_while(|byte| **byte & 0xc0 == 0x80).count();
    &bytes[continued..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kept(head: &[u8], tail: &[u8], total: u64) -> KeptOutput {
        KeptOutput { head: head.to_vec(), tail: tail.to_vec(), total }
    }

    fn unescape(text: &str) -> Vec<u8> {
        let mut out = Vec::new();
        let mut parts = text.split("\\x");
        out.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
        for part in parts {
            out.push(u8::from_str_radix(&part[..2], 16).unwrap());
            out.extend_from_slice(&part.as_bytes()[2..]);
        }
        out
    }

    #[test]
    fn whole_text_is_itself() {
        let text = StreamText::of(&kept("a\\b ü".as_bytes(), b"", 6));
        assert_eq!(text, StreamText { text: "a\\b ü".to_owned(), encoding: Encoding::Utf8 });
    }

    #[test]
    fn a_cut_through_a_character_is_not_binary() {
        let text = StreamText::of(&kept(b"ab\xc3", b"\xbccd", 100));
        assert_eq!(text.text, "ab\n[96 bytes not shown]\ncd");
        assert_eq!(text.encoding, Encoding::Utf8);
    }

    #[test]
    fn binary_is_reported() {
        let text = StreamText::of(&kept(b"\xff\\x", b"", 3));
        assert_eq!(text, StreamText { text: "\\xff\\x5cx".to_owned(), encoding: Encoding::Binary });
    }

    proptest! {
        #[test]
        fn escaping_loses_nothing(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert_eq!(unescape(&escaped(&bytes)), bytes);
        }
    }
}
