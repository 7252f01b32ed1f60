//! The words and signs between `{{` and `}}`, and between `{%` and `%}`. May not know what they mean together.

use std::ops::Range;

/// What is wrong in a template, and which bytes of it are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) hint: String,
    pub(super) range: Range<usize>,
}

impl Fault {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into(), range }
    }
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Name,
    Number,
    /// With its quotes.
    Text,
    Sign(&'static str),
}

/// One token, and which bytes it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TemplateToken {
    pub(super) kind: TokenKind,
    pub(super) range: Range<usize>,
}

/// The inside of a tag.
#[derive(Debug)]
pub(super) struct Inside {
    pub(super) tokens: Vec<TemplateToken>,
    /// Where the text after the tag begins.
    pub(super) end: usize,
    /// Whether white space after the tag goes away.
    pub(super) trims: bool,
}

/// Longer signs first: the first that fits is taken.
const SIGNS: &[&str] =
    &["..", "==", "!=", "<>", "<=", ">=", "<", ">", "=", "|", ":", ",", ".", "[", "]", "(", ")"];

/// Reads tokens from `at` up to the closing mark `close` (`}}` or `%}`). `open` is where the tag begins.
pub(super) fn inside(text: &str, open: usize, at: usize, close: &str) -> Result<Inside, Fault> {
    let mut at = at;
    let mut tokens = Vec::new();
    loop {
        let rest = &text[at..];
        let Some(first) = rest.chars().next() else { return Err(unclosed(text, open, close)) };
        if let Some(trims) = closes(rest, close) {
            return Ok(Inside { tokens, end: at + close.len() + usize::from(trims), trims });
        }
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, length) = next(rest).map_err(|fault| within(fault, at))?;
        tokens.push(TemplateToken { kind, range: at..at + length });
        at += length;
    }
}

/// Whether a text begins with the closing mark, and if so whether with a dash.
pub(super) fn closes(rest: &str, close: &str) -> Option<bool> {
    if rest.starts_with(close) {
        return Some(false);
    }
    rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(close)).then_some(true)
}

fn next(rest: &str) -> Result<(TokenKind, usize), Fault> {
    let first = rest.chars().next().unwrap_or_default();
    if matches!(first, '"' | '\'') {
        let Some(end) = rest[1..].find(first) else {
            let hint = format!("Close the text with `{first}`.");
            return Err(Fault::new(0..1, "a text in a template does not end", hint));
        };
        return Ok((TokenKind::Text, end + 2));
    }
    if let Some(length) = number(rest) {
        return digits(rest, length);
    }
    if first.is_alphabetic() || first == '_' {
        return Ok((TokenKind::Name, name(rest)));
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => Ok((TokenKind::Sign(sign), sign.len())),
        None => {
            let message = format!("`{}` has no meaning in a template", first.escape_debug());
            let hint = "Remove it, or put the text between `{% raw %}` and `{% endraw %}`.";
            Err(Fault::new(0..first.len_utf8(), message, hint))
        }
    }
}

fn digits(rest: &str, length: usize) -> Result<(TokenKind, usize), Fault> {
    let text = &rest[..length];
    if text.contains('.') || text.parse::<i64>().is_ok() {
        return Ok((TokenKind::Number, length));
    }
    Err(Fault::new(0..length, format!("`{text}` is too large a number"), "Write it as a text, in quotes."))
}

/// How long the number is that a text begins with.
fn number(rest: &str) -> Option<usize> {
    let count = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(rest.starts_with(['+', '-']));
    let whole = count(&rest[sign..]);
    if whole == 0 {
        return None;
    }
    let fraction = rest[sign + whole..].strip_prefix('.').map_or(0, count);
    Some(sign + whole + if fraction == 0 { 0 } else { fraction + 1 })
}

/// How long the name is that a text begins with. A dash that closes a tag does not belong to it.
pub(super) fn name(rest: &str) -> usize {
    let ends = rest.char_indices().find(|&(at, char)| match char {
        '-' => closes(&rest[at..], "}}").is_some() || closes(&rest[at..], "%}").is_some(),
        '_' => false,
        _ => !char.is_alphanumeric(),
    });
    ends.map_or(rest.len(), |(at, _)| at)
}

fn within(fault: Fault, at: usize) -> Fault {
    Fault { range: fault.range.start + at..fault.range.end + at, ..fault }
}

pub(super) fn unclosed(text: &str, open: usize, close: &str) -> Fault {
    let opening = &text[open..open + 2];
    let hint =
        format!("Close it with `{close}`, or put the text between `{{% raw %}}` and `{{% endraw %}}`.");
    Fault::new(open..open + 2, format!("`{opening}` is not closed"), hint)
}
