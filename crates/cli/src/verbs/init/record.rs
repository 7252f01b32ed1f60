//! What init did, kept in the state folder, so that it can be undone to the byte.
//!
//! Holds Runward's own entries only: nothing that was in a file before. May not be needed: without it an entry is still
//! found and taken out.

use crate::private;
use runward::HostFacts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What was done to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WrittenEntry {
    /// The key of the entry.
    pub(super) key: String,
    /// The bytes that were put in.
    pub(super) put: String,
    /// Whether the file was not there before.
    pub(super) made_file: bool,
    /// Whether its list was not there before.
    pub(super) made_list: bool,
    /// Folders that were not there before, the innermost first.
    pub(super) made_folders: Vec<PathBuf>,
}

/// What was done to every file, by its path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct InitRecord(BTreeMap<PathBuf, WrittenEntry>);

fn file(facts: &HostFacts) -> Option<PathBuf> {
    Some(crate::places::state_folder(facts)?.join("init.json"))
}

impl InitRecord {
    /// What is known. A record that cannot be read is none.
    pub(super) fn read(facts: &HostFacts) -> Self {
        let text = file(facts).and_then(|file| private::read(&file).ok().flatten());
        text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
    }

    /// What was done to a file.
    pub(super) fn of(&self, path: &Path) -> Option<&WrittenEntry> {
        self.0.get(path)
    }

    /// Notes what was done to a file; none forgets it.
    pub(super) fn set(&mut self, path: &Path, entry: Option<WrittenEntry>) {
        match entry {
            Some(entry) => self.0.insert(path.to_owned(), entry),
            None => self.0.remove(path),
        };
    }

    /// Keeps it.
    pub(super) fn write(&self, facts: &HostFacts) -> io::Result<()> {
        let Some(file) = file(facts) else { return Ok(()) };
        let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
        private::replace(&file, &text)
    }
}
