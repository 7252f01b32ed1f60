//! Settings to how commands are written down. May not choose: every value is already there.

use super::Settings;
use crate::journal::{JournalNeed, JournalRules, Keep, Outputs, TellOperator};
use std::path::PathBuf;
use std::time::Duration;

impl Settings {
    /// How the journal in this folder is kept; none where it is switched off. What is required cannot be.
    pub fn journal(
        &self,
        folder: PathBuf,
        spool: Option<PathBuf>,
        tell: TellOperator,
    ) -> Option<JournalRules> {
        let need = self.journal_need();
        if need == JournalNeed::Wanted && !self.flag("journal.enabled") {
            return None;
        }
        let number = |name| self.number(name).unwrap_or_default();
        Some(JournalRules {
            folder,
            need,
            write_timeout: Duration::from_millis(number("journal.write_timeout_ms")),
            keep: Keep { days: number("journal.keep_days"), bytes: number("journal.keep_bytes") },
            outputs: if self.flag("journal.output") { Outputs::Kept } else { Outputs::NotKept },
            spool,
            tell,
        })
    }

    /// What becomes of a command that cannot be recorded.
    pub fn journal_need(&self) -> JournalNeed {
        if self.flag("journal.required") { JournalNeed::Required } else { JournalNeed::Wanted }
    }
}
