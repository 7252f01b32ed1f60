//! Texts that are secrets by their shape: tokens with a known beginning, signed tokens, private keys, passwords in
//! addresses. May not know names.

use super::stretch::Stretch;
use memchr::memmem;
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

/// How signed tokens begin.
const SIGNED: &str = "eyJ";

/// One bit for each pair of bytes that a token begins with. Nearly all words of a text end here.
static PAIRS: [u64; 1024] = {
    let mut pairs = [0; 1024];
    let mut index = 0;
    while index <= TOKENS.len() {
        let beginning = if index < TOKENS.len() { TOKENS[index].0 } else { SIGNED }.as_bytes();
        let pair = pair(beginning[0], beginning[1]);
        pairs[pair >> 6] |= 1 << (pair & 63);
        index += 1;
    }
    pairs
};

const fn pair(first: u8, second: u8) -> usize {
    (first as usize) << 8 | second as usize
}

/// Whether a token may begin here: a word does, with the two bytes of one.
fn may_begin(bytes: &[u8], at: usize) -> bool {
    let pair = pair(bytes[at], bytes[at + 1]);
    PAIRS[pair >> 6] >> (pair & 63) & 1 == 1 && begins(bytes, at)
}

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
    for word in long_words(bytes) {
        for at in (word.start..word.end - 1).filter(|at| may_begin(bytes, *at)) {
            spans.extend(measured.secret(text, at));
        }
    }
    if memmem::find(bytes, KEY_BEGINS.as_bytes()).is_some() {
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

/// The runs of bytes that a token may be made of, if they are long enough for one.
///
/// Most words are shorter. So the last byte that a long one would have is looked at first: where a word ends before it,
/// none of the bytes before that end is looked at.
fn long_words(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(window) = bytes.get(from..from + SHORTEST) {
            match window.iter().rposition(|byte| !is_in_token(*byte)) {
                Some(end) => from += end + 1,
                None => {
                    let begin = from;
                    let more = bytes[from + SHORTEST..].iter().take_while(|byte| is_in_token(**byte)).count();
                    from += SHORTEST + more;
                    return Some(begin..from);
                }
            }
        }
        None
    })
}

/// Whether a token may hold this byte.
fn is_in_token(byte: u8) -> bool {
    static KINDS: [bool; 256] = {
        let mut kinds = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            let one = byte as u8;
            kinds[byte] =
                one.is_ascii_alphanumeric() || matches!(one, b'_' | b'-' | b'.' | b'/' | b'+' | b'=');
            byte += 1;
        }
        kinds
    };
    KINDS[usize::from(byte)]
}

/// What follows the name of a scheme in a header.
fn credentials<'a>(text: &'a str, scheme: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    memmem::find_iter(text.as_bytes(), scheme).filter_map(move |at| {
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
        if !text.as_bytes()[at..].starts_with(SIGNED.as_bytes()) {
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
    memmem::find_iter(text.as_bytes(), "://").filter_map(|at| {
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

    #[test]
    fn every_beginning_is_looked_at() {
        for (beginning, least) in TOKENS.iter().chain([&(SIGNED, SHORTEST)]) {
            assert!(beginning.len() + least >= SHORTEST && beginning.bytes().all(is_in_token), "{beginning}");
            assert!(may_begin(beginning.as_bytes(), 0), "{beginning}");
            assert!(!may_begin(format!("a{beginning}").as_bytes(), 1), "{beginning}");
        }
    }

    proptest! {
        #[test]
        fn every_long_word_is_found(text in "([a-z_=./+-]{1,20}|[ :,\n]|é){0,20}") {
            let bytes = text.as_bytes();
            let mut all = Vec::new();
            for run in text.split(|c: char| !c.is_ascii() || !is_in_token(c as u8)) {
                let start = run.as_ptr() as usize - text.as_ptr() as usize;
                all.extend((run.len() >= SHORTEST).then_some(start..start + run.len()));
            }
            prop_assert_eq!(long_words(bytes).collect::<Vec<_>>(), all);
        }

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
