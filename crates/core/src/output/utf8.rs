//! Decodes UTF-8 across chunk boundaries. May not replace a byte in silence.

use std::fmt::Write;

/// Decodes a stream that arrives in pieces. A character split between two pieces comes out whole; a byte
/// that belongs to no character comes out as `\xNN` and is counted, never replaced in silence.
#[derive(Debug, Default)]
pub struct Utf8Stream {
    /// The beginning of a character that has not ended yet; at most three bytes.
    pending: Vec<u8>,
    invalid: u64,
}

impl Utf8Stream {
    /// Decodes the next piece, appending the text to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut String) {
        if self.pending.is_empty() {
            self.decode(bytes, out);
            return;
        }
        let mut joined = std::mem::take(&mut self.pending);
        joined.extend_from_slice(bytes);
        self.decode(&joined, out);
    }

    /// The stream is over: an unfinished character was not one.
    pub fn finish(&mut self, out: &mut String) {
        let rest = std::mem::take(&mut self.pending);
        self.escape(&rest, out);
    }

    /// How many bytes belonged to no character.
    pub fn invalid(&self) -> u64 {
        self.invalid
    }

    fn decode(&mut self, mut bytes: &[u8], out: &mut String) {
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => return out.push_str(text),
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    out.push_str(std::str::from_utf8(valid).unwrap_or_default());
                    let Some(bad) = error.error_len() else {
                        self.pending.extend_from_slice(rest);
                        return;
                    };
                    self.escape(&rest[..bad], out);
                    bytes = &rest[bad..];
                }
            }
        }
    }

    fn escape(&mut self, bytes: &[u8], out: &mut String) {
        self.invalid += bytes.len() as u64;
        for byte in bytes {
            // Writing to a String cannot fail.
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(chunks: &[&[u8]]) -> (String, u64) {
        let (mut stream, mut out) = (Utf8Stream::default(), String::new());
        chunks.iter().for_each(|chunk| stream.push(chunk, &mut out));
        stream.finish(&mut out);
        (out, stream.invalid())
    }

    #[test]
    fn a_split_character_comes_out_whole() {
        assert_eq!(decode(&[b"gr\xc3", b"\xbc\xc3\x9fe"]), ("grüße".to_owned(), 0));
    }

    #[test]
    fn invalid_bytes_are_shown_and_counted() {
        assert_eq!(decode(&[b"a\xffb", b"\xc3"]), ("a\\xffb\\xc3".to_owned(), 2));
    }

    proptest! {
        #[test]
        fn any_text_survives_any_cutting(text in "\\PC*", cuts in prop::collection::vec(0_usize..200, 0..8)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<_> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(decode(&chunks), (text, 0));
        }
    }
}
