//! YAML: a block of lines in a map or a list, put in or taken out; the lines around it stay.
//!
//! Only block style at the top of a file is edited, and an empty list in braces or brackets. May not give a word a type:
//! what is read is compared, not used.

use super::lines::{TextLine, appended, lines, without};
use super::{BYTE_ORDER_MARK, EntryPlace, Insertion, TextTrouble, beginning, line_end};
use granit_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Value};

/// How deep maps and lists may be nested.
const DEPTH: usize = 128;

/// What a text says: maps, lists, words, and nothing at all.
pub(super) fn value(text: &str) -> Result<Value, TextTrouble> {
    let inner = text.trim_start_matches(BYTE_ORDER_MARK);
    let options = granit_parser::options! {
        emit_comments: false,
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
    };
    let parser = Parser::new_from_str_with_options(inner, options);
    YamlReader { text, ahead: text.len() - inner.len(), parser }.whole()
}

/// Reads events into a value.
struct YamlReader<'a> {
    text: &'a str,
    /// Bytes of the text that the parser does not see.
    ahead: usize,
    parser: Parser<'a, StrInput<'a>>,
}

/// An event, and where it stands.
type PlacedEvent<'a> = (Event<'a>, usize);

impl<'a> YamlReader<'a> {
    fn whole(&mut self) -> Result<Value, TextTrouble> {
        let mut read = None;
        loop {
            let (event, at) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentEnd => {}
                Event::StreamEnd => break,
                Event::DocumentStart(..) if read.is_some() => {
                    return Err(TextTrouble::broken(self.text, at, "a second document begins here"));
                }
                Event::DocumentStart(..) => {}
                event => read = Some(self.value_of(event, at)?),
            }
        }
        Ok(match read {
            None | Some(Value::Null) => Value::Object(Map::new()),
            Some(value) => value,
        })
    }

    fn next(&mut self) -> Result<PlacedEvent<'a>, TextTrouble> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, self.ahead + span.byte_range().unwrap_or_default().start)),
            Some(Err(error)) => {
                let at = error.marker().byte_offset().unwrap_or(self.text.len()) + self.ahead;
                Err(TextTrouble::broken(self.text, at, error.info()))
            }
            None => Ok((Event::StreamEnd, self.text.len())),
        }
    }

    fn value_of(&mut self, event: Event<'a>, at: usize) -> Result<Value, TextTrouble> {
        match event {
            Event::Scalar(word, ScalarStyle::Plain, ..) if matches!(&*word, "" | "~" | "null") => {
                Ok(Value::Null)
            }
            Event::Scalar(word, ..) => Ok(Value::String(word.into_owned())),
            Event::Alias(anchor) => Ok(Value::String(format!("*{anchor}"))),
            Event::SequenceStart(..) => self.list(),
            Event::MappingStart(..) => self.map(),
            _ => Err(TextTrouble::broken(self.text, at, "a value is missing")),
        }
    }

    fn list(&mut self) -> Result<Value, TextTrouble> {
        let mut items = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::Array(items)),
                (event, at) => items.push(self.value_of(event, at)?),
            }
        }
    }

    fn map(&mut self) -> Result<Value, TextTrouble> {
        let mut members = Map::new();
        loop {
            let (event, at) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                return Ok(Value::Object(members));
            }
            let key = match self.value_of(event, at)? {
                Value::String(word) => word,
                other => other.to_string(),
            };
            let (event, place) = self.next()?;
            let value = self.value_of(event, place)?;
            if members.insert(key, value).is_some() {
                return Err(TextTrouble::broken(self.text, at, "this key is there twice"));
            }
        }
    }
}

/// Whether a value is nothing: an empty list, as YAML writes it.
pub(super) fn is_nothing(value: &Value) -> bool {
    value.is_null()
}

/// An entry as it is read: without types.
pub(super) fn as_read(entry: &Value) -> Value {
    match entry {
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), as_read(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(as_read).collect(),
        Value::String(word) => Value::String(word.clone()),
        other => Value::String(other.to_string()),
    }
}

/// Puts a map of its own into the map of servers.
pub(super) fn put_in_map(text: &str, place: EntryPlace<'_>, entry: &Value) -> Result<Insertion, TextTrouble> {
    let block = |indent: &str| map_block(place.key, entry, indent);
    put(text, place, block, &format!("{}: {}", quoted(place.key), flow(entry)))
}

