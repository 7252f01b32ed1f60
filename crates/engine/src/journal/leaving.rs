//! Records of a process that ends at once: it leaves them in the intake, and opens no database.
//!
//! A client's hook is such a process: it is started for every command, and the client waits for it. A record that is left
//! is a file of its own that appears whole (written under a hidden name, then renamed), as if by a process that was
//! killed; whoever opens the journal next brings it in. So that they do not pile up, and their order stays that of the
//! clock, the process that finds many or old ones brings them in itself. May not start a thread.

use super::noting::Scribe;
use super::record::{JournalRecord, Millis, ObservedRecord, SCHEMA};
use super::store::Item;
use super::store::schema::JournalPaths;
use super::{Journal, mend, writer};
use crate::attempt::Attempt;
use runward_core::error::ErrorView;
use runward_core::plan::Draft;
use runward_core::spec::{Caller, CommandSpec};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// So many files may wait.
const MANY: usize = 64;

/// A file may wait for so long: half of what the search by time takes for order.
const OLD: Millis = 60_000;

/// A command of a client's own shell, as its hook knows it.
#[derive(Debug, Clone, Copy)]
pub struct HookNote<'a> {
    /// Who asked.
    pub caller: &'a Caller,
    /// What was asked.
    pub spec: &'a CommandSpec,
    /// What became of it, if it could be drafted.
    pub draft: Option<&'a Draft>,
    /// The client's name for its session.
    pub session: Option<&'a str>,
    /// The client's name for the call.
    pub call: Option<&'a str>,
    /// What else is worth knowing.
    pub note: Option<&'a str>,
}

impl<'a> HookNote<'a> {
    pub(super) fn attempt(&self) -> Attempt<'a> {
        self.draft.map_or_else(|| Attempt::of(self.caller, self.spec), Attempt::drafted)
    }
}

/// What the client was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldClient {
    /// Nothing: its own rules decide what happens next.
    Pass,
    /// The same, after this person agreed.
    PassApproved(String),
    /// To put its own question.
    Ask,
    /// Nothing, and nothing was decided.
    Watch,
}

impl ToldClient {
    pub(super) fn name(&self) -> &'static str {
        match self {
            ToldClient::Pass | ToldClient::PassApproved(_) => "pass",
            ToldClient::Ask => "ask",
            ToldClient::Watch => "watch",
        }
    }
}

impl Journal {
    /// Leaves the record of a command that a client's own shell may run. Gives the name of the request.
    pub fn leave_judged(&self, noted: &HookNote<'_>, told: &ToldClient) -> io::Result<String> {
        let id = uuid::Uuid::now_v7().to_string();
        self.leave(&self.scribe().judged(id.clone(), noted, told))?;
        Ok(id)
    }

    /// Leaves the record of a command that a client was told not to run, or could not be judged.
    pub fn leave_refused(&self, noted: &HookNote<'_>, why: &ErrorView) -> io::Result<()> {
        let id = uuid::Uuid::now_v7().to_string();
        self.leave(&self.scribe().refused(id, &noted.attempt(), why))
    }

    /// Leaves the record of how a client's own shell ended a command.
    pub fn leave_observed(&self, id: &str, exit_code: Option<i32>, took: Duration) -> io::Result<()> {
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.leave(&JournalRecord::Observed(ObservedRecord {
            schema: SCHEMA,
            at: writer::now(),
            id: id.to_owned(),
            exit_code,
            duration_ms,
        }))
    }

    fn scribe(&self) -> Scribe<'_> {
        Scribe { at: writer::now(), redactor: &self.0.terms.redactor }
    }

    fn leave(&self, record: &JournalRecord<'_>) -> io::Result<()> {
        let places = JournalPaths { folder: self.0.terms.rules.folder.clone() };
        let intake = places.intake();
        put(&intake, Item::of(record).body()).or_else(|_| {
            // The first record of all, or the folders are not as they should be.
            runward_os::private_folder(&places.folder)?;
            runward_os::private_folder(&intake)?;
            put(&intake, Item::of(record).body())
        })?;
        if wait_too_long(&intake, writer::now()) {
            mend(&places.folder);
        }
        Ok(())
    }
}

/// Writes a file that appears whole. Names are in the order of the clock, so that an end comes after its beginning.
fn put(intake: &Path, line: &str) -> io::Result<()> {
    let name = uuid::Uuid::now_v7().to_string();
    let hidden = intake.join(format!(".{name}"));
    let written = runward_os::private_file(&hidden).and_then(|mut file| {
        file.write_all(format!("{line}\n").as_bytes())?;
        fs::rename(&hidden, intake.join(&name))
    });
    if written.is_err() {
        // Half a record is none.
        let _ = fs::remove_file(&hidden);
    }
    written
}

fn wait_too_long(intake: &Path, now: Millis) -> bool {
    let Ok(entries) = fs::read_dir(intake) else { return false };
    let names: Vec<_> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.len() > MANY
        || names.iter().any(|name| left_at(name).is_some_and(|at| at.saturating_add(OLD) < now))
}

/// When the record of this name was left; nothing for the files of processes that write on.
fn left_at(name: &str) -> Option<Millis> {
    let (seconds, nanos) = uuid::Uuid::parse_str(name).ok()?.get_timestamp()?.to_unix();
    Some(seconds * 1000 + u64::from(nanos) / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_left_has_a_time_and_old_files_are_found() {
        assert_eq!(left_at(&uuid::Uuid::new_v4().to_string()), None);
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), "{}").unwrap();
        let now = writer::now();
        assert!(!wait_too_long(folder.path(), now));
        assert!(wait_too_long(folder.path(), now + OLD + 1000));
        for _ in 0..MANY {
            put(folder.path(), "{}").unwrap();
        }
        assert!(wait_too_long(folder.path(), now));
        assert!(
            fs::read_dir(folder.path())
                .unwrap()
                .flatten()
                .all(|it| left_at(it.file_name().to_str().unwrap()).is_some())
        );
    }
}
