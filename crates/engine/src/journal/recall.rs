//! The output and the ending of a former command, for its owner.
//!
//! May not check ownership: the caller must know that the command was theirs.

use super::queue::AfterWriting;
use super::{Journal, JournalReader, ReadError, Whole};
use crate::Ledger;
use crate::aside::aside;
use runward_core::output::Stream;
use std::sync::Arc;

/// A former command.
#[derive(Debug, Clone)]
pub struct Recalled {
    /// Its output, as far as it was kept: masked, or unmasked where it is in the spool.
    pub ledger: Arc<Ledger>,
    /// Everything else about it.
    pub whole: Whole,
    /// Its exit code, as a door that needs a number gives it.
    pub exit_code: Option<i64>,
}

impl Journal {
    /// The command with this id. None if it is not known any more. Other tasks get their turn meanwhile, however long
    /// the disk takes.
    pub async fn recall(&self, id: &str) -> Result<Option<Recalled>, ReadError> {
        let (journal, id) = (self.clone(), id.to_owned());
        // It is cut short only when the runtime ends, and then there is no receiver.
        aside(move || journal.look_up(&id)).await.unwrap_or(Ok(None))
    }

    fn look_up(&self, id: &str) -> Result<Option<Recalled>, ReadError> {
        let rules = &self.0.terms.rules;
        // A command that ended just now may not be written yet; a record that does not arrive is not waited for.
        if let Some(heard) = self.ask(AfterWriting::GoOn) {
            let _ = heard.recv_timeout(rules.write_timeout);
        }
        let Some(reader) = JournalReader::open_beside(&rules.folder, rules.spool.as_deref())? else {
            return Ok(None);
        };
        let found = match reader.find(id) {
            Err(ReadError::Unknown { .. }) => return Ok(None),
            found => found?,
        };
        let sources = [reader.source(&found, Stream::Stdout)?, reader.source(&found, Stream::Stderr)?];
        let (ledger, whole) = (Arc::new(Ledger::recalled(sources)), reader.whole(&found)?);
        Ok(Some(Recalled { ledger, whole, exit_code: found.summary.code }))
    }
}
