//! How a listed host is reached from outside: who turns its name into addresses, which addresses will do, and through which
//! proxy. May not decide which host may be reached: that is the list.

use runward_core::network::{ConnectionRecord, HostList, NetworkReport, PrivateHosts, is_public_address};
use runward_core::render::base64;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};
use std::sync::Arc;

/// Turns the names of hosts into addresses, and knows which addresses are public. The usual one is [`HostResolver`].
pub trait UpstreamResolver: Send + Sync + 'static {
    /// The addresses of a name. May block.
    ///
    /// # Errors
    /// Where there are none, or nobody could be asked.
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>>;

    /// Whether an address is of the internet at large, and not of this host.
    fn is_public(&self, address: IpAddr) -> bool;
}

/// Asks as every program on this host does (`getaddrinfo`).
#[derive(Debug, Clone, Copy, Default)]
pub struct HostResolver;

impl UpstreamResolver for HostResolver {
    fn addresses(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut found: Vec<IpAddr> = Vec::new();
        for address in (host, 0).to_socket_addrs()? {
            if !found.contains(&address.ip()) {
                found.push(address.ip());
            }
        }
        Ok(found)
    }

    fn is_public(&self, address: IpAddr) -> bool {
        let own = if is_own(address) { vec![address] } else { Vec::new() };
        is_public_address(address, &own)
    }
}

/// Whether an address is of this host: then, and only then, a socket can have it.
///
/// Where the kernel was told to give sockets any address at all, the list of the host's own decides: what is sent to one of
/// them is sent from it.
fn is_own(address: IpAddr) -> bool {
    let Ok(_socket) = UdpSocket::bind(SocketAddr::new(address, 0)) else { return false };
    let family = if address.is_ipv4() { "ipv4" } else { "ipv6" };
    let setting = std::fs::read_to_string(format!("/proc/sys/net/{family}/ip_nonlocal_bind"));
    if setting.is_ok_and(|setting| setting.trim() == "0") {
        return true;
    }
    let any: IpAddr = if address.is_ipv4() { [0; 4].into() } else { [0_u16; 8].into() };
    let from = UdpSocket::bind(SocketAddr::new(any, 0)).and_then(|socket| {
        socket.connect(SocketAddr::new(address, 9))?;
        socket.local_addr()
    });
    from.is_ok_and(|from| from.ip() == address) || is_in_route_table(address)
}

/// Whether the kernel's table has it: the host's second address in a network is one that it does not send from.
fn is_in_route_table(address: IpAddr) -> bool {
    let table = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    let wanted = format!("|-- {address}");
    table.lines().any(|line| line.trim() == wanted)
}

/// A proxy of this host's own, through which everything is reached that it is not told to leave alone.
#[derive(Clone, PartialEq, Eq)]
pub struct UpstreamProxy {
    /// Its name or address.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// What it is told to let us in, already encoded.
    authorization: Option<String>,
    /// Hosts that are reached without it.
    except: Vec<String>,
}

impl fmt::Debug for UpstreamProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What lets us in is a secret.
        f.debug_struct("UpstreamProxy")
            .field("host", &self.host)
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl UpstreamProxy {
    /// The proxy that variables of the environment name, by the value of each name; none where they name none. A proxy
    /// that speaks anything but HTTP is not understood, which is said.
    ///
    /// # Errors
    /// A sentence about what is not understood.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Result<Option<Self>, String> {
        let either = |small: &str, large: &str| variable(small).or_else(|| variable(large));
        let set = either("https_proxy", "HTTPS_PROXY").or_else(|| either("all_proxy", "ALL_PROXY"));
        let Some(set) = set.filter(|set| !set.trim().is_empty()) else { return Ok(None) };
        let text = set.trim();
        let rest = match text.split_once("://") {
            Some(("http", rest)) => rest,
            Some((other, _)) => return Err(format!("a proxy that speaks `{other}` is not understood")),
            None => text,
        };
        let rest = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let (user, place) = rest.rsplit_once('@').map_or((None, rest), |(user, place)| (Some(user), place));
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port.parse().ok()),
            _ => (place, Some(80)),
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let (Some(port), false) = (port, host.is_empty()) else {
            return Err("the address of the proxy is not understood".to_owned());
        };
        let authorization = user.map(|user| base64(&percent_decoded(user)));
        let except = either("no_proxy", "NO_PROXY").unwrap_or_default();
        let except = except.split(',').map(|it| it.trim().trim_start_matches("*.").to_ascii_lowercase());
        Ok(Some(Self { host, port, authorization, except: except.filter(|it| !it.is_empty()).collect() }))
    }

    /// Whether a host is reached through it.
    pub fn serves(&self, host: &str) -> bool {
        let left_alone = |it: &String| {
            let domain = it.trim_start_matches('.');
            it == "*" || host == domain || host.strip_suffix(domain).is_some_and(|front| front.ends_with('.'))
        };
        !self.except.iter().any(left_alone)
    }

    /// The request that makes it connect there.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has a relay"))]
    pub(crate) fn request(&self, host: &str, port: u16) -> String {
        let host = if host.contains(':') { format!("[{host}]") } else { host.to_owned() };
        let let_in = self.authorization.as_ref();
        let let_in = let_in.map_or_else(String::new, |it| format!("Proxy-Authorization: Basic {it}\r\n"));
        format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n{let_in}\r\n")
    }
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let pair = bytes.get(at + 1..at + 3).and_then(|pair| std::str::from_utf8(pair).ok());
        match pair.and_then(|pair| u8::from_str_radix(pair, 16).ok()) {
            Some(byte) if bytes[at] == b'%' => {
                decoded.push(byte);
                at += 3;
            }
            _ => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    decoded
}

