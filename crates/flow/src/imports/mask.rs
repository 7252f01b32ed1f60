//! What in a source text is code, what is text between quotes, what is a comment. May not know what the code says.

/// How a language writes quotes and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuoteLanguage {
    /// JavaScript and TypeScript.
    Script,
    Rust,
    Python,
    /// Something else. It is read like a script, with the words of all of them.
    Unknown,
}

impl QuoteLanguage {
    /// The language of a file, by the end of its name.
    pub(super) fn of(file: &str) -> Self {
        match file.rsplit_once('.').map(|(_, end)| end) {
            Some("rs") => Self::Rust,
            Some("py" | "pyi" | "pyw") => Self::Python,
            Some("ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs") => Self::Script,
            _ => Self::Unknown,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MaskKind {
    Code,
    Text,
    Comment,
}

/// What each byte of a source text is.
pub(super) struct Mask(Vec<MaskKind>);

impl Mask {
    pub(super) fn of(text: &str, language: QuoteLanguage) -> Self {
        let mut painter = Painter { bytes: text.as_bytes(), language, holes: Vec::new(), last: None };
        let mut kinds = Vec::with_capacity(text.len());
        while kinds.len() < text.len() {
            let at = kinds.len();
            let (kind, length) = painter.step(at).unwrap_or((MaskKind::Code, 1));
            let end = (at + length).min(text.len());
            if kind != MaskKind::Comment && !painter.bytes[end - 1].is_ascii_whitespace() {
                painter.last = Some(end - 1);
            }
            kinds.resize(end, kind);
        }
        Self(kinds)
    }

    pub(super) fn is_code(&self, at: usize) -> bool {
        self.0.get(at) == Some(&MaskKind::Code)
    }

    pub(super) fn is_text(&self, at: usize) -> bool {
        self.0.get(at) == Some(&MaskKind::Text)
    }

    pub(super) fn is_comment(&self, at: usize) -> bool {
        self.0.get(at) == Some(&MaskKind::Comment)
    }
}

/// Words behind which a slash begins a regular expression.
const BEFORE_REGEX: &[&[u8]] = &[
    b"return", b"case", b"typeof", b"in", b"of", b"do", b"else", b"void", b"delete", b"throw", b"await",
    b"yield",
];

struct Painter<'t> {
    bytes: &'t [u8],
    language: QuoteLanguage,
    /// Open braces inside each `${` of a template text that is still open.
    holes: Vec<usize>,
    /// The last byte that is neither blank nor in a comment.
    last: Option<usize>,
}

impl Painter<'_> {
    /// What begins here, and its length. Nothing is one byte of code.
    fn step(&mut self, at: usize) -> Option<(MaskKind, usize)> {
        let here = &self.bytes[at..];
        let is_python = self.language == QuoteLanguage::Python;
        if here.starts_with(if is_python { b"#" } else { b"//" }) {
            let length = here.iter().position(|byte| *byte == b'\n').unwrap_or(here.len());
            return Some((MaskKind::Comment, length));
        }
        if !is_python && here.starts_with(b"/*") {
            return Some((MaskKind::Comment, comment(here, self.language)));
        }
        let length = match (self.language, here[0]) {
            (QuoteLanguage::Python, quote @ (b'"' | b'\'')) => {
                let long = here.starts_with(&[quote; 3]);
                Some(quoted(here, if long { 3 } else { 1 }, !long))
            }
            (QuoteLanguage::Python, _) => None,
            (QuoteLanguage::Rust, b'"') => Some(quoted(here, 1, false)),
            (QuoteLanguage::Rust, b'r') => raw(here).filter(|_| !self.is_in_word(at)),
            (QuoteLanguage::Rust, b'\'') => character(here),
            (QuoteLanguage::Rust, _) => None,
            (_, b'"' | b'\'') => Some(quoted(here, 1, true)),
            (_, b'/') if self.can_be_regex() => regex(here),
            _ => self.template(at),
        };
        length.map(|length| (MaskKind::Text, length))
    }

    /// Whether a word of Rust goes on here. `br"…"` and `cr"…"` are raw texts too.
    fn is_in_word(&self, at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).and_then(|at| self.bytes.get(at));
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        is_part(before(1)) && (is_part(before(2)) || !matches!(before(1), Some(b'b' | b'c')))
    }

