//! The network of a command that may talk to a list of hosts: what is made in it before the command begins, as data.
//!
//! Every name leads to an address that is made up, and made-up addresses are the command's own: nothing leaves its network
//! but what Runward accepts outside, on sockets that were made inside. May not look at anything.

use super::{SandboxStep, WhenMissing};
use crate::network::HostList;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// The range from which names get their addresses: it is routed nowhere (RFC 2544).
const MADE_UP: (Ipv4Addr, u8) = (Ipv4Addr::new(198, 18, 0, 0), 15);

/// Where programs ask for names if they find no other name server.
const USUAL_NAME_SERVER: Ipv4Addr = Ipv4Addr::LOCALHOST;

const DNS: u16 = 53;

/// Sockets handed out without an address: listeners are made of them when a name gets its address.
const SPARE: usize = 3;

/// The most addresses and ports that entries of a list may name by their numbers. Each is a socket of its own.
pub(super) const MOST_LITERALS: usize = 256;

/// The addresses and ports that a list names by their numbers; none if they are too many.
pub(super) fn literals(list: &HostList) -> Option<Vec<SocketAddr>> {
    let mut found = Vec::new();
    for entry in list.entries() {
        let Some((base, prefix)) = entry.range() else { continue };
        let bits = if base.is_ipv4() { 32 } else { 128 } - u32::from(prefix);
        let count =
            1_usize.checked_shl(bits).filter(|count| bits < usize::BITS && *count <= MOST_LITERALS)?;
        for at in 0..count {
            let address = nth(base, at);
            found.extend(entry.ports().iter().map(|port| SocketAddr::new(address, *port)));
        }
    }
    found.sort();
    found.dedup();
    (found.len() <= MOST_LITERALS).then_some(found)
}

fn nth(base: IpAddr, at: usize) -> IpAddr {
    match base {
        IpAddr::V4(base) => Ipv4Addr::from_bits(base.to_bits() | u32::try_from(at).unwrap_or(0)).into(),
        IpAddr::V6(base) => Ipv6Addr::from_bits(base.to_bits() | at as u128).into(),
    }
}

/// A socket that is made inside of a command's network, and handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnSocket {
    /// Where names are asked for.
    Names(SocketAddr),
    /// Where connections to an address come in that is in the list by its number.
    Listener(SocketAddr),
    /// Without an address, for connections.
    Spare,
}

/// The steps that make it, and hand its sockets out.
pub(super) fn steps(name_servers: &[IpAddr], literals: &[SocketAddr], steps: &mut Vec<SandboxStep>) {
    let mut own: Vec<IpAddr> = name_servers.to_vec();
    own.extend(literals.iter().map(SocketAddr::ip));
    // What is below the loopback is there already.
    own.retain(|address| !address.is_loopback());
    own.sort();
    own.dedup();
    let mut old = NetlinkBatch::default();
    old.bring_up_loopback();
    old.own_range(MADE_UP.0.into(), MADE_UP.1);
    let mut new = NetlinkBatch::default();
    for address in own {
        match address {
            IpAddr::V4(_) => old.own_range(address, 32),
            IpAddr::V6(_) => new.own_range(address, 128),
        }
    }
    steps.push(SandboxStep::Netlink(old.bytes, WhenMissing::Fails));
    if !new.bytes.is_empty() {
        // A kernel without IPv6 has nothing that could be asked there.
        steps.push(SandboxStep::Netlink(new.bytes, WhenMissing::IsFine));
    }
    let mut servers = vec![IpAddr::V4(USUAL_NAME_SERVER)];
    servers.extend(name_servers);
    servers.sort();
    servers.dedup();
    let names = servers.into_iter().map(|server| OwnSocket::Names(SocketAddr::new(server, DNS)));
    let listeners = literals.iter().copied().map(OwnSocket::Listener);
    let spare = std::iter::repeat_n(OwnSocket::Spare, SPARE);
    steps.extend(names.chain(listeners).chain(spare).map(SandboxStep::Socket));
    steps.push(SandboxStep::HandOver);
}

