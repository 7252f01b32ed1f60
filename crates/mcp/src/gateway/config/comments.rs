//! JSON as VS Code writes it, made plain: comments and trailing commas become blanks.
//!
//! Every other byte stays where it is, so lines and columns of problems are those of the file. May not judge
//! the text: the parser reports what is no JSON afterwards.

/// The same text without comments and trailing commas.
pub(super) fn blanked(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if text.starts_with('\u{feff}') {
        bytes[..3].fill(b' ');
    }
    let mut comma = None;
    let mut before = b'[';
    let mut at = 0;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'"', ..] => string_end(&bytes, at),
            [b'/', b'/', ..] => comment_end(&bytes, at, b"\n"),
            [b'/', b'*', ..] => comment_end(&bytes, at, b"*/"),
            _ => at + 1,
        };
        let byte = bytes[at];
        if byte == b'/' && end > at + 1 {
            blank(&mut bytes[at..end]);
        } else if !byte.is_ascii_whitespace() {
            if let (b'}' | b']', Some(comma)) = (byte, comma) {
                bytes[comma] = b' ';
            }
            // A comma is a trailing one only where a value stands before it.
            let trails = byte == b',' && !matches!(before, b'[' | b'{' | b',');
            comma = trails.then_some(at);
            before = byte;
        }
        at = end;
    }
    // Whole characters were blanked, so this is text still; if it were not, the parser would refuse the original.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn comment_end(bytes: &[u8], start: usize, mark: &[u8]) -> usize {
    let inside = start + 2;
    let found = bytes[inside..].windows(mark.len()).position(|window| window == mark);
    found.map_or(bytes.len(), |at| inside + at + mark.len())
}

fn blank(bytes: &mut [u8]) {
    bytes.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')).for_each(|byte| *byte = b' ');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_and_trailing_commas_become_blanks() {
        let blanks = |count| " ".repeat(count);
        assert_eq!(blanked("[1, // é\n 2,/* x */]"), format!("[1,{}\n 2{}]", blanks(6), blanks(8)));
        assert_eq!(blanked("[1, /* , */ // ]\n2]"), format!("[1,{}\n2]", blanks(13)));
        assert_eq!(blanked("{\"a\": [1 , ] , }"), "{\"a\": [1   ]   }");
    }

    #[test]
    fn strings_are_not_touched() {
        let text = r#"{"url": "https://x/*y*/", "a\"//b": ",]", "c\\": 1}"#;
        assert_eq!(blanked(text), text);
    }

    #[test]
    fn a_comma_too_many_stays_a_problem() {
        for text in ["[1,,]", "[,1]", "[,]", "{,}", ",]"] {
            assert_eq!(blanked(text), text);
        }
    }

    proptest! {
        #[test]
        fn plain_json_stays_as_it_is(words in prop::collection::vec(any::<String>(), 0..8)) {
            let text = serde_json::to_string_pretty(&words).unwrap();
            prop_assert_eq!(blanked(&text), text);
        }

        #[test]
        fn no_text_moves(text in "[\"\\\\/*,\\]} \\né]{0,30}") {
            let blanked = blanked(&text);
            prop_assert_eq!(blanked.len(), text.len());
            let kept = text.bytes().zip(blanked.bytes()).all(|(before, after)| before == after || after == b' ');
            prop_assert!(kept);
        }
    }
}