    /// The text of a template from its backtick or the end of a hole, up to the next hole or its end.
    fn template(&mut self, at: usize) -> Option<usize> {
        match (self.bytes[at], self.holes.last_mut()) {
            (b'`', _) => {}
            (b'}', Some(0)) => drop(self.holes.pop()),
            (b'}', Some(open)) => {
                *open -= 1;
                return None;
            }
            (b'{', Some(open)) => {
                *open += 1;
                return None;
            }
            _ => return None,
        }
        let here = &self.bytes[at..];
        let mut end = 1;
        while end < here.len() {
            match here[end] {
                b'\\' => end += 2,
                b'`' => return Some(end + 1),
                b'$' if here.get(end + 1) == Some(&b'{') => {
                    self.holes.push(0);
                    return Some(end + 2);
                }
                _ => end += 1,
            }
        }
        Some(end)
    }

    /// Whether a slash here begins a regular expression: behind a sign that cannot end a value.
    fn can_be_regex(&self) -> bool {
        let Some(last) = self.last else { return true };
        let before = &self.bytes[..=last];
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
        let start = before.iter().rposition(|byte| !is_part(byte)).map_or(0, |at| at + 1);
        BEFORE_REGEX.contains(&&before[start..])
            || before.ends_with(b"=>")
            || b"(,=:[!&|?{};+-*%~^".contains(&before[last])
    }
}

/// A text between so many quotes of one kind, which ends in its line or goes over lines.
fn quoted(here: &[u8], quotes: usize, in_line: bool) -> usize {
    let mut at = quotes;
    while at < here.len() {
        match here[at] {
            b'\\' => at += 2,
            b'\n' if in_line => return at,
            _ if here[at..].starts_with(&here[..quotes]) => return at + quotes,
            _ => at += 1,
        }
    }
    at
}

/// A comment between `/*` and `*/`; in Rust there may be others inside.
fn comment(here: &[u8], language: QuoteLanguage) -> usize {
    let (mut at, mut depth) = (2, 1);
    while at < here.len() {
        if here[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else if language == QuoteLanguage::Rust && here[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else {
            at += 1;
        }
    }
    at
}

/// A raw text of Rust, `r#"…"#`.
fn raw(here: &[u8]) -> Option<usize> {
    let hashes = here[1..].iter().take_while(|byte| **byte == b'#').count();
    if here.get(1 + hashes) != Some(&b'"') {
        return None;
    }
    let mut end = vec![b'"'];
    end.resize(1 + hashes, b'#');
    let inside = 2 + hashes;
    let found = here[inside..].windows(end.len()).position(|window| window == end);
    Some(found.map_or(here.len(), |at| inside + at + end.len()))
}

/// A character of Rust, which is not a lifetime.
fn character(here: &[u8]) -> Option<usize> {
    if here.get(1) == Some(&b'\\') {
        let close = here.get(3..)?.iter().take(10).position(|byte| *byte == b'\'')?;
        return Some(close + 4);
    }
    // One character takes up to four bytes.
    let close = here.get(2..)?.iter().take(4).position(|byte| *byte == b'\'')?;
    let one = std::str::from_utf8(&here[1..2 + close]).is_ok_and(|text| text.chars().count() == 1);
    one.then_some(close + 3)
}

/// A regular expression of JavaScript, if it ends in its line.
fn regex(here: &[u8]) -> Option<usize> {
    let (mut at, mut class) = (1, false);
    while at < here.len() {
        match here[at] {
            b'\\' => at += 1,
            b'\n' => return None,
            b'[' => class = true,
            b']' => class = false,
            b'/' if !class => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}
