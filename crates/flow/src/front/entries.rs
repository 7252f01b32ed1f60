//! Keys with their values, in the order in which they were written. May not judge them.

use super::Value;
use crate::{FlowError, Mark};
use runward_engine::Code;

/// Keys with their values, in the order in which they were written. No key is there twice.
#[derive(Debug, Clone, Default)]
pub struct Front {
    entries: Vec<FrontEntry>,
}

#[derive(Debug, Clone)]
struct FrontEntry {
    key: String,
    value: Value,
    // Values that no file gave have no place.
    mark: Option<Box<Mark>>,
}

impl Front {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Whether the key is there, with whatever value.
    pub fn has(&self, key: &str) -> bool {
        self.entry(key).is_some()
    }

    /// Every key with its value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.entries.iter().map(|entry| (entry.key.as_str(), &entry.value))
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Gives a key a value. A key that is there keeps its place in the order and in the file.
    pub fn set(&mut self, key: impl Into<String>, value: Value) {
        let key = key.into();
        match self.entries.iter_mut().find(|entry| entry.key == key) {
            Some(entry) => entry.value = value,
            None => self.entries.push(FrontEntry { key, value, mark: None }),
        }
    }

    /// Takes a key out.
    pub fn remove(&mut self, key: &str) -> Option<Value> {
        let at = self.entries.iter().position(|entry| entry.key == key)?;
        Some(self.entries.remove(at).value)
    }

    /// These values laid over defaults, key by key: the defaults come first, and a key that both have keeps the place
    /// of the default with the value from here.
    #[must_use]
    pub fn merge_under(&self, defaults: &Front) -> Front {
        let mut merged = defaults.clone();
        for entry in &self.entries {
            match merged.entries.iter_mut().find(|held| held.key == entry.key) {
                Some(held) => *held = entry.clone(),
                None => merged.entries.push(entry.clone()),
            }
        }
        merged
    }

    /// Where the key stands in its file.
    pub fn mark_of(&self, key: &str) -> Option<&Mark> {
        self.entry(key)?.mark.as_deref()
    }

    /// What is wrong with the value of a key, at its place.
    pub(crate) fn wrong(&self, key: &str, what: impl Into<String>) -> FlowError {
        FlowError::new(Code::FlowBadFrontMatter, what).at(self.mark_of(key).cloned())
    }

    /// The line of the key in its file.
    pub fn line_of(&self, key: &str) -> Option<usize> {
        self.mark_of(key).map(|mark| mark.line)
    }

    /// Adds a key that a file gave; false if it is there already.
    pub(super) fn add(&mut self, key: String, value: Value, mark: Mark) -> bool {
        let new = !self.has(&key);
        if new {
            self.entries.push(FrontEntry { key, value, mark: Some(Box::new(mark)) });
        }
        new
    }

    fn entry(&self, key: &str) -> Option<&FrontEntry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}

/// The same keys with the same values in the same order; where they stand does not count.
impl PartialEq for Front {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for Front {}

impl<K: Into<String>> FromIterator<(K, Value)> for Front {
    /// Keys with values; of a key that comes twice the last value counts.
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(entries: I) -> Self {
        let mut front = Front::default();
        entries.into_iter().for_each(|(key, value)| front.set(key, value));
        front
    }
}
