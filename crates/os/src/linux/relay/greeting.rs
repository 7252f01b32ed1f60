//! The first bytes of a connection: what they must say where they can, and how a refusal is told.
//!
//! On port 443 the server name of the ClientHello must be the name that the command asked for, on port 80 the host of the
//! request. What is cut short, silent or neither is not carried on.

use runward_core::network::{
    ClientHelloReading, ConnectionTarget, HostName, RequestHostReading, read_client_hello, read_request_host,
};
use std::io;
use std::net::IpAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The most that is read before it is decided.
const LONGEST: usize = 16 * 1024;

/// How long the first bytes may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long whoever was refused may take to read that.
const PARTING: Duration = Duration::from_secs(2);

const TLS: u16 = 443;
const HTTP: u16 = 80;

/// The alert of TLS that says that access is denied, as one record.
const ACCESS_DENIED: [u8; 7] = [21, 3, 1, 0, 2, 2, 49];

/// What the first bytes said.
pub(super) enum Greeting {
    /// Whatever they were, they may go on.
    Fits(Vec<u8>),
    /// They may not.
    Wrong(String),
}

/// Reads the first bytes, where they say who is meant.
pub(super) async fn read(stream: &TcpStream, target: &ConnectionTarget, port: u16) -> Greeting {
    if ![TLS, HTTP].contains(&port) {
        return Greeting::Fits(Vec::new());
    }
    let mut first = Vec::new();
    let judged = timeout(PATIENCE, async {
        loop {
            if let Some(judged) = judge(&first, target, port) {
                return judged;
            }
            if !more(stream, &mut first).await.unwrap_or(false) {
                return Err(format!("{} cut short", what(port)));
            }
        }
    });
    match judged.await {
        Ok(Ok(())) => Greeting::Fits(first),
        Ok(Err(why)) => Greeting::Wrong(why),
        Err(_) => Greeting::Wrong(format!("no {} within 10 seconds", what(port))),
    }
}

fn what(port: u16) -> &'static str {
    if port == TLS { "ClientHello" } else { "request" }
}

/// Nothing until enough was read.
fn judge(first: &[u8], target: &ConnectionTarget, port: u16) -> Option<Result<(), String>> {
    if first.is_empty() {
        return None;
    }
    let judged = if port == TLS {
        match read_client_hello(first) {
            ClientHelloReading::Incomplete => None,
            ClientHelloReading::ServerName(name) => Some(of_tls(name.as_deref(), target)),
            ClientHelloReading::NotTls => Some(Err("no TLS".to_owned())),
        }
    } else {
        match read_request_host(first) {
            RequestHostReading::Incomplete => None,
            RequestHostReading::Host(host) if is(&host, target) => Some(Ok(())),
            RequestHostReading::Host(host) => Some(Err(format!("host {}", shown(&host)))),
            RequestHostReading::Wrong => Some(Err("no request with one host".to_owned())),
        }
    };
    judged.or_else(|| (first.len() >= LONGEST).then(|| Err(format!("{} of more than 16 KiB", what(port)))))
}

fn of_tls(name: Option<&str>, target: &ConnectionTarget) -> Result<(), String> {
    match (name, target) {
        (Some(name), _) if is(name, target) => Ok(()),
        (Some(name), _) => Err(format!("tls name {}", shown(name))),
        (None, ConnectionTarget::Address(_)) => Ok(()),
        (None, ConnectionTarget::Name(_)) => Err("no tls name".to_owned()),
    }
}

fn is(said: &str, target: &ConnectionTarget) -> bool {
    match target {
        ConnectionTarget::Name(name) => HostName::parse(said).is_ok_and(|said| said == *name),
        ConnectionTarget::Address(address) => said.parse::<IpAddr>().is_ok_and(|said| said == *address),
    }
}

/// As far as it can stand in a record.
fn shown(text: &str) -> String {
    text.chars().take(253).flat_map(char::escape_default).collect()
}

