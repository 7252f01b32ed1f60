//! Lowers settings to the rules of masking and of telemetry. May not choose: every value is already there.

use super::{ConfigValue, Settings};
use crate::telemetry::Collector;
use regex::Regex;
use runward_core::redact::{Redactor, SecretPattern};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

impl Settings {
    /// The redactor of secrets, with those of this environment.
    pub fn redactor(&self, env: &BTreeMap<OsString, OsString>) -> Redactor {
        let patterns = self.list("redact.patterns");
        let patterns = patterns.iter().filter_map(|text| Regex::new(text).ok());
        let patterns = patterns.map(|regex| Arc::new(WrittenPattern(regex)) as Arc<dyn SecretPattern>);
        Redactor::of(env).with_patterns(patterns.collect())
    }

    /// What receives every command (telemetry), if anything does.
    pub fn collector(&self) -> Option<Collector> {
        Collector::at(self.word("telemetry.otlp")?).ok()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.get(name).is_some_and(|setting| setting.value == ConfigValue::Bool(true))
    }
}

/// A pattern of the configuration.
#[derive(Debug)]
struct WrittenPattern(Regex);

impl SecretPattern for WrittenPattern {
    fn matches(&self, text: &str) -> Vec<Range<usize>> {
        self.0.find_iter(text).map(|found| found.range()).collect()
    }
}
