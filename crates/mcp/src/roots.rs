//! The workspace: the folder that commands of a workspace-bound tool stay in.
//!
//! A client's own roots may narrow it, never widen it. May not touch the disk: whoever starts the server passes a
//! folder that exists, and the engine judges paths.

use std::path::{Path, PathBuf};

/// The folder that was given, and what the client narrows it to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// The folder the operator chose.
    pub(crate) fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Where a relative path begins.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }
}
