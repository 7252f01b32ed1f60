//! The text of one entry of a list of hosts: `HOST`, `HOST:PORT`, `HOST:22,443`, `*.HOST`, `IP`, `[IPv6]:PORT`,
//! `10.0.0.0/24:PORT`, `localhost:PORT`. May not guess: what is none of these is an error that says what to write.

use super::listed::{HOST_LOOPBACK_NAME, HostPattern, ListedHost, USUAL_PORTS};
use super::name::{HostNameError, shown};
use super::range::AddressRange;
use super::suffixes::is_public_suffix;
use super::{HostName, list::MOST_PORTS};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why a list of hosts cannot be one. The sentence names the entry and says what to write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostListError {
    /// Neither a name nor an address.
    #[error(transparent)]
    Name(#[from] HostNameError),
    /// The address of a page, a user, a path.
    #[error("`{}` is more than a host: write the host alone, such as `registry.example:443`", shown(.0))]
    MoreThanHost(String),
    /// Every host there is.
    #[error("`{}` is every host: name the hosts, or write `network = \"on\"`", shown(.0))]
    EveryHost(String),
    /// A star that is not all of the first label.
    #[error("`{}` has a star inside: only `*.` at the beginning means every name below the rest", shown(.0))]
    Star(String),
    /// Everything below a name below which anybody can have a name.
    #[error("`{entry}` is every name below `{suffix}`, where anybody may have one: name the hosts")]
    PublicSuffix {
        /// The entry.
        entry: String,
        /// What anybody can have a name below.
        suffix: String,
    },
    /// No list of ports.
    #[error("`{}` has a port that is none: write numbers from 1 to 65535, such as `registry.example:443,8443`", shown(.0))]
    Port(String),
    /// An IPv6 address without brackets.
    #[error("`{}` may be an address with or without a port: write `[{}]`, and `:PORT` behind it", shown(.0), shown(.0))]
    Brackets(String),
    /// Brackets without an IPv6 address in them.
    #[error("`{}` has no IPv6 address in its brackets", shown(.0))]
    NoIpv6(String),
    /// No range.
    #[error("`{}` is no range of addresses: write it as `10.0.0.0/24:5432`", shown(.0))]
    Range(String),
    /// A range that does not begin with its first address.
    #[error("`{entry}` begins inside of a range: write `{range}` for all of it, or the address alone")]
    InsideRange {
        /// The entry.
        entry: String,
        /// The range that it lies in.
        range: String,
    },
    /// The loopback, without saying which port of whose.
    #[error(
        "`{}` inside is the command's own loopback: write `localhost:PORT` for a port of this host, which is reached \
         as `host.runward.internal:PORT`",
        shown(.0)
    )]
    Loopback(String),
    /// The name by which the loopback of this host is reached.
    #[error("`{}` is kept for ports of this host: list them as `localhost:PORT`", shown(.0))]
    Kept(String),
    /// An address that nobody has, or that the list itself needs.
    #[error("`{}` holds addresses that no host has: leave them out", shown(.0))]
    Nowhere(String),
    /// More than a name where a name is wanted.
    #[error("`{}` is more than a name: write the name alone, or `*.` and a name", shown(.0))]
    NotName(String),
    /// Too many ports in all of the list.
    #[error("it has {0} different ports, and can have {MOST_PORTS}: list fewer")]
    TooManyPorts(usize),
}

pub(super) fn parse(text: &str) -> Result<ListedHost, HostListError> {
    let owned = || text.to_owned();
    if text.contains("://") || text.contains('@') {
        return Err(HostListError::MoreThanHost(owned()));
    }
    if let Some(rest) = text.strip_prefix('[') {
        let (inside, behind) = rest.split_once(']').ok_or_else(|| HostListError::NoIpv6(owned()))?;
        let ports = match behind.strip_prefix(':') {
            Some(ports) => Some(ports),
            None if behind.is_empty() => None,
            None => return Err(HostListError::Port(owned())),
        };
        return Ok(ListedHost::new(ipv6(text, inside)?, listed_ports(text, ports)?));
    }
    let (host, ports) = match text.split_once(':') {
        Some((_, ports)) if ports.contains(':') => return Err(HostListError::Brackets(owned())),
        Some((host, ports)) => (host, Some(ports)),
        None => (text, None),
    };
    let pattern = pattern(text, host)?;
    if pattern == HostPattern::HostLoopback && ports.is_none() {
        return Err(HostListError::Loopback(owned()));
    }
    Ok(ListedHost::new(pattern, listed_ports(text, ports)?))
}

fn listed_ports(text: &str, ports: Option<&str>) -> Result<Vec<u16>, HostListError> {
    let Some(ports) = ports else { return Ok(USUAL_PORTS.to_vec()) };
    let wrong = || HostListError::Port(text.to_owned());
    let port = |word: &str| {
        let plain = word.bytes().all(|b| b.is_ascii_digit()) && !word.starts_with('0');
        word.parse().ok().filter(|_| plain).ok_or_else(wrong)
    };
    ports.split(',').map(port).collect()
}

