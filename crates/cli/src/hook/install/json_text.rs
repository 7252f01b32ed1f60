//! JSON with comments as text: where its parts are, so that one can be added or taken out and every other byte kept.
//!
//! May not read anything into the values: it finds, adds and takes out.

use serde_json::Value;
use std::ops::Range;

/// A value in a text, and the parts in it.
#[derive(Debug, Clone)]
pub(crate) struct JsonPlace {
    span: Range<usize>,
    parts: JsonParts,
}

#[derive(Debug, Clone)]
enum JsonParts {
    None,
    Object(Vec<(String, JsonPlace)>),
    Array(Vec<JsonPlace>),
}

/// An element of a list that can be taken out.
#[derive(Debug)]
pub(crate) struct JsonElement {
    cut: Range<usize>,
}

impl JsonElement {
    /// The text without it, and without the comma that it needed.
    pub(crate) fn removed(&self, text: &str) -> String {
        format!("{}{}", &text[..self.cut.start], &text[self.cut.end..])
    }
}

impl JsonPlace {
    /// The value of a text.
    pub(crate) fn root(text: &str) -> Option<Self> {
        let start = blank(text, text.strip_prefix('\u{feff}').map_or(0, |_| 3));
        let root = read(text, start, 0)?;
        (blank(text, root.span.end) == text.len()).then_some(root)
    }

    fn member(&self, name: &str) -> Option<&JsonPlace> {
        match &self.parts {
            JsonParts::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    fn at(&self, path: &[&str]) -> Option<&JsonPlace> {
        path.iter().try_fold(self, |place, name| place.member(name))
    }

    /// The first element of any list for which this holds, the outer ones first.
    pub(crate) fn find_element(&self, text: &str, is_it: &dyn Fn(&Value) -> bool) -> Option<JsonElement> {
        match &self.parts {
            JsonParts::None => None,
            JsonParts::Object(members) => {
                members.iter().find_map(|(_, value)| value.find_element(text, is_it))
            }
            JsonParts::Array(elements) => {
                let found = elements
                    .iter()
                    .position(|element| element.value(text).is_some_and(|value| is_it(&value)));
                match found {
                    Some(at) => Some(JsonElement { cut: cut(text, elements, at) }),
                    None => elements.iter().find_map(|element| element.find_element(text, is_it)),
                }
            }
        }
    }

    fn value(&self, text: &str) -> Option<Value> {
        serde_json::from_str(&without_comments(&text[self.span.clone()])).ok()
    }
}

/// From the end of the element before to the end of this one; or from this one to the next.
fn cut(text: &str, elements: &[JsonPlace], at: usize) -> Range<usize> {
    let own = &elements[at].span;
    match (at.checked_sub(1).map(|before| &elements[before]), elements.get(at + 1)) {
        (Some(before), _) => before.span.end..own.end,
        (None, Some(next)) => own.start..next.span.start,
        (None, None) => {
            // The last one: the line that it was given goes with it, and a comma behind it.
            let opened = text[..own.start].rfind('[').map_or(own.start, |at| at + 1);
            let only_blank = text[opened..own.start].trim().is_empty();
            let end = blank(text, own.end);
            let end = if text[end..].starts_with(',') { blank(text, end + 1) } else { end };
            let end = if text[own.end..end].contains("//") || text[own.end..end].contains("/*") {
                own.end
            } else {
                end
            };
            if only_blank { opened..end } else { own.start..own.end }
        }
    }
}

/// Whether the list at a path has this element.
pub(crate) fn has(text: &str, path: &[&str], element: &Value) -> bool {
    let list = JsonPlace::root(text).and_then(|root| root.at(path).cloned());
    list.and_then(|list| list.value(text))
        .is_some_and(|list| list.as_array().is_some_and(|elements| elements.contains(element)))
}

/// The text with an element at the end of the list at a path. What is missing on the way is made.
pub(crate) fn added(text: &str, path: &[&str], element: &Value) -> Option<String> {
    let root = JsonPlace::root(text)?;
    let mut place = &root;
    let mut depth = 0;
    while let Some(inner) = path.get(depth).and_then(|name| place.member(name)) {
        (place, depth) = (inner, depth + 1);
    }
    let new = match (&path[depth..], &place.parts) {
        ([], JsonParts::Array(elements)) => {
            let written = indented(element, depth + 1);
            inserted(text, place, elements.last().map(|last| last.span.end), &written, depth)
        }
        ([first, rest @ ..], JsonParts::Object(members)) => {
            let inner = rest.iter().rev().fold(Value::Array(vec![element.clone()]), |value, name| {
                Value::Object([((*name).to_owned(), value)].into_iter().collect())
            });
            let written = format!("{}: {}", Value::from(*first), indented(&inner, depth + 1));
            inserted(text, place, members.last().map(|(_, last)| last.span.end), &written, depth)
        }
        _ => return None,
    };
    has(&new, path, element).then_some(new)
}

/// A text with something more at the end of an object or a list.
fn inserted(text: &str, place: &JsonPlace, last: Option<usize>, written: &str, depth: usize) -> String {
    let pad = "  ".repeat(depth + 1);
    match last {
        Some(last) => {
            let next = blank(text, last);
            // Behind a comma that stands there already, the new one gets one too, so that taking it out is the same again.
            let (at, comma, trail) =
                if text[next..].starts_with(',') { (next + 1, "", ",") } else { (last, ",", "") };
            format!("{}{comma}\n{pad}{written}{trail}{}", &text[..at], &text[at..])
        }
        None => {
            let (start, end) = (place.span.start + 1, place.span.end - 1);
            let outer = "  ".repeat(depth);
            let inside = &text[start..end];
            let kept = if inside.trim().is_empty() { "" } else { inside.trim_end() };
            format!("{}{kept}\n{pad}{written}\n{outer}{}", &text[..start], &text[end..])
        }
    }
}

fn indented(value: &Value, depth: usize) -> String {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.replace('\n', &format!("\n{}", "  ".repeat(depth)))
}

/// The same text with blanks in place of comments and of commas behind the last part.
pub(crate) fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut at, mut comma) = (0, None);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = string_end(text, at).unwrap_or(bytes.len());
                comma = None;
            }
            b'/' if blank(text, at) > at => {
                let end = comment_end(text, at);
                bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
                at = end;
            }
            byte => {
                match (byte, comma) {
                    (b',', _) => comma = Some(at),
                    (b'}' | b']', Some(comma)) => bytes[comma] = b' ',
                    _ => {}
                }
                if !byte.is_ascii_whitespace() && byte != b',' {
                    comma = None;
                }
                at += 1;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Behind blanks and comments.
fn blank(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let next = at + (rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len());
        let next = if comment_end(text, next) > next { comment_end(text, next) } else { next };
        if next == at {
            return at;
        }
        at = next;
    }
}

