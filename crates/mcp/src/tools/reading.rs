//! What was read of a session, as YAML and as fields: shared by every tool that reads one.

use crate::answer::{Answer, Verdict};
use crate::veil::Veil;
use runward::core::render::Yaml;
use runward::sessions::{Reading, Streamed};
use runward::{How, Receipt};
use serde_json::{Map, Value, json};

/// An answer in the making: the same names in words and in fields.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    pub(super) yaml: Yaml,
    pub(super) fields: Map<String, Value>,
    veil: Veil,
}

impl Sheet {
    /// An empty sheet whose texts are without secrets.
    pub(super) fn under(veil: &Veil) -> Self {
        Self { veil: veil.clone(), ..Self::default() }
    }

    /// A number, a truth, or a word that needs no quotes.
    pub(super) fn plain(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        let value = value.into();
        match &value {
            Value::String(word) => self.yaml.plain(key, word),
            other => self.yaml.plain(key, other),
        };
        self.fields.insert(key.to_owned(), value);
        self
    }

    /// Any text.
    pub(super) fn text(&mut self, key: &str, text: &str) -> &mut Self {
        let text = self.veil.over_part(text);
        self.yaml.text(key, &text);
        self.fields.insert(key.to_owned(), text.into());
        self
    }

    /// What was read, and how things stand.
    pub(super) fn reading(&mut self, reading: &Reading) -> &mut Self {
        let receipt = reading.receipt.clone();
        self.told(reading, receipt.is_none(), |sheet| {
            if let Some(receipt) = &receipt {
                sheet.ending(receipt);
            }
        })
    }

    /// What the journal has of a session of the past.
    pub(super) fn recalled(&mut self, reading: &Reading, exit_code: Option<i64>) -> &mut Self {
        self.told(reading, false, |sheet| {
            if let Some(code) = exit_code {
                sheet.plain("exit_code", code);
            }
        })
    }

    fn told(&mut self, reading: &Reading, active: bool, ending: impl FnOnce(&mut Self)) -> &mut Self {
        let streams = [("stdout", &reading.stdout), ("stderr", &reading.stderr)];
        let read = || streams.iter().filter_map(|(name, stream)| Some((*name, stream.as_ref()?)));
        for (name, stream) in read() {
            self.text(name, &stream.text);
        }
        self.plain("isActive", active).plain("state", reading.state.name());
        ending(self);
        let next: Vec<String> = read().map(|(name, stream)| format!("{name}: {}", stream.next)).collect();
        self.yaml.plain("next_offset", format!("{{{}}}", next.join(", ")));
        let next = read().map(|(name, stream)| (name.to_owned(), Value::from(stream.next)));
        self.fields.insert("next_offset".to_owned(), Value::Object(next.collect()));
        for (name, stream) in read() {
            self.remarks(name, stream);
        }
        self
    }

    /// How it ended.
    pub(super) fn ending(&mut self, receipt: &Receipt) -> &mut Self {
        self.plain("exit_code", receipt.end.exit_code());
        if let How::Signaled(signal) = receipt.end.how {
            self.plain("signal", signal.to_string());
        }
        if let Some(cause) = receipt.end.stopped {
            self.plain("stopped", cause.name());
        }
        if let Some(count) = receipt.end.leftovers.count().filter(|count| *count > 0) {
            self.plain("leftovers", count);
        }
        if !receipt.sandbox.is_empty() {
            self.plain("sandbox", receipt.sandbox.clone());
        }
        self
    }

    /// What is to be said about a stream beside its text.
    fn remarks(&mut self, name: &str, stream: &Streamed) {
        if !stream.lines.is_empty() {
            let offsets: Vec<u64> = stream.lines.iter().map(|line| line.offset).collect();
            self.plain(&format!("{name}_offsets"), offsets);
        }
        for (what, bytes) in [("missing", stream.missing), ("left", stream.left)] {
            if bytes > 0 {
                self.plain(&format!("{name}_{what}"), bytes);
            }
        }
        if stream.binary {
            self.plain(&format!("{name}_encoding"), "binary");
        }
    }
}

impl From<Sheet> for Answer {
    fn from(sheet: Sheet) -> Self {
        Self {
            text: sheet.yaml.finish(),
            fields: Value::Object(sheet.fields),
            verdict: Verdict::Well,
            meta: None,
        }
    }
}

/// The properties of what was read, for output schemas, with those of the tool itself.
pub(super) fn properties(own: Value) -> Value {
    let mut all = json!({
        "stdout": { "type": "string" },
        "stderr": { "type": "string" },
        "isActive": { "type": "boolean", "description": "Whether it has not ended." },
        "state": { "enum": ["running", "waiting_input", "waiting_password", "line_editor", "exited", "unknown"] },
        "exit_code": { "type": "integer", "description": "Once it has ended; 124 at its deadline, 128+n by signal n." },
        "signal": { "type": "string" },
        "stopped": { "type": "string", "description": "Why it was made to end, if it was." },
        "next_offset": {
            "type": "object",
            "properties": { "stdout": { "type": "integer" }, "stderr": { "type": "integer" } }
        },
        "stdout_left": { "type": "integer", "description": "Bytes that are there and were not read yet." },
        "stderr_left": { "type": "integer" },
        "stdout_missing": { "type": "integer", "description": "Bytes that nobody can read any more." },
        "stderr_missing": { "type": "integer" }
    });
    if let (Value::Object(all), Value::Object(own)) = (&mut all, own) {
        all.extend(own);
    }
    all
}
