//! One message to a collector: a plain HTTP request, bounded in time.
//!
//! Written by hand because it is one request; the usual exporter brings thirty crates. May not speak TLS: a collector is
//! meant to be on the same host or in the same network, and forwards.

use serde_json::Value;
use std::io::{self, BufRead, BufReader, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long connecting, sending and receiving may take, each.
const LIMIT: Duration = Duration::from_secs(2);

/// The usual port of OTLP over HTTP.
const PORT: u16 = 4318;

/// Where spans are sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collector {
    host: String,
    port: u16,
    path: String,
}

/// An address that no spans can be sent to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{address}` is not of the form `http://HOST[:PORT][/PATH]`")]
pub struct NoCollector {
    address: String,
}

impl Collector {
    /// The collector at this address. Without a path of its own, spans go to `/v1/traces`.
    pub fn at(address: &str) -> Result<Self, NoCollector> {
        let wrong = || NoCollector { address: address.to_owned() };
        let rest = address.strip_prefix("http://").ok_or_else(wrong)?;
        let (place, path) = rest.split_once('/').map_or((rest, ""), |(place, path)| (place, path));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| wrong())?),
            _ => (place, PORT),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-_[]:".contains(c);
        let is_path = path.chars().all(|c| c.is_ascii_graphic());
        if host.is_empty() || !host.chars().all(plain) || !is_path {
            return Err(wrong());
        }
        let path = match path.trim_end_matches('/') {
            "" => "/v1/traces".to_owned(),
            path => format!("/{path}"),
        };
        Ok(Self { host: host.to_owned(), port, path })
    }

    pub(super) fn post(&self, message: &Value) -> io::Result<()> {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        let address = (host, self.port).to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
        let mut stream = TcpStream::connect_timeout(&address, LIMIT)?;
        stream.set_write_timeout(Some(LIMIT))?;
        stream.set_read_timeout(Some(LIMIT))?;
        let body = message.to_string();
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: {}:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.path,
            self.host,
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes())?;
        stream.write_all(body.as_bytes())?;
        let mut status = String::new();
        BufReader::new(stream).read_line(&mut status)?;
        let accepted = status.split(' ').nth(1).is_some_and(|code| code.starts_with('2'));
        if accepted { Ok(()) } else { Err(io::Error::other(status)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let at =
            |address: &str| Collector::at(address).map(|it| format!("{} {} {}", it.host, it.port, it.path));
        assert_eq!(at("http://localhost").unwrap(), "localhost 4318 /v1/traces");
        assert_eq!(at("http://10.0.0.1:99/").unwrap(), "10.0.0.1 99 /v1/traces");
        assert_eq!(at("http://[::1]:4318/a/b").unwrap(), "[::1] 4318 /a/b");
        for address in
            ["", "localhost:4318", "https://host", "http://", "http://a b", "http://h:x", "http://h/\r\nX: y"]
        {
            assert!(at(address).is_err(), "{address}");
        }
    }
}
