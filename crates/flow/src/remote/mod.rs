//! Files that lie elsewhere: where their text is, and whether it is trusted. May not fetch it.
//!
//! Read first: [`Remote`]. A runner asks [`Remote::locate`] where the text of an address lies, fetches it (with
//! [`Cached::etag`] if it has it already, every hop through [`Address::follow`]), hands the answer to [`Cached::take`], and
//! runs nothing before [`Trust::rule`] has said so.

mod address;
mod cache;
mod pages;
mod question;
mod trust;

pub use address::Address;
pub(crate) use address::{bracketed, hexadecimal};
pub use cache::{Cached, FetchAnswer};
pub use question::TrustQuestion;
pub use trust::{Trust, TrustLeave, TrustPerson, TrustVerdict};

use crate::FlowError;
use runward_engine::Code;
use std::time::Duration;

/// How long one try may take.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// How often an address is tried.
pub const TRIES: u32 = 3;
/// How many hops an address may send us on.
pub const MOST_HOPS: u32 = 5;
/// How large a file may be.
pub const MOST_BYTES: usize = 10 * 1024 * 1024;

/// A file that lies elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// What was asked for.
    pub asked: Address,
    /// Where its text lies.
    pub raw: Address,
    /// Its name: the last part of the address that was asked for. The command is chosen from it.
    pub name: String,
}

impl Remote {
    /// Says where the text of an address lies: of a page about a file, where the file itself is.
    pub fn locate(address: &str) -> Result<Self, FlowError> {
        let (asked, fragment) = Address::parse(address)?;
        let raw = pages::raw(&asked, fragment.as_deref())?;
        let name = asked.name();
        Ok(Self { asked, raw, name })
    }
}

fn refused(message: impl Into<String>, hint: impl Into<String>) -> FlowError {
    FlowError::new(Code::FlowFetch, message).hint(hint)
}
