//! Test equipment: fixture programs, marks that find survivors, and waiting for events instead of for time.
//!
//! Never shipped. Read first: [`TreeMark`].

#[cfg(target_os = "linux")]
pub mod agents;
#[cfg(target_os = "linux")]
mod aside;
#[cfg(target_os = "linux")]
pub mod bare;
#[cfg(target_os = "linux")]
mod client;
mod forgotten;
#[cfg(target_os = "linux")]
mod hung;
mod mark;
#[cfg(target_os = "linux")]
pub mod measure;
#[cfg(target_os = "linux")]
pub mod model;
#[cfg(target_os = "linux")]
pub mod oracle;
mod place;
#[cfg(target_os = "linux")]
pub mod process;
mod until;

#[cfg(target_os = "linux")]
pub use aside::{aside, seen};
#[cfg(target_os = "linux")]
pub use client::McpClient;
pub use forgotten::no_file_is_forgotten;
#[cfg(target_os = "linux")]
pub use hung::HangingMount;
pub use mark::TreeMark;
pub use place::{binary, fixture, python, still};
pub use until::{LIMIT, until};
