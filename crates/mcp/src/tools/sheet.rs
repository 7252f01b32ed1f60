//! An answer being written: the same names in the same order as YAML for a model and as fields for a program.
//!
//! May not mask: texts come masked.

use crate::answer::{CallVerdict, ToolAnswer};
use runward_engine::core::render::Yaml;
use serde_json::{Map, Value};

/// An answer being written.
#[derive(Debug, Default)]
pub(crate) struct AnswerSheet {
    yaml: Yaml,
    fields: Map<String, Value>,
}

impl AnswerSheet {
    /// A number, a truth, nothing, or a word that needs no quotes.
    pub(crate) fn plain(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        match &value {
            Value::String(word) => self.yaml.plain(key, word),
            other => self.yaml.plain(key, other),
        };
        self.fields.insert(key.to_owned(), value);
        self
    }

    /// Any text.
    pub(crate) fn text(&mut self, key: &str, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        self.yaml.text(key, &text);
        self.fields.insert(key.to_owned(), Value::String(text));
        self
    }

    /// A list or an object, left out where it is empty.
    pub(crate) fn value(&mut self, key: &str, value: Value) -> &mut Self {
        let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
        if !empty {
            // What is a value already has a YAML.
            let _ = self.yaml.value(key, &value);
            self.fields.insert(key.to_owned(), value);
        }
        self
    }

    /// Sentences beside the answer, left out where there are none.
    pub(crate) fn notes(&mut self, notes: Vec<String>) -> &mut Self {
        self.value("notes", notes.into())
    }

    /// What was written.
    pub(crate) fn answer(self, verdict: CallVerdict) -> ToolAnswer {
        ToolAnswer { text: self.yaml.finish(), fields: Value::Object(self.fields), verdict, meta: None }
    }
}
