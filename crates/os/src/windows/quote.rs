//! Quoting by the rules that programs built with Microsoft's C library, and nearly all others, read back.

use super::wide::unit;
use std::ffi::OsStr;
use std::os::windows::ffi::OsStrExt;

/// Adds a space, unless it is the first, and a word such that it is read back as it is.
pub(super) fn add(line: &mut Vec<u16>, word: &OsStr) {
    if !line.is_empty() {
        line.push(unit(b' '));
    }
    let needs_quotes = |letter: u16| [b' ', b'\t', b'\n', 0x0b, b'"'].map(u16::from).contains(&letter);
    if !word.is_empty() && !word.encode_wide().any(needs_quotes) {
        line.extend(word.encode_wide());
        return;
    }
    line.push(unit(b'"'));
    inner(line, word, |line| line.extend([unit(b'\\'), unit(b'"')]));
    line.push(unit(b'"'));
}

/// Adds what stands between the quotes. A backslash is only special before a quote, where it is doubled.
pub(super) fn inner(line: &mut Vec<u16>, word: &OsStr, quote: impl Fn(&mut Vec<u16>)) {
    let mut slashes = 0;
    for letter in word.encode_wide() {
        if letter == unit(b'"') {
            line.extend(std::iter::repeat_n(unit(b'\\'), slashes));
            quote(line);
        } else {
            line.push(letter);
        }
        slashes = if letter == unit(b'\\') { slashes + 1 } else { 0 };
    }
    line.extend(std::iter::repeat_n(unit(b'\\'), slashes));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_as_they_are() {
        let cases = [
            ("plain", "plain"),
            ("", r#""""#),
            ("two words", r#""two words""#),
            (r#"say "hi""#, r#""say \"hi\"""#),
            (r"C:\dir\", r"C:\dir\"),
            (r"C:\my dir\", r#""C:\my dir\\""#),
            (r#"a\"b"#, r#""a\\\"b""#),
            ("&|<>^%", "&|<>^%"),
        ];
        for (word, expected) in cases {
            let mut line = Vec::new();
            add(&mut line, OsStr::new(word));
            assert_eq!(String::from_utf16(&line).unwrap(), expected);
        }
    }
}
