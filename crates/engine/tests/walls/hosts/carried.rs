//! What goes through a list of hosts, and how.

use super::{Names, PUBLIC, python, run, run_in, serve, shout};
use crate::ground::Ground;
use runward_engine::Mode;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::mpsc;

#[tokio::test]
async fn a_listed_name_is_reached_without_any_variable() {
    let port = serve(PUBLIC, 0, shout).port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let entry = format!("listed.example:{port}");
    let talk = "c.sendall(b\"hello\"); c.shutdown(s.SHUT_WR); print(c.recv(99).decode())";
    let ran = run(&[&entry], &names, &python("Listed.EXAMPLE.", port, talk)).await.fine();
    assert_eq!(ran.said.trim(), "HELLO");
    let report = ran.receipt.network.as_ref().unwrap();
    assert_eq!((report.connections, report.sent, report.received), (1, 5, 5));
    assert!(report.denied.is_empty());
    let row = &ran.receipt.connections[0];
    assert_eq!((row.host.as_str(), row.port, row.address), ("listed.example", port, Some(PUBLIC.into())));
    assert_eq!(row.entry.as_deref(), Some(entry.as_str()));
    assert_eq!(names.asked(), ["listed.example"], "asked for once, when it was connected to");
}

#[tokio::test]
async fn other_programs_need_no_variable_either() {
    let port = serve(PUBLIC, 0, |mut stream: TcpStream| {
        let mut heard = Vec::new();
        while !heard.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if stream.read(&mut byte).unwrap_or(0) == 0 {
                return;
            }
            heard.push(byte[0]);
        }
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nfine\n");
    })
    .port();
    let names = Names::of(&[("www.listed.example", &["127.77.0.1"])]);
    let hosts = [format!("*.listed.example:{port}")];
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let url = format!("http://www.listed.example:{port}/");
    let urllib =
        format!("python3 -c 'import urllib.request as r; print(r.urlopen(\"{url}\").read().decode())'");
    let bash = format!(
        "exec 3<>/dev/tcp/www.listed.example/{port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; tail -n 1 <&3"
    );
    let curl = format!("curl -sS --max-time 20 {url}");
    for script in [urllib, format!("bash -c '{}'", bash.replace('\'', "\"")), curl] {
        let ran = run(&hosts, &names, &script).await.fine();
        assert_eq!(ran.said.trim(), "fine", "{script}");
    }
}

#[tokio::test]
async fn the_variables_of_a_proxy_are_taken_away() {
    let ran =
        run(&["a.example"], &Names::default(), "env | cut -d= -f1 | grep -i _proxy$ || true").await.fine();
    assert_eq!(ran.said, "");
    let mut ground = Ground::new(Mode::ReadOnly);
    ground.env =
        vec![("HTTPS_PROXY", "http://127.0.0.1:1"), ("no_proxy", "x"), ("All_Proxy", "socks5://h:1")];
    let ran =
        run_in(ground, &["a.example"], &Names::default(), "env | cut -d= -f1 | grep -i _proxy$ || true")
            .await
            .fine();
    assert_eq!(ran.said, "");
}

#[tokio::test]
async fn an_address_that_is_listed_is_reached_by_its_number() {
    // Of this host's own addresses, the one that it sends from.
    let own = crate::hosts::own_address();
    let port = serve(own, 0, shout).port();
    let talk = "c.sendall(b\"hello\"); c.shutdown(s.SHUT_WR); print(c.recv(99).decode())";
    let entry = format!("{own}:{port}");
    let ran = run(&[&entry], &Names::default(), &python(&own.to_string(), port, talk)).await.fine();
    assert_eq!(ran.said.trim(), "HELLO");
    assert_eq!(ran.receipt.connections[0].entry.as_deref(), Some(entry.as_str()));
}

#[tokio::test]
async fn a_listed_port_of_this_host_is_reached_under_a_name_of_its_own() {
    let port = serve(Ipv4Addr::LOCALHOST, 0, shout).port();
    let talk = "c.sendall(b\"hello\"); c.shutdown(s.SHUT_WR); print(c.recv(99).decode())";
    let hosts = [format!("localhost:{port}")];
    let there = python("host.runward.internal", port, talk);
    assert_eq!(run(&[&hosts[0]], &Names::default(), &there).await.fine().said.trim(), "HELLO");
    let here = python("localhost", port, talk);
    let ran = run(&[&hosts[0]], &Names::default(), &here).await;
    assert_ne!(ran.receipt.end.exit_code(), 0, "localhost is the command's own: {}", ran.said);
}