/// Requests to the kernel's part for addresses and routes (rtnetlink), each of which it has to confirm.
#[derive(Debug, Default)]
struct NetlinkBatch {
    bytes: Vec<u8>,
    count: u32,
}

const REQUEST_AND_CONFIRM: u16 = 1 | 4;
const CREATE: u16 = 0x400;
const SET_LINK: u16 = 16;
const NEW_ROUTE: u16 = 24;

/// The number of the loopback: the first interface that a network gets.
const LOOPBACK: u32 = 1;

impl NetlinkBatch {
    fn bring_up_loopback(&mut self) {
        const UP: u32 = 1;
        let mut body = vec![0; 4];
        for word in [LOOPBACK, UP, UP] {
            body.extend_from_slice(&word.to_ne_bytes());
        }
        self.push(SET_LINK, REQUEST_AND_CONFIRM, &body);
    }

    /// Makes the addresses of a range the command's own.
    fn own_range(&mut self, base: IpAddr, prefix: u8) {
        const INET: u8 = 2;
        const INET6: u8 = 10;
        const LOCAL_TABLE: u8 = 255;
        const STATIC: u8 = 4;
        const THIS_HOST: u8 = 254;
        const LOCAL: u8 = 2;
        let family = if base.is_ipv4() { INET } else { INET6 };
        let mut body = vec![family, prefix, 0, 0, LOCAL_TABLE, STATIC, THIS_HOST, LOCAL, 0, 0, 0, 0];
        match base {
            IpAddr::V4(base) => attribute(&mut body, DESTINATION, &base.octets()),
            IpAddr::V6(base) => attribute(&mut body, DESTINATION, &base.octets()),
        }
        attribute(&mut body, THROUGH, &LOOPBACK.to_ne_bytes());
        self.push(NEW_ROUTE, REQUEST_AND_CONFIRM | CREATE, &body);
    }

    fn push(&mut self, kind: u16, flags: u16, body: &[u8]) {
        const HEAD: u32 = 16;
        self.count += 1;
        let len = HEAD + u32::try_from(body.len()).unwrap_or(0);
        self.bytes.extend_from_slice(&len.to_ne_bytes());
        self.bytes.extend_from_slice(&kind.to_ne_bytes());
        self.bytes.extend_from_slice(&flags.to_ne_bytes());
        self.bytes.extend_from_slice(&self.count.to_ne_bytes());
        self.bytes.extend_from_slice(&[0; 4]);
        self.bytes.extend_from_slice(body);
    }
}

const DESTINATION: u16 = 1;
const THROUGH: u16 = 4;

/// Values are 4 or 16 bytes long, so nothing has to be filled up.
fn attribute(body: &mut Vec<u8>, kind: u16, value: &[u8]) {
    let len = u16::try_from(4 + value.len()).unwrap_or(4);
    body.extend_from_slice(&len.to_ne_bytes());
    body.extend_from_slice(&kind.to_ne_bytes());
    body.extend_from_slice(value);
}

/// What a host says about where names are asked for (`resolv.conf`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NameServers {
    /// The servers. Those that need an interface to be named are left out: no command has one.
    pub servers: Vec<IpAddr>,
    /// What is appended to names that are short.
    pub search: Vec<String>,
}