/// Puts an item into the list of servers.
pub(super) fn put_in_list(
    text: &str,
    place: EntryPlace<'_>,
    entry: &Value,
) -> Result<Insertion, TextTrouble> {
    let block = |indent: &str| list_block(entry, indent);
    put(text, place, block, &flow(entry))
}

/// A map under a key, a line each.
pub(super) fn map_block(key: &str, entry: &Value, indent: &str) -> Vec<String> {
    let head = format!("{indent}{}:", word(key));
    std::iter::once(head).chain(members(entry, &format!("{indent}  "))).collect()
}

/// An item of a list, a line each.
pub(super) fn list_block(entry: &Value, indent: &str) -> Vec<String> {
    let mut all = members(entry, &format!("{indent}  "));
    if let Some(first) = all.first_mut() {
        *first = format!("{indent}- {}", first.trim_start());
    }
    all
}

/// Puts a block in front of the others of its list, or with a list of its own behind everything.
fn put(
    text: &str,
    place: EntryPlace<'_>,
    block: impl Fn(&str) -> Vec<String>,
    inside: &str,
) -> Result<Insertion, TextTrouble> {
    let all = lines(text);
    let end = line_end(text);
    let Some(at) = all.iter().position(|line| is_key(line, place.list)) else {
        let list = std::iter::once(format!("{}:", word(place.list)));
        return Ok(appended(text, &list.chain(block("  ")).collect::<Vec<_>>()));
    };
    let line = &all[at];
    let said = line.text.split_once(':').map_or("", |(_, rest)| rest);
    let said = said.split(" #").next().unwrap_or(said).trim();
    if matches!(said, "{}" | "[]" | "{ }" | "[ ]") {
        let brace = line.text.rfind(['}', ']']).unwrap_or(line.text.len());
        return Ok(Insertion { at: line.range.start + brace, put: inside.to_owned() });
    }
    if !said.is_empty() {
        return Err(TextTrouble::closed(format!("`{}` in it is written on one line", place.list)));
    }
    let first = all[at + 1..].iter().find(|line| !line.is_silent());
    let indent = first.filter(|line| line.indent() > 0 || line.text.starts_with("- "));
    let indent = " ".repeat(indent.map_or(2, TextLine::indent));
    let block = block(&indent).join(end);
    let has_end = text[line.range.clone()].ends_with('\n');
    let put = if has_end { format!("{block}{end}") } else { format!("{end}{block}") };
    Ok(Insertion { at: line.range.end.max(beginning(text)), put })
}

/// Whether a line at the top has this key.
fn is_key(line: &TextLine<'_>, key: &str) -> bool {
    let spelled = [key.to_owned(), format!("\"{key}\""), format!("'{key}'")];
    let colon = |rest: &str| {
        let rest = rest.trim_start();
        rest.starts_with(':') && rest[1..].chars().next().is_none_or(char::is_whitespace)
    };
    spelled.iter().any(|spelled| line.text.strip_prefix(spelled.as_str()).is_some_and(colon))
}

/// The members of an entry, a line each.
fn members(entry: &Value, indent: &str) -> Vec<String> {
    let members = entry.as_object().into_iter().flatten();
    members
        .map(|(key, value)| {
            let value = match value {
                Value::String(text) => word(text),
                other => flow(other),
            };
            format!("{indent}{}: {value}", word(key))
        })
        .collect()
}

/// A value on one line: JSON, which YAML reads.
fn flow(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{}: {}", quoted(key), flow(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// A word as it is, or in quotes where it could mean something else.
fn word(text: &str) -> String {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '/' | '.');
    let begins = text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
    let other = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let is_plain = begins && text.chars().all(is_letter) && !other.contains(&text.to_lowercase().as_str());
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// Takes a whole list out.
pub(super) fn take_list(text: &str, list: &str) -> String {
    let all = lines(text);
    let Some(at) = all.iter().position(|line| is_key(line, list)) else { return text.to_owned() };
    let is_inside = |line: &TextLine<'_>| {
        line.is_silent() || line.indent() > 0 || line.text.starts_with("- ") || line.text == "-"
    };
    let next = all[at + 1..].iter().position(|line| !is_inside(line)).map_or(all.len(), |next| at + 1 + next);
    let silent = all[at + 1..next].iter().rev().take_while(|line| line.is_silent()).count();
    let last = if next == all.len() { next } else { next - silent };
    let blank = at > 0 && all[at - 1].text.trim().is_empty() && last == all.len();
    let from = if blank { all[at - 1].range.start } else { all[at].range.start };
    without(text, from..all.get(last).map_or(text.len(), |line| line.range.start))
}

