//! Listeners on made-up addresses, of sockets that belong to the command's network.
//!
//! A name's listeners are opened when it gets its address, and on that address alone: the command's own loopback stays free,
//! with every port. New sockets of that network are made from the few that were handed out: a connection between two of
//! them gives a third, and both are taken apart again. May not hold more than [`MOST`]: those of names that were asked for
//! longest ago are closed first, and opened when the name is asked for again.

use super::connection::Desk;
use runward_core::network::{ConnectionTarget, HostName};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    SocketFlags, accept_with, bind, connect, connect_unspec, getpeername, getsockname, listen,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, spawn_local};

/// The most listeners of one command.
const MOST: usize = 256;

/// Connections that may wait to be accepted.
const WAITING: i32 = 128;

/// Where sockets are made: an address that no name is given.
const WORKSHOP: SocketAddrV4 = SocketAddrV4::new(Ipv4Addr::new(198, 19, 255, 254), 0);

/// Where a refusal can be told in words that programs understand.
const TOLD: [u16; 2] = [443, 80];

/// So many ports of a list are listened on for every name, so that a refusal is known.
const FEW: usize = 6;

/// How long to wait when this process has no room for another connection.
const NO_ROOM: Duration = Duration::from_millis(20);

/// Longer than a connection inside of one network takes to be made.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The listeners of one command.
pub(super) struct Listeners {
    workshop: RefCell<Option<Workshop>>,
    open: RefCell<VecDeque<NameListeners>>,
    desk: Rc<Desk>,
}

struct NameListeners {
    address: Ipv4Addr,
    tasks: Vec<AbortHandle>,
}

impl Drop for NameListeners {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Listeners {
    /// None yet.
    pub(super) fn new(spare: Vec<OwnedFd>, desk: Rc<Desk>) -> Self {
        let workshop = RefCell::new(Workshop::of(spare).ok());
        Self { workshop, open: RefCell::default(), desk }
    }

    /// Makes sure that connections to a name's address come in.
    pub(super) fn open(&self, address: Ipv4Addr, name: &HostName) {
        let mut open = self.open.borrow_mut();
        let known = open.iter().position(|it| it.address == address);
        if let Some(known) = known.and_then(|at| open.remove(at)) {
            open.push_back(known);
            return;
        }
        let ports = self.ports(name);
        while open.iter().map(|it| it.tasks.len()).sum::<usize>() + ports.len() > MOST && !open.is_empty() {
            open.pop_front();
        }
        let tasks = ports.into_iter().filter_map(|port| self.listen(address, port).ok()).collect();
        open.push_back(NameListeners { address, tasks });
    }

    /// Those that the list has for it, and those on which a refusal can be told.
    fn ports(&self, name: &HostName) -> Vec<u16> {
        let hosts = &self.desk.rules.hosts;
        let target = ConnectionTarget::Name(name.clone());
        let all = hosts.ports();
        let few = all.len() <= FEW;
        let mut ports: Vec<u16> =
            all.into_iter().filter(|port| few || hosts.admits(&target, *port).is_some()).collect();
        ports.extend(TOLD.iter().filter(|port| !ports.contains(port)).copied().collect::<Vec<_>>());
        ports
    }

    /// Where the command itself listens on every address there is no room: whoever connects meets the command.
    fn listen(&self, address: Ipv4Addr, port: u16) -> io::Result<AbortHandle> {
        let mut workshop = self.workshop.borrow_mut();
        let socket = workshop.as_mut().ok_or(io::ErrorKind::NotConnected)?.make()?;
        bind(&socket, &SocketAddrV4::new(address, port))?;
        listen(&socket, WAITING)?;
        let listener = TcpListener::from_std(socket.into())?;
        Ok(spawn_local(accept(listener, Rc::clone(&self.desk))).abort_handle())
    }
}

/// Accepts, one after the other, and waits for room before the next.
pub(super) async fn accept(listener: TcpListener, desk: Rc<Desk>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => desk.receive(stream).await,
            Err(_) => tokio::time::sleep(NO_ROOM).await,
        }
    }
}

/// Makes sockets of the command's network.
struct Workshop {
    listener: OwnedFd,
    connector: OwnedFd,
    /// Made, and not needed yet.
    made: Vec<OwnedFd>,
}

impl Workshop {
    fn of(mut spare: Vec<OwnedFd>) -> io::Result<Self> {
        let (Some(listener), Some(connector)) = (spare.pop(), spare.pop()) else {
            return Err(io::ErrorKind::NotConnected.into());
        };
        bind(&listener, &WORKSHOP)?;
        listen(&listener, WAITING)?;
        Ok(Self { listener, connector, made: spare })
    }

    /// A socket without an address.
    fn make(&mut self) -> io::Result<OwnedFd> {
        if let Some(made) = self.made.pop() {
            return Ok(made);
        }
        let at = SocketAddrV4::try_from(getsockname(&self.listener)?)?;
        let made = match connect(&self.connector, &at) {
            // It is made at once, and told of later.
            Ok(()) | Err(Errno::INPROGRESS) => self.counterpart(),
            Err(error) => Err(error.into()),
        };
        connect_unspec(&self.connector)?;
        let made = made?;
        connect_unspec(&made)?;
        Ok(made)
    }

    /// The other end of the connector's connection. The command may have connected, too: its connections are let go.
    fn counterpart(&self) -> io::Result<OwnedFd> {
        let ours = SocketAddrV4::try_from(getsockname(&self.connector)?)?;
        for _ in 0..=WAITING {
            let time = Timespec::try_from(AT_ONCE).ok();
            poll(&mut [PollFd::new(&self.listener, PollFlags::IN)], time.as_ref())?;
            let accepted = accept_with(&self.listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC)?;
            if getpeername(&accepted)?.and_then(|peer| SocketAddrV4::try_from(peer).ok()) == Some(ours) {
                return Ok(accepted);
            }
        }
        Err(io::ErrorKind::NotConnected.into())
    }
}
