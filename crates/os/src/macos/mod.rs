//! macOS: a process group and a walk of the tree.

pub(crate) use super::unix::{Interruptions, open_files_limit, terminal_width};
