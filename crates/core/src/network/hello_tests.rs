//! ClientHellos as clients send them, in pieces of every size, and what only looks like one.

use super::ClientHelloReading::{Incomplete, NotTls, ServerName};
use super::*;
use proptest::prelude::*;

fn prefixed(content: &[u8]) -> Vec<u8> {
    [&u16::try_from(content.len()).unwrap().to_be_bytes()[..], content].concat()
}

/// A `server_name` extension with these names of these kinds.
fn names(all: &[(u8, &[u8])]) -> Vec<u8> {
    let list: Vec<u8> =
        all.iter().flat_map(|(kind, name)| [&[*kind][..], &prefixed(name)].concat()).collect();
    [&[0, 0][..], &prefixed(&prefixed(&list))].concat()
}

/// An extension that has nothing to do with names.
fn other(kind: u16, length: usize) -> Vec<u8> {
    [&kind.to_be_bytes()[..], &prefixed(&vec![7; length])].concat()
}

/// The handshake message with these extensions, or without the part in which they stand.
fn message_of(extensions: Option<&[u8]>) -> Vec<u8> {
    let mut body = vec![3, 3];
    body.extend([9; 32]);
    body.extend([4, 1, 2, 3, 4]);
    body.extend(prefixed(&[0x13, 0x01, 0x13, 0x02]));
    body.extend([1, 0]);
    body.extend(extensions.map(prefixed).unwrap_or_default());
    let length = u32::try_from(body.len()).unwrap().to_be_bytes();
    [&[CLIENT_HELLO], &length[1..], &body].concat()
}

/// The message in records of at most so many bytes.
fn records(message: &[u8], most: usize) -> Vec<u8> {
    message.chunks(most).flat_map(|part| [&[HANDSHAKE, 3, 1][..], &prefixed(part)].concat()).collect()
}

fn hello(name: &str) -> Vec<u8> {
    let extensions = [other(43, 5), names(&[(0, name.as_bytes())]), other(51, 40)].concat();
    message_of(Some(&extensions))
}

fn said(name: &str) -> ClientHelloReading {
    ServerName(Some(name.to_owned()))
}

#[test]
fn the_name_is_read_as_it_was_sent() {
    for name in ["registry.example", "REGISTRY.example.", "xn--bcher-kva.example", "10.0.0.1"] {
        assert_eq!(read_client_hello(&records(&hello(name), 16_384)), said(name));
    }
}

#[test]
fn every_fragmentation_is_read_alike_and_every_beginning_needs_more() {
    let message = hello("registry.example");
    for most in [1, 2, 3, 4, 5, 7, 40, 41, 100, 16_384] {
        let bytes = records(&message, most);
        for end in 0..bytes.len() {
            assert_eq!(read_client_hello(&bytes[..end]), Incomplete, "{most} {end}");
        }
        assert_eq!(read_client_hello(&bytes), said("registry.example"), "{most}");
        let behind = [&bytes[..], b"early data, another record, anything"].concat();
        assert_eq!(read_client_hello(&behind), said("registry.example"), "{most}");
    }
}

#[test]
fn a_hello_may_have_no_name() {
    assert_eq!(read_client_hello(&records(&message_of(None), 999)), ServerName(None));
    assert_eq!(read_client_hello(&records(&message_of(Some(&[])), 999)), ServerName(None));
    assert_eq!(read_client_hello(&records(&message_of(Some(&other(43, 5))), 999)), ServerName(None));
}

#[test]
fn what_two_servers_could_read_differently_is_no_hello() {
    let name = |text: &'static str| (0, text.as_bytes());
    let twice = [names(&[name("a.example")]), names(&[name("b.example")])].concat();
    let bad = [
        twice,
        names(&[name("a.example"), name("b.example")]),
        names(&[(1, b"a.example")]),
        names(&[(1, b"x"), name("a.example")]),
        names(&[name("")]),
        names(&[]),
        names(&[name("a\0.example")]),
        names(&[name("a .example")]),
        names(&[(0, b"\xff.example")]),
        names(&[name("bücher.example")]),
        vec![0, 0, 0, 0],
        vec![0, 0, 0, 1, 0],
        // One byte behind the list of names, and one behind the last extension.
        [&[0, 0][..], &prefixed(&[&prefixed(&[&[0][..], &prefixed(b"a")].concat())[..], &[0]].concat())]
            .concat(),
        [names(&[name("a.example")]), vec![0]].concat(),
    ];
    for extensions in bad {
        let bytes = records(&message_of(Some(&extensions)), 16_384);
        assert_eq!(read_client_hello(&bytes), NotTls, "{extensions:?}");
    }
}

