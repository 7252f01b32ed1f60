//! Connecting to a listed host: its name is turned into addresses once, every one of them is looked at, and one that was
//! looked at is dialled. May not ask for a name a second time on the way.

use crate::upstream::{RelayRules, UpstreamProxy, UpstreamResolver};
use runward_core::network::{HostName, PrivateHosts};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How long a name may take to be resolved.
const RESOLVING: Duration = Duration::from_secs(5);

/// How long a connection may take to be made.
const CONNECTING: Duration = Duration::from_secs(10);

/// How long one of several addresses may take before the next one is tried.
const ONE_OF_SEVERAL: Duration = Duration::from_secs(2);

/// How long an answer holds.
const FRESH: Duration = Duration::from_secs(60);

/// The most answers that are kept.
const KEPT: usize = 256;

/// The longest answer of a proxy that is read.
const LONGEST_ANSWER: usize = 16 * 1024;

/// Why nothing was connected to.
pub(super) enum DialError {
    /// It may not be.
    Denied(String),
    /// It could not be.
    Failed(String),
}

/// Connects to listed hosts, for one command.
pub(super) struct Dialler {
    resolver: Arc<dyn UpstreamResolver>,
    private: PrivateHosts,
    proxy: Result<Option<UpstreamProxy>, String>,
    answers: RefCell<HashMap<HostName, (Instant, Vec<IpAddr>)>>,
}

impl Dialler {
    pub(super) fn new(rules: &RelayRules) -> Self {
        Self {
            resolver: Arc::clone(&rules.resolver),
            private: rules.private.clone(),
            proxy: rules.proxy.clone(),
            answers: RefCell::default(),
        }
    }

    /// Connects to a port of this host's own loopback.
    pub(super) async fn own_loopback(&self, port: u16) -> Result<TcpStream, DialError> {
        let own = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        connect(&own, port).await
    }

    /// Connects to an address that is listed as such.
    pub(super) async fn address(&self, address: IpAddr, port: u16) -> Result<TcpStream, DialError> {
        match self.proxy_for(&address.to_string())? {
            // A private address is this network's own: no proxy has to be asked.
            Some(proxy) if self.resolver.is_public(address) => {
                through(proxy, &address.to_string(), port).await
            }
            _ => connect(&[address], port).await,
        }
    }

    /// Connects to a name that is listed.
    pub(super) async fn name(&self, name: &HostName, port: u16) -> Result<TcpStream, DialError> {
        let found = self.addresses(name).await;
        if let Ok(addresses) = &found {
            self.may(name, addresses)?;
        }
        match (self.proxy_for(name.as_str())?, found) {
            // The proxy looks the name up itself. It may know names that this host does not.
            (Some(proxy), _) => through(proxy, name.as_str(), port).await,
            (None, Ok(addresses)) => connect(&addresses, port).await,
            (None, Err(why)) => Err(DialError::Failed(why)),
        }
    }

    fn proxy_for(&self, host: &str) -> Result<Option<&UpstreamProxy>, DialError> {
        match &self.proxy {
            Ok(proxy) => Ok(proxy.as_ref().filter(|proxy| proxy.serves(host))),
            Err(why) => Err(DialError::Failed(why.clone())),
        }
    }

    /// One private address among public ones is enough: which of them is dialled would be up to whoever gave them.
    fn may(&self, name: &HostName, addresses: &[IpAddr]) -> Result<(), DialError> {
        if self.private.names(name) {
            return Ok(());
        }
        match addresses.iter().find(|address| !self.resolver.is_public(**address)) {
            Some(address) => Err(DialError::Denied(format!("leads to {address}, which is not public"))),
            None => Ok(()),
        }
    }

    async fn addresses(&self, name: &HostName) -> Result<Vec<IpAddr>, String> {
        if let Some((_, known)) = self.answers.borrow().get(name).filter(|(at, _)| at.elapsed() < FRESH) {
            return Ok(known.clone());
        }
        let (resolver, asked) = (Arc::clone(&self.resolver), name.clone());
        let found = tokio::task::spawn_blocking(move || resolver.addresses(asked.as_str()));
        let found = match timeout(RESOLVING, found).await {
            Ok(Ok(Ok(found))) if found.is_empty() => return Err("has no address".to_owned()),
            Ok(Ok(Ok(found))) => found,
            Ok(Ok(Err(error))) => return Err(format!("has no address: {error}")),
            Ok(Err(_)) => return Err("could not be resolved".to_owned()),
            Err(_) => return Err("was not resolved within 5 seconds".to_owned()),
        };
        let mut answers = self.answers.borrow_mut();
        if answers.len() >= KEPT {
            answers.retain(|_, (at, _)| at.elapsed() < FRESH);
        }
        if answers.len() < KEPT {
            answers.insert(name.clone(), (Instant::now(), found.clone()));
        }
        Ok(found)
    }
}

/// Connects to the first of the addresses that can be reached.
async fn connect(addresses: &[IpAddr], port: u16) -> Result<TcpStream, DialError> {
    let attempts = async {
        let mut last = None;
        for (at, address) in addresses.iter().enumerate() {
            let one = TcpStream::connect(SocketAddr::new(*address, port));
            let patience = if at + 1 < addresses.len() { ONE_OF_SEVERAL } else { CONNECTING };
            match timeout(patience, one).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = Some(error),
                Err(_) => last = Some(io::ErrorKind::TimedOut.into()),
            }
        }
        Err(last.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into()))
    };
    let connected = timeout(CONNECTING, attempts).await;
    connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(|error| unreachable(&error))
}

fn unreachable(error: &io::Error) -> DialError {
    DialError::Failed(match error.kind() {
        io::ErrorKind::TimedOut => "no connection within 10 seconds".to_owned(),
        _ => error.to_string(),
    })
}

/// Connects through a proxy.
async fn through(proxy: &UpstreamProxy, host: &str, port: u16) -> Result<TcpStream, DialError> {
    let failed = |error: io::Error| DialError::Failed(format!("the proxy {}: {error}", proxy.host));
    let making = async {
        let mut stream = TcpStream::connect((proxy.host.as_str(), proxy.port)).await?;
        stream.write_all(proxy.request(host, port).as_bytes()).await?;
        let answer = head(&stream).await?;
        let status = answer.split(' ').nth(1).unwrap_or_default();
        let agreed = answer.starts_with("HTTP/1.") && status.len() == 3 && status.starts_with('2');
        if agreed {
            Ok(stream)
        } else {
            Err(io::Error::other(format!("answers {}", status.escape_default())))
        }
    };
    let made = timeout(CONNECTING, making).await;
    made.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())).map_err(failed)
}

/// The head of an answer, and not one byte more: what follows is the connection's.
async fn head(stream: &TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.readable().await?;
        match stream.try_read(&mut byte) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(_) => head.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if head.len() > LONGEST_ANSWER {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
    String::from_utf8(head).map_err(|_| io::ErrorKind::InvalidData.into())
}
