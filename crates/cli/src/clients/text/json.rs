//! JSON as people write it: comments and trailing commas stay, and so do indentation and the ends of lines.
//!
//! What is looked at is the text with comments and trailing commas blanked, in which every byte has its old place. May
//! not understand what a key means.

use super::{EntryPlace, Insertion, TextTrouble, beginning, is_blank, line_end};
use runward_mcp::gateway::config::written::plain;
use serde_json::Value;
use std::ops::Range;

/// What a text says.
pub(super) fn value(text: &str) -> Result<Value, TextTrouble> {
    serde_json::from_str(&plain(text)).map_err(|error| {
        let said = error.to_string();
        let what = said.split(" at line ").next().unwrap_or(&said).to_owned();
        TextTrouble::Broken { line: error.line(), column: error.column(), what }
    })
}

/// A member of an object, by its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct JsonMember {
    name: String,
    start: usize,
    value: Range<usize>,
}

/// An object, by its place in the text: its braces and its members.
#[derive(Debug, Clone, PartialEq, Eq)]
struct JsonObject {
    open: usize,
    close: usize,
    members: Vec<JsonMember>,
}

impl JsonObject {
    /// The object whose brace stands here, in a text that is known to be JSON.
    fn at(plain: &str, open: usize) -> Option<Self> {
        let bytes = plain.as_bytes();
        (bytes.get(open) == Some(&b'{')).then_some(())?;
        let mut members = Vec::new();
        let mut at = skip_blanks(bytes, open + 1);
        while bytes.get(at) == Some(&b'"') {
            let key = at..string_end(bytes, at);
            let colon = skip_blanks(bytes, key.end);
            let start = skip_blanks(bytes, colon + 1);
            let value = start..value_end(bytes, start);
            at = skip_blanks(bytes, value.end);
            if bytes.get(at) == Some(&b',') {
                at = skip_blanks(bytes, at + 1);
            }
            let name = serde_json::from_str(plain.get(key.clone())?).ok()?;
            members.push(JsonMember { name, start: key.start, value });
        }
        (bytes.get(at) == Some(&b'}')).then_some(Self { open, close: at, members })
    }

    /// The object that a text is.
    fn top(plain: &str) -> Option<Self> {
        Self::at(plain, skip_blanks(plain.as_bytes(), 0))
    }

    /// The only member of this name: with two of them, nobody knows which one counts.
    fn member(&self, name: &str) -> Result<Option<usize>, TextTrouble> {
        let mut found = self.members.iter().enumerate().filter(|(_, member)| member.name == name);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Err(TextTrouble::closed(format!("`{name}` is in it twice"))),
            (found, _) => Ok(found.map(|(index, _)| index)),
        }
    }
}

fn skip_blanks(bytes: &[u8], from: usize) -> usize {
    let blanks = bytes.iter().skip(from).take_while(|byte| byte.is_ascii_whitespace());
    from + blanks.count()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(at + 1)
}

