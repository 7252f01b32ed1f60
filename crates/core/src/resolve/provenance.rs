//! Where each value of a resolved command came from.
//!
//! May not be read by any decision; it is for `explain`.

use crate::spec::{LimitsSpec, Wish};
use serde::Serialize;

/// Why a value is what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Because {
    /// The caller said so.
    Caller,
    /// The configuration's value, or the built-in one: the caller said nothing.
    Default,
    /// It is so on this host; the words say how it was found.
    Host(String),
}

/// Reasons, in the order in which things were decided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Provenance(Vec<(&'static str, Because)>);

impl Provenance {
    pub(super) fn note(&mut self, what: &'static str, because: Because) {
        self.0.push((what, because));
    }

    pub(super) fn host(&mut self, what: &'static str, how: impl Into<String>) {
        self.note(what, Because::Host(how.into()));
    }

    pub(super) fn limits(&mut self, wish: &LimitsSpec) {
        self.wish("timeout", &wish.wall);
        self.wish("idle", &wish.idle);
        self.wish("output", &wish.output);
        self.wish("memory", &wish.memory);
        self.wish("cpu", &wish.cpu);
        self.wish("processes", &wish.processes);
        self.wish("open_files", &wish.open_files);
        self.wish("file_size", &wish.file_size);
        self.wish("keep", &wish.keep);
        self.wish("spool", &wish.spool);
    }

    fn wish<T>(&mut self, what: &'static str, wish: &Wish<T>) {
        self.note(what, if matches!(wish, Wish::Default) { Because::Default } else { Because::Caller });
    }

    /// Every reason, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Because)> {
        self.0.iter().map(|(what, because)| (*what, because))
    }

    /// The reason for one value.
    pub fn of(&self, what: &str) -> Option<&Because> {
        self.0.iter().find(|(known, _)| *known == what).map(|(_, because)| because)
    }
}
