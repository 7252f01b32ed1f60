//! The text of a client's file: one entry put in or taken out, and every other byte kept.
//!
//! Text goes in and text comes out. Whatever is done is checked by reading the text before and after: both say the same
//! but for the entry, or nothing is done. May not read or write a file. Read first: [`FileSyntax::put`].

mod json;
mod lines;
mod toml;
mod yaml;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FileSyntax {
    /// JSON, perhaps with comments and trailing commas.
    Json,
    /// TOML with a table for each server.
    Toml,
    /// YAML with a map of servers.
    YamlMap,
    /// YAML with a list of servers, each with a `name`.
    YamlList,
}

/// Where an entry stands: in this list of the file, under this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EntryPlace<'a> {
    /// The key of the list, at the top of the file.
    pub(crate) list: &'a str,
    /// The key of the entry.
    pub(crate) key: &'a str,
}

/// One change of a text: these bytes put in at this place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Insertion {
    pub(crate) at: usize,
    pub(crate) put: String,
}

impl Insertion {
    /// The text with the bytes in it.
    pub(crate) fn in_text(&self, text: &str) -> String {
        let (before, after) = text.split_at(self.at);
        [before, &self.put, after].concat()
    }
}

/// Why a text is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextTrouble {
    /// It cannot be read as a whole.
    Broken { line: usize, column: usize, what: String },
    /// It can be read, but nothing can be put in or taken out without changing the rest.
    Closed(String),
}

impl TextTrouble {
    /// It in words, for people.
    pub(crate) fn sentence(&self) -> String {
        match self {
            Self::Broken { line, column, what } => format!("line {line}, column {column}: {what}"),
            Self::Closed(why) => why.clone(),
        }
    }

    /// A place in a text, counted in bytes, as people count it.
    fn broken(text: &str, at: usize, what: impl Into<String>) -> Self {
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let before = &text[..at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1;
        Self::Broken { line, column, what: what.into() }
    }

    fn closed(why: impl Into<String>) -> Self {
        Self::Closed(why.into())
    }
}

/// What a list must be.
const NO_LIST: &str = "its list of servers is not written as one";

impl FileSyntax {
    /// What a text says. An empty one says nothing.
    pub(crate) fn value(self, text: &str) -> Result<Value, TextTrouble> {
        if is_blank(text) {
            return Ok(Value::Object(Map::new()));
        }
        match self {
            Self::Json => json::value(text),
            Self::Toml => toml::value(text),
            Self::YamlMap | Self::YamlList => yaml::value(text),
        }
    }

    /// An entry as [`FileSyntax::value`] would say it.
    pub(crate) fn entry_value(self, entry: &Value) -> Value {
        match self {
            Self::Json | Self::Toml => entry.clone(),
            Self::YamlMap | Self::YamlList => yaml::as_read(entry),
        }
    }

