//! The doctor's line about the journal: where it is and how much is in it, that it is off, or why it cannot be written.
//! May not begin one.

use super::checks::writable;
use super::{CheckState, DoctorCheck};
use crate::places;
use crate::setup;
use runward::HostFacts;
use runward::config::Settings;
use runward::core::error::Coded;
use runward::core::render::word;
use runward::journal::{JournalNeed, JournalReader};
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Arc;

const NAME: &str = "journal";

const CURE: &str = "Make it writable, name another state folder with `RUNWARD_STATE_DIR`, or switch the journal off with `[journal] enabled = false`.";

/// The line; none where the configuration, which says whether there is a journal, cannot be read.
pub(super) fn check(facts: &HostFacts, file: Option<&Path>) -> Option<DoctorCheck> {
    let settings = setup::read(file, facts).ok()?;
    // Without a state folder, that is what has to be mended; its line says so.
    let folder = places::state_folder(facts)?.join("journal");
    if settings.journal(folder.clone(), None, Arc::new(|_| {})).is_none() {
        return Some(DoctorCheck::ok(NAME, "off; commands are not recorded"));
    }
    let shown = word(folder.as_os_str());
    Some(match can_be_written(&folder) {
        Ok(()) => counted(&folder, &shown),
        Err(error) => {
            let state = unwritten(&settings);
            let found = format!("{shown} cannot be written: {error}");
            DoctorCheck { name: NAME, state, found, fix: Some(CURE.to_owned()) }
        }
    })
}

/// Where it is required, nothing runs without it.
fn unwritten(settings: &Settings) -> CheckState {
    match settings.journal_need() {
        JournalNeed::Required => CheckState::Broken,
        JournalNeed::Wanted => CheckState::Missing,
    }
}

/// Tries, without beginning a journal where there is none.
fn can_be_written(folder: &Path) -> io::Result<()> {
    if !folder.exists() {
        return folder.parent().map_or(Ok(()), writable);
    }
    writable(folder)?;
    let database = folder.join("journal.db");
    if database.exists() { OpenOptions::new().append(true).open(database).map(drop) } else { Ok(()) }
}

fn counted(folder: &Path, shown: &str) -> DoctorCheck {
    let count =
        JournalReader::open(folder, None).and_then(|reader| reader.map(|reader| reader.count()).transpose());
    match count {
        Ok(None | Some(0)) => DoctorCheck::ok(NAME, format!("{shown}, nothing is recorded yet")),
        Ok(Some(1)) => DoctorCheck::ok(NAME, format!("{shown}, 1 record")),
        Ok(Some(count)) => DoctorCheck::ok(NAME, format!("{shown}, {count} records")),
        Err(error) => {
            DoctorCheck::missing(NAME, format!("{shown}: {error}"), error.hint().unwrap_or_default())
        }
    }
}
