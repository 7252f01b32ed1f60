//! One entry of a list of hosts, and what it admits. May not read text: see `entry.rs`.

use super::HostName;
use super::range::AddressRange;
use std::net::IpAddr;

/// The name under which a command reaches listed ports of the host's own loopback.
pub const HOST_LOOPBACK_NAME: &str = "host.runward.internal";

/// The ports of an entry that names none.
pub(super) const USUAL_PORTS: &[u16] = &[80, 443];

/// What a command asked to be connected to, as far as is known before anything is looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ConnectionTarget {
    /// A name that it was given a made-up address for.
    Name(HostName),
    /// An address that it wrote itself.
    Address(IpAddr),
}

impl std::fmt::Display for ConnectionTarget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ConnectionTarget::Name(name) => name.fmt(f),
            ConnectionTarget::Address(address) => address.fmt(f),
        }
    }
}

/// Which hosts an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum HostPattern {
    /// That name.
    Exactly(HostName),
    /// Every name below it, and not itself.
    Below(HostName),
    /// Addresses that are written as such.
    Range(AddressRange),
    /// The loopback of the host.
    HostLoopback,
}

impl HostPattern {
    fn is_about(&self, target: &ConnectionTarget) -> bool {
        match (self, target) {
            (HostPattern::Exactly(host), ConnectionTarget::Name(name)) => host == name,
            (HostPattern::Below(host), ConnectionTarget::Name(name)) => name.is_below(host),
            (HostPattern::HostLoopback, ConnectionTarget::Name(name)) => name.as_str() == HOST_LOOPBACK_NAME,
            (HostPattern::Range(range), ConnectionTarget::Address(address)) => range.contains(*address),
            _ => false,
        }
    }

    /// Whether everything that the other is about is what this one is about, too.
    fn covers(&self, other: &HostPattern) -> bool {
        match (self, other) {
            (HostPattern::Exactly(one), HostPattern::Exactly(two)) => one == two,
            (HostPattern::Below(one), HostPattern::Exactly(two)) => two.is_below(one),
            (HostPattern::Below(one), HostPattern::Below(two)) => one == two || two.is_below(one),
            (HostPattern::Range(one), HostPattern::Range(two)) => one.covers(two),
            (HostPattern::HostLoopback, HostPattern::HostLoopback) => true,
            _ => false,
        }
    }

    fn text(&self) -> String {
        match self {
            HostPattern::Exactly(host) => host.to_string(),
            HostPattern::Below(host) => format!("*.{host}"),
            HostPattern::Range(range) => range.to_string(),
            HostPattern::HostLoopback => "localhost".to_owned(),
        }
    }
}

/// One entry of a list of hosts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListedHost {
    pattern: HostPattern,
    /// In order, each once.
    ports: Vec<u16>,
    text: String,
}

impl ListedHost {
    pub(super) fn new(pattern: HostPattern, mut ports: Vec<u16>) -> Self {
        ports.sort_unstable();
        ports.dedup();
        let host = pattern.text();
        let text = if ports == USUAL_PORTS {
            host
        } else {
            let ports: Vec<_> = ports.iter().map(u16::to_string).collect();
            format!("{host}:{}", ports.join(","))
        };
        Self { pattern, ports, text }
    }

    /// The entry in its one spelling, which is read as the same entry again.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is about an address, which may then be a private one.
    pub fn is_literal(&self) -> bool {
        matches!(self.pattern, HostPattern::Range(_))
    }

    /// Whether it is about the loopback of the host.
    pub fn host_loopback(&self) -> bool {
        self.pattern == HostPattern::HostLoopback
    }

    /// The only address that it is about, if it is about one.
    pub fn address(&self) -> Option<IpAddr> {
        match &self.pattern {
            HostPattern::Range(range) => range.only(),
            _ => None,
        }
    }

    /// The addresses that it is about: the first one, and how many bits all of them share.
    pub fn range(&self) -> Option<(IpAddr, u8)> {
        match &self.pattern {
            HostPattern::Range(range) => Some(range.parts()),
            _ => None,
        }
    }

    /// Its ports, in order.
    pub fn ports(&self) -> &[u16] {
        &self.ports
    }

    /// Whether it is about this target on any port.
    pub fn is_about(&self, target: &ConnectionTarget) -> bool {
        self.pattern.is_about(target)
    }

    /// Whether it admits a connection there.
    pub fn admits(&self, target: &ConnectionTarget, port: u16) -> bool {
        self.ports.contains(&port) && self.is_about(target)
    }

    /// Whether it admits every connection to a port that the other is about.
    pub(super) fn covers_port(&self, other: &ListedHost, port: u16) -> bool {
        self.ports.contains(&port) && self.pattern.covers(&other.pattern)
    }

    /// What both admit, if there is anything.
    pub(super) fn shared_with(&self, other: &ListedHost) -> Option<ListedHost> {
        let narrower = if self.pattern.covers(&other.pattern) {
            &other.pattern
        } else if other.pattern.covers(&self.pattern) {
            &self.pattern
        } else {
            return None;
        };
        let ports: Vec<u16> = self.ports.iter().copied().filter(|port| other.ports.contains(port)).collect();
        (!ports.is_empty()).then(|| ListedHost::new(narrower.clone(), ports))
    }
}