fn value_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = string_end(bytes, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => break,
            b'}' | b']' if depth == 1 => return at + 1,
            b'}' | b']' => depth -= 1,
            byte if depth == 0 && byte.is_ascii_whitespace() => break,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Puts an entry into a text: into its list, or with a list of its own.
pub(super) fn put(text: &str, place: EntryPlace<'_>, entry: &Value) -> Result<Insertion, TextTrouble> {
    let with_list = serde_json::json!({ place.key: entry });
    let looks = JsonLooks::of(text);
    if is_blank(text) {
        let whole = serde_json::json!({ place.list: with_list });
        let put = looks.pretty(&whole, "") + looks.end;
        return Ok(Insertion { at: beginning(text), put });
    }
    let plain = plain(text);
    let top = JsonObject::top(&plain).ok_or_else(|| TextTrouble::closed("its top is not an object"))?;
    match top.member(place.list)? {
        None => Ok(member_into(text, &top, &looks, (place.list, &with_list))),
        Some(at) => {
            let list = JsonObject::at(&plain, top.members[at].value.start)
                .ok_or_else(|| TextTrouble::closed(format!("`{}` in it is not an object", place.list)))?;
            list.member(place.key)?;
            Ok(member_into(text, &list, &looks, (place.key, entry)))
        }
    }
}

/// An entry as people see it, a line each.
pub(super) fn shown(key: &str, entry: &Value) -> Vec<String> {
    let text = format!("{}: {}", Value::from(key), JsonLooks::of("").pretty(entry, ""));
    text.lines().map(str::to_owned).collect()
}

/// How a text is laid out.
struct JsonLooks {
    end: &'static str,
    unit: String,
}

impl JsonLooks {
    fn of(text: &str) -> Self {
        let indented = text.lines().find_map(|line| {
            let blanks = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
            (!blanks.is_empty() && line.trim_start().starts_with('"')).then(|| blanks.to_owned())
        });
        Self { end: line_end(text), unit: indented.unwrap_or_else(|| "  ".to_owned()) }
    }

    /// A value over several lines; lists of words stay on one.
    fn pretty(&self, value: &Value, indent: &str) -> String {
        match value {
            Value::Object(members) if !members.is_empty() => {
                let inner = format!("{indent}{}", self.unit);
                let members = members.iter().map(|(key, value)| {
                    format!("{inner}{}: {}", Value::from(key.as_str()), self.pretty(value, &inner))
                });
                let members: Vec<String> = members.collect();
                let end = self.end;
                format!("{{{end}{}{end}{indent}}}", members.join(&format!(",{end}")))
            }
            other => inline(other),
        }
    }
}

/// A value on one line, with blanks where people put them.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members
                .iter()
                .map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), inline(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Puts a member into an object: behind the last one, unless a comment there would change its place.
fn member_into(text: &str, object: &JsonObject, looks: &JsonLooks, member: (&str, &Value)) -> Insertion {
    let written = |indent: &str| format!("{}: {}", Value::from(member.0), looks.pretty(member.1, indent));
    let (Some(first), Some(last)) = (object.members.first(), object.members.last()) else {
        return into_empty(text, object, looks, written);
    };
    let end = looks.end;
    let ahead = &text[object.open + 1..first.start];
    let behind = &text[last.value.end..object.close];
    let comments = behind.contains('/');
    let Some(line) = ahead.rfind('\n') else {
        let on_one_line = format!("{}: {}", Value::from(member.0), inline(member.1));
        return if comments {
            Insertion { at: object.open + 1, put: format!("{on_one_line}, ") }
        } else {
            Insertion { at: last.value.end, put: format!(", {on_one_line}") }
        };
    };
    let indent: String = ahead[line + 1..].chars().take_while(|letter| letter.is_whitespace()).collect();
    if !comments {
        return Insertion { at: last.value.end, put: format!(",{end}{indent}{}", written(&indent)) };
    }
    if let Some(at) = behind_comment(behind) {
        let put = format!("{end}{indent}{},", written(&indent));
        return Insertion { at: last.value.end + at, put };
    }
    // In front of all others: a comment behind the brace keeps its line.
    let rest = ahead.split('\n').next().unwrap_or("").trim_end_matches('\r');
    let is_comment = rest.trim_start().starts_with("//") || rest.trim().is_empty();
    let at = object.open + 1 + if is_comment { rest.len() } else { 0 };
    Insertion { at, put: format!("{end}{indent}{},", written(&indent)) }
}

/// The end of the line on which the last member's own comma stands, if the comment behind it ends there, too.
fn behind_comment(behind: &str) -> Option<usize> {
    let comma = behind.find(|letter: char| !letter.is_whitespace())?;
    behind[comma..].starts_with(',').then_some(())?;
    let line = behind[comma..].split('\n').next()?.trim_end_matches('\r');
    let said = line[1..].trim();
    let ends = said.is_empty() || said.starts_with("//") || (said.starts_with("/*") && said.ends_with("*/"));
    (ends && comma + line.len() < behind.len()).then_some(comma + line.len())
}

fn into_empty(
    text: &str,
    object: &JsonObject,
    looks: &JsonLooks,
    written: impl Fn(&str) -> String,
) -> Insertion {
    let end = looks.end;
    let line = text[..object.open].rfind('\n').map_or(0, |at| at + 1);
    let base: String = text[line..].chars().take_while(|letter| matches!(letter, ' ' | '\t')).collect();
    let indent = format!("{base}{}", looks.unit);
    let inside = &text[object.open + 1..object.close];
    let said = inside.trim_end().len();
    let rest = if inside[said..].contains('\n') { String::new() } else { format!("{end}{base}") };
    Insertion { at: object.open + 1 + said, put: format!("{end}{indent}{}{rest}", written(&indent)) }
}

/// Takes a member out of an object: of the top, or of the object that the top has under a name.
pub(super) fn take_member(text: &str, list: Option<&str>, name: &str) -> Result<String, TextTrouble> {
    let none = || TextTrouble::closed(format!("`{name}` is not in it"));
    let plain = plain(text);
    let mut object = JsonObject::top(&plain).ok_or_else(none)?;
    if let Some(list) = list {
        let at = object.member(list)?.ok_or_else(none)?;
        object = JsonObject::at(&plain, object.members[at].value.start).ok_or_else(none)?;
    }
    let index = object.member(name)?.ok_or_else(none)?;
    let member = &object.members[index];
    let before = &text[..member.start];
    let mut start = before.trim_end_matches([' ', '\t']).len();
    // On a line of its own it goes with that line's beginning; on one line with others, with the blank.
    start =
        text[..start].strip_suffix('\n').map_or(start, |rest| rest.strip_suffix('\r').unwrap_or(rest).len());
    let mut end = member.value.end;
    let comma = skip_blanks(text.as_bytes(), end);
    let mut new = String::with_capacity(text.len());
    if text.as_bytes().get(comma) == Some(&b',') {
        end = comma + 1;
        new.push_str(&text[..start]);
    } else if let Some(ahead) = index.checked_sub(1).and_then(|at| object.members.get(at)) {
        // It was the last one, so the comma of the one before it goes.
        let own =
            plain[ahead.value.end..member.start].find(',').map_or(ahead.value.end, |at| ahead.value.end + at);
        new.push_str(&text[..own]);
        new.push_str(&text[(own + 1).min(start)..start]);
    } else {
        new.push_str(&text[..start]);
    }
    // Behind a brace or a comma on the same line, the blank ahead of the next one stays the only one.
    let rest = &text[end..];
    let rest = if index == 0 && !text[object.open..member.start].contains('\n') {
        rest.trim_start_matches(' ')
    } else {
        rest
    };
    let is_emptied = object.members.len() == 1 && new.ends_with('{');
    new.push_str(if is_emptied { rest.trim_start() } else { rest });
    Ok(new)
}
