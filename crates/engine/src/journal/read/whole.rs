//! Everything about one command, as one object.

use crate::journal::record::{Record, Trouble};
use crate::journal::summary::State;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

/// Everything about one command: what its first record says, what its last one adds, and how far it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// How far it came.
    pub state: State,
    /// The record before it started, or that it may not.
    pub first: Record<'static>,
    /// The record of its end.
    pub last: Option<Record<'static>>,
}

impl Whole {
    /// Why it did not run, if it did not.
    pub fn trouble(&self) -> Option<&Trouble> {
        match (&self.first, &self.last) {
            (Record::Refused(refused), _) => Some(&refused.trouble),
            (_, Some(Record::End(end))) => end.failed.as_ref(),
            _ => None,
        }
    }
}

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let fields = |record: &Record<'_>| match serde_json::to_value(record) {
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
