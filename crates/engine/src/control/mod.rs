//! The control socket: a running server's sessions, seen from outside over a private Unix socket.
//!
//! The server offers its sessions, its child servers and its open questions at a socket that only the same user can reach;
//! `runward ps`, `logs`, `wait`, `kill`, `attach`, `approvals`, `approve` and `decline` speak to it. A client at
//! the socket runs under the user's account, so every session can be seen and every question answered. May not start
//! anything: there is no request for it.
//! Read first: [`serve()`], then [`ControlCall`].

mod call;
mod frame;
mod message;
mod serve;
mod tail;

pub use call::{ControlCall, ControlMessage, ControlReceiver, ControlRefused, ControlSender, servers};
pub use message::{Ask, ListedChild, ListedSession};
pub use serve::{Children, serve, socket_path};
pub use tail::Tail;
