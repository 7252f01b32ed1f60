//! The file from which some programs read the text that takes the place of their own prompt. May not outlive the run.

use super::agent::Agent;
use crate::FlowError;
use runward::Code;
use std::io::Write;
use std::path::Path;

/// A text in a file of its own, which goes when this does.
#[derive(Debug)]
pub(super) struct OwnPrompt(tempfile::NamedTempFile);

impl OwnPrompt {
    /// Writes the file that the agent's program reads, if it reads one, and tells the agent where it lies.
    pub(super) fn write(agent: &mut Agent) -> Result<Option<Self>, FlowError> {
        let Some(text) = agent.translated.text_for_file(agent.adapter) else { return Ok(None) };
        let failed = |why: String| {
            FlowError::new(
                Code::FlowBadFile,
                format!("the system prompt could not be written to a file: {why}"),
            )
            .hint("Make room in the folder for temporary files.")
        };
        let file = tempfile::Builder::new().prefix("runward-system-").suffix(".md").tempfile();
        let mut file = file.map_err(|error| failed(error.to_string()))?;
        let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
        written.map_err(|error| failed(error.to_string()))?;
        let path = file.path().to_str().ok_or_else(|| failed("its path is not text".to_owned()))?;
        agent.translated.file = Some(path.to_owned());
        Ok(Some(Self(file)))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}
