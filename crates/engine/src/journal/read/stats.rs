//! Counts: the most frequent, slowest and failing programs.

use super::{Filter, JournalReader, ReadError};
use crate::journal::summary::RecordState;
use serde::Serialize;
use std::collections::HashMap;

/// The counts of one program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Its name.
    pub program: String,
    /// How often it was asked for.
    pub runs: u64,
    /// How often it failed, was interrupted or could not start.
    pub failed: u64,
    /// How often it was refused.
    pub refused: u64,
    /// How long all its runs took.
    pub took_ms: u64,
    /// How long the longest took.
    pub slowest_ms: u64,
}

/// The numbers of a journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// All programs together.
    pub all: Share,
    /// Each program, the most run first.
    pub programs: Vec<Share>,
}

impl Share {
    fn count(&mut self, state: RecordState, code: Option<i64>, took_ms: u64) {
        let failed = match state {
            RecordState::Ended => code != Some(0),
            RecordState::Failed | RecordState::Interrupted => true,
            RecordState::Running | RecordState::Refused | RecordState::Judged => false,
        };
        self.runs += 1;
        self.failed += u64::from(failed);
        self.refused += u64::from(state == RecordState::Refused);
        self.took_ms += took_ms;
        self.slowest_ms = self.slowest_ms.max(took_ms);
    }
}

impl JournalReader {
    /// Counts the commands that match.
    pub fn stats(&self, filter: &Filter) -> Result<Stats, ReadError> {
        const PROGRAM: usize = 5;
        let mut programs: HashMap<String, Share> = HashMap::new();
        let mut all = Share::default();
        let filter = Filter { limit: None, ..filter.clone() };
        self.newest_first(&filter, |row| {
            let state = RecordState::of_number(row.get(7)?).unwrap_or(RecordState::Interrupted);
            let (code, took) = (row.get(8)?, row.get::<_, Option<i64>>(9)?.unwrap_or(0).unsigned_abs());
            all.count(state, code, took);
            let name = row.get_ref(PROGRAM)?.as_str().unwrap_or_default();
            if !programs.contains_key(name) {
                programs.insert(name.to_owned(), Share { program: name.to_owned(), ..Share::default() });
            }
            if let Some(share) = programs.get_mut(name) {
                share.count(state, code, took);
            }
            Ok(true)
        })?;
        let mut programs: Vec<Share> = programs.into_values().collect();
        programs.sort_by(|a, b| b.runs.cmp(&a.runs).then_with(|| a.program.cmp(&b.program)));
        Ok(Stats { all, programs })
    }
}
