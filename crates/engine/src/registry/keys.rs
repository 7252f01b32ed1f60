//! Keys by name (`enter`, `ctrl-c`), as the bytes that a terminal sends for them.

/// A name that no key has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no key named `{0}`")]
pub struct UnknownKey(pub String);

const NAMED: &[(&str, &[u8])] = &[
    ("enter", b"\r"),
    ("return", b"\r"),
    ("tab", b"\t"),
    ("shift-tab", b"\x1b[Z"),
    ("space", b" "),
    ("escape", b"\x1b"),
    ("esc", b"\x1b"),
    ("backspace", b"\x7f"),
    ("delete", b"\x1b[3~"),
    ("insert", b"\x1b[2~"),
    ("up", b"\x1b[A"),
    ("down", b"\x1b[B"),
    ("right", b"\x1b[C"),
    ("left", b"\x1b[D"),
    ("home", b"\x1b[H"),
    ("end", b"\x1b[F"),
    ("page-up", b"\x1b[5~"),
    ("page-down", b"\x1b[6~"),
    ("f1", b"\x1bOP"),
    ("f2", b"\x1bOQ"),
    ("f3", b"\x1bOR"),
    ("f4", b"\x1bOS"),
    ("f5", b"\x1b[15~"),
    ("f6", b"\x1b[17~"),
    ("f7", b"\x1b[18~"),
    ("f8", b"\x1b[19~"),
    ("f9", b"\x1b[20~"),
    ("f10", b"\x1b[21~"),
    ("f11", b"\x1b[23~"),
    ("f12", b"\x1b[24~"),
];

/// What a terminal sends for a key: a name, `ctrl-X`, `alt-X`, or one character.
pub fn bytes_of_key(name: &str) -> Result<Vec<u8>, UnknownKey> {
    let lower = name.to_ascii_lowercase();
    if let Some((_, bytes)) = NAMED.iter().find(|(known, _)| *known == lower) {
        return Ok(bytes.to_vec());
    }
    if let Some(rest) = lower.strip_prefix("ctrl-") {
        return control(rest).ok_or_else(|| UnknownKey(name.to_owned()));
    }
    if lower.strip_prefix("alt-").is_some() {
        // As it was written: `alt-B` and `alt-b` are two keys.
        let key = bytes_of_key(&name["alt-".len()..]).map_err(|_| UnknownKey(name.to_owned()))?;
        return Ok([b"\x1b".as_slice(), &key].concat());
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next()) {
        (Some(_), None) => Ok(name.as_bytes().to_vec()),
        _ => Err(UnknownKey(name.to_owned())),
    }
}

fn control(key: &str) -> Option<Vec<u8>> {
    let byte = match key.as_bytes() {
        [letter @ b'a'..=b'z'] => letter & 0x1f,
        [b'@'] | b"space" => 0,
        [mark @ (b'[' | b'\\' | b']' | b'^' | b'_')] => mark & 0x1f,
        [b'?'] => 0x7f,
        _ => return None,
    };
    Some(vec![byte])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_what_a_terminal_sends() {
        let sent = |name| bytes_of_key(name).unwrap();
        assert_eq!(sent("ctrl-c"), [3]);
        assert_eq!(sent("Ctrl-D"), [4]);
        assert_eq!(sent("up"), b"\x1b[A");
        assert_eq!(sent("enter"), b"\r");
        assert_eq!(sent("alt-b"), b"\x1bb");
        assert_eq!(sent("alt-B"), b"\x1bB");
        assert_eq!(sent("ü"), "ü".as_bytes());
        assert_eq!(sent("ctrl-space"), [0]);
    }

    #[test]
    fn unknown_names_are_errors() {
        for name in ["", "ctrl-", "ctrl-ab", "hyper-x", "f13"] {
            assert_eq!(bytes_of_key(name), Err(UnknownKey(name.to_owned())));
        }
    }
}
