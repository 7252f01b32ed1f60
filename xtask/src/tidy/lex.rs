//! A small scanner of Rust text: words, marks, literals and comments, each with its line.
//!
//! May not judge anything. It need only be right about where strings and comments begin and end.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RustTokenKind {
    /// An identifier, a keyword, or one punctuation mark.
    Code,
    /// A string literal; the text is what stands between the quotes.
    Text,
    /// A number, a character or a lifetime.
    Other,
}

/// A piece of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustToken {
    /// What it is.
    pub(crate) kind: RustTokenKind,
    /// Its spelling.
    pub(crate) text: String,
    /// The line it begins on.
    pub(crate) line: usize,
    /// The line it ends on.
    pub(crate) last: usize,
}

/// A line of comment, with its marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comment {
    /// The line.
    pub(crate) line: usize,
    /// Its text.
    pub(crate) text: String,
}

/// Takes a text apart.
pub(crate) fn lex(text: &str) -> (Vec<RustToken>, Vec<Comment>) {
    let mut scanner = RustScanner { chars: text.chars().collect(), at: 0, line: 1, ..RustScanner::default() };
    while scanner.at < scanner.chars.len() {
        scanner.step();
    }
    (scanner.tokens, scanner.comments)
}

#[derive(Default)]
struct RustScanner {
    chars: Vec<char>,
    at: usize,
    line: usize,
    tokens: Vec<RustToken>,
    comments: Vec<Comment>,
}

impl RustScanner {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn bump(&mut self) -> char {
        let c = self.peek(0);
        self.at += 1;
        if c == '\n' {
            self.line += 1;
        }
        c
    }

    fn push(&mut self, kind: RustTokenKind, text: String, line: usize) {
        self.tokens.push(RustToken { kind, text, line, last: self.line });
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (c, _) if c.is_whitespace() => {
                self.bump();
            }
            ('/', '/') => self.line_comment(),
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('\'', _) => self.quote(),
            (c, _) if c.is_ascii_digit() => self.number(),
            (c, _) if is_word(c) => self.word(),
            _ => {
                let (mark, line) = (self.bump(), self.line);
                self.push(RustTokenKind::Code, mark.to_string(), line);
            }
        }
    }

    fn line_comment(&mut self) {
        let mut text = String::new();
        while self.at < self.chars.len() && self.peek(0) != '\n' {
            text.push(self.bump());
        }
        self.comments.push(Comment { line: self.line, text });
    }

    /// Block comments nest; each of their lines is a comment of its own.
    fn block_comment(&mut self) {
        let mut depth = 0;
        let mut text = String::new();
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => depth += 1,
                ('*', '/') => depth -= 1,
                ('\n', _) => self.comments.push(Comment { line: self.line, text: std::mem::take(&mut text) }),
                _ => {
                    text.push(self.bump());
                    continue;
                }
            }
            if self.bump() != '\n' {
                self.bump();
            }
            if depth == 0 {
                break;
            }
        }
        self.comments.push(Comment { line: self.line, text });
    }

    fn string(&mut self) {
        let line = self.line;
        let mut text = String::new();
        self.bump();
        while self.at < self.chars.len() && self.peek(0) != '"' {
            if self.peek(0) == '\\' {
                text.push(self.bump());
            }
            text.push(self.bump());
        }
        self.bump();
        self.push(RustTokenKind::Text, text, line);
    }

    /// A raw string, from its first `#` or quote on.
    fn raw_string(&mut self) {
        let line = self.line;
        let mut hashes = 0;
        while self.peek(0) == '#' {
            self.bump();
            hashes += 1;
        }
        self.bump();
        let mut text = String::new();
        let ends = |this: &Self| this.peek(0) == '"' && (1..=hashes).all(|ahead| this.peek(ahead) == '#');
        while self.at < self.chars.len() && !ends(self) {
            text.push(self.bump());
        }
        (0..=hashes).for_each(|_| {
            self.bump();
        });
        self.push(RustTokenKind::Text, text, line);
    }

    /// A character or a lifetime: `'a'` is the one, `'a` the other.
    fn quote(&mut self) {
        let line = self.line;
        self.bump();
        if self.peek(0) == '\\' {
            self.bump();
            self.bump();
            while self.at < self.chars.len() && self.peek(0) != '\'' {
                self.bump();
            }
            self.bump();
        } else if self.peek(1) == '\'' {
            self.bump();
            self.bump();
        } else {
            self.take_word();
        }
        self.push(RustTokenKind::Other, String::new(), line);
    }

    fn number(&mut self) {
        let line = self.line;
        let mut text = self.take_word();
        if self.peek(0) == '.' && self.peek(1).is_ascii_digit() {
            text.push(self.bump());
            text.push_str(&self.take_word());
        }
        self.push(RustTokenKind::Other, text, line);
    }

    fn word(&mut self) {
        let line = self.line;
        let word = self.take_word();
        let raw = self.peek(0) == '"' || (self.peek(0) == '#' && matches!(self.peek(1), '"' | '#'));
        match word.as_str() {
            "b" | "c" if self.peek(0) == '"' => self.string(),
            "b" if self.peek(0) == '\'' => self.quote(),
            "r" | "br" | "cr" if raw => self.raw_string(),
            "r" if self.peek(0) == '#' && is_word(self.peek(1)) => {
                self.bump();
                let word = self.take_word();
                self.push(RustTokenKind::Code, word, line);
            }
            _ => self.push(RustTokenKind::Code, word, line),
        }
    }

    fn take_word(&mut self) -> String {
        let mut word = String::new();
        while is_word(self.peek(0)) {
            word.push(self.bump());
        }
        word
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        lex(text)
            .0
            .into_iter()
            .filter(|token| token.kind == RustTokenKind::Code)
            .map(|token| token.text)
            .collect()
    }

    fn texts(text: &str) -> Vec<String> {
        lex(text)
            .0
            .into_iter()
            .filter(|token| token.kind == RustTokenKind::Text)
            .map(|token| token.text)
            .collect()
    }

    #[test]
    fn comments_are_not_code() {
        let (tokens, comments) = lex("a // unsafe\n/* b /* nested */\nstill */ c");
        assert_eq!(
            tokens.iter().map(|t| (t.text.as_str(), t.line)).collect::<Vec<_>>(),
            [("a", 1), ("c", 3)]
        );
        assert_eq!(comments.iter().map(|c| c.line).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(comments[2].text.contains("still"));
    }

    #[test]
    fn strings_are_not_code() {
        assert_eq!(code(r##"f("unsafe \" {", r#"a " b"#, b"x", br"y", c"z") g"##).join(""), "f(,,,,)g");
        assert_eq!(texts(r##""a\"b" r#"c"d"# b"e""##), ["a\\\"b", "c\"d", "e"]);
    }

    #[test]
    fn characters_and_lifetimes() {
        assert_eq!(code(r"'a' x '\'' y '\u{1f}' 'static z b'{' '{' w").join(""), "xyzw");
        assert_eq!(code("fn f<'a>(x: &'a str)").join(" "), "fn f < > ( x : & str )");
    }

    #[test]
    fn raw_words_and_numbers() {
        assert_eq!(code("r#type 1..2 1.5f32 0xff_u8 r"), ["type", ".", ".", "r"]);
    }

    #[test]
    fn a_long_string_knows_its_last_line() {
        let (tokens, _) = lex("\"a\nb\nc\" d");
        assert_eq!((tokens[0].line, tokens[0].last, tokens[1].line), (1, 3, 3));
    }
}
