//! Variables beside a markdown agent: `.env` files on disk, under what is set already.

use crate::FlowError;
use crate::envfile::{file_names, lay, parse};
use runward_engine::{Code, HostFacts};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the files beside an agent say.
#[derive(Default)]
pub(super) struct Beside {
    /// Variables that nobody set before.
    pub(super) variables: Vec<(String, String)>,
    /// The files that were there, the strongest last.
    pub(super) files: Vec<PathBuf>,
    /// Lines that were not understood.
    pub(super) notes: Vec<String>,
}

/// Reads the files beside an agent.
pub(super) fn beside(folder: &Path, facts: &HostFacts) -> Result<Beside, FlowError> {
    let node_env = facts.env_var("NODE_ENV").and_then(|value| value.to_str());
    let (mut files, mut notes, mut layers) = (Vec::new(), Vec::new(), Vec::new());
    for name in file_names(node_env) {
        let text = match std::fs::read_to_string(folder.join(&name)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => {
                let error = FlowError::new(Code::FlowBadFile, format!("`{name}` could not be read: {error}"));
                return Err(error.hint("Make it a text file that can be read, or remove it."));
            }
        };
        let file = parse(&name, &text);
        let ignored = file.ignored.iter();
        notes.extend(ignored.map(|mark| format!("{}: a line that says nothing is left out", mark.place())));
        files.push(folder.join(&name));
        layers.push(file.variables);
    }
    let mut all = lay(layers);
    // The real environment counts more.
    all.retain(|(name, _)| facts.env_var(name).is_none());
    Ok(Beside { variables: all, files, notes })
}
