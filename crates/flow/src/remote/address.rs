//! Addresses that may be fetched: `https://` anywhere, `http://` on this machine only. May not resolve a name.

use super::refused;
use crate::FlowError;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// An address that may be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    secure: bool,
    host: String,
    port: Option<u16>,
    /// With its slash.
    path: String,
    query: Option<String>,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", if self.secure { "https" } else { "http" }, self.host)?;
        if let Some(port) = self.port {
            write!(f, ":{port}")?;
        }
        f.write_str(&self.path)?;
        self.query.as_ref().map_or(Ok(()), |query| write!(f, "?{query}"))
    }
}

impl Address {
    /// Reads an address, and what stands behind its `#`.
    pub fn parse(text: &str) -> Result<(Self, Option<String>), FlowError> {
        let odd = |char: char| {
            !char.is_ascii_graphic() || matches!(char, '\\' | '"' | '<' | '>' | '^' | '`' | '{' | '|' | '}')
        };
        if let Some(char) = text.chars().find(|char| odd(*char)) {
            let message = format!("`{}` cannot stand in an address", char.escape_default());
            return Err(refused(message, "Write it percent-encoded."));
        }
        let (rest, fragment) =
            text.split_once('#').map_or((text, None), |(rest, end)| (rest, Some(end.to_owned())));
        let (scheme, rest) = rest.split_once("://").unwrap_or(("", rest));
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err(refused(format!("`{text}` is no web address"), "Begin it with `https://`.")),
        };
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (host, port) = authority(&rest[..end], text)?;
        let (path, query) =
            rest[end..].split_once('?').map_or((&rest[end..], None), |(path, query)| (path, Some(query)));
        let path = if path.is_empty() { "/" } else { path }.to_owned();
        let address = Self { secure, host, port, path, query: query.map(str::to_owned) };
        if !secure && !address.is_loopback() {
            let message = format!("`{text}` would be fetched without encryption");
            return Err(refused(message, "Use `https://`; plain `http://` is for this machine only."));
        }
        Ok((address, fragment))
    }

    /// Where a redirection leads. It keeps to the same rules, and encryption is never left behind.
    pub fn follow(&self, location: &str) -> Result<Self, FlowError> {
        let has_scheme = location.split(['/', '?', '#']).next().is_some_and(|start| start.contains(':'));
        let whole = if has_scheme {
            location.to_owned()
        } else if let Some(rest) = location.strip_prefix("//") {
            format!("{}://{rest}", if self.secure { "https" } else { "http" })
        } else {
            let before = match location.chars().next() {
                Some('/') => "",
                Some('?' | '#') | None => &self.path,
                Some(_) => &self.path[..=self.path.rfind('/').unwrap_or(0)],
            };
            Self { path: format!("{before}{location}"), query: None, ..self.clone() }.to_string()
        };
        let (next, _) = Self::parse(&whole)?;
        if self.secure && !next.secure {
            let message = format!("`{self}` sends us on to `{next}`, without encryption");
            return Err(refused(message, "Ask for the address that it leads to, if it is to be trusted."));
        }
        Ok(next)
    }

    /// The host, in lower case.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The last part of the path, decoded. Empty where the path ends with a slash.
    pub fn name(&self) -> String {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        decoded(last).filter(|name| !name.contains(['/', '\\', '\0'])).unwrap_or_else(|| last.to_owned())
    }

    /// Whether it lies on this machine.
    pub fn is_loopback(&self) -> bool {
        let host = bracketed(&self.host).unwrap_or(&self.host);
        match host.parse::<IpAddr>() {
            Ok(IpAddr::V4(address)) => address.is_loopback(),
            Ok(IpAddr::V6(address)) => address == Ipv6Addr::LOCALHOST,
            Err(_) => host == "localhost",
        }
    }

    /// The parts of the path, without empty ones at its ends.
    pub(super) fn parts(&self) -> Vec<&str> {
        self.path.trim_matches('/').split('/').collect()
    }

    /// The words of the query.
    pub(super) fn query(&self) -> impl Iterator<Item = &str> {
        self.query.iter().flat_map(|query| query.split('&'))
    }

    /// Another place on another host.
    pub(super) fn elsewhere(&self, host: &str, parts: &[&str]) -> Self {
        Self { host: host.to_owned(), path: format!("/{}", parts.join("/")), query: None, ..self.clone() }
    }

    pub(super) fn with_query(mut self, query: Option<&str>) -> Self {
        self.query = query.map(str::to_owned);
        self
    }
}

