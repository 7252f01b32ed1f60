//! The relay: accepts, outside, the connections that a command makes inside its own network, and carries those on that go
//! to listed hosts.
//!
//! One thread for each command, which ends with it. The command finds a name server of ours, by which every name gets an
//! address that is made up ([`names`]); a listener for each such address ([`listeners`]); and behind that this side, which
//! knows the name by the address, asks the list, reads what the first bytes say ([`greeting`]), dials ([`dial`]) and copies
//! ([`copy`]). Everything that comes from inside is hostile. May not decide anything that is not in the list.
//! Read first: [`NetworkRelay`].

mod account;
mod connection;
mod copy;
mod dial;
mod greeting;
mod listeners;
mod names;

use super::network::CommandNetwork;
use crate::upstream::{RelayAccount, RelayRules};
use account::Account;
use connection::Desk;
use listeners::Listeners;
use std::io;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::{TcpListener, UdpSocket};
use tokio::sync::{oneshot, watch};
use tokio::task::{LocalSet, spawn_local};

/// How long what a command sent before its end may take to be carried on.
const FAREWELL: Duration = Duration::from_secs(1);

/// Threads that may wait for names at one time.
const RESOLVING: usize = 8;

/// The relay of one command. Dropping it ends every connection.
#[derive(Debug)]
pub struct NetworkRelay {
    ended: watch::Sender<bool>,
    account: oneshot::Receiver<RelayAccount>,
}

impl NetworkRelay {
    /// Begins to relay.
    pub(super) fn begin(network: CommandNetwork, rules: RelayRules) -> io::Result<Self> {
        let (ended, end) = watch::channel(false);
        let (tell, account) = oneshot::channel();
        let thread = std::thread::Builder::new().name("relay".to_owned());
        thread.spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .max_blocking_threads(RESOLVING)
                .thread_keep_alive(Duration::from_secs(1))
                .build();
            let Ok(runtime) = runtime else { return };
            let account = LocalSet::new().block_on(&runtime, relay(network, rules, end));
            // Who asks the resolver for a name may wait for longer than anybody listens.
            runtime.shutdown_background();
            // Nobody listens where the command was given up.
            let _ = tell.send(account);
        })?;
        Ok(Self { ended, account })
    }

    /// The command is over, and nothing is left of it: what it sent is carried on for a short time, and then everything
    /// ends. None if the relay could not begin.
    pub async fn end(self) -> Option<RelayAccount> {
        let _ = self.ended.send(true);
        self.account.await.ok()
    }
}

async fn relay(network: CommandNetwork, rules: RelayRules, mut end: watch::Receiver<bool>) -> RelayAccount {
    let CommandNetwork { names, listeners, spare } = network;
    let account = Rc::new(Account::default());
    let search = super::walls::name_servers().search;
    let desk = Rc::new(Desk::new(rules, &search, Rc::clone(&account), end.clone()));
    let own = Rc::new(Listeners::new(spare, Rc::clone(&desk)));
    for listener in listeners {
        if let Ok(listener) = TcpListener::from_std(listener) {
            spawn_local(listeners::accept(listener, Rc::clone(&desk)));
        }
    }
    for socket in names {
        if let Ok(socket) = UdpSocket::from_std(socket) {
            spawn_local(names::answer(socket, Rc::clone(&own), Rc::clone(&desk)));
        }
    }
    // An error says that nobody holds the other end any more.
    let asked = end.wait_for(|ended| *ended).await.is_ok();
    if asked {
        // Whoever is cut off here says so in its record.
        let _ = tokio::time::timeout(FAREWELL, desk.empty()).await;
    }
    desk.give_up().await;
    account.take()
}