/// A text whose list stands on one line, in braces or brackets, with nothing in them.
fn emptied_line(text: &str, list: &str) -> Option<String> {
    let line = lines(text).into_iter().find(|line| is_key(line, list))?;
    let (key, rest) = line.text.split_once(':')?;
    let open =
        rest.find(|letter: char| !letter.is_whitespace()).filter(|at| rest[*at..].starts_with(['{', '[']))?;
    let close = rest.rfind(['}', ']'])?;
    let start = line.range.start + key.len() + 1;
    Some([&text[..=start + open], &text[start + close..]].concat())
}

/// Takes a map out of the map of servers.
pub(super) fn take_from_map(text: &str, place: EntryPlace<'_>) -> String {
    if let Some(emptied) = emptied_line(text, place.list) {
        return emptied;
    }
    let (all, inside) = (lines(text), block_of(text, place.list));
    let indent = inside.clone().find(|at| !all[*at].is_silent()).map_or(0, |at| all[at].indent());
    let is_ours = |at: &usize| {
        let line = &all[*at];
        let own = TextLine { text: line.text.trim_start_matches(' '), range: line.range.clone() };
        line.indent() == indent && is_key(&own, place.key)
    };
    let Some(first) = inside.clone().find(is_ours) else { return text.to_owned() };
    let is_next = |at: &usize| !all[*at].is_silent() && all[*at].indent() <= indent;
    let next = (first + 1..inside.end).find(is_next).unwrap_or(inside.end);
    cut(text, &all, first, next)
}

/// Takes an item out of the list of servers.
pub(super) fn take_from_list(text: &str, place: EntryPlace<'_>, said: &Value) -> String {
    if let Some(emptied) = emptied_line(text, place.list) {
        return emptied;
    }
    let (all, inside) = (lines(text), block_of(text, place.list));
    let items = said.get(place.list).and_then(Value::as_array);
    let is_ours = |item: &Value| item.get("name").and_then(Value::as_str) == Some(place.key);
    let Some(wanted) = items.and_then(|items| items.iter().position(is_ours)) else {
        return text.to_owned();
    };
    let indent = inside.clone().find(|at| !all[*at].is_silent()).map_or(0, |at| all[at].indent());
    let is_item = |at: &usize| {
        let rest = all[*at].text.trim_start_matches(' ');
        all[*at].indent() == indent && (rest.starts_with("- ") || rest == "-")
    };
    let starts: Vec<usize> = inside.clone().filter(is_item).collect();
    let Some(first) = starts.get(wanted) else { return text.to_owned() };
    let next = starts.get(wanted + 1).copied().unwrap_or(inside.end);
    cut(text, &all, *first, next)
}

/// The numbers of the lines of a list, without its key.
fn block_of(text: &str, list: &str) -> std::ops::Range<usize> {
    let all = lines(text);
    let Some(at) = all.iter().position(|line| is_key(line, list)) else { return 0..0 };
    let is_out = |line: &TextLine<'_>| {
        !line.is_silent() && line.indent() == 0 && !line.text.starts_with("- ") && line.text != "-"
    };
    let end = all[at + 1..].iter().position(is_out).map_or(all.len(), |next| at + 1 + next);
    at + 1..end
}

/// The text without these lines; comments and blank lines behind them belong to what follows.
fn cut(text: &str, all: &[TextLine<'_>], first: usize, next: usize) -> String {
    let silent = all[first + 1..next].iter().rev().take_while(|line| line.is_silent()).count();
    let last = next - silent;
    let to = all.get(last).map_or(text.len(), |line| line.range.start);
    without(text, all[first].range.start..to)
}