/// A server on the command's own loopback, on the port that is listed, while the listed host is reached on it.
const BOTH: &str = "import socket as s, sys
port = int(sys.argv[1])
c = s.create_connection((\"listed.example\", port), 20)
for family, bound, asked in [
    (s.AF_INET, \"127.0.0.1\", \"127.0.0.1\"), (s.AF_INET, \"127.0.0.1\", \"localhost\"), (s.AF_INET6, \"::1\", \"::1\"),
    (s.AF_INET, \"127.0.0.7\", \"127.0.0.7\"),
]:
    server = s.create_server((bound, port), family=family)
    own = s.create_connection((asked, port), 5)
    inside = server.accept()[0]
    own.sendall(b\"own\")
    assert inside.recv(3) == b\"own\"
    inside.close(); own.close(); server.close()
anywhere = s.create_server((\"0.0.0.0\", 0))
s.create_connection((\"127.0.0.1\", anywhere.getsockname()[1]), 5)
c.sendall(b\"hello\"); c.shutdown(s.SHUT_WR)
assert c.recv(99) == b\"HELLO\"";

#[tokio::test]
async fn a_listed_port_stays_free_on_the_commands_own_loopback() {
    let port = serve(PUBLIC, 0, shout).port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    run(&[&hosts[0]], &names, &format!("python3 -c '{BOTH}' {port}")).await.fine();
}

/// As much each way as fills every buffer on the way many times over.
const MUCH: usize = 16 * 1024 * 1024;

#[tokio::test]
async fn much_goes_both_ways_and_is_counted() {
    let (tell, told) = mpsc::channel();
    let port = serve(PUBLIC, 0, move |mut stream: TcpStream| {
        // First everything is read, then everything is said: each side ends on its own.
        let (mut sum, mut buffer) = (0_u64, vec![0; 1 << 20]);
        loop {
            match stream.read(&mut buffer).unwrap() {
                0 => break,
                len => sum += buffer[..len].iter().map(|byte| u64::from(*byte)).sum::<u64>(),
            }
        }
        tell.send(sum).unwrap();
        let piece: Vec<u8> = (0..=250).cycle().take(1 << 20).collect();
        for _ in 0..MUCH >> 20 {
            stream.write_all(&piece).unwrap();
        }
    })
    .port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    let talk = format!(
        "piece = bytes(range(256)) * 4096\nfor _ in range({MUCH} >> 20): c.sendall(piece)\nc.shutdown(s.SHUT_WR)\n\
         time.sleep(0)\ntotal = 0\nwhile True:\n    got = c.recv(1 << 16)\n    total += sum(got)\n    \
         if not got: break\nprint(total)"
    );
    let ran = run(&[&hosts[0]], &names, &python("listed.example", port, &talk)).await.fine();
    let sent: u64 = (0..256_u64).sum::<u64>() * (MUCH as u64 / 256);
    assert_eq!(told.recv().unwrap(), sent, "everything arrived");
    let back: u64 = (0..=250_u64).cycle().take(1 << 20).sum::<u64>() * (MUCH as u64 >> 20);
    assert_eq!(ran.said.trim(), back.to_string(), "and everything came back");
    let report = ran.receipt.network.unwrap();
    assert_eq!((report.sent, report.received), (MUCH as u64, MUCH as u64));
}

#[tokio::test]
async fn what_was_sent_before_the_end_still_arrives() {
    let (tell, told) = mpsc::channel();
    let port = serve(PUBLIC, 0, move |mut stream: TcpStream| {
        let mut heard = Vec::new();
        let _ = stream.read_to_end(&mut heard);
        tell.send(heard.len()).unwrap();
    })
    .port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    let talk = "c.sendall(b\"x\" * 1000000)";
    run(&[&hosts[0]], &names, &python("listed.example", port, talk)).await.fine();
    assert_eq!(told.recv_timeout(testkit::LIMIT).unwrap(), 1_000_000);
}

#[tokio::test]
async fn a_connection_ends_with_its_command() {
    let (tell, told) = mpsc::channel();
    let port = serve(PUBLIC, 0, move |mut stream: TcpStream| {
        stream.write_all(b"begin").unwrap();
        let ended = stream.read(&mut [0; 9]).map_err(|error| error.kind());
        tell.send(ended).unwrap();
    })
    .port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    let killed = python("listed.example", port, "c.recv(9); import os; os.kill(os.getpid(), 9)");
    run(&[&hosts[0]], &names, &killed).await;
    told.recv_timeout(testkit::LIMIT).unwrap().expect_err_or_end();
}

/// Either way of ending will do.
trait Ended {
    fn expect_err_or_end(self);
}

impl Ended for Result<usize, std::io::ErrorKind> {
    fn expect_err_or_end(self) {
        assert!(self.is_err() || self == Ok(0), "{self:?}");
    }
}

/// Many connections, one after the other and some at a time.
const MANY: &str = "import socket as s, sys
port = int(sys.argv[1])
for _ in range(55):
    some = [s.create_connection((\"listed.example\", port), 20) for _ in range(20)]
    for c in some: c.sendall(b\"a\"); c.shutdown(s.SHUT_WR)
    for c in some: assert c.recv(9) == b\"A\"; c.close()";

#[tokio::test]
async fn of_many_connections_the_first_are_recorded_and_all_are_counted() {
    let port = serve(PUBLIC, 0, shout).port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    let ran = run(&[&hosts[0]], &names, &format!("python3 -c '{MANY}' {port}")).await.fine();
    let report = ran.receipt.network.unwrap();
    assert_eq!((report.connections, report.sent, report.received), (1100, 1100, 1100));
    assert_eq!(ran.receipt.connections.len(), 1000);
    let further: Vec<_> = ran.receipt.further_connections.into_iter().collect();
    assert_eq!(further, [(format!("listed.example:{port}"), 100)]);
    assert!(names.asked().len() <= 20, "an answer holds for a while: only the first ones could ask at once");
}

/// One more than there is room for: it waits until another has gone.
const TOO_MANY: &str = "import socket as s, sys
port = int(sys.argv[1])
some = [s.create_connection((\"listed.example\", port), 20) for _ in range(256)]
for c in some: assert c.recv(1) == b\"!\"
late = s.create_connection((\"listed.example\", port), 20)
late.settimeout(0.3)
try:
    late.recv(1)
    sys.exit(\"it did not wait\")
except TimeoutError: pass
late.settimeout(20)
some[0].close()
assert late.recv(1) == b\"!\"";

#[tokio::test]
async fn one_connection_more_than_there_is_room_for_waits() {
    let port = serve(PUBLIC, 0, |mut stream: TcpStream| {
        let _ = stream.write_all(b"!");
        let _ = stream.read(&mut [0]);
    })
    .port();
    let names = Names::of(&[("listed.example", &["127.77.0.1"])]);
    let hosts = [format!("listed.example:{port}")];
    run(&[&hosts[0]], &names, &format!("python3 -c '{TOO_MANY}' {port}")).await.fine();
}
