//! TOML: a table of its own behind everything else, or out of it again.
//!
//! May not touch what stands before or behind it.

use super::lines::{TextLine, appended, lines, without};
use super::{BYTE_ORDER_MARK, EntryPlace, Insertion, TextTrouble};
use serde_json::Value;

/// What a text says.
pub(super) fn value(text: &str) -> Result<Value, TextTrouble> {
    let inner = text.trim_start_matches(BYTE_ORDER_MARK);
    let broken = |at: usize, what: &str| {
        let what = what.lines().next().unwrap_or("it is not TOML");
        TextTrouble::broken(text, at + text.len() - inner.len(), what)
    };
    let table: ::toml::Table = inner.parse().map_err(|error: ::toml::de::Error| {
        broken(error.span().map_or(0, |span| span.start), error.message())
    })?;
    serde_json::to_value(table).map_err(|error| broken(0, &error.to_string()))
}

/// Puts a table behind everything else.
pub(super) fn put(text: &str, place: EntryPlace<'_>, entry: &Value) -> Insertion {
    appended(text, &block(place, entry))
}

/// The table, a line for each key.
pub(super) fn block(place: EntryPlace<'_>, entry: &Value) -> Vec<String> {
    let mut block = vec![format!("[{}.{}]", bare(place.list), bare(place.key))];
    for (key, value) in entry.as_object().into_iter().flatten() {
        block.push(format!("{} = {}", bare(key), written(value)));
    }
    block
}

/// A key, in quotes where it needs them.
fn bare(key: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if !key.is_empty() && key.chars().all(plain) { key.to_owned() } else { written(&Value::from(key)) }
}

/// A value. Words of JSON are words of TOML, but for the rarest letter.
fn written(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members = members.iter().map(|(key, value)| format!("{} = {}", bare(key), written(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(", ")),
        other => other.to_string().replace('\u{7f}', "\\u007f"),
    }
}

/// Takes a table out, with its own tables.
pub(super) fn take(text: &str, place: EntryPlace<'_>) -> String {
    let all = lines(text);
    let is_ours = |line: &TextLine<'_>| {
        header(line.text).is_some_and(
            |parts| matches!(&parts[..], [list, key, ..] if list == place.list && key == place.key),
        )
    };
    let is_other = |line: &TextLine<'_>| header(line.text).is_some() && !is_ours(line);
    let cut = |first: usize| {
        let next = all[first..].iter().position(is_other).map_or(all.len(), |at| first + at);
        // A comment above the next table is that table's.
        let silent = all[first..next].iter().rev().take_while(|line| line.is_silent()).count();
        let last = if next == all.len() { next } else { next - silent };
        let blank = first > 0 && all[first - 1].text.trim().is_empty() && next - silent == last;
        let from = if blank { all[first - 1].range.start } else { all[first].range.start };
        without(text, from..all.get(last).map_or(text.len(), |line| line.range.start))
    };
    // A line that only looks like the table, inside a string, leaves a text that is broken or still has the table.
    let is_out = |new: &String| value(new).is_ok_and(|says| says[place.list].get(place.key).is_none());
    let mut places = (0..all.len()).filter(|at| is_ours(&all[*at])).map(cut);
    places.find(is_out).unwrap_or_else(|| text.to_owned())
}

/// The parts of a table's name.
fn header(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    let inner = line.strip_prefix('[')?;
    if inner.starts_with('[') {
        return Some(Vec::new());
    }
    let read = value(&format!("[{}]", inner.split(']').next()?)).ok()?;
    let mut parts = Vec::new();
    let mut at = &read;
    while let Some((key, value)) = at.as_object().and_then(|members| members.iter().next()) {
        parts.push(key.clone());
        at = value;
    }
    Some(parts)
}
