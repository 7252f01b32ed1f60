//! Test equipment: fixture programs, marks that find survivors, and waiting for events instead of for time.
//!
//! Never shipped. Read first: [`Mark`].

#[cfg(target_os = "linux")]
pub mod bare;
mod mark;
#[cfg(target_os = "linux")]
pub mod oracle;
mod place;
mod until;

pub use mark::Mark;
pub use place::{binary, fixture, python, still};
pub use until::{LIMIT, until};
