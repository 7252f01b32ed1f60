//! Values that are given to a secret-looking name in a text: `TOKEN=…`, `--password …`, `"apiKey": "…"`.
//! May not judge names itself.

use super::looks_secret;
use super::stretch::Stretch;
use memchr::memmem;
use std::ops::Range;

/// Which values count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueLook {
    /// All.
    Any,
    /// Those that look like a secret themselves.
    Secret,
}

/// Adds every value that a secret-looking name is given.
pub(super) fn find(text: &str, look: ValueLook, spans: &mut Vec<Range<usize>>) {
    let mut word = Stretch::default();
    for at in signs(text) {
        // What follows `--password` is one wherever it stands: no language has such a line.
        let counts = |span: &Range<usize>| {
            look == ValueLook::Any
                || !matches!(text.as_bytes()[at], b'=' | b':')
                || looks_drawn(&text[span.clone()])
        };
        spans.extend(value(text, at, &mut word).filter(counts));
    }
}

/// Whether a value looks as if it was drawn and not written: long, of letters and digits, and no expression of a
/// language. A password that is a word is not found in this way; one of a known variable is found anyway.
fn looks_drawn(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    let plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=_-.~!@#%^*".contains(&byte));
    (8..=512).contains(&value.len())
        && plain
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_alphabetic)
        && !is_path(value)
}

/// `process.env.DB_PASS2` and `./auth2/token` are written.
fn is_path(value: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !part.contains(['+', '=', '!', '@'])
    };
    value.starts_with(['.', '/', '~']) || value.contains(['.', '/']) && value.split(['.', '/']).all(is_name)
}

/// Where a secret-looking name is given something.
fn signs(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    memchr::memchr2_iter(b'=', b':', bytes).chain(behind_options(bytes)).filter(|at| {
        let name = name_before(text, *at);
        !name.is_empty() && looks_secret(name)
    })
}

/// Where the word ends that is a long option without a value, with its quotes: what comes next is what it is given. In a
/// list (`["--password", "x"]`) the quotes are needed.
fn behind_options(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut done = 0;
    memmem::find_iter(bytes, "--").filter_map(move |begin| {
        // A line of dashes is one word.
        if begin < done || begin > 0 && is_name(bytes[begin - 1]) {
            return None;
        }
        let end = begin + bytes[begin..].iter().take_while(|byte| is_name(**byte)).count();
        done = end;
        let at = end + bytes[end..].iter().take_while(|byte| is_quote(**byte)).count();
        let is_sign = match bytes.get(at)? {
            b' ' | b'\t' => true,
            b',' => at > end,
            _ => false,
        };
        let before = bytes[..before_quotes(bytes, begin)].last();
        let is_word = before.is_none_or(|byte| byte.is_ascii_whitespace() || b"[(,".contains(byte));
        (is_sign && is_word && end - begin > 2).then_some(at)
    })
}

fn is_quote(byte: u8) -> bool {
    byte == b'"' || byte == b'\''
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-' || byte == b'.'
}

/// The name that ends before this place, past a quote that closes it.
fn name_before(text: &str, at: usize) -> &str {
    let bytes = text.as_bytes();
    let end = before_quotes(bytes, at);
    let len = bytes[..end].iter().rev().take_while(|byte| is_name(**byte)).count();
    &text[end - len..end]
}

/// Where the quotes begin that end here; this place, if there are none.
fn before_quotes(bytes: &[u8], at: usize) -> usize {
    at - bytes[..at].iter().rev().take_while(|byte| is_quote(**byte)).count()
}

/// How much of the text's beginning stands between two words: blanks, and the ends of lines that go on.
fn between(text: &str) -> usize {
    let mut rest = text;
    loop {
        let next = rest.trim_start_matches([' ', '\t']);
        let next = next.strip_prefix("\\\n").unwrap_or(next);
        if next.len() == rest.len() {
            return text.len() - rest.len();
        }
        rest = next;
    }
}

/// The value behind this sign: in quotes, or up to where a word ends.
fn value(text: &str, sign: usize, word: &mut Stretch) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut from = sign + 1;
    // `"name": "value"` has a space, `NAME= other` gives nothing.
    if bytes[sign] != b'=' {
        from += between(&text[from..]);
    }
    let quote = bytes.get(from).copied().filter(|byte| is_quote(*byte));
    from += usize::from(quote.is_some());
    let end = match quote {
        // No other value in such quotes begins before these end.
        Some(quote) => end_at(text, from, |c| c == char::from(quote)),
        None => word.end(from, || end_at(text, from, |c| c.is_whitespace() || "\"'&;|<>(),".contains(c))),
    };
    let found = &text[from..end];
    // A name that stands for the value is none, nor is the next option, nor `//` of an address.
    let stands_for =
        found.starts_with('$') || found.starts_with("//") || (quote.is_none() && found.starts_with('-'));
    (!found.is_empty() && !stands_for).then_some(from..end)
}

/// Where a character of this kind comes next; the text's end, if none does.
fn end_at(text: &str, from: usize, is: impl Fn(char) -> bool) -> usize {
    text[from..].find(is).map_or(text.len(), |len| from + len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether the word before this place, in quotes or not, is a long option without a value.
    fn is_option_before(bytes: &[u8], at: usize) -> bool {
        let end = before_quotes(bytes, at);
        let begin = end - bytes[..end].iter().rev().take_while(|byte| is_name(**byte)).count();
        let word = &bytes[begin..end];
        let before = bytes[..before_quotes(bytes, begin)].last();
        let is_word = before.is_none_or(|byte| byte.is_ascii_whitespace() || b"[(,".contains(byte));
        word.starts_with(b"--") && word.len() > 2 && is_word
    }

    proptest! {
        #[test]
        fn options_are_found_from_their_beginning_as_from_their_end(text in "(--|-|[a.]|[ \t\n]|[\"']|[,;\\[=]|é){0,40}") {
            let bytes = text.as_bytes();
            let is_sign = |at: &usize| match bytes[*at] {
                b' ' | b'\t' => is_option_before(bytes, *at),
                b',' => *at > 0 && is_quote(bytes[*at - 1]) && is_option_before(bytes, *at),
                _ => false,
            };
            let by_their_end: Vec<usize> = (0..bytes.len()).filter(is_sign).collect();
            prop_assert_eq!(behind_options(bytes).collect::<Vec<_>>(), by_their_end);
        }

        #[test]
        fn a_value_ends_where_it_would_if_it_were_the_only_one(
            text in "(token=|\"token\": |--token |'--token', |[a-z$/]|[ \t\n\"',;-]|\u{a0}|é){0,40}",
        ) {
            let mut found = Vec::new();
            find(&text, ValueLook::Any, &mut found);
            let alone: Vec<_> =
                signs(&text).filter_map(|at| value(&text, at, &mut Stretch::default())).collect();
            prop_assert_eq!(found, alone);
        }
    }
}
