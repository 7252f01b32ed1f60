//! Finds the request id of an answer from the beginning or the end of its line alone.
//!
//! For lines that are too long or cannot be parsed: their callers should be told at once. Only what is certain
//! counts; a line with a hidden id belongs to no caller. May not read the whole of a line.

use serde_json::Value;

/// How much of the beginning is looked at.
const LOOKED_AT: usize = 4096;

/// What the beginning of a line shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineBeginning {
    /// It answers the request of this id.
    Answer(u64),
    /// It is no answer: a request, a notification, or no message at all.
    Other,
    /// It may be an answer; its end may have the id.
    Unknown,
}

impl LineBeginning {
    /// What this beginning of a line shows.
    pub(super) fn of(line: &[u8]) -> Self {
        let mut rest = &line[..line.len().min(LOOKED_AT)];
        if !skip(&mut rest, b'{') {
            return Self::Other;
        }
        let mut id = None;
        loop {
            let Some(key) = word(&mut rest) else { return Self::Unknown };
            match key {
                b"method" | b"params" => return Self::Other,
                b"result" | b"error" => return id.map_or(Self::Unknown, Self::Answer),
                _ => {}
            }
            if !skip(&mut rest, b':') {
                return Self::Unknown;
            }
            let Some(value) = scalar(&mut rest) else { return Self::Unknown };
            if key == b"id" {
                id = number(value);
            }
            if !skip(&mut rest, b',') {
                return Self::Unknown;
            }
        }
    }
}

/// The id that a whole line ends with. Only of use for a line that begins as an object.
///
/// Its last `}` closes the object, so what stands before it is a member; and a quotation mark behind a comma begins a
/// name, because no string could go on behind it without one.
pub(super) fn id_at_end(line: &[u8]) -> Option<u64> {
    let mut rest = line.trim_ascii_end().strip_suffix(b"}")?;
    for _ in 0..2 {
        let comma = rest.iter().rposition(|byte| *byte == b',')?;
        let member = [b"{", &rest[comma + 1..], b"}"].concat();
        let Ok(Value::Object(member)) = serde_json::from_slice(&member) else { return None };
        match member.get("id") {
            Some(Value::Number(id)) => return id.as_u64(),
            Some(Value::String(id)) => return id.parse().ok(),
            Some(_) => return None,
            None if member.contains_key("jsonrpc") => rest = &rest[..comma],
            None => return None,
        }
    }
    None
}

/// Takes this byte, and the white space before it.
fn skip(rest: &mut &[u8], byte: u8) -> bool {
    let trimmed = rest.trim_ascii_start();
    match trimmed.split_first() {
        Some((first, behind)) if *first == byte => {
            *rest = behind;
            true
        }
        _ => false,
    }
}

/// A string without anything that would have to be looked at more closely.
fn word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let mut behind = *rest;
    if !skip(&mut behind, b'"') {
        return None;
    }
    let end = behind.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
    let (word, after) = behind.split_at(end);
    *rest = after.strip_prefix(b"\"")?;
    Some(word)
}

/// A string or a number, without quotation marks.
fn scalar<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    if let Some(word) = word(rest) {
        return Some(word);
    }
    let text = rest.trim_ascii_start();
    let end = text.iter().position(|byte| !byte.is_ascii_digit())?;
    let (digits, behind) = text.split_at(end);
    *rest = behind;
    (!digits.is_empty()).then_some(digits)
}

fn number(text: &[u8]) -> Option<u64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_tells_only_what_is_certain() {
        use LineBeginning as B;
        for (line, expected) in [
            (r#"{"jsonrpc":"2.0","id":7,"result":{"#, B::Answer(7)),
            (r#" { "id" : "12" , "error" : {"#, B::Answer(12)),
            (r#"{"jsonrpc":"2.0","id":7,"method":"ping""#, B::Other),
            (r#"{"method":"x","id":7"#, B::Other),
            (r#"{"params":{"#, B::Other),
            ("[1,2", B::Other),
            ("starting", B::Other),
            (r#"{"result":{"id":7"#, B::Unknown),
            (r#"{"_meta":{"id":7},"id":8,"result":1"#, B::Unknown),
            (r#"{"i\u0064":7,"result":1"#, B::Unknown),
            (r#"{"id":-7,"result":1"#, B::Unknown),
            (r#"{"id":7"#, B::Unknown),
            (r#"{"id":99999999999999999999,"result":1"#, B::Unknown),
            ("{", B::Unknown),
        ] {
            assert_eq!(B::of(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn an_end_tells_the_id_that_stands_there() {
        for (line, expected) in [
            (r#"…"},"jsonrpc":"2.0","id":7}"#, Some(7)),
            (r#"…"}, "id": "7", "jsonrpc": "2.0" }  "#, Some(7)),
            (r#"…"},"id":7,"x":1}"#, None),
            (r#"…\",\"id\":7}"#, None),
            (r#"…"a":{"id":7}}"#, None),
            (r#"…,"id":null}"#, None),
            (r#"…,"id":7"#, None),
            ("}", None),
            ("", None),
        ] {
            assert_eq!(id_at_end(line.as_bytes()), expected, "{line}");
        }
    }
}
