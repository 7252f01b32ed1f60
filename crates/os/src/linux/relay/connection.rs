//! One connection from inside: who is meant, whether the list admits it, and how it is carried on or refused.

use super::account::{Account, ConnectionLine};
use super::copy::{Scratch, carry};
use super::dial::{DialError, Dialler};
use super::greeting::{self, Greeting};
use crate::upstream::RelayRules;
use runward_core::network::{ConnectionDecision, ConnectionTarget, HostName, ListedHost, MadeUpAddresses};
use std::cell::{Cell, RefCell};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::rc::Rc;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::spawn_local;

/// The most connections of one command at a time; the next one waits.
const MOST: usize = 256;

/// What all connections of a command share.
pub(super) struct Desk {
    pub(super) rules: RelayRules,
    pub(super) made_up: RefCell<MadeUpAddresses>,
    pub(super) dialler: Dialler,
    pub(super) scratch: Scratch,
    account: Rc<Account>,
    room: Arc<Semaphore>,
    busy: Cell<usize>,
    emptied: Notify,
    end: watch::Receiver<bool>,
    over: Cell<bool>,
    given_up: Notify,
}

impl Desk {
    /// Nothing has come in yet. Names below these domains are searched for by resolvers.
    pub(super) fn new(
        rules: RelayRules,
        search: &[String],
        account: Rc<Account>,
        end: watch::Receiver<bool>,
    ) -> Self {
        let search = search.iter().filter_map(|domain| HostName::parse(domain).ok()).collect();
        let made_up = RefCell::new(MadeUpAddresses::searching(search, rules.hosts.clone()));
        let dialler = Dialler::new(&rules);
        let room = Arc::new(Semaphore::new(MOST));
        let (busy, emptied) = (Cell::new(0), Notify::new());
        let (scratch, over, given_up) = (Scratch::default(), Cell::new(false), Notify::new());
        Self { rules, made_up, dialler, scratch, account, room, busy, emptied, end, over, given_up }
    }

    /// Takes a connection, once there is room for it.
    pub(super) async fn receive(self: &Rc<Self>, stream: TcpStream) {
        let Ok(place) = Arc::clone(&self.room).acquire_owned().await else { return };
        let desk = Rc::clone(self);
        self.busy.set(self.busy.get() + 1);
        spawn_local(async move {
            tokio::select! {
                () = desk.serve(stream) => {}
                () = desk.is_over() => {}
            }
            desk.busy.set(desk.busy.get() - 1);
            if desk.busy.get() == 0 {
                desk.emptied.notify_waiters();
            }
            drop(place);
        });
    }

    /// Waits until no connection is left.
    pub(super) async fn empty(&self) {
        while self.busy.get() > 0 {
            self.emptied.notified().await;
        }
    }

    /// Ends every connection that is left, and waits until each has its record.
    pub(super) async fn give_up(&self) {
        self.room.close();
        self.over.set(true);
        self.given_up.notify_waiters();
        self.empty().await;
    }

    async fn is_over(&self) {
        let given_up = self.given_up.notified();
        if !self.over.get() {
            given_up.await;
        }
    }

    async fn serve(&self, stream: TcpStream) {
        let Ok(at) = stream.local_addr() else { return };
        let target = self.target(at.ip());
        let line = ConnectionLine::begin(&self.account, &target, at.port());
        let denied = |why: String| line.decided(ConnectionDecision::Denied, Some(why));
        let Some(entry) = self.rules.hosts.admits(&target, at.port()) else {
            denied("not listed".to_owned());
            return greeting::refuse(stream, &target, at.port()).await;
        };
        line.entry(entry.text());
        let first = match greeting::read(&stream, &target, at.port()).await {
            Greeting::Fits(first) => first,
            Greeting::Wrong(why) => {
                denied(why);
                return greeting::refuse_read(stream, &target, at.port()).await;
            }
        };
        match self.dial(entry, &target, at, &line).await {
            Ok(upstream) => {
                line.decided(ConnectionDecision::Allowed, None);
                if let Err(error) = carry((&stream, &upstream), &first, &line, self).await {
                    line.decided(ConnectionDecision::Allowed, Some(error.to_string()));
                    reset(&stream);
                    reset(&upstream);
                }
            }
            Err(DialError::Denied(why)) => {
                denied(why);
                greeting::refuse_read(stream, &target, at.port()).await;
            }
            Err(DialError::Failed(why)) => {
                line.decided(ConnectionDecision::Failed, Some(why));
                reset(&stream);
            }
        }
    }

    /// Whoever connects to an address that no name was given wrote the address itself.
    fn target(&self, address: IpAddr) -> ConnectionTarget {
        let name = match address {
            IpAddr::V4(address) => self.made_up.borrow().name_of(address).cloned(),
            IpAddr::V6(_) => None,
        };
        name.map_or(ConnectionTarget::Address(address), ConnectionTarget::Name)
    }

    async fn dial(
        &self,
        entry: &ListedHost,
        target: &ConnectionTarget,
        at: SocketAddr,
        line: &ConnectionLine,
    ) -> Result<TcpStream, DialError> {
        let upstream = match target {
            _ if entry.host_loopback() => self.dialler.own_loopback(at.port()).await,
            ConnectionTarget::Address(address) => self.dialler.address(*address, at.port()).await,
            ConnectionTarget::Name(name) => self.dialler.name(name, at.port()).await,
        }?;
        if let Ok(peer) = upstream.peer_addr() {
            line.address(peer.ip());
        }
        // Small messages are not held back here: each side has decided about its own.
        let _ = upstream.set_nodelay(true);
        Ok(upstream)
    }

    /// Whether the command is over, so that nobody reads any more.
    pub(super) async fn ended(&self) {
        let mut end = self.end.clone();
        let _ = end.wait_for(|ended| *ended).await;
    }
}

/// Lets whoever is there know that nothing comes any more, and that it is no regular end.
pub(super) fn reset(stream: &TcpStream) {
    // What cannot be reset is closed.
    let _: io::Result<()> = stream.set_zero_linger();
}
