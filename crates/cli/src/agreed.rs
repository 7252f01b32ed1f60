//! What people agreed to once: noted as the rules that would have covered it, so that `policy suggest` can offer them.
//!
//! A file of rules that nobody loads as rules. May not grow without end, and may not hold anything but rules.

use crate::places;
use runward::HostFacts;
use runward::config::{self, Source, Sources};
use runward::core::policy::Rule;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// More than anybody reads suggestions from.
const LARGEST: u64 = 1 << 20;

/// Where it is noted.
pub(crate) fn notes(facts: &HostFacts) -> Option<PathBuf> {
    places::state_folder(facts).map(|folder| folder.join("agreed.toml"))
}

/// Notes what was agreed to.
pub(crate) fn note(file: &Path, rules: &[Rule]) -> io::Result<()> {
    let tables: Vec<String> = rules.iter().filter_map(config::rule_table).collect();
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
    let source = Source { file: file.display().to_string(), text };
    let settings = config::load(&Sources { user: Some(source), ..Sources::default() })
        .map_err(|error| io::Error::other(error.to_string()))?;
    let mut counted: Vec<(Rule, usize)> = Vec::new();
    for setting in settings.configured_rules() {
        match counted.iter_mut().find(|(rule, _)| *rule == setting.rule) {
            Some((_, count)) => *count += 1,
            None => counted.push((setting.rule.clone(), 1)),
        }
    }
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    Ok(counted)
}
