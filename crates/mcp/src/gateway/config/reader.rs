//! Typed values out of JSON, with every problem noted and the rest read on.
//!
//! May not know keys of servers.

use super::super::expand::{Environment, expand};
use super::json::JsonAsWritten;
use super::place::JsonPath;
use super::problem::ServerListProblem;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Reads values and gathers problems.
pub(super) struct ServerListReader<'a> {
    environment: &'a Environment<'a>,
    /// What is done about variables, unless a server is switched off.
    pub(super) variables: Variables,
    /// Everything that is wrong so far.
    pub(super) problems: Vec<ServerListProblem>,
}

/// Whether variables in a text are replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variables {
    Expanded,
    /// They stay, if each is one that could be replaced.
    Checked,
    AsWritten,
}

impl<'a> ServerListReader<'a> {
    pub(super) fn new(environment: &'a Environment<'a>) -> Self {
        Self { environment, variables: Variables::Expanded, problems: Vec::new() }
    }

    pub(super) fn problem(&mut self, place: &JsonPath, what: String) {
        self.problems.push(ServerListProblem { place: place.to_string(), what });
    }

    fn expected(&mut self, place: &JsonPath, what: &str, found: &JsonAsWritten) {
        self.problem(place, format!("expected {what}, found {}", found.kind()));
    }

    pub(super) fn object<'j>(
        &mut self,
        json: &'j JsonAsWritten,
        place: &JsonPath,
    ) -> Option<&'j [(String, JsonAsWritten)]> {
        match json {
            JsonAsWritten::Object(members) => Some(members),
            other => {
                self.expected(place, "an object", other);
                None
            }
        }
    }

    pub(super) fn no_key_twice(&mut self, members: &[(String, JsonAsWritten)], place: &JsonPath) {
        let mut seen = BTreeSet::new();
        for (key, _) in members {
            if !seen.insert(key) {
                self.problem(&place.key(key), "expected the key once, found it twice".to_owned());
            }
        }
    }

    pub(super) fn truth(&mut self, json: &JsonAsWritten, place: &JsonPath) -> bool {
        match json {
            JsonAsWritten::Bool(value) => *value,
            other => {
                self.expected(place, "`true` or `false`", other);
                false
            }
        }
    }

    pub(super) fn millis(
        &mut self,
        json: &JsonAsWritten,
        place: &JsonPath,
        range: &RangeInclusive<u64>,
    ) -> Option<Duration> {
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        match json {
            JsonAsWritten::Whole(millis) if range.contains(millis) => {
                return Some(Duration::from_millis(*millis));
            }
            JsonAsWritten::Whole(millis) => {
                self.problem(place, format!("expected {expected}, found {millis}"));
            }
            other => self.expected(place, &expected, other),
        }
        None
    }

    /// A text that a process or a header can have: no NUL in it.
    pub(super) fn text(
        &mut self,
        json: &JsonAsWritten,
        place: &JsonPath,
        variables: Variables,
    ) -> Option<String> {
        let JsonAsWritten::Text(text) = json else {
            self.expected(place, "a string", json);
            return None;
        };
        let expanded = match variables {
            Variables::Expanded => expand(text, self.environment),
            Variables::Checked => expand(text, &|_| Some(String::new())).map(|_| text.clone()),
            Variables::AsWritten => Ok(text.clone()),
        };
        match expanded {
            Ok(text) if text.contains('\0') => {
                self.problem(place, "expected a string without a NUL character".to_owned());
                None
            }
            Ok(text) => Some(text),
            Err(problems) => {
                problems.into_iter().for_each(|what| self.problem(place, what));
                None
            }
        }
    }

    pub(super) fn texts(
        &mut self,
        json: &JsonAsWritten,
        place: &JsonPath,
        variables: Variables,
    ) -> Vec<String> {
        let JsonAsWritten::List(items) = json else {
            self.expected(place, "a list of strings", json);
            return Vec::new();
        };
        let items = items.iter().enumerate();
        items.filter_map(|(index, item)| self.text(item, &place.index(index), variables)).collect()
    }

    /// An object of texts, with keys that `is_name` accepts.
    pub(super) fn pairs(
        &mut self,
        json: &JsonAsWritten,
        place: &JsonPath,
        variables: Variables,
        is_name: fn(&str) -> bool,
    ) -> BTreeMap<String, String> {
        let Some(members) = self.object(json, place) else { return BTreeMap::new() };
        self.no_key_twice(members, place);
        let mut pairs = BTreeMap::new();
        for (name, value) in members {
            let place = place.key(name);
            if !is_name(name) {
                self.problem(&place, "expected a name that can be used".to_owned());
            }
            if let Some(value) = self.text(value, &place, variables) {
                pairs.insert(name.clone(), value);
            }
        }
        pairs
    }
}
