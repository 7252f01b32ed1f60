//! The host that the first request of an HTTP connection is for.
//!
//! Read strictly: a head that a server might read otherwise than we do (two `Host` headers, lines that end in `\n` alone,
//! folded lines, another protocol) is wrong, and so is `CONNECT`. May not say whether a host is good.

/// The most that is read of a head.
const LONGEST: usize = 16 * 1024;

/// What the first bytes of a connection say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestHostReading {
    /// Nothing yet: more bytes are needed.
    Incomplete,
    /// The head is whole; the host as it was sent, without its port and without the brackets of an address.
    Host(String),
    /// This is no request, or none that can be read in one way only.
    Wrong,
}

/// Reads the first bytes of a connection, of which there may be more than a head.
pub fn read_request_host(bytes: &[u8]) -> RequestHostReading {
    if !is_beginning(bytes) {
        return RequestHostReading::Wrong;
    }
    let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n").filter(|end| *end <= LONGEST)
    else {
        return if bytes.len() < LONGEST {
            RequestHostReading::Incomplete
        } else {
            RequestHostReading::Wrong
        };
    };
    host(&bytes[..end]).map_or(RequestHostReading::Wrong, RequestHostReading::Host)
}

/// Whether a head may begin so: with the name of a method, then a space, without bytes that no head has.
fn is_beginning(bytes: &[u8]) -> bool {
    let head = bytes.windows(4).position(|part| part == b"\r\n\r\n").map_or(bytes, |end| &bytes[..end]);
    let method = head.split(|b| *b == b' ').next().unwrap_or_default();
    let allowed = |b: &u8| !b.is_ascii_control() || matches!(b, b'\r' | b'\n' | b'\t');
    method.len() <= 32 && method.iter().all(u8::is_ascii_uppercase) && head.iter().all(allowed)
}

fn host(head: &[u8]) -> Option<String> {
    let mut lines = lines(head)?.into_iter();
    let target = target(lines.next()?)?;
    let mut found = None;
    for line in lines {
        let (name, value) = header(line)?;
        if name.eq_ignore_ascii_case("host") {
            if found.is_some() {
                return None;
            }
            found = Some(authority(value)?);
        }
    }
    let host = found?;
    match target {
        AskedPage::Elsewhere(stated) if !stated.eq_ignore_ascii_case(&host) => None,
        _ => Some(host),
    }
}

/// Lines that end in `\r\n`; neither of the two stands alone.
fn lines(head: &[u8]) -> Option<Vec<&str>> {
    // A byte that is not ASCII may stand in a value, and means nothing to us: only a text that is none is refused.
    let text = std::str::from_utf8(head).ok()?;
    let lines: Vec<&str> = text.split("\r\n").collect();
    lines.iter().all(|line| !line.contains(['\r', '\n'])).then_some(lines)
}

/// What a request is for.
enum AskedPage {
    /// A page of the host that the header names.
    Here,
    /// A page with the address of its host.
    Elsewhere(String),
}

fn target(line: &str) -> Option<AskedPage> {
    let mut words = line.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let known = words.next().is_none() && matches!(version, "HTTP/1.1" | "HTTP/1.0");
    if !known || method.is_empty() || method == "CONNECT" || target.contains('\t') {
        return None;
    }
    if target.starts_with('/') || (target == "*" && method == "OPTIONS") {
        return Some(AskedPage::Here);
    }
    let (scheme, rest) = target.split_once("://")?;
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    scheme.eq_ignore_ascii_case("http").then(|| authority(&rest[..end]).map(AskedPage::Elsewhere))?
}

fn header(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once(':')?;
    let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    let named = !name.is_empty() && name.bytes().all(token);
    named.then(|| (name, value.trim_matches([' ', '\t'])))
}

/// The host of `HOST`, `HOST:PORT` or `[IPv6]:PORT`, without the dot at its end.
fn authority(text: &str) -> Option<String> {
    let (host, port) = match text.strip_prefix('[') {
        Some(rest) => {
            let (inside, behind) = rest.split_once(']')?;
            inside.parse::<std::net::Ipv6Addr>().ok()?;
            (inside, if behind.is_empty() { None } else { Some(behind.strip_prefix(':')?) })
        }
        None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
    };
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|b| b.is_ascii_digit());
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.:".contains(&b);
    let host = host.strip_suffix('.').unwrap_or(host);
    let good = !host.is_empty() && host.bytes().all(plain) && port.is_none_or(is_port);
    good.then(|| host.to_owned())
}

#[cfg(test)]
mod tests {
    use super::RequestHostReading::{Host, Incomplete, Wrong};
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> RequestHostReading {
        read_request_host(text.as_bytes())
    }

    fn host(text: &str) -> RequestHostReading {
        Host(text.to_owned())
    }