/// Reads more; false at the end.
async fn more(stream: &TcpStream, into: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        stream.readable().await?;
        let mut piece = [0; 4096];
        let room = LONGEST.saturating_sub(into.len()).clamp(1, piece.len());
        match stream.try_read(&mut piece[..room]) {
            Ok(0) => return Ok(false),
            Ok(len) => {
                into.extend_from_slice(&piece[..len]);
                return Ok(true);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Refuses a connection of which nothing was read: what it says first is waited for, or a refusal would not be heard.
pub(super) async fn refuse(stream: TcpStream, target: &ConnectionTarget, port: u16) {
    if [TLS, HTTP].contains(&port) {
        let mut first = Vec::new();
        let whole = async {
            while more(&stream, &mut first).await? {
                let enough = match port {
                    TLS => read_client_hello(&first) != ClientHelloReading::Incomplete,
                    _ => read_request_host(&first) != RequestHostReading::Incomplete,
                };
                if enough || first.len() >= LONGEST {
                    break;
                }
            }
            io::Result::Ok(())
        };
        let _ = timeout(PATIENCE, whole).await;
    }
    refuse_read(stream, target, port).await;
}

/// Refuses a connection of which the first bytes were read.
pub(super) async fn refuse_read(stream: TcpStream, target: &ConnectionTarget, port: u16) {
    let told = match port {
        TLS => tell(&stream, &ACCESS_DENIED).await,
        HTTP => tell(&stream, forbidden(target).as_bytes()).await,
        _ => Err(io::ErrorKind::Unsupported.into()),
    };
    if told.is_err() {
        super::connection::reset(&stream);
    }
}

fn forbidden(target: &ConnectionTarget) -> String {
    let text = format!("runward: {target}:{HTTP} is not in sandbox.network [network.denied]\n");
    format!(
        "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{text}",
        text.len()
    )
}

/// Says it, and waits a little until it was read: a connection that is closed with something unread is reset.
async fn tell(stream: &TcpStream, mut text: &[u8]) -> io::Result<()> {
    let telling = async {
        while !text.is_empty() {
            stream.writable().await?;
            match stream.try_write(text) {
                Ok(len) => text = &text[len..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
        rustix::net::shutdown(stream, rustix::net::Shutdown::Write)?;
        let mut rest = Vec::new();
        while more(stream, &mut rest).await? {
            rest.clear();
        }
        Ok(())
    };
    timeout(PARTING, telling).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> ConnectionTarget {
        ConnectionTarget::Name(HostName::parse(text).unwrap())
    }

    #[test]
    fn a_request_is_for_whom_it_says() {
        let wanted = name("a.example");
        let said =
            |host: &str| judge(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes(), &wanted, HTTP);
        for fits in ["a.example", "A.Example.", "a.example:80"] {
            assert_eq!(said(fits), Some(Ok(())), "{fits}");
        }
        assert_eq!(said("evil.example"), Some(Err("host evil.example".to_owned())));
        assert_eq!(judge(b"GET / HT", &wanted, HTTP), None);
        assert!(matches!(judge(b"SSH-2.0-OpenSSH_9\r\n\r\n\r\n", &wanted, HTTP), Some(Err(_))));
        let address = ConnectionTarget::Address("10.0.0.5".parse().unwrap());
        assert_eq!(judge(b"GET / HTTP/1.1\r\nHost: 10.0.0.5\r\n\r\n", &address, HTTP), Some(Ok(())));
    }

    #[test]
    fn a_name_is_needed_where_a_name_was_asked_for() {
        assert!(of_tls(None, &name("a.example")).is_err());
        assert!(of_tls(None, &ConnectionTarget::Address("10.0.0.5".parse().unwrap())).is_ok());
        assert!(of_tls(Some("A.EXAMPLE"), &name("a.example")).is_ok());
        assert_eq!(of_tls(Some("evil.example"), &name("a.example")), Err("tls name evil.example".to_owned()));
    }

    #[test]
    fn what_a_refusal_says_is_what_it_is_about() {
        let said = forbidden(&name("evil.example"));
        assert!(
            said.ends_with("\r\n\r\nrunward: evil.example:80 is not in sandbox.network [network.denied]\n")
        );
    }
}