fn pattern(text: &str, host: &str) -> Result<HostPattern, HostListError> {
    if matches!(host, "*" | "*.") {
        return Err(HostListError::EveryHost(text.to_owned()));
    }
    if let Some(above) = host.strip_prefix("*.") {
        return if above.contains('*') {
            Err(HostListError::Star(text.to_owned()))
        } else {
            below(text, above)
        };
    }
    if host.contains('*') {
        return Err(HostListError::Star(text.to_owned()));
    }
    if let Some((base, prefix)) = host.split_once('/') {
        return match base.parse::<Ipv4Addr>() {
            Ok(base) => range(text, base.into(), prefix),
            Err(_) if HostName::parse(base).is_ok() => Err(HostListError::MoreThanHost(text.to_owned())),
            Err(_) => Err(HostListError::Range(text.to_owned())),
        };
    }
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return reachable(text, AddressRange::one(address.into()));
    }
    let name = named(text, host)?;
    if name.as_str() == "localhost" { Ok(HostPattern::HostLoopback) } else { Ok(HostPattern::Exactly(name)) }
}

/// A name that is none of those that mean something inside.
fn named(text: &str, host: &str) -> Result<HostName, HostListError> {
    let name = HostName::parse(host)?;
    if name.as_str().ends_with(".localhost") {
        return Err(HostListError::Loopback(text.to_owned()));
    }
    let kept = HOST_LOOPBACK_NAME.split_once('.').map_or("", |(_, domain)| domain);
    let below_kept =
        name.as_str().strip_suffix(kept).is_some_and(|front| front.is_empty() || front.ends_with('.'));
    if below_kept { Err(HostListError::Kept(text.to_owned())) } else { Ok(name) }
}

fn below(text: &str, above: &str) -> Result<HostPattern, HostListError> {
    let name = named(text, above)?;
    if is_public_suffix(&name) {
        return Err(HostListError::PublicSuffix { entry: shown(text), suffix: name.to_string() });
    }
    Ok(HostPattern::Below(name))
}

fn ipv6(text: &str, inside: &str) -> Result<HostPattern, HostListError> {
    let (base, prefix) = match inside.split_once('/') {
        Some((base, prefix)) => (base, Some(prefix)),
        None => (inside, None),
    };
    let base: Ipv6Addr = base.parse().map_err(|_| HostListError::NoIpv6(text.to_owned()))?;
    match prefix {
        Some(prefix) => range(text, base.into(), prefix),
        None => reachable(text, AddressRange::one(base.into())),
    }
}

fn range(text: &str, base: IpAddr, prefix: &str) -> Result<HostPattern, HostListError> {
    let most = if base.is_ipv4() { 32 } else { 128 };
    let plain = !prefix.is_empty() && prefix.bytes().all(|b| b.is_ascii_digit());
    let prefix = prefix.parse().ok().filter(|bits| plain && *bits <= most);
    let prefix = prefix.ok_or_else(|| HostListError::Range(text.to_owned()))?;
    let range = AddressRange::starting(base, prefix)
        .map_err(|range| HostListError::InsideRange { entry: shown(text), range: range.to_string() })?;
    reachable(text, range)
}

/// A range of addresses to which a command in a network of its own can be connected.
fn reachable(text: &str, range: AddressRange) -> Result<HostPattern, HostListError> {
    let v4 = |a, b, prefix| AddressRange::of(IpAddr::V4(Ipv4Addr::new(a, b, 0, 0)), prefix);
    let v6 = |first, sixth, prefix| {
        AddressRange::of(IpAddr::V6(Ipv6Addr::new(first, 0, 0, 0, 0, sixth, 0, 0)), prefix)
    };
    let own = [v4(127, 0, 8), AddressRange::one(Ipv6Addr::LOCALHOST.into())];
    if own.iter().any(|own| own.overlaps(&range)) {
        return Err(HostListError::Loopback(text.to_owned()));
    }
    // Nobody's, those that names are given inside, groups; of IPv6 groups and addresses of IPv4 in other words.
    let nowhere = [
        v4(0, 0, 8),
        v4(198, 18, 15),
        v4(224, 0, 4),
        AddressRange::one(Ipv4Addr::BROADCAST.into()),
        v6(0xff00, 0, 8),
        AddressRange::one(Ipv6Addr::UNSPECIFIED.into()),
        v6(0, 0xffff, 96),
    ];
    if nowhere.iter().any(|nowhere| nowhere.overlaps(&range)) {
        return Err(HostListError::Nowhere(text.to_owned()));
    }
    Ok(HostPattern::Range(range))
}
