//! Bytes of a session as text: whole characters, no more than asked for.

use runward_core::output::Utf8Stream;

/// Text cut from bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CutText {
    pub(super) text: String,
    /// How many of the bytes the text stands for.
    pub(super) bytes: usize,
    /// Whether some of them were not UTF-8; those are shown as `\xNN`.
    pub(super) binary: bool,
}

/// At most `max` characters of the bytes. The beginning of an incomplete character is left for the
/// next time, unless nothing more can come.
pub(super) fn cut(bytes: &[u8], max: usize, more_may_come: bool) -> CutText {
    let usable = if more_may_come { whole_characters(bytes) } else { bytes };
    let len = characters(usable, max);
    let mut text = String::new();
    let mut stream = Utf8Stream::default();
    stream.push(&usable[..len], &mut text);
    stream.finish(&mut text);
    CutText { text, bytes: len, binary: stream.invalid() > 0 }
}

/// The bytes without the beginning of a character at their end.
pub(super) fn whole_characters(bytes: &[u8]) -> &[u8] {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let wants = match bytes[at] {
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            0x80..=0xbf => continue,
            _ => return bytes,
        };
        return if wants > back { &bytes[..at] } else { bytes };
    }
    bytes
}

/// How many bytes the first `max` characters take. A byte that is no character counts as one.
fn characters(bytes: &[u8], max: usize) -> usize {
    let mut taken = 0;
    for _ in 0..max {
        let Some(rest) = bytes.get(taken..).filter(|rest| !rest.is_empty()) else { break };
        let head = &rest[..rest.len().min(4)];
        let len = match std::str::from_utf8(head) {
            Ok(text) => text.chars().next().map_or(1, char::len_utf8),
            Err(error) if error.valid_up_to() > 0 => {
                let valid = std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default();
                valid.chars().next().map_or(1, char::len_utf8)
            }
            Err(_) => 1,
        };
        taken += len;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(
            cut("äöü".as_bytes(), 2, true),
            CutText { text: "äö".to_owned(), bytes: 4, binary: false }
        );
    }

    #[test]
    fn the_beginning_of_a_character_waits_for_its_end() {
        let bytes = "aü".as_bytes();
        assert_eq!(cut(&bytes[..2], 10, true), CutText { text: "a".to_owned(), bytes: 1, binary: false });
        assert_eq!(
            cut(&bytes[..2], 10, false),
            CutText { text: "a\\xc3".to_owned(), bytes: 2, binary: true }
        );
        assert_eq!(cut("😀".as_bytes().split_at(3).0, 10, true).bytes, 0);
    }

    #[test]
    fn what_is_not_text_is_shown_and_reported() {
        assert_eq!(cut(b"a\xffb", 10, true), CutText { text: "a\\xffb".to_owned(), bytes: 3, binary: true });
    }
}