    #[test]
    fn the_host_of_a_request_is_read() {
        let requests = [
            ("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n", "a.example"),
            ("GET /x?y=http://b.example/ HTTP/1.0\r\nAccept: */*\r\nhOsT:\t a.example \r\n\r\n", "a.example"),
            (
                "POST / HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: 3\r\n\r\nHost: b.example\r\n\r\n",
                "a.example",
            ),
            ("GET / HTTP/1.1\r\nHost: A.Example.\r\n\r\n", "A.Example"),
            ("GET http://a.example/x HTTP/1.1\r\nHost: a.example\r\n\r\n", "a.example"),
            ("GET HTTP://A.EXAMPLE:80?q HTTP/1.1\r\nHost: a.example\r\n\r\n", "a.example"),
            ("OPTIONS * HTTP/1.1\r\nHost: a.example\r\n\r\n", "a.example"),
            ("GET / HTTP/1.1\r\nHost: [2001:db8::1]:80\r\n\r\n", "2001:db8::1"),
            ("GET / HTTP/1.1\r\nHost: 10.0.0.1\r\nX: bücher\r\n\r\n", "10.0.0.1"),
        ];
        for (text, name) in requests {
            assert_eq!(read(text), host(name), "{text:?}");
        }
    }

    #[test]
    fn what_two_servers_could_read_differently_is_wrong() {
        let heads = [
            "GET / HTTP/1.1\r\n",
            "GET / HTTP/1.1\r\nHost: a.example\r\nHost: b.example\r\n",
            "GET / HTTP/1.1\r\nHost: a.example\r\nHost: a.example\r\n",
            "GET / HTTP/1.1\r\nHost: a.example\r\nHOST: b.example\r\n",
            "GET / HTTP/1.1\r\nHost:\r\n",
            "GET / HTTP/1.1\r\nHost: a.example, b.example\r\n",
            "GET / HTTP/1.1\r\nHost: a.example b.example\r\n",
            "GET / HTTP/1.1\r\nHost: u@a.example\r\n",
            "GET / HTTP/1.1\r\nHost: a.example/x\r\n",
            "GET / HTTP/1.1\r\nHost: a.example:http\r\n",
            "GET / HTTP/1.1\r\nHost: a.example:80:80\r\n",
            "GET / HTTP/1.1\r\nHost: [a.example]\r\n",
            "GET / HTTP/1.1\r\nHost : a.example\r\n",
            "GET / HTTP/1.1\r\n Host: a.example\r\n",
            "GET / HTTP/1.1\r\nX: y\r\n\tHost: a.example\r\n",
            "GET / HTTP/1.1\r\nX: y\nHost: b.example\r\nHost: a.example\r\n",
            "GET / HTTP/1.1\nHost: a.example\r\n",
            "GET / HTTP/1.1\r\nX: y\rHost: b.example\r\nHost: a.example\r\n",
            "GET / HTTP/1.1\r\nHost: a.example\0.b.example\r\n",
            "GET / HTTP/1.1\r\n: x\r\nHost: a.example\r\n",
            "GET / HTTP/1.1\r\nno colon\r\nHost: a.example\r\n",
            "GET http://b.example/ HTTP/1.1\r\nHost: a.example\r\n",
            "GET http://a.example@b.example/ HTTP/1.1\r\nHost: a.example\r\n",
            "GET https://a.example/ HTTP/1.1\r\nHost: a.example\r\n",
            "GET //b.example HTTP/2.0\r\nHost: a.example\r\n",
            "GET b.example HTTP/1.1\r\nHost: a.example\r\n",
            "GET * HTTP/1.1\r\nHost: a.example\r\n",
            "GET  / HTTP/1.1\r\nHost: a.example\r\n",
            "GET / HTTP/1.1 \r\nHost: a.example\r\n",
            "GET /\r\nHost: a.example\r\n",
            "GET / http/1.1\r\nHost: a.example\r\n",
            "CONNECT a.example:80 HTTP/1.1\r\nHost: a.example\r\n",
            "CONNECT b.example:443 HTTP/1.1\r\nHost: a.example\r\n",
            "get / HTTP/1.1\r\nHost: a.example\r\n",
            "\r\nGET / HTTP/1.1\r\nHost: a.example\r\n",
            " GET / HTTP/1.1\r\nHost: a.example\r\n",
        ];
        for head in heads {
            assert_eq!(read(&format!("{head}\r\n")), Wrong, "{head:?}");
        }
    }

    #[test]
    fn other_protocols_are_told_early() {
        for text in ["PRI * HTTP/2.0\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "\x16\x03\x01\x02", "\0", "x", "GET\t/"]
        {
            assert_eq!(read(text), Wrong, "{text:?}");
        }
        assert_eq!(read_request_host(&[0xff, 0xfe]), Wrong);
    }

    #[test]
    fn every_beginning_needs_more_and_a_head_has_an_end() {
        let text = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n";
        for end in 0..text.len() {
            assert_eq!(read(&text[..end]), Incomplete, "{end}");
        }
        let long =
            |bytes: usize| format!("GET / HTTP/1.1\r\nHost: a.example\r\nX: {}\r\n\r\n", "y".repeat(bytes));
        assert_eq!(read(&long(16_000)), host("a.example"));
        assert_eq!(read(&long(17_000)), Wrong);
        assert_eq!(read(&long(17_000)[..16_383]), Incomplete);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            read_request_host(&bytes);
            let head = [b"GET / HTTP/1.1\r\nHost: a.example\r\n", &bytes[..], b"\r\n\r\n"].concat();
            read_request_host(&head);
        }

        #[test]
        fn no_further_line_makes_it_another_host(line in "[ -~\r\n]{0,60}") {
            let read = read(&format!("GET / HTTP/1.1\r\nHost: a.example\r\n{line}\r\n\r\n"));
            prop_assert!(read == host("a.example") || read == Wrong, "{:?}", read);
        }
    }
}