#[test]
fn lengths_that_lie_are_no_hello() {
    let good = hello("a.example");
    let with = |at: usize, byte: u8| {
        let mut message = good.clone();
        message[at] = byte;
        read_client_hello(&records(&message, 16_384))
    };
    assert_eq!(with(3, good[3] - 1), NotTls, "the body is cut short");
    assert_eq!(with(3, good[3] + 1), Incomplete, "the body is longer than what was sent");
    assert_eq!(with(1, 1), NotTls, "64 KiB");
    assert_eq!(with(38, 33), NotTls, "a long session");
    assert_eq!(with(44, 3), NotTls, "half of a suite");
    assert_eq!(with(44, 0), NotTls, "no suite");
    assert_eq!(with(51, 0xFF), NotTls, "extensions beyond the end");
}

#[test]
fn other_protocols_are_told_from_their_first_byte_on() {
    let others: [&[u8]; 9] = [
        b"GET / HTTP/1.1\r\n",
        b"SSH-2.0-x",
        &[0x80, 0x2E, 1, 0, 2],
        &[HANDSHAKE, 2],
        &[21, 3, 1, 0, 2],
        &[HANDSHAKE, 3, 1, 0, 0],
        &[HANDSHAKE, 3, 1, 0x40, 1],
        &[HANDSHAKE, 3, 3, 0, 4, 2],
        &[0],
    ];
    for bytes in others {
        assert_eq!(read_client_hello(bytes), NotTls, "{bytes:?}");
    }
    assert_eq!(read_client_hello(b""), Incomplete);
    // Something else between two parts of a message.
    let bytes = [records(&hello("a.example")[..20], 99), vec![21, 3, 1, 0, 2, 1, 0]].concat();
    assert_eq!(read_client_hello(&bytes), NotTls);
}

#[test]
fn what_does_not_end_within_sixteen_kibibytes_is_no_hello() {
    let long = message_of(Some(&[other(21, 15_000), names(&[(0, b"a.example")])].concat()));
    assert_eq!(read_client_hello(&records(&long, 16_384)), said("a.example"));
    let bytes = records(&long, 1);
    assert_eq!(read_client_hello(&bytes[..16_383]), Incomplete);
    assert_eq!(read_client_hello(&bytes[..16_384]), NotTls);
    let longer = message_of(Some(&[other(21, 17_000), names(&[(0, b"a.example")])].concat()));
    assert_eq!(read_client_hello(&records(&longer, 16_384)), NotTls);
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_client_hello(&bytes);
        read_client_hello(&records(&bytes, 50));
        read_client_hello(&records(&[&[CLIENT_HELLO, 0, 0][..], &bytes].concat(), 50));
    }

    #[test]
    fn a_changed_byte_never_gives_another_name_by_accident(at in 0usize..200, byte: u8) {
        let name = b"registry.example";
        let mut message = hello("registry.example");
        let start = message.windows(name.len()).position(|part| part == name).unwrap();
        let at = at % message.len();
        message[at] = byte;
        if let ServerName(Some(read)) = read_client_hello(&records(&message, 16_384)) {
            let inside = (start..start + name.len()).contains(&at);
            prop_assert!(inside || read == "registry.example", "{}", read);
        }
    }

    #[test]
    fn any_pieces_are_read_as_the_whole(sizes in proptest::collection::vec(1usize..60, 1..40)) {
        let message = hello("registry.example");
        let mut rest = &message[..];
        let mut bytes = Vec::new();
        for size in sizes {
            let (part, behind) = rest.split_at(size.min(rest.len()));
            if !part.is_empty() {
                bytes.extend(records(part, 99));
            }
            rest = behind;
        }
        let expected = if rest.is_empty() { said("registry.example") } else { Incomplete };
        prop_assert_eq!(read_client_hello(&bytes), expected);
    }
}
