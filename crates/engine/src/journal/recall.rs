//! What a command of the past printed and how it ended, for whoever may still ask for it.
//!
//! May not decide who may: whoever asks must know that the command was theirs.

use super::queue::Then;
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
    /// The command with this id. None if nothing is known of it any more. Others get their turn meanwhile, however long
    /// the disk takes.
    pub async fn recall(&self, id: &str) -> Result<Option<Recalled>, ReadError> {
        let (journal, id) = (self.clone(), id.to_owned());
        // It is cut short only when everything ends, and then nobody hears the answer.
        tokio::task::spawn_blocking(move || journal.look_up(&id)).await.unwrap_or(Ok(None))
    }

    fn look_up(&self, id: &str) -> Result<Option<Recalled>, ReadError> {
        let rules = &self.0.terms.rules;
        // What ended just now may still be on its way; what does not arrive is not waited for.
        if let Some(heard) = self.ask(Then::GoOn) {
            let _ = heard.recv_timeout(rules.write_timeout);
        }
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