/// Behind the comment at a place; the place itself where there is none.
fn comment_end(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    if rest.starts_with("//") {
        rest.find('\n').map_or(text.len(), |end| at + end)
    } else if rest.starts_with("/*") {
        rest.find("*/").map_or(text.len(), |end| at + end + 2)
    } else {
        at
    }
}

fn string_end(text: &str, start: usize) -> Option<usize> {
    let mut letters = text[start + 1..].char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => drop(letters.next()?),
            '"' => return Some(start + 1 + at + 1),
            _ => {}
        }
    }
    None
}

const DEEPEST: usize = 64;

fn read(text: &str, at: usize, depth: usize) -> Option<JsonPlace> {
    if depth > DEEPEST {
        return None;
    }
    match text.as_bytes().get(at)? {
        b'{' => {
            let mut members = Vec::new();
            let end = listed(text, at + 1, b'}', |at| {
                let key_end = string_end(text, at).filter(|_| text[at..].starts_with('"'))?;
                let key = serde_json::from_str(&text[at..key_end]).ok()?;
                let colon = blank(text, key_end);
                let start = blank(text, text[colon..].starts_with(':').then_some(colon + 1)?);
                let value = read(text, start, depth + 1)?;
                let end = value.span.end;
                members.push((key, value));
                Some(end)
            })?;
            Some(JsonPlace { span: at..end, parts: JsonParts::Object(members) })
        }
        b'[' => {
            let mut elements = Vec::new();
            let end = listed(text, at + 1, b']', |at| {
                let value = read(text, at, depth + 1)?;
                let end = value.span.end;
                elements.push(value);
                Some(end)
            })?;
            Some(JsonPlace { span: at..end, parts: JsonParts::Array(elements) })
        }
        b'"' => Some(JsonPlace { span: at..string_end(text, at)?, parts: JsonParts::None }),
        _ => {
            let len = text[at..].find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)))?;
            serde_json::from_str::<Value>(&text[at..at + len]).ok()?;
            Some(JsonPlace { span: at..at + len, parts: JsonParts::None })
        }
    }
}

/// Reads parts with commas between them up to a closing sign. Gives the place behind it.
fn listed(text: &str, at: usize, close: u8, mut part: impl FnMut(usize) -> Option<usize>) -> Option<usize> {
    let mut at = blank(text, at);
    while *text.as_bytes().get(at)? != close {
        at = blank(text, part(at)?);
        if text[at..].starts_with(',') {
            at = blank(text, at + 1);
        } else if *text.as_bytes().get(at)? != close {
            return None;
        }
    }
    Some(at + 1)
}
