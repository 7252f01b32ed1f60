//! The name server of a command's network: every well-formed name has an address, and the address is made up.
//!
//! It reads one question and writes one answer, by hand: names that point elsewhere in a message, several questions and
//! everything else that a resolver never sends is answered as malformed. May not ask anybody: a name that is looked up
//! carries nothing out of the command's network.

use super::{HostName, MadeUpAddresses};
use std::net::Ipv4Addr;

const HEADER: usize = 12;
const LONGEST_NAME: usize = 255;
/// Made-up addresses are the command's own, and nothing should keep one for another command.
const SECONDS: u32 = 1;

const NO_ERROR: u8 = 0;
const MALFORMED: u8 = 1;
const NO_SUCH_NAME: u8 = 3;
const NOT_IMPLEMENTED: u8 = 4;
const REFUSED: u8 = 5;

const IPV4: u16 = 1;
const POINTER: u16 = 12;
const IPV6: u16 = 28;
const ANYTHING: u16 = 255;
const INTERNET: u16 = 1;

/// What to send back, and which address was given in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DnsReply {
    /// The answer; nothing where even that would answer an answer.
    pub bytes: Option<Vec<u8>>,
    /// The made-up address in it, and whose it is.
    pub given: Option<(Ipv4Addr, HostName)>,
}

/// The one question of a query.
struct AskedName<'a> {
    /// As it stands in the message, with its type and class.
    bytes: &'a [u8],
    labels: Vec<&'a [u8]>,
    kind: u16,
    class: u16,
}

/// What is said to a question.
enum SaidName {
    Address(Ipv4Addr),
    AddressV6(std::net::Ipv6Addr),
    Name(HostName),
    Nothing(u8),
}

/// The answer to a query.
pub fn dns_answer(query: &[u8], names: &mut MadeUpAddresses) -> DnsReply {
    // A message that is cut short has no name to answer to, and an answer is never answered.
    let Some(header) = query.first_chunk::<HEADER>().filter(|header| header[2] & 0x80 == 0) else {
        return DnsReply::default();
    };
    if header[2] & 0x78 != 0 {
        return DnsReply {
            bytes: Some(message(header, None, &SaidName::Nothing(NOT_IMPLEMENTED))),
            given: None,
        };
    }
    let one_question = header[4..6] == [0, 1];
    let Some(asked) = one_question.then(|| question(&query[HEADER..])).flatten() else {
        return DnsReply { bytes: Some(message(header, None, &SaidName::Nothing(MALFORMED))), given: None };
    };
    let (said, given) = say(&asked, names);
    DnsReply { bytes: Some(message(header, Some(asked.bytes), &said)), given }
}

/// The question at the beginning. Names that point elsewhere are for answers.
fn question(bytes: &[u8]) -> Option<AskedName<'_>> {
    let mut labels = Vec::new();
    let mut at = 0;
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1;
        if length == 0 {
            break;
        }
        if length > 63 {
            return None;
        }
        labels.push(bytes.get(at..at + length)?);
        at += length;
    }
    let rest = bytes.get(at..at + 4)?;
    let number = |at: usize| u16::from_be_bytes([rest[at], rest[at + 1]]);
    (at <= LONGEST_NAME).then(|| AskedName {
        bytes: &bytes[..at + 4],
        labels,
        kind: number(0),
        class: number(2),
    })
}

fn say(asked: &AskedName<'_>, names: &mut MadeUpAddresses) -> (SaidName, Option<(Ipv4Addr, HostName)>) {
    if asked.class != INTERNET {
        return (SaidName::Nothing(REFUSED), None);
    }
    if asked.kind == POINTER {
        let name = reversed(&asked.labels).and_then(|address| names.name_of(address)).cloned();
        return (name.map_or(SaidName::Nothing(NO_SUCH_NAME), SaidName::Name), None);
    }
    let name = name(&asked.labels).filter(|name| !names.is_searched(name));
    let Some(name) = name else { return (SaidName::Nothing(NO_SUCH_NAME), None) };
    let own = name.as_str() == "localhost" || name.as_str().ends_with(".localhost");
    match asked.kind {
        IPV4 | ANYTHING if own => (SaidName::Address(Ipv4Addr::LOCALHOST), None),
        IPV6 if own => (SaidName::AddressV6(std::net::Ipv6Addr::LOCALHOST), None),
        IPV4 | ANYTHING => match names.give(&name) {
            Some(address) => (SaidName::Address(address), Some((address, name))),
            None => (SaidName::Nothing(REFUSED), None),
        },
        // There is the name, and nothing of this kind: clients take the address, and TCP.
        _ => (SaidName::Nothing(NO_ERROR), None),
    }
}

/// The labels as a name. A dot inside of a label would be another name than the one that was asked for.
fn name(labels: &[&[u8]]) -> Option<HostName> {
    let labels: Vec<&str> =
        labels.iter().map(|label| std::str::from_utf8(label).ok()).collect::<Option<_>>()?;
    if labels.iter().any(|label| label.contains('.')) {
        return None;
    }
    HostName::parse(&labels.join(".")).ok()
}

/// The address in a name such as `2.0.18.198.in-addr.arpa`.
fn reversed(labels: &[&[u8]]) -> Option<Ipv4Addr> {
    let [d, c, b, a, zone, top] = labels else { return None };
    let is_zone = zone.eq_ignore_ascii_case(b"in-addr") && top.eq_ignore_ascii_case(b"arpa");
    let part = |label: &[u8]| {
        let text = std::str::from_utf8(label).ok()?;
        let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
        text.parse::<u8>().ok().filter(|_| plain)
    };
    is_zone.then(|| Some(Ipv4Addr::new(part(a)?, part(b)?, part(c)?, part(d)?)))?
}

fn message(header: &[u8; HEADER], question: Option<&[u8]>, said: &SaidName) -> Vec<u8> {
    let code = if let SaidName::Nothing(code) = said { *code } else { NO_ERROR };
    let answers = u8::from(!matches!(said, SaidName::Nothing(_)));
    // An answer, of an authority, recursion as wished and available; nothing was checked.
    let flags = [0x84 | header[2] & 0x79, 0x80 | code];
    let mut bytes = vec![header[0], header[1], flags[0], flags[1]];
    bytes.extend([0, u8::from(question.is_some()), 0, answers, 0, 0, 0, 0]);
    bytes.extend(question.unwrap_or_default());
    match said {
        SaidName::Address(address) => record(&mut bytes, IPV4, &address.octets()),
        SaidName::AddressV6(address) => record(&mut bytes, IPV6, &address.octets()),
        SaidName::Name(name) => record(&mut bytes, POINTER, &wire(name)),
        SaidName::Nothing(_) => {}
    }
    bytes
}

/// A record about the name of the question.
fn record(bytes: &mut Vec<u8>, kind: u16, value: &[u8]) {
    bytes.extend([0xC0, 12]);
    bytes.extend(kind.to_be_bytes());
    bytes.extend(INTERNET.to_be_bytes());
    bytes.extend(SECONDS.to_be_bytes());
    // A name has at most 255 bytes.
    bytes.extend(u16::try_from(value.len()).unwrap_or(u16::MAX).to_be_bytes());
    bytes.extend(value);
}

/// A name as it stands in a message. Its labels have at most 63 bytes each.
fn wire(name: &HostName) -> Vec<u8> {
    let label = |label: &str| [&[u8::try_from(label.len()).unwrap_or(63)], label.as_bytes()].concat();
    name.as_str().split('.').flat_map(label).chain([0]).collect()
}

#[cfg(test)]
#[path = "dns_tests.rs"]
mod tests;
