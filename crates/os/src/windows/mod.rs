//! Windows: a job object, assigned while the process is suspended.

mod interruptions;
mod own;

pub(crate) use interruptions::Interruptions;
pub(crate) use own::{open_files_limit, terminal_width};
