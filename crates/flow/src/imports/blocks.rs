//! What a line of markdown begins with: quotes, list items, fences, headings. May not know the lines around it.

/// What a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockStart {
    /// A fence of this many marks.
    Fence { mark: u8, length: usize },
    /// A list item with a marker of this width; `first` unless it is a number other than 1.
    Item { width: usize, first: bool },
    /// A heading or a rule: a line of its own.
    Alone,
}

impl BlockStart {
    /// What the text of a line without its indentation begins, if anything.
    pub(super) fn of(rest: &str) -> Option<Self> {
        fence(rest).or_else(|| alone(rest)).or_else(|| item(rest))
    }
}

fn fence(rest: &str) -> Option<BlockStart> {
    let mark = *rest.as_bytes().first()?;
    if mark != b'`' && mark != b'~' {
        return None;
    }
    let length = rest.bytes().take_while(|byte| *byte == mark).count();
    let is_span = mark == b'`' && rest[length..].contains('`');
    (length >= 3 && !is_span).then_some(BlockStart::Fence { mark, length })
}

fn alone(rest: &str) -> Option<BlockStart> {
    let rest = rest.trim_end();
    let hashes = rest.bytes().take_while(|byte| *byte == b'#').count();
    let heading = (1..=6).contains(&hashes) && rest[hashes..].chars().next().is_none_or(char::is_whitespace);
    let underline = !rest.is_empty() && rest.bytes().all(|byte| byte == b'=');
    (heading || underline || is_rule(rest)).then_some(BlockStart::Alone)
}

fn is_rule(rest: &str) -> bool {
    let mark = rest.bytes().next();
    let only = || rest.bytes().all(|byte| Some(byte) == mark || byte == b' ' || byte == b'\t');
    let marks = || rest.bytes().filter(|byte| Some(*byte) == mark).count();
    matches!(mark, Some(b'-' | b'*' | b'_')) && only() && marks() >= 3
}

fn item(rest: &str) -> Option<BlockStart> {
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let width = match (digits, rest.as_bytes().get(digits)?) {
        (0, b'-' | b'*' | b'+') => 1,
        (1..=9, b'.' | b')') => digits + 1,
        _ => return None,
    };
    let first = digits == 0 || &rest[..digits] == "1";
    rest[width..].chars().next().is_none_or(char::is_whitespace).then_some(BlockStart::Item { width, first })
}

/// A place in a line, with its column. Tabs reach to the next multiple of four.
pub(super) struct Cursor<'l> {
    line: &'l str,
    at: usize,
    column: usize,
    /// The column behind the marks of the quotes; all others are counted from it.
    origin: usize,
}

impl<'l> Cursor<'l> {
    pub(super) fn new(line: &'l str) -> Self {
        Self { line, at: 0, column: 0, origin: 0 }
    }

    /// Goes behind the marks of at most this many quotes, and says how many there were.
    pub(super) fn quotes(&mut self, most: usize) -> usize {
        let mut found = 0;
        while found < most {
            let (at, column) = self.past_blanks();
            if column - self.column > 3 || self.line.as_bytes().get(at) != Some(&b'>') {
                break;
            }
            (self.at, self.column) = (at + 1, column + 1);
            if matches!(self.line.as_bytes().get(self.at), Some(b' ' | b'\t')) {
                (self.at, self.column) = (self.at + 1, self.column + 1);
            }
            self.origin = self.column;
            found += 1;
        }
        found
    }

    /// Goes behind a list marker of this width and says where the item's content begins.
    pub(super) fn enter(&mut self, width: usize) -> usize {
        (self.at, self.column) = self.past_blanks();
        (self.at, self.column) = (self.at + width, self.column + width);
        let (_, content) = self.past_blanks();
        let gap = content - self.column;
        let gap = if self.blank() || gap > 4 { 1 } else { gap };
        self.column - self.origin + gap
    }

    /// Whether nothing but white space is left.
    pub(super) fn blank(&self) -> bool {
        self.line[self.at..].trim().is_empty()
    }

    /// The column of the first thing that is left.
    pub(super) fn indent(&self) -> usize {
        self.past_blanks().1 - self.origin
    }

    /// What is left, without indentation.
    pub(super) fn rest(&self) -> &'l str {
        &self.line[self.past_blanks().0..]
    }

    fn past_blanks(&self) -> (usize, usize) {
        let (mut at, mut column) = (self.at, self.column);
        loop {
            match self.line.as_bytes().get(at) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += 4 - column % 4,
                _ => return (at, column),
            }
            at += 1;
        }
    }
}
