//! Looking at a running server's sessions from outside, over a private socket of this host.
//!
//! The server offers its book of sessions, its child servers and its open questions at a socket that only the same user can reach;
//! `runward ps`, `logs`, `wait`, `kill`, `attach`, `approvals`, `approve` and `decline` speak to it. Whoever can reach
//! the socket owns the machine's account, so every session can be seen and every question answered. May not start
//! anything: there is no request for it.
//! Read first: [`serve()`], then [`Call`].

mod call;
mod frame;
mod message;
mod serve;
mod tail;

pub use call::{Call, Heard, Hearing, Refused, Telling, servers};
pub use message::{Ask, Listed, ListedChild};
pub use serve::{Children, serve, socket_path};
pub use tail::Tail;
