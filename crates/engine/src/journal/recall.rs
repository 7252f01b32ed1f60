//! What a command of the past printed and how it ended, for whoever may still ask for it.
//!
//! May not decide who may: whoever asks must know that the command was theirs.

use super::{Journal, ReadError, Reader, Whole};
use crate::Ledger;
use runward_core::output::Stream;
use std::sync::Arc;

/// A command of the past.
#[derive(Debug, Clone)]
pub struct Recalled {
    /// What it printed, as far as it was kept: masked, or as it was where it is in the spool.
    pub ledger: Arc<Ledger>,
    /// Everything else about it.
    pub whole: Whole,
    /// What it exited with, as a door that needs a number says it.
    pub exit_code: Option<i64>,
}

impl Journal {
    /// The command with this id. None if nothing is known of it any more.
    pub fn recall(&self, id: &str) -> Result<Option<Recalled>, ReadError> {
        let rules = &self.0.terms.rules;
        // What ended just now may still be on its way.
        self.flush();
        let Some(reader) = Reader::open(&rules.folder, rules.spool.as_deref())? else { return Ok(None) };
        let found = match reader.find(id) {
            Err(ReadError::Unknown { .. }) => return Ok(None),
            found => found?,
        };
        let sources = [reader.source(&found, Stream::Stdout)?, reader.source(&found, Stream::Stderr)?];
        let (ledger, whole) = (Arc::new(Ledger::recalled(sources)), reader.whole(&found)?);
        Ok(Some(Recalled { ledger, whole, exit_code: found.summary.code }))
    }
}
