//! The page of the command line, from what the binary says about itself.

use crate::process::ChildTool;
use crate::root::RepositoryRoot;

/// The whole page.
pub(crate) fn page(root: &RepositoryRoot) -> Result<String, String> {
    ChildTool::new("cargo run --quiet --package runward --locked -- help-markdown").read(root)
}
