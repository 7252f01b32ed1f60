//! Servers of installed clients, gathered into one list.
//!
//! ```text
//!  files of clients ──config::written──► servers ──merge──► what is new ──text──► the list
//! ```
//!
//! May not read or write a file: texts come in and go out. Read first: [`Merge`].

mod merge;
mod text;

pub use merge::{FoundServer, ImportConsent, ImportFate, Merge, NotImported};
pub use text::{added_to, whole};
