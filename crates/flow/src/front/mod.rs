//! A markdown file taken apart: front matter, body, and where each stands. May not read a file.
//!
//! Read first: [`Flow`], then [`Front`].

mod entries;
mod scalar;
mod split;
mod value;
mod yaml;

pub use entries::Front;
pub use value::Value;

use crate::FlowError;

/// A markdown file taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// The file, as people know it.
    pub file: String,
    /// What stands between the `---` lines.
    pub front: Front,
    /// Whether there are such lines: an empty front matter is not the same as none.
    pub has_front: bool,
    /// Everything after them, as it was written.
    pub body: String,
    /// The line of the file on which the body begins, counted from 1.
    pub body_line: usize,
}

/// Takes a file's text apart. A first line that begins with `#!` is skipped, and so is a byte order mark.
///
/// ```
/// let flow = runward_flow::front::read("task.claude.md", "---\nmodel: opus\n---\nDo it.\n")?;
/// assert_eq!(flow.front.get("model").and_then(|model| model.as_text()), Some("opus"));
/// assert_eq!((flow.body.as_str(), flow.body_line), ("Do it.\n", 4));
/// # Ok::<(), runward_flow::FlowError>(())
/// ```
pub fn read(file: &str, text: &str) -> Result<Flow, FlowError> {
    let parts = split::split(file, text)?;
    let front = match &parts.matter {
        Some(matter) => yaml::read(file, matter.text, matter.line)?,
        None => Front::default(),
    };
    Ok(Flow {
        file: file.to_owned(),
        front,
        has_front: parts.matter.is_some(),
        body: parts.body.text.to_owned(),
        body_line: parts.body.line,
    })
}

#[cfg(test)]
mod tests;
