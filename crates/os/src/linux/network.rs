//! The network of a command that may talk to a list of hosts, as seen from outside: the sockets that were made inside it.
//!
//! A socket belongs to the network in which it was made, for ever. So a name server and listeners can be inside of a
//! network that Runward never enters. May not accept a connection: see `relay`.

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::net::sockopt::{socket_acceptconn, socket_type};
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SocketType, recvmsg};
use std::io::{self, IoSliceMut};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;

/// As many as a warden sends at a time.
const MOST_AT_A_TIME: usize = 64;

/// The sockets of a command's own network. None of them ever waits.
#[derive(Debug, Default)]
pub(super) struct CommandNetwork {
    /// Where names are asked for.
    pub(super) names: Vec<UdpSocket>,
    /// Where connections come in to addresses that are listed by their numbers.
    pub(super) listeners: Vec<TcpListener>,
    /// Without an address.
    pub(super) spare: Vec<OwnedFd>,
}

impl CommandNetwork {
    /// Takes what a command's process handed out before it became the command.
    pub(super) fn receive(from: &OwnedFd) -> io::Result<Self> {
        let mut network = Self::default();
        loop {
            let mut said = [0; 1];
            let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_AT_A_TIME))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let flags = RecvFlags::CMSG_CLOEXEC | RecvFlags::DONTWAIT;
            let got = recvmsg(from, &mut [IoSliceMut::new(&mut said)], &mut control, flags)?;
            for message in control.drain() {
                if let RecvAncillaryMessage::ScmRights(fds) = message {
                    fds.into_iter().try_for_each(|fd| network.take(fd))?;
                }
            }
            match (got.bytes, said) {
                // The sender could not have gone on without its last message.
                (0, _) => return Err(io::ErrorKind::UnexpectedEof.into()),
                (_, [b'e']) => return Ok(network),
                _ => {}
            }
        }
    }

    /// What a socket is for is seen from what it is.
    fn take(&mut self, fd: OwnedFd) -> io::Result<()> {
        fcntl_setfl(&fd, fcntl_getfl(&fd)? | OFlags::NONBLOCK)?;
        match (socket_type(&fd)?, socket_acceptconn(&fd)?) {
            (SocketType::DGRAM, _) => self.names.push(fd.into()),
            (_, true) => self.listeners.push(fd.into()),
            (_, false) => self.spare.push(fd),
        }
        Ok(())
    }
}
