//! What the name server says, to resolvers and to whoever is none.

use super::*;
use proptest::prelude::*;

/// A query as resolvers send it: one question, recursion wished, an EDNS record behind it.
fn query(name: &str, kind: u16) -> Vec<u8> {
    let mut bytes = vec![0xAB, 0xCD, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 1];
    for label in name.split('.').filter(|label| !label.is_empty()) {
        bytes.push(label.len().try_into().unwrap());
        bytes.extend(label.as_bytes());
    }
    bytes.push(0);
    bytes.extend(kind.to_be_bytes());
    bytes.extend(INTERNET.to_be_bytes());
    bytes.extend([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
    bytes
}

/// The code of an answer and the value of its only record.
fn read(reply: &[u8]) -> (u8, Option<Vec<u8>>) {
    assert_eq!(reply[..2], [0xAB, 0xCD]);
    assert_eq!(reply[2] & 0x80, 0x80, "it is an answer");
    let code = reply[3] & 0x0F;
    let questions = usize::from(reply[5]);
    let mut at = HEADER;
    for _ in 0..questions {
        while reply[at] != 0 {
            at += 1 + usize::from(reply[at]);
        }
        at += 5;
    }
    if reply[7] == 0 {
        assert_eq!(reply.len(), at, "nothing stands behind the question");
        return (code, None);
    }
    assert_eq!(reply[at..at + 2], [0xC0, 12]);
    assert_eq!(reply[at + 6..at + 10], [0, 0, 0, 1], "for one second");
    let length = usize::from(u16::from_be_bytes([reply[at + 10], reply[at + 11]]));
    let value = reply[at + 12..].to_vec();
    assert_eq!(value.len(), length);
    (code, Some(value))
}

fn ask(names: &mut MadeUpAddresses, name: &str, kind: u16) -> (u8, Option<Vec<u8>>) {
    read(&dns_answer(&query(name, kind), names).bytes.unwrap())
}

#[test]
fn every_well_formed_name_has_an_address_of_its_own() {
    let mut names = MadeUpAddresses::default();
    let reply = dns_answer(&query("Registry.example", IPV4), &mut names);
    let given = (Ipv4Addr::new(198, 18, 0, 1), HostName::parse("registry.example").unwrap());
    assert_eq!(reply.given, Some(given));
    assert_eq!(read(&reply.bytes.unwrap()), (0, Some(vec![198, 18, 0, 1])));
    assert_eq!(ask(&mut names, "registry.example", IPV4), (0, Some(vec![198, 18, 0, 1])));
    assert_eq!(ask(&mut names, "evil.example", IPV4), (0, Some(vec![198, 18, 0, 2])));
    assert_eq!(ask(&mut names, "evil.example", ANYTHING), (0, Some(vec![198, 18, 0, 2])));
}

#[test]
fn the_whole_answer_is_as_the_standard_has_it() {
    let reply = dns_answer(&query("a.bc", IPV4), &mut MadeUpAddresses::default()).bytes.unwrap();
    let expected: Vec<u8> = [
        &[0xAB, 0xCD, 0x85, 0x80, 0, 1, 0, 1, 0, 0, 0, 0][..],
        &[1, b'a', 2, b'b', b'c', 0, 0, 1, 0, 1],
        &[0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 198, 18, 0, 1],
    ]
    .concat();
    assert_eq!(reply, expected);
}

#[test]
fn of_other_kinds_there_is_nothing_and_no_address_is_used_for_them() {
    let mut names = MadeUpAddresses::default();
    let (mx, txt, srv, ns, https, svcb, soa) = (15, 16, 33, 2, 65, 64, 6);
    for kind in [IPV6, mx, txt, srv, ns, https, svcb, soa, 99, 0xFFFF] {
        assert_eq!(ask(&mut names, "a.example", kind), (0, None), "{kind}");
    }
    assert_eq!(ask(&mut names, "_http._tcp.a.example", srv), (0, None));
    assert_eq!(ask(&mut names, "b.example", IPV4), (0, Some(vec![198, 18, 0, 1])));
}

#[test]
fn names_of_the_own_loopback_are_its_addresses() {
    let mut names = MadeUpAddresses::default();
    for name in ["localhost", "LOCALHOST", "a.localhost"] {
        assert_eq!(ask(&mut names, name, IPV4), (0, Some(vec![127, 0, 0, 1])));
        let one = std::net::Ipv6Addr::LOCALHOST.octets().to_vec();
        assert_eq!(ask(&mut names, name, IPV6), (0, Some(one)));
    }
}

#[test]
fn what_is_no_name_is_not_there() {
    let mut names = MadeUpAddresses::default();
    for name in
        ["127.1", "2130706433", "0x7f.1", "a b.example", "-a.example", "_a.example", "", "a\0.example", "a/b"]
    {
        assert_eq!(ask(&mut names, name, IPV4), (NO_SUCH_NAME, None), "{name}");
    }
    // One label `evil.example` is not the two labels `evil` and `example`.
    let mut bytes = query("", IPV4);
    bytes.splice(12..13, [&[12][..], b"evil.example", &[0]].concat());
    assert_eq!(read(&dns_answer(&bytes, &mut names).bytes.unwrap()), (NO_SUCH_NAME, None));
    let label = "a".repeat(63);
    let long = [label.as_str(); 5].join(".");
    assert_eq!(ask(&mut names, &long, IPV4).0, MALFORMED);
}

#[test]
fn the_made_up_address_has_its_name_and_no_other_address_has_one() {
    let mut names = MadeUpAddresses::default();
    ask(&mut names, "a.example", IPV4);
    let name = b"\x01a\x07example\x00".to_vec();
    assert_eq!(ask(&mut names, "1.0.18.198.in-addr.arpa", POINTER), (0, Some(name.clone())));
    assert_eq!(ask(&mut names, "1.0.18.198.IN-ADDR.ARPA", POINTER), (0, Some(name)));
    let others = [
        "2.0.18.198.in-addr.arpa",
        "1.0.0.127.in-addr.arpa",
        "01.0.18.198.in-addr.arpa",
        "+1.0.18.198.in-addr.arpa",
        "0.18.198.in-addr.arpa",
        "1.0.18.198.in-addr.example",
        "1.1.0.18.198.in-addr.arpa",
        "256.0.18.198.in-addr.arpa",
        "a.example",
        "1.0.0.0.ip6.arpa",
        "",
    ];
    for other in others {
        assert_eq!(ask(&mut names, other, POINTER), (NO_SUCH_NAME, None), "{other}");
    }
}

#[test]
fn when_all_addresses_are_given_the_next_name_is_refused() {
    let mut names = MadeUpAddresses::default();
    for number in 0..super::super::MADE_UP_NAMES {
        names.give(&HostName::parse(&format!("n{number}.example")).unwrap()).unwrap();
    }
    assert_eq!(ask(&mut names, "one.more.example", IPV4), (REFUSED, None));
    assert_eq!(ask(&mut names, "n5.example", IPV4), (0, Some(vec![198, 18, 0, 6])));
}

#[test]
fn what_a_resolver_makes_of_a_search_domain_is_not_there() {
    let name = |text: &str| HostName::parse(text).unwrap();
    let listed = super::super::HostList::parse(&["db.corp.example:1".to_owned()]).unwrap();
    let mut names = MadeUpAddresses::searching(vec![name("corp.example")], listed);
    assert_eq!(ask(&mut names, "github.com.corp.example", IPV4), (NO_SUCH_NAME, None));
    assert_eq!(ask(&mut names, "github.com.corp.example", IPV6), (NO_SUCH_NAME, None));
    assert_eq!(ask(&mut names, "github.com", IPV4), (0, Some(vec![198, 18, 0, 1])));
    assert_eq!(ask(&mut names, "db.corp.example", IPV4), (0, Some(vec![198, 18, 0, 2])));
}

#[test]
fn what_is_no_query_is_malformed_or_left_alone() {
    let mut names = MadeUpAddresses::default();
    let good = query("a.example", IPV4);
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    assert_eq!(dns_answer(&changed(2, 0x81), &mut names), DnsReply::default(), "an answer");
    for short in 0..HEADER {
        assert_eq!(dns_answer(&good[..short], &mut names), DnsReply::default());
    }
    let mut code = |bytes: &[u8]| read(&dns_answer(bytes, &mut names).bytes.unwrap());
    assert_eq!(code(&changed(2, 0x28)), (NOT_IMPLEMENTED, None), "an update");
    assert_eq!(code(&changed(5, 0)), (MALFORMED, None), "no question");
    assert_eq!(code(&changed(5, 2)), (MALFORMED, None), "two questions");
    assert_eq!(code(&changed(12, 0xC0)), (MALFORMED, None), "a name elsewhere");
    assert_eq!(code(&changed(12, 0x40)), (MALFORMED, None), "an unknown kind of label");
    assert_eq!(code(&changed(26, 3)), (REFUSED, None), "another class");
    for short in HEADER..HEADER + 15 {
        assert_eq!(code(&good[..short]), (MALFORMED, None), "{short}");
    }
    assert_eq!(code(&good[..HEADER + 15]), (0, Some(vec![198, 18, 0, 1])), "no EDNS record");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic_and_no_answer_is_long(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let reply = dns_answer(&bytes, &mut MadeUpAddresses::default());
        if let Some(answer) = &reply.bytes {
            prop_assert!(answer.len() <= 12 + 259 + 12 + 255);
            prop_assert_eq!(&answer[..2], &bytes[..2]);
            prop_assert_eq!(answer[2] & 0x80, 0x80);
        }
    }

    #[test]
    fn any_change_of_a_query_is_answered_or_left_alone(at in 0usize..42, byte: u8, cut in 0usize..42) {
        let mut bytes = query("registry.example", IPV4);
        let last = bytes.len() - 1;
        bytes[at.min(last)] = byte;
        bytes.truncate(bytes.len() - cut.min(last));
        let mut names = MadeUpAddresses::default();
        let reply = dns_answer(&bytes, &mut names);
        if let Some((address, name)) = reply.given {
            prop_assert_eq!(names.name_of(address), Some(&name));
        }
    }
}