impl NameServers {
    /// Reads the text of the file.
    pub fn parse(text: &str) -> Self {
        let mut found = Self::default();
        for line in text.lines() {
            let mut words = line.split_ascii_whitespace();
            match words.next() {
                Some("nameserver") => {
                    found.servers.extend(words.next().and_then(|server| server.parse::<IpAddr>().ok()));
                }
                // The last line of either kind counts.
                Some("search" | "domain") => {
                    found.search = words.map(|word| word.trim_matches('.').to_ascii_lowercase()).collect();
                }
                _ => {}
            }
        }
        found.search.retain(|domain| !domain.is_empty());
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_and_domains_are_read_from_the_hosts_file() {
        let text = "# nameserver 9.9.9.9\nnameserver 10.0.0.2\nnameserver fd00::2\nnameserver fe80::1%eth0\n\
                    domain old.example\nsearch Corp.Example. svc.local\noptions ndots:5\nnameserver";
        let found = NameServers::parse(text);
        assert_eq!(found.servers, ["10.0.0.2".parse::<IpAddr>().unwrap(), "fd00::2".parse().unwrap()]);
        assert_eq!(found.search, ["corp.example", "svc.local"]);
        assert_eq!(NameServers::parse("\0\u{ff}\n\n"), NameServers::default());
    }

    #[test]
    fn each_address_is_made_local_once_and_gets_its_sockets() {
        let servers: Vec<IpAddr> =
            ["127.0.0.53", "10.0.0.2", "10.0.0.2"].map(|it| it.parse().unwrap()).into();
        let literals: Vec<SocketAddr> =
            ["10.0.0.2:5432", "[fd00::5]:80"].map(|it| it.parse().unwrap()).into();
        let mut made = Vec::new();
        steps(&servers, &literals, &mut made);
        let SandboxStep::Netlink(old, WhenMissing::Fails) = &made[0] else { panic!("{made:?}") };
        // The loopback, the range, and one address; the one below the loopback is there already.
        assert_eq!(old.len(), 32 + 2 * (16 + 12 + 8 + 8));
        let SandboxStep::Netlink(new, WhenMissing::IsFine) = &made[1] else { panic!("{made:?}") };
        assert_eq!(new.len(), 16 + 12 + 20 + 8);
        let sockets: Vec<OwnSocket> = made
            .iter()
            .filter_map(|step| if let SandboxStep::Socket(it) = step { Some(*it) } else { None })
            .collect();
        let names =
            ["10.0.0.2:53", "127.0.0.1:53", "127.0.0.53:53"].map(|it| OwnSocket::Names(it.parse().unwrap()));
        assert_eq!(sockets[..3], names);
        assert_eq!(sockets[3..5], [literals[0], literals[1]].map(OwnSocket::Listener));
        assert_eq!(sockets[5..], [OwnSocket::Spare; SPARE]);
        assert_eq!(made.last(), Some(&SandboxStep::HandOver));
    }

    #[test]
    fn addresses_are_counted_out_as_far_as_they_are_few() {
        let listed = |entries: &[&str]| {
            let entries: Vec<String> = entries.iter().map(|it| (*it).to_owned()).collect();
            literals(&HostList::parse(&entries).unwrap())
        };
        let found = listed(&["a.example", "10.0.0.4/30:5432", "10.0.0.5:5432", "[fd00::2]:1"]).unwrap();
        let wanted = ["10.0.0.4:5432", "10.0.0.5:5432", "10.0.0.6:5432", "10.0.0.7:5432", "[fd00::2]:1"];
        assert_eq!(found, wanted.map(|it| it.parse::<SocketAddr>().unwrap()));
        assert_eq!(listed(&["10.0.0.0/24:1"]).unwrap().len(), 256);
        for many in ["10.0.0.0/24:1,2", "10.0.0.0/23:1", "10.0.0.0/8:1", "[fd00::/8]:1", "[2001:db8::/64]:1"]
        {
            assert_eq!(listed(&[many]), None, "{many}");
        }
    }

    #[test]
    fn a_request_is_as_the_kernel_reads_it() {
        let mut batch = NetlinkBatch::default();
        batch.own_range("198.18.0.0".parse().unwrap(), 15);
        let head = [44, 0, 0, 0, 24, 0, 5, 4, 1, 0, 0, 0, 0, 0, 0, 0];
        let route =
            [2, 15, 0, 0, 255, 4, 254, 2, 0, 0, 0, 0, 8, 0, 1, 0, 198, 18, 0, 0, 8, 0, 4, 0, 1, 0, 0, 0];
        if cfg!(target_endian = "little") {
            assert_eq!(batch.bytes, [head.as_slice(), &route].concat());
        }
    }
}
