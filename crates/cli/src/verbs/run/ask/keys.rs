//! Decodes terminal input key by key. May not read: bytes come as arguments.

/// A key with a meaning here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyPress {
    Letter(char),
    Enter,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    /// Ctrl-U: begin again.
    Clear,
    /// Ctrl-C, Ctrl-D, or Esc: the person leaves.
    Leave,
    /// Anything else.
    Other,
}

/// The first key of these bytes and how many it takes; nothing as long as it may go on.
pub(super) fn first(bytes: &[u8]) -> Option<(KeyPress, usize)> {
    let key = match *bytes.first()? {
        0x1b => return escape(bytes),
        0x01 => KeyPress::Home,
        0x03 | 0x04 => KeyPress::Leave,
        0x05 => KeyPress::End,
        0x08 | 0x7f => KeyPress::Backspace,
        b'\r' | b'\n' => KeyPress::Enter,
        0x15 => KeyPress::Clear,
        0x00..0x20 => KeyPress::Other,
        _ => return letter(bytes),
    };
    Some((key, 1))
}

/// `ESC [ … letter`, `ESC O letter`, or a key with Alt.
fn escape(bytes: &[u8]) -> Option<(KeyPress, usize)> {
    match bytes.get(1)? {
        0x1b => Some((KeyPress::Leave, 1)),
        b'[' | b'O' => {
            let end = 2 + bytes[2..].iter().position(|byte| matches!(byte, 0x40..=0x7e))?;
            let key = match (&bytes[2..end], bytes[end]) {
                ([], b'A') => KeyPress::Up,
                ([], b'B') => KeyPress::Down,
                ([], b'C') => KeyPress::Right,
                ([], b'D') => KeyPress::Left,
                ([], b'H') | (b"1" | b"7", b'~') => KeyPress::Home,
                ([], b'F') | (b"4" | b"8", b'~') => KeyPress::End,
                (b"3", b'~') => KeyPress::Delete,
                _ => KeyPress::Other,
            };
            Some((key, end + 1))
        }
        _ => Some((KeyPress::Other, 2)),
    }
}

fn letter(bytes: &[u8]) -> Option<(KeyPress, usize)> {
    let length = match bytes[0] {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    match std::str::from_utf8(bytes.get(..length)?).ok().and_then(|text| text.chars().next()) {
        Some(char) if !char.is_control() => Some((KeyPress::Letter(char), length)),
        Some(_) => Some((KeyPress::Other, length)),
        // Bytes that are not UTF-8 are skipped one by one.
        None => Some((KeyPress::Other, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(mut bytes: &[u8]) -> Vec<KeyPress> {
        let mut all = Vec::new();
        while let Some((key, length)) = first(bytes) {
            all.push(key);
            bytes = &bytes[length..];
        }
        all
    }

    #[test]
    fn keys_are_told_apart() {
        assert_eq!(
            keys("aü日\r\x7f\x1b[A\x1bOB\x1b[C\x1b[D\x1b[H\x1b[4~\x1b[3~\x15\x03".as_bytes()),
            [
                KeyPress::Letter('a'),
                KeyPress::Letter('ü'),
                KeyPress::Letter('日'),
                KeyPress::Enter,
                KeyPress::Backspace,
                KeyPress::Up,
                KeyPress::Down,
                KeyPress::Right,
                KeyPress::Left,
                KeyPress::Home,
                KeyPress::End,
                KeyPress::Delete,
                KeyPress::Clear,
                KeyPress::Leave,
            ]
        );
    }

    #[test]
    fn keys_that_mean_nothing_are_skipped_whole() {
        assert_eq!(
            keys(b"\x1b[1;5C\x1bx\x1b[15~\xff\x00z"),
            [[KeyPress::Other; 5].as_slice(), &[KeyPress::Letter('z')]].concat()
        );
    }

    #[test]
    fn half_a_key_is_waited_for() {
        for half in [&b""[..], b"\x1b", b"\x1b[", b"\x1b[1;5", b"\xe6\x97"] {
            assert_eq!(first(half), None, "{half:?}");
        }
        assert_eq!(first(b"\x1b\x1b"), Some((KeyPress::Leave, 1)), "Esc twice is Esc");
    }
}