/// What stands between the brackets of a host.
pub(crate) fn bracketed(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// Host and port. A name before the host (`https://github.com@example.com`) only serves to deceive.
fn authority(text: &str, whole: &str) -> Result<(String, Option<u16>), FlowError> {
    let bad =
        || refused(format!("`{whole}` names no host"), "Write it like `https://example.com/task.claude.md`.");
    if text.contains('@') {
        let message = format!("`{whole}` has a name or a password before its host");
        return Err(refused(message, "Remove what stands before the `@`."));
    }
    let colon = text.rfind(':').filter(|at| !text[*at..].contains(']'));
    let (host, port) = colon.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    let port = port.map(|port| port.parse::<u16>().map_err(|_| bad())).transpose()?;
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let named = host.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '-' | '_'));
    let numbered = bracketed(&host).is_some_and(|host| host.parse::<Ipv6Addr>().is_ok());
    if host.is_empty() || !(named || numbered) { Err(bad()) } else { Ok((host, port)) }
}

/// The byte that two digits stand for.
pub(crate) fn hexadecimal(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// `%2E` as `.`. None where it is no text.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let is_code = *first == b'%';
        bytes.push(if is_code { hexadecimal(tail)? } else { *first });
        rest = if is_code { &tail[2..] } else { tail };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_fine(address: &str) -> bool {
        Address::parse(address).is_ok()
    }

    #[test]
    fn an_address_is_encrypted_unless_it_is_of_this_machine() {
        for address in
            ["https://example.com", "http://localhost:1/a", "http://127.0.0.2", "http://[::1]:8080/x"]
        {
            assert!(is_fine(address), "{address}");
        }
        for address in [
            "http://example.com",
            "http://127.0.0.1.example.com",
            "http://localhost.evil.org",
            "http://10.0.0.1",
        ] {
            assert!(!is_fine(address), "{address}");
        }
    }

    #[test]
    fn an_address_with_a_name_or_an_odd_sign_is_refused() {
        for address in [
            "https://a@b.org",
            "http://localhost@evil.org/",
            "https://a\\b",
            "ftp://a.b",
            "https://",
            "file:///a",
            "https://a b",
        ] {
            assert!(!is_fine(address), "{address}");
        }
    }

    #[test]
    fn a_redirect_is_read_from_where_it_came() {
        let (from, _) = Address::parse("https://a.org:8/x/y?z").unwrap();
        for (to, expected) in [
            ("https://b.org/c", "https://b.org/c"),
            ("//b.org/c", "https://b.org/c"),
            ("/c", "https://a.org:8/c"),
            ("c?d", "https://a.org:8/x/c?d"),
            ("?d", "https://a.org:8/x/y?d"),
            ("c?u=http://e", "https://a.org:8/x/c?u=http://e"),
        ] {
            assert_eq!(from.follow(to).unwrap().to_string(), expected);
        }
        assert!(from.follow("ftp://b").is_err());
        let (here, _) = Address::parse("http://localhost").unwrap();
        assert_eq!(here.follow("c").unwrap().to_string(), "http://localhost/c");
    }

    #[test]
    fn a_redirect_never_leaves_encryption_behind() {
        let (from, _) = Address::parse("https://localhost:8/x").unwrap();
        let error = from.follow("http://localhost:8/y").unwrap_err();
        assert!(error.to_string().ends_with("`http://localhost:8/y`, without encryption"), "{error}");
        assert!(from.follow("//localhost:9/y").is_ok());
        let (plain, _) = Address::parse("http://localhost:8/x").unwrap();
        assert!(plain.follow("https://localhost/").is_ok() && plain.follow("http://localhost/").is_ok());
    }
}
