//! The network of a command that is a list of hosts: what the list admits, what its name server answers, what the first
//! bytes of a connection name, and the account of what was connected to and what was refused.
//!
//! Everything here is bytes and values in, values out; `crates/os` has the sockets. Whatever comes from a command is
//! hostile: it is read wholly or not at all. May not connect, resolve or listen.
//! Read first: [`HostList`].

mod dns;
mod entry;
mod hello;
mod list;
mod listed;
mod made_up;
mod name;
mod private;
mod public;
mod range;
mod report;
mod request;
mod suffixes;

pub use dns::{DnsReply, dns_answer};
pub use entry::HostListError;
pub use hello::{ClientHelloReading, read_client_hello};
pub use list::HostList;
pub use listed::{ConnectionTarget, HOST_LOOPBACK_NAME, ListedHost};
pub use made_up::{MADE_UP_NAMES, MadeUpAddresses};
pub use name::{HostName, HostNameError, HostNameFlaw};
pub use private::PrivateHosts;
pub use public::is_public_address;
pub use report::{ConnectionDecision, ConnectionRecord, DeniedConnection, NetworkReport};
pub use request::{RequestHostReading, read_request_host};
