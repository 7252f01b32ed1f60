//! Texts that are secrets by their shape: tokens with a known beginning, signed tokens, private keys, passwords in
//! addresses. May not know names.

use super::stretch::Stretch;
use std::ops::Range;

/// Beginnings of tokens, and how many characters at least must follow.
const TOKENS: &[(&str, usize)] = &[
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxb-", 10),
    ("xoxp-", 10),
    ("xoxa-", 10),
    ("xoxs-", 10),
    ("xapp-", 10),
    ("AIza", 30),
    ("ya29.", 20),
    ("sk-", 20),
    ("sk_live_", 12),
    ("sk_test_", 12),
    ("rk_live_", 12),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 30),
    ("dop_v1_", 30),
    ("SG.", 30),
    ("AccountKey=", 20),
];

const KEY_BEGINS: &str = "-----BEGIN ";
const KEY_NAME: &str = "PRIVATE KEY";
const KEY_ENDS: &str = "-----END ";

/// No secret of these shapes is shorter, but for a password in an address.
const SHORTEST: usize = 14;

/// Adds every part of the text that is a secret by its shape. Most texts are short words that have none, so what is
/// cheap to rule out is ruled out first.
pub(super) fn find(text: &str, spans: &mut Vec<Range<usize>>) {
    if memchr::memchr(b':', text.as_bytes()).is_some() {
        spans.extend(in_addresses(text));
    }
    if text.len() < SHORTEST {
        return;
    }
    let bytes = text.as_bytes();
    let mut measured = MeasuredTokens::default();
    for at in (0..bytes.len()).filter(|at| begins(bytes, *at)) {
        spans.extend(measured.secret(text, at));
    }
    if memchr::memmem::find(bytes, KEY_BEGINS.as_bytes()).is_some() {
        spans.extend(private_keys(text));
    }
    if memchr::memchr(b' ', bytes).is_some() {
        spans.extend(
            ["Bearer ", "bearer ", "Basic ", "basic "].iter().flat_map(|scheme| credentials(text, scheme)),
        );
    }
}

/// Whether something in these bytes may be the beginning of a secret that goes on over more than two lines: a private key,
/// a value in quotes, words of a command line that is broken by backslashes.
pub(crate) fn may_span_lines(bytes: &[u8]) -> bool {
    memchr::memchr3(b'"', b'\'', b'\\', bytes).is_some()
        || memchr::memmem::find(bytes, KEY_BEGINS.as_bytes()).is_some()
}

/// What follows the name of a scheme in a header.
fn credentials<'a>(text: &'a str, scheme: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    text.match_indices(scheme).filter_map(move |(at, _)| {
        let from = at + scheme.len();
        let len = run(&text[from..], |b| is_letter(b) || b"+/=~.".contains(&b));
        (len >= 8).then_some(from..from + len)
    })
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// How many bytes of the text's beginning are of this kind.
fn run(text: &str, is: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|byte| is(*byte)).count()
}

/// Whether a word begins here.
fn begins(bytes: &[u8], at: usize) -> bool {
    bytes[at].is_ascii_alphanumeric() && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric())
}

/// What was measured of the tokens so far, each part by itself.
#[derive(Debug, Default)]
struct MeasuredTokens {
    token: Stretch,
    signed: [Stretch; 3],
}

impl MeasuredTokens {
    /// The token that begins here.
    fn secret(&mut self, text: &str, at: usize) -> Option<Range<usize>> {
        self.token(text, at).or_else(|| self.signed(text, at))
    }

    /// A token with a known beginning.
    fn token(&mut self, text: &str, at: usize) -> Option<Range<usize>> {
        let (beginning, least) =
            TOKENS.iter().find(|(beginning, _)| text.as_bytes()[at..].starts_with(beginning.as_bytes()))?;
        let from = at + beginning.len();
        let is = |b| is_letter(b) || b"./+=".contains(&b);
        let end = self.token.end(from, || from + run(&text[from..], is));
        (end - from >= *least).then_some(at..end)
    }

    /// `eyJ….….…`: three parts, the first of which is JSON.
    fn signed(&mut self, text: &str, at: usize) -> Option<Range<usize>> {
        if !text.as_bytes()[at..].starts_with(b"eyJ") {
            return None;
        }
        let mut end = at;
        for (part, stretch) in self.signed.iter_mut().enumerate() {
            let from = end + usize::from(part > 0 && text[end..].starts_with('.'));
            end = stretch.end(from, || from + run(&text[from..], is_letter));
            if end - from < 6 {
                return None;
            }
        }
        Some(at..end)
    }
}

fn private_keys(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(at) = text[from..].find(KEY_BEGINS).map(|at| from + at) {
        from = at + KEY_BEGINS.len();
        let title = text[from..].find("-----").map_or("", |end| &text[from..from + end]);
        if title.contains(KEY_NAME) {
            // One that is cut off goes to its end.
            let closed = text[from..].find(KEY_ENDS).and_then(|end| {
                let last = from + end + KEY_ENDS.len();
                text[last..].find("-----").map(|dashes| last + dashes + 5)
            });
            from = closed.unwrap_or(text.len());
            found.push(at..from);
        }
    }
    found
}

/// The password in `scheme://user:password@host`, or a long user that is a token.
fn in_addresses(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    const TOKEN: usize = 20;
    text.match_indices("://").filter_map(|(at, _)| {
        let from = at + 3;
        let len = text[from..]
            .find(|c: char| c.is_whitespace() || "/?#\"'<>`".contains(c))
            .unwrap_or(text.len() - from);
        let until = from + text[from..from + len].rfind('@')?;
        match text[from..until].find(':') {
            Some(colon) => Some(from + colon + 1..until),
            None => (until - from >= TOKEN).then_some(from..until),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_token_ends_where_it_would_if_it_were_the_only_one(
            text in "(eyJ|sk-|ghp_|AccountKey=|[a-z]{6}|[a-z]{20}|[-_./+=~ ]|é){0,40}",
        ) {
            let (bytes, mut shared) = (text.as_bytes(), MeasuredTokens::default());
            for at in (0..bytes.len()).filter(|at| begins(bytes, *at)) {
                prop_assert_eq!(shared.secret(&text, at), MeasuredTokens::default().secret(&text, at));
            }
        }
    }
}
