//! Settings to how commands are written down, and what is masked. May not choose: every value is already there.

use super::{Settings, Value};
use crate::journal::{JournalRules, Keep, Need, Outputs, Tell};
use crate::telemetry::Collector;
use regex::Regex;
use runward_core::redact::{Pattern, Redactor};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

impl Settings {
    /// How the journal in this folder is kept; none where it is switched off. What is required cannot be.
    pub fn journal(&self, folder: PathBuf, spool: Option<PathBuf>, tell: Tell) -> Option<JournalRules> {
        let need = self.journal_need();
        if need == Need::Wanted && !self.flag("journal.enabled") {
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
    pub fn journal_need(&self) -> Need {
        if self.flag("journal.required") { Need::Required } else { Need::Wanted }
    }

    /// Who knows what must not be written down or told, with the secrets of this environment.
    pub fn redactor(&self, env: &BTreeMap<OsString, OsString>) -> Redactor {
        let patterns = self.list("redact.patterns");
        let patterns = patterns.iter().filter_map(|text| Regex::new(text).ok());
        let patterns = patterns.map(|regex| Arc::new(Written(regex)) as Arc<dyn Pattern>);
        Redactor::of(env).with_patterns(patterns.collect())
    }

    /// Who is told of every command, if anybody.
    pub fn collector(&self) -> Option<Collector> {
        Collector::at(self.word("telemetry.otlp")?).ok()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|setting| setting.value == Value::Bool(true))
    }
}

/// A pattern of the configuration.
#[derive(Debug)]
struct Written(Regex);

impl Pattern for Written {
    fn matches(&self, text: &str) -> Vec<Range<usize>> {
        self.0.find_iter(text).map(|found| found.range()).collect()
    }
}
