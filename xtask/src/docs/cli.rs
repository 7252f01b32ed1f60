//! The page of the command line, from what the binary says about itself.

use crate::process::Tool;
use crate::root::Root;

/// The whole page.
pub(crate) fn page(root: &Root) -> Result<String, String> {
    Tool::new("cargo run --quiet --package runward-cli --locked -- help-markdown").read(root)
}
