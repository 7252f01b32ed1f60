//! The full record of one command, as one object.

use crate::journal::record::{JournalRecord, TroubleRecord};
use crate::journal::summary::RecordState;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// The full record of one command: what its first record says, what its last one adds, and how far it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// How far it came.
    pub state: RecordState,
    /// The record before it started, or that it may not.
    pub first: JournalRecord<'static>,
    /// The record of its end.
    pub last: Option<JournalRecord<'static>>,
}

impl Whole {
    /// Why it did not run, if it did not.
    pub fn trouble(&self) -> Option<&TroubleRecord> {
        match (&self.first, &self.last) {
            (JournalRecord::Refused(refused), _) => Some(&refused.trouble),
            (_, Some(JournalRecord::End(end))) => end.failed.as_ref(),
            _ => None,
        }
    }
}

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = |record: &JournalRecord<'_>| match serde_json::to_value(record) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        let mut all = fields(&self.first);
        all.remove("kind");
        all.insert("state".to_owned(), self.state.name().into());
        if let Some(last) = &self.last {
            let mut end = fields(last);
            let at = end.remove("at");
            ["kind", "schema", "id"].iter().for_each(|name| drop(end.remove(*name)));
            all.insert("ended_at".to_owned(), at.unwrap_or_default());
            all.extend(end);
        }
        all.serialize(to)
    }
}