/// The most connections of one command that are recorded one by one.
pub const MOST_RECORDS: usize = 1000;

/// What a command's connections came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RelayAccount {
    /// Their sum.
    pub report: NetworkReport,
    /// The first of them.
    pub records: Vec<ConnectionRecord>,
    /// How many more there were, by host and port. The last of very many hosts are counted as one.
    pub further: BTreeMap<String, u64>,
}

impl RelayAccount {
    /// Counts one that is not recorded.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux has a relay"))]
    pub(crate) fn count(&mut self, record: &ConnectionRecord) {
        let mut host = format!("{}:{}", record.host, record.port);
        if self.further.len() >= MOST_RECORDS && !self.further.contains_key(&host) {
            host = "others".to_owned();
        }
        *self.further.entry(host).or_default() += 1;
    }
}

/// By what rules the connections of one command are relayed.
#[derive(Clone)]
pub struct RelayRules {
    /// What it may talk to.
    pub hosts: HostList,
    /// Which of those may have private addresses.
    pub private: PrivateHosts,
    /// Who turns names into addresses.
    pub resolver: Arc<dyn UpstreamResolver>,
    /// A proxy of this host's own, or why the one that is set cannot be used.
    pub proxy: Result<Option<UpstreamProxy>, String>,
}

impl fmt::Debug for RelayRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RelayRules").field("hosts", &self.hosts).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(set: &[(&str, &str)]) -> Result<Option<UpstreamProxy>, String> {
        UpstreamProxy::of(|name| set.iter().find(|(it, _)| *it == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn a_proxy_is_read_as_programs_write_it() {
        let place = |text: &str| proxy(&[("HTTPS_PROXY", text)]).unwrap().map(|it| (it.host, it.port));
        assert_eq!(place("http://proxy.example:3128/"), Some(("proxy.example".to_owned(), 3128)));
        assert_eq!(place("proxy.example:3128"), Some(("proxy.example".to_owned(), 3128)));
        assert_eq!(place("http://[fd00::1]:8080"), Some(("fd00::1".to_owned(), 8080)));
        assert_eq!(place("http://proxy.example"), Some(("proxy.example".to_owned(), 80)));
        assert_eq!(place("  "), None);
        assert_eq!(proxy(&[]), Ok(None));
        for wrong in ["socks5://a:1", "https://a:1", "http://:1", "http://a:99999"] {
            assert!(proxy(&[("https_proxy", wrong)]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_proxy_with_a_password_is_told_it_and_nobody_else_is() {
        let found = proxy(&[("https_proxy", "http://me:p%40ss@proxy.example:1")]).unwrap().unwrap();
        let asked = found.request("a.example", 443);
        // What `printf me:p@ss | base64` says.
        assert!(asked.contains("Proxy-Authorization: Basic bWU6cEBzcw==\r\n"), "{asked}");
        assert!(asked.starts_with("CONNECT a.example:443 HTTP/1.1\r\n") && asked.ends_with("\r\n\r\n"));
        assert!(!format!("{found:?}").contains("bWU6"), "{found:?}");
    }

    #[test]
    fn hosts_that_are_left_alone_are_reached_without_it() {
        let set =
            [("https_proxy", "proxy.example:1"), ("NO_PROXY", "localhost, .corp.example,*.lab.example, x.y")];
        let found = proxy(&set).unwrap().unwrap();
        for host in ["git.corp.example", "a.lab.example", "x.y", "a.x.y"] {
            assert!(!found.serves(host), "{host}");
        }
        for host in ["corp.example.evil", "xcorp.example", "ax.y", "example"] {
            assert!(found.serves(host), "{host}");
        }
        assert!(!proxy(&[("https_proxy", "a:1"), ("no_proxy", "*")]).unwrap().unwrap().serves("any"));
    }

    #[test]
    fn this_hosts_own_addresses_are_known() {
        assert!(is_own("127.0.0.1".parse().unwrap()) && is_own("127.9.9.9".parse().unwrap()));
        assert!(!is_own("192.0.2.1".parse().unwrap()) && !is_own("2001:db8::1".parse().unwrap()));
    }
}
