//! Filters that write a value for somebody else: a shell, an address, a page, JSON. May not shorten anything.

use super::{FilterCall, FilterResult, told, unfit};
use crate::remote::hexadecimal;
use crate::template::value::LiquidValue;

/// A value as one word for a POSIX shell. A list is one word per item.
pub(super) fn shell_escape(call: &FilterCall<'_>) -> FilterResult {
    match call.input {
        LiquidValue::List(items) => {
            told(items.iter().map(|item| quoted(&item.shown())).collect::<Vec<_>>().join(" "))
        }
        other => told(quoted(&other.shown())),
    }
}

/// One word: between single quotes everything is itself but the single quote.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Nothing stays nothing.
fn unless_nil(call: &FilterCall<'_>, made: impl FnOnce(&str) -> FilterResult) -> FilterResult {
    match call.input {
        LiquidValue::Nil => Ok(LiquidValue::Nil),
        other => made(&other.shown()),
    }
}

/// What stands for a sign of HTML, without its `&`.
pub(super) const ESCAPED: &[&str] = &["lt;", "gt;", "#39;", "quot;", "amp;"];

/// Escaped for HTML; what stands for a sign already is left alone where it is known.
pub(super) fn escape(call: &FilterCall<'_>, known: &[&str]) -> FilterResult {
    unless_nil(call, |text| told(escaped(text, known)))
}

fn escaped(text: &str, known: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, char) in text.char_indices() {
        match char {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\'' => out.push_str("&#39;"),
            '"' => out.push_str("&quot;"),
            '&' if !known.iter().any(|one| text[at + 1..].starts_with(one)) => out.push_str("&amp;"),
            other => out.push(other),
        }
    }
    out
}

/// What stands between these goes; the first of them first.
const HTML: &[(&str, &str)] =
    &[("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"), ("<", ">")];

pub(super) fn strip_html(call: &FilterCall<'_>) -> FilterResult {
    told(HTML.iter().fold(call.text().into_owned(), |text, (open, close)| without(&text, open, close)))
}

/// A text without everything from an opening mark to the next closing one, whatever their case.
fn without(text: &str, open: &str, close: &str) -> String {
    // One byte for one, so places in it are places in the text.
    let lower = text.to_ascii_lowercase();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(start) = lower[at..].find(open).map(|found| at + found) {
        let inside = start + open.len();
        let Some(end) = lower[inside..].find(close).map(|found| inside + found + close.len()) else { break };
        out.push_str(&text[at..start]);
        at = end;
    }
    out + &text[at..]
}

pub(super) fn url_encode(call: &FilterCall<'_>) -> FilterResult {
    unless_nil(call, |text| {
        let mut out = String::with_capacity(text.len());
        for byte in text.bytes() {
            match byte {
                b'-' | b'.' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => out.push(char::from(byte)),
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        told(out)
    })
}

/// A `%` without two digits behind it is itself.
pub(super) fn url_decode(call: &FilterCall<'_>) -> FilterResult {
    unless_nil(call, |text| {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some((&first, after)) = rest.split_first() {
            let decoded = (first == b'%').then(|| hexadecimal(after)).flatten();
            bytes.push(decoded.unwrap_or(if first == b'+' { b' ' } else { first }));
            rest = if decoded.is_some() { &after[2..] } else { after };
        }
        String::from_utf8(bytes).map_or_else(|_| Err(unfit("gives bytes that are no text")), told)
    })
}
