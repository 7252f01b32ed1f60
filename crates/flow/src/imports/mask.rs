//! What in a source text is code, what is text between quotes, what is a comment. May not know what the code says.

/// How a language writes quotes and comments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// JavaScript and TypeScript.
    Script,
    Rust,
    Python,
    /// Something else. It is read like a script, with the words of all of them.
    Unknown,
}

impl Language {
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
enum Kind {
    Code,
    Text,
    Comment,
}

/// What each byte of a source text is.
pub(super) struct Mask(Vec<Kind>);

impl Mask {
    pub(super) fn of(text: &str, language: Language) -> Self {
        let mut painter = Painter {
            bytes: text.as_bytes(),
            language,
            kinds: Vec::with_capacity(text.len()),
            holes: Vec::new(),
            last: None,
        };
        painter.paint();
        Self(painter.kinds)
    }

    pub(super) fn is_code(&self, at: usize) -> bool {
        self.0.get(at) == Some(&Kind::Code)
    }

    pub(super) fn is_text(&self, at: usize) -> bool {
        self.0.get(at) == Some(&Kind::Text)
    }

    pub(super) fn is_comment(&self, at: usize) -> bool {
        self.0.get(at) == Some(&Kind::Comment)
    }
}

/// Words behind which a slash begins a regular expression.
const BEFORE_REGEX: &[&[u8]] = &[
    b"return", b"case", b"typeof", b"in", b"of", b"do", b"else", b"void", b"delete", b"throw", b"await",
    b"yield",
];

struct Painter<'t> {
    bytes: &'t [u8],
    language: Language,
    kinds: Vec<Kind>,
    /// Open braces inside each `${` of a template text that is still open.
    holes: Vec<usize>,
    /// The last byte that is neither blank nor in a comment.
    last: Option<usize>,
}

impl Painter<'_> {
    fn paint(&mut self) {
        while self.kinds.len() < self.bytes.len() {
            let at = self.kinds.len();
            let end = self.step(at);
            debug_assert!(end > at);
        }
    }

    /// Paints what begins here and gives its end.
    fn step(&mut self, at: usize) -> usize {
        let here = &self.bytes[at..];
        match self.language {
            Language::Python if here[0] == b'#' => self.fill(Kind::Comment, at + until(here, b'\n')),
            Language::Python if here.starts_with(b"\"\"\"") || here.starts_with(b"'''") => {
                self.fill(Kind::Text, at + long_text(here))
            }
            Language::Python if here[0] == b'"' || here[0] == b'\'' => {
                self.fill(Kind::Text, at + short_text(here))
            }
            Language::Python => self.fill(Kind::Code, at + 1),
            _ if here.starts_with(b"//") => self.fill(Kind::Comment, at + until(here, b'\n')),
            _ if here.starts_with(b"/*") => self.fill(Kind::Comment, at + comment(here, self.language)),
            Language::Rust => self.rust(at),
            Language::Script | Language::Unknown => self.braces(at),
        }
    }

    fn rust(&mut self, at: usize) -> usize {
        let here = &self.bytes[at..];
        let is_part =
            |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        let before = |back: usize| at.checked_sub(back).and_then(|at| self.bytes.get(at));
        // `br"…"` and `cr"…"` are raw texts too.
        let in_word = is_part(before(1)) && (is_part(before(2)) || !matches!(before(1), Some(b'b' | b'c')));
        match here[0] {
            b'"' => self.fill(Kind::Text, at + long_quote(here)),
            b'r' if !in_word && raw(here).is_some() => self.fill(Kind::Text, at + raw(here).unwrap_or(1)),
            b'\'' => match character(here) {
                Some(length) => self.fill(Kind::Text, at + length),
                None => self.fill(Kind::Code, at + 1),
            },
            _ => self.fill(Kind::Code, at + 1),
        }
    }

    fn braces(&mut self, at: usize) -> usize {
        let here = &self.bytes[at..];
        match here[0] {
            b'"' | b'\'' => self.fill(Kind::Text, at + short_text(here)),
            b'`' => self.template(at, 1),
            b'/' if self.can_be_regex() => match regex(here) {
                Some(length) => self.fill(Kind::Text, at + length),
                None => self.fill(Kind::Code, at + 1),
            },
            b'{' => {
                if let Some(open) = self.holes.last_mut() {
                    *open += 1;
                }
                self.fill(Kind::Code, at + 1)
            }
            b'}' if self.holes.last() == Some(&0) => {
                self.holes.pop();
                self.template(at, 1)
            }
            b'}' => {
                if let Some(open) = self.holes.last_mut() {
                    *open -= 1;
                }
                self.fill(Kind::Code, at + 1)
            }
            _ => self.fill(Kind::Code, at + 1),
        }
    }

    /// The text of a template from behind its backtick or the end of a hole, up to the next hole or its end.
    fn template(&mut self, at: usize, skip: usize) -> usize {
        let mut end = at + skip;
        while end < self.bytes.len() {
            match self.bytes[end] {
                b'\\' => end += 2,
                b'`' => return self.fill(Kind::Text, end + 1),
                b'$' if self.bytes.get(end + 1) == Some(&b'{') => {
                    self.holes.push(0);
                    return self.fill(Kind::Text, end + 2);
                }
                _ => end += 1,
            }
        }
        self.fill(Kind::Text, end)
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

    fn fill(&mut self, kind: Kind, end: usize) -> usize {
        let end = end.min(self.bytes.len());
        if kind != Kind::Comment && end > 0 && !self.bytes[end - 1].is_ascii_whitespace() {
            self.last = Some(end - 1);
        }
        self.kinds.resize(end, kind);
        end
    }
}

fn until(here: &[u8], stop: u8) -> usize {
    here.iter().position(|byte| *byte == stop).unwrap_or(here.len())
}

/// A quoted text that ends in its line.
fn short_text(here: &[u8]) -> usize {
    let mut at = 1;
    while at < here.len() {
        match here[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == here[0] => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// A quoted text that may go over lines.
fn long_quote(here: &[u8]) -> usize {
    let mut at = 1;
    while at < here.len() {
        match here[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// A text between three quotes.
fn long_text(here: &[u8]) -> usize {
    let mut at = 3;
    while at < here.len() {
        match here[at] {
            b'\\' => at += 2,
            _ if here[at..].starts_with(&here[..3]) => return at + 3,
            _ => at += 1,
        }
    }
    at
}

/// A comment between `/*` and `*/`; in Rust there may be others inside.
fn comment(here: &[u8], language: Language) -> usize {
    let (mut at, mut depth) = (2, 1);
    while at < here.len() {
        if here[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else if language == Language::Rust && here[at..].starts_with(b"/*") {
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
