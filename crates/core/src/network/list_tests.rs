//! What lists of hosts may say, what they admit, and which of two is narrower.

use super::*;
use proptest::prelude::*;
use std::net::IpAddr;

fn list(entries: &[&str]) -> HostList {
    let entries: Vec<String> = entries.iter().map(|it| (*it).to_owned()).collect();
    HostList::parse(&entries).unwrap_or_else(|error| panic!("{entries:?}: {error}"))
}

fn refused(entry: &str) -> HostListError {
    HostList::parse(&[entry.to_owned()]).expect_err(entry)
}

/// Whether the list admits a connection to `HOST:PORT`, a name or an address.
fn admits(list: &HostList, place: &str) -> bool {
    let (host, port) = place.rsplit_once(':').unwrap();
    let target = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(address) => ConnectionTarget::Address(address),
        Err(_) => ConnectionTarget::Name(HostName::parse(host).unwrap()),
    };
    list.admits(&target, port.parse().unwrap()).is_some()
}

#[test]
fn every_form_is_read_and_shown_in_one_spelling() {
    let forms = [
        ("registry.example", "registry.example"),
        ("Registry.EXAMPLE.", "registry.example"),
        ("registry.example:443,80", "registry.example"),
        ("registry.example:443", "registry.example:443"),
        ("git.example:443,22,22", "git.example:22,443"),
        ("*.GitHub.com:443", "*.github.com:443"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("10.0.0.5", "10.0.0.5"),
        ("10.0.0.5:5432", "10.0.0.5:5432"),
        ("10.0.0.0/24:5432", "10.0.0.0/24:5432"),
        ("10.0.0.5/32:5432", "10.0.0.5:5432"),
        ("[2001:DB8:0::1]:443", "[2001:db8::1]:443"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("[2001:db8::/32]:443", "[2001:db8::/32]:443"),
        ("localhost:5432", "localhost:5432"),
        ("LOCALHOST.:5432,6379", "localhost:5432,6379"),
        ("db", "db"),
    ];
    for (written, shown) in forms {
        let one = list(&[written]);
        assert_eq!(one.texts(), [shown], "{written}");
        assert_eq!(list(&[shown]), one, "{written}");
    }
}

/// Entries that mean nothing, or more than somebody wanted.
const REFUSED: &[&str] = &[
    "",
    " ",
    "*",
    "*.",
    "*:443",
    "*.com",
    "*.co.uk",
    "*.github.io",
    "*.*",
    "*.a*.b",
    "a*.b",
    "**.example.com",
    "a.*.example.com",
    "https://github.com",
    "github.com/owner",
    "user@github.com",
    "github.com:",
    "a.example:0",
    "a.example:65536",
    "a.example:+80",
    "a.example:080",
    "a.example:80,",
    "a.example:,80",
    "a.example:http",
    "a.example:80-90",
    "a.example: 80",
    "::1",
    "2001:db8::1",
    "2001:db8::1:443",
    "[2001:db8::1",
    "[]:1",
    "[::1]",
    "[2001:db8::1]443",
    "[example.com]:1",
    "[fe80::1%eth0]:1",
    "[10.0.0.1]:1",
    "127.0.0.1:5432",
    "127.9.9.9",
    "[::1]:5432",
    "localhost",
    "a.localhost:1",
    "*.localhost:1",
    "host.runward.internal:80",
    "runward.internal",
    "*.runward.internal",
    "0.0.0.0",
    "0.0.0.0/0:443",
    "128.0.0.0/1:443",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::]:1",
    "[ff02::1]:1",
    "[::ffff:10.0.0.1]:1",
    "[::/0]:443",
    "10.0.0.5/24:5432",
    "10.0.0.0/33:1",
    "10.0.0.0/:1",
    "10.0.0.0/+8:1",
    "[2001:db8::/129]:1",
    "a/24",
    "127.1",
    "0x7f.1",
    "2130706433",
    "010.0.0.1",
    "1.2.3",
    "_a.example",
    "a..b",
    "a b.example",
    "a\0.example",
];

#[test]
fn what_cannot_be_meant_is_refused_with_what_to_write() {
    let told: Vec<_> = REFUSED.iter().map(|entry| format!("{entry:?}: {}", refused(entry))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn an_entry_without_ports_is_for_the_web() {
    let one = list(&["a.example"]);
    for port in [443, 80] {
        assert!(admits(&one, &format!("a.example:{port}")));
    }
    for port in [1, 22, 79, 81, 442, 444, 8080, 8443] {
        assert!(!admits(&one, &format!("a.example:{port}")), "{port}");
    }
}

#[test]
fn a_star_is_every_name_below_by_whole_labels() {
    let one = list(&["*.x.example:443"]);
    for name in ["a.x.example", "a.b.x.example", "A.X.EXAMPLE.", "_dmarc.x.example"] {
        assert!(admits(&one, &format!("{name}:443")), "{name}");
    }
    for name in [
        "x.example",
        "ax.example",
        "a.x.example.evil",
        "x.example.evil",
        "example",
        "axx.example",
        "a.x-example",
    ] {
        assert!(!admits(&one, &format!("{name}:443")), "{name}");
    }
}

#[test]
fn names_and_addresses_admit_each_other_never() {
    let one = list(&["a.example:443", "10.0.0.0/24:443", "[2001:db8::1]:443", "localhost:443"]);
    for place in
        ["a.example:443", "10.0.0.0:443", "10.0.0.255:443", "[2001:db8::1]:443", "host.runward.internal:443"]
    {
        assert!(admits(&one, place), "{place}");
    }
    let others = [
        "b.example:443",
        "10.0.1.0:443",
        "9.255.255.255:443",
        "[::ffff:10.0.0.1]:443",
        "[::10.0.0.1]:443",
        "[2001:db8::2]:443",
        "127.0.0.1:443",
        "[::1]:443",
        "localhost:443",
        "a.host.runward.internal:443",
    ];
    for place in others {
        assert!(!admits(&one, place), "{place}");
    }
}

#[test]
fn an_entry_says_what_kind_it_is() {
    let one = list(&["a.example", "10.0.0.5:1", "10.0.0.0/8:1", "localhost:2"]);
    let kinds: Vec<_> = one
        .entries()
        .iter()
        .map(|it| (it.is_literal(), it.host_loopback(), it.address().is_some()))
        .collect();
    assert_eq!(
        kinds,
        [(false, false, false), (true, false, true), (true, false, false), (false, true, false)]
    );
    assert_eq!(one.entries()[2].range(), Some(("10.0.0.0".parse().unwrap(), 8)));
    assert_eq!(one.ports(), [1, 2, 80, 443]);
}

#[test]
fn there_are_at_most_sixty_four_ports_in_all() {
    let ports = |from: u16, to: u16| (from..=to).map(|port| port.to_string()).collect::<Vec<_>>().join(",");
    let most = list(&[&format!("a.example:{}", ports(1, 40)), &format!("b.example:{}", ports(20, 64))]);
    assert_eq!(most.ports().len(), 64);
    let more = [format!("a.example:{}", ports(1, 40)), format!("b.example:{}", ports(20, 65))];
    assert_eq!(HostList::parse(&more), Err(HostListError::TooManyPorts(65)));
    let told = HostListError::TooManyPorts(65).to_string();
    assert_eq!(told, "it has 65 different ports, and can have 64: list fewer");
}

#[test]
fn an_option_names_several_hosts_in_one_word() {
    let one = HostList::parse_word("a.example:22,443,*.b.example,10.0.0.5:1,2,[2001:db8::1]:3,4,c").unwrap();
    assert_eq!(one.texts(), ["a.example:22,443", "*.b.example", "10.0.0.5:1,2", "[2001:db8::1]:3,4", "c"]);
    for wrong in
        ["", ",", "a.example,", ",a.example", "a.example,443", "443", "a.example:,443", "a.example:22,,443"]
    {
        assert!(HostList::parse_word(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_list_covers_what_is_narrower_and_nothing_else() {
    let wide = list(&["*.x.example:22,443", "a.example", "10.0.0.0/8:1", "localhost:5"]);
    let narrower: &[&[&str]] = &[
        &[],
        &["a.example:443"],
        &["b.x.example:22", "*.c.x.example:443"],
        &["10.1.0.0/16:1", "10.2.3.4:1"],
        &["localhost:5"],
        &["*.x.example:22"],
    ];
    for entries in narrower {
        assert!(wide.covers(&list(entries)), "{entries:?}");
    }
    for entry in [
        "x.example:443",
        "a.x.example",
        "*.example.example",
        "a.example:8080",
        "a.example.evil",
        "9.0.0.0/8:1",
        "10.0.0.1:2",
        "10.0.0.1",
        "localhost:6",
        "*.y.example:443",
        "*.a.example:443",
        "[2001:db8::1]:1",
    ] {
        assert!(!wide.covers(&list(&[entry])), "{entry}");
        assert_eq!(wide.first_beyond(&list(&[entry])).map(ListedHost::text), Some(entry));
    }
    // The ports of one entry may be covered by several.
    assert!(list(&["a.example:1", "a.example:2"]).covers(&list(&["a.example:1,2"])));
}

#[test]
fn two_lists_share_what_both_admit() {
    let one = list(&["*.x.example:22,443", "a.example", "10.0.0.0/8:1"]);
    let two = list(&["b.x.example", "*.example.com", "a.example:80,9", "10.1.0.0/16:1,2", "localhost:1"]);
    let shared = list(&["b.x.example:443", "a.example:80", "10.1.0.0/16:1"]);
    assert_eq!(one.shared_with(&two), shared);
    assert_eq!(two.shared_with(&one).texts().len(), 3);
    assert_eq!(one.shared_with(&HostList::default()), HostList::default());
}

#[test]
fn a_list_is_written_as_its_entries() {
    let one = list(&["a.example:22", "localhost:5"]);
    assert_eq!(serde_json::to_string(&one).unwrap(), r#"["a.example:22","localhost:5"]"#);
    assert_eq!(serde_json::from_str::<HostList>(r#"["a.example:22","localhost:5"]"#).unwrap(), one);
    assert!(serde_json::from_str::<HostList>(r#"["*"]"#).is_err());
}

fn entry() -> impl Strategy<Value = String> {
    let host = prop_oneof![
        "(\\*\\.)?([ab]\\.){0,2}(x|y)\\.example",
        "10\\.[01]\\.[01]\\.[01]",
        Just("10.0.0.0/8".to_owned()),
        Just("10.1.0.0/16".to_owned()),
    ];
    let ports = prop_oneof![Just(String::new()), Just(":1".to_owned()), Just(":1,443".to_owned())];
    (host, ports).prop_map(|(host, ports)| host + &ports)
}

fn lists() -> impl Strategy<Value = HostList> {
    proptest::collection::vec(entry(), 0..5).prop_map(|entries| HostList::parse(&entries).unwrap())
}

proptest! {
    #[test]
    fn no_text_makes_it_panic_and_what_is_read_is_read_again(text in "\\PC{0,30}") {
        if let Ok(list) = HostList::parse(&[text]) {
            prop_assert_eq!(HostList::parse(&list.texts()), Ok(list));
        }
    }

    #[test]
    fn what_a_covered_list_admits_the_covering_one_admits(
        one in lists(), two in lists(), name in "([ab]\\.){0,3}(x|y)\\.example", port in prop_oneof![Just(1u16), Just(80), Just(443)],
    ) {
        let shared = one.shared_with(&two);
        prop_assert!(one.covers(&shared) && two.covers(&shared));
        let target = ConnectionTarget::Name(HostName::parse(&name).unwrap());
        let by = |list: &HostList| list.admits(&target, port).is_some();
        prop_assert_eq!(by(&shared), by(&one) && by(&two));
        if one.covers(&two) {
            prop_assert!(!by(&two) || by(&one));
        }
    }

    #[test]
    fn the_same_for_addresses(one in lists(), two in lists(), bits: u16, port in prop_oneof![Just(1u16), Just(443)]) {
        let address = IpAddr::from([10, (bits & 1) as u8, (bits >> 1 & 1) as u8, (bits >> 2 & 1) as u8]);
        let by = |list: &HostList| list.admits(&ConnectionTarget::Address(address), port).is_some();
        prop_assert_eq!(by(&one.shared_with(&two)), by(&one) && by(&two));
    }
}
