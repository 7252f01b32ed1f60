//! The file from which some programs read the text that takes the place of their own prompt. May not outlive the run.

use super::agent::Agent;
use super::keep;
use crate::FlowError;
use runward_engine::Code;
use tempfile::NamedTempFile;

/// Writes the file that the agent's program reads, if it reads one, and tells the agent where it lies.
pub(super) fn write(agent: &mut Agent) -> Result<Option<NamedTempFile>, FlowError> {
    let Some(text) = agent.translated.text_for_file(agent.adapter) else { return Ok(None) };
    let failed = |why: &dyn std::fmt::Display| {
        let message = format!("the system prompt could not be written to a file: {why}");
        FlowError::new(Code::FlowBadFile, message).hint("Make room in the folder for temporary files.")
    };
    let file = keep::aside("runward-system-", ".md", text).map_err(|error| failed(&error))?;
    let path = file.path().to_str().ok_or_else(|| failed(&"its path is not text"))?;
    agent.translated.file = Some(path.to_owned());
    Ok(Some(file))
}
