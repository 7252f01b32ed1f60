//! What people approved once: noted as the rules that would have allowed it, so that `policy suggest` can offer them.
//! The journal has them with each command; where there is none, a file does.
//!
//! A file of rules that is never loaded as policy. May not grow without end, and may not hold anything but rules.

use crate::places;
use runward::HostFacts;
use runward::config::{self, ConfigError, ConfigSource, Sources};
use runward::core::policy::Rule;
use runward::core::redact::Redactor;
use runward::journal::{JournalReader, ReadError};
use std::borrow::Cow;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// More than a person reads suggestions from.
const LARGEST: u64 = 1 << 20;

/// Where it is noted.
pub(crate) fn notes(facts: &HostFacts) -> Option<PathBuf> {
    places::state_folder(facts).map(|folder| folder.join("agreed.toml"))
}

/// Notes what was approved, unless there is a secret in it.
pub(crate) fn note(file: &Path, rules: &[Rule], redactor: &Redactor) -> io::Result<()> {
    let tables: Vec<String> = rules.iter().filter_map(config::rule_table).collect();
    if matches!(redactor.mask(&tables.concat()), Cow::Owned(_)) {
        return Ok(());
    }
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut notes = OpenOptions::new().create(true).append(true).open(file)?;
    notes.lock()?;
    if notes.metadata()?.len() > LARGEST {
        return Err(io::Error::other("it is full; delete it to begin again"));
    }
    notes.write_all(tables.concat().as_bytes())
}

/// Rules that were noted, each with how often, the most frequent first.
pub(crate) fn noted(file: &Path) -> io::Result<Vec<(Rule, usize)>> {
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let rules =
        rules(&file.display().to_string(), text).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(counted(rules))
}

/// Rules that the journal has, each with how often, the most frequent first.
pub(crate) fn recorded(journal: &JournalReader) -> Result<Vec<(Rule, usize)>, ReadError> {
    let mut all = Vec::new();
    // A rule of another version that this one does not know is no suggestion.
    journal.each_agreed(|text| all.extend(rules("the journal", text).unwrap_or_default()))?;
    Ok(counted(all))
}

fn rules(file: &str, text: String) -> Result<Vec<Rule>, ConfigError> {
    let source = ConfigSource { file: file.to_owned(), text };
    let settings = config::load(&Sources { user: Some(source), ..Sources::default() })?;
    Ok(settings.configured_rules().map(|setting| setting.rule.clone()).collect())
}

fn counted(rules: Vec<Rule>) -> Vec<(Rule, usize)> {
    let mut counted: Vec<(Rule, usize)> = Vec::new();
    for new in rules {
        match counted.iter_mut().find(|(rule, _)| *rule == new) {
            Some((_, count)) => *count += 1,
            None => counted.push((new, 1)),
        }
    }
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted
}