    /// Every entry of a list, with its key. What is no list has none.
    pub(crate) fn entries(self, value: &Value, list: &str) -> Vec<(String, Value)> {
        match (self, value.get(list)) {
            (Self::YamlList, Some(Value::Array(items))) => items
                .iter()
                .filter_map(|item| Some((item.get("name")?.as_str()?.to_owned(), item.clone())))
                .collect(),
            (_, Some(Value::Object(members))) if self != Self::YamlList => {
                members.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Puts a new entry into a text.
    pub(crate) fn put(
        self,
        text: &str,
        place: EntryPlace<'_>,
        entry: &Value,
    ) -> Result<Insertion, TextTrouble> {
        let before = self.value(text)?;
        let expected = self.with(&before, place, entry)?;
        let insertion = match self {
            Self::Json => json::put(text, place, entry)?,
            Self::Toml => toml::put(text, place, entry),
            Self::YamlMap => yaml::put_in_map(text, place, entry)?,
            Self::YamlList => yaml::put_in_list(text, place, entry)?,
        };
        match self.value(&insertion.in_text(text)) {
            Ok(after) if after == expected => Ok(insertion),
            _ => Err(TextTrouble::closed("the entry cannot be added without changing the rest")),
        }
    }

    /// An entry as people see it, a line each.
    pub(crate) fn shown(self, key: &str, entry: &Value) -> Vec<String> {
        match self {
            Self::Json => json::shown(key, entry),
            Self::Toml => toml::block(EntryPlace { list: "mcp_servers", key }, entry),
            Self::YamlMap => yaml::map_block(key, entry, ""),
            Self::YamlList => yaml::list_block(entry, ""),
        }
    }

    /// Takes an entry out of a text; and its list, where that is wanted and nothing else is in it.
    pub(crate) fn take(
        self,
        text: &str,
        place: EntryPlace<'_>,
        emptied: EmptyList,
    ) -> Result<String, TextTrouble> {
        let before = self.value(text)?;
        let mut expected = self.without(&before, place);
        let alone = self.entries(&before, place.list).len() == 1;
        let whole = alone && emptied == EmptyList::Goes;
        if whole && let Value::Object(members) = &mut expected {
            members.shift_remove(place.list);
        }
        let new = match self {
            Self::Json if whole => json::take_member(text, None, place.list)?,
            Self::Json => json::take_member(text, Some(place.list), place.key)?,
            Self::Toml => toml::take(text, place),
            Self::YamlMap | Self::YamlList if whole => yaml::take_list(text, place.list),
            Self::YamlMap => yaml::take_from_map(text, place),
            Self::YamlList => yaml::take_from_list(text, place, &before),
        };
        let says = self.value(&new)?;
        if says == expected || emptied_by(&says, &expected, place.list) {
            Ok(new)
        } else {
            Err(TextTrouble::closed("the entry cannot be taken out without changing the rest"))
        }
    }

    /// What a text says once an entry is in it.
    fn with(self, before: &Value, place: EntryPlace<'_>, entry: &Value) -> Result<Value, TextTrouble> {
        let mut all = before.clone();
        let top = all.as_object_mut().ok_or_else(|| TextTrouble::closed("its top is not a map of keys"))?;
        let entry = self.entry_value(entry);
        let none =
            || if self == Self::YamlList { Value::Array(Vec::new()) } else { Value::Object(Map::new()) };
        let list = top.entry(place.list).or_insert_with(none);
        if yaml::is_nothing(list) && matches!(self, Self::YamlMap | Self::YamlList) {
            *list = none();
        }
        match list {
            Value::Object(members) if self != Self::YamlList => {
                members.insert(place.key.to_owned(), entry);
            }
            Value::Array(items) if self == Self::YamlList => items.insert(0, entry),
            _ => return Err(TextTrouble::closed(format!("`{}`: {NO_LIST}", place.list))),
        }
        Ok(all)
    }

    /// What a text says once an entry is out of it.
    fn without(self, before: &Value, place: EntryPlace<'_>) -> Value {
        let mut all = before.clone();
        match all.get_mut(place.list) {
            Some(Value::Object(members)) => {
                members.shift_remove(place.key);
            }
            Some(Value::Array(items)) => {
                items.retain(|item| item.get("name").and_then(Value::as_str) != Some(place.key));
            }
            _ => {}
        }
        all
    }
}

/// What becomes of a list that is empty without the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyList {
    /// It stays.
    Stays,
    /// It goes, because it came with the entry.
    Goes,
}

/// An empty list may be gone or be nothing at all: a TOML file has no empty list, and YAML writes one as nothing.
fn emptied_by(says: &Value, expected: &Value, list: &str) -> bool {
    let without = |value: &Value| {
        let mut value = value.clone();
        let is_empty = match value.get(list) {
            Some(Value::Object(members)) => members.is_empty(),
            Some(Value::Array(items)) => items.is_empty(),
            Some(other) => yaml::is_nothing(other),
            None => true,
        };
        if let (true, Value::Object(members)) = (is_empty, &mut value) {
            members.shift_remove(list);
        }
        value
    };
    without(says) == without(expected)
}

/// The mark at the beginning of some files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether nothing is in a text.
pub(crate) fn is_blank(text: &str) -> bool {
    text.trim_start_matches(BYTE_ORDER_MARK).trim().is_empty()
}

/// Where a text begins: behind the byte-order mark.
fn beginning(text: &str) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len_utf8() } else { 0 }
}

/// How lines end in a text.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
