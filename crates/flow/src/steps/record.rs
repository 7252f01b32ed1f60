//! What is remembered of finished steps, so that a run can go on where another stopped. May not read or write a file.
//!
//! A step is finished for good only as long as it is the same step: its digest covers the command, the filled
//! prompt and what the steps came to that it needs.

use crate::FlowError;
use runward_engine::Code;
use serde::{Deserialize, Serialize};

/// A step that ran to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Finished {
    /// The step.
    pub id: String,
    /// What it was: see [`digest`].
    pub digest: String,
    /// What it printed.
    pub stdout: String,
    /// How it ended.
    pub exit_code: i32,
}

impl Finished {
    /// One line of the record, with its end.
    pub fn line(&self) -> String {
        // Texts and a number: this has always a JSON.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// The digest of a step: the words of its command with what it needs, and its filled prompt.
pub fn digest<S: AsRef<str>>(words: &[S], prompt: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in words.iter().map(AsRef::as_ref).chain([prompt]) {
        // With its length in front, `ab c` is not `a bc`.
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// What a stopped run has left.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RememberedSteps {
    finished: Vec<Finished>,
}

impl RememberedSteps {
    /// Reads a record. Its last line may be cut off: that is how a killed run leaves it.
    pub fn read(text: &str) -> Result<Self, FlowError> {
        let mut finished = Vec::new();
        for (at, line) in text.split_inclusive('\n').enumerate() {
            match serde_json::from_str(line) {
                Ok(step) => finished.push(step),
                Err(_) if !line.ends_with('\n') => {}
                Err(error) => {
                    let message =
                        format!("line {} of the record of finished steps cannot be read: {error}", at + 1);
                    let hint = "Run again without `--resume`.";
                    return Err(FlowError::new(Code::FlowBadStep, message).hint(hint));
                }
            }
        }
        Ok(Self { finished })
    }

    /// The step, if it ended well and is still the same.
    pub fn find(&self, id: &str, digest: &str) -> Option<&Finished> {
        let last = self.finished.iter().rfind(|step| step.id == id);
        last.filter(|step| step.digest == digest && step.exit_code == 0)
    }
}
