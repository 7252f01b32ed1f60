//! Streamable HTTP among connections that say nothing, little, or something else: a client is served all the same.

use crate::http::{Server, TOKEN, request};
use crate::place::{Place, command};
use serde_json::json;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;
use testkit::{TreeMark, until};

/// A server in which everything may run, with these bounds.
fn server(bounds: &str) -> Server {
    let rules = format!("[policy]\nallow = [\"*\"]\n[mcp]\n{bounds}\n");
    Server::start_in(Place::with(&rules), Some(TOKEN), &[])
}

fn silent(server: &Server) -> TcpStream {
    TcpStream::connect(&server.address).unwrap()
}

/// How many files the server has open.
fn descriptors(server: &Server) -> usize {
    fs::read_dir(format!("/proc/{}/fd", server.child.id())).unwrap().count()
}

/// Whether the server has closed its end, without waiting.
fn is_closed(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    match (&*stream).read(&mut [0; 1024]) {
        Ok(0) => true,
        Ok(_) => false,
        Err(error) => error.kind() != ErrorKind::WouldBlock,
    }
}

fn serves(server: &Server) {
    let session = server.hello();
    let ran = server.call(&session, "execute_command", &json!({"command": "echo hi"}));
    assert_eq!(ran["structuredContent"]["stdout"], "hi\n", "{ran}");
}

#[test]
fn three_hundred_that_say_nothing_do_not_keep_a_client_out() {
    let server = server("");
    (0..3).for_each(|_| serves(&server));
    let before = descriptors(&server);
    let all: Vec<TcpStream> = (0..300).map(|_| silent(&server)).collect();
    until("the oldest make room", || all.iter().filter(|one| is_closed(one)).count() >= 44);
    assert!(!is_closed(&all[299]), "the newest stays");
    assert!(descriptors(&server) <= before + 260);
    serves(&server);
    drop(all);
    until("their descriptors come back", || descriptors(&server) <= before + 4);
}

#[test]
fn connections_have_a_quarter_of_the_descriptors_that_there_are() {
    let place = Place::with("[policy]\nallow = [\"*\"]\n");
    let mut words = vec!["--nofile=128", "--"];
    let binary = testkit::binary("runward");
    words.push(binary.to_str().unwrap());
    let server = Server::start_as(place.command(Path::new("prlimit"), &words), place, Some(TOKEN), &[]);
    serves(&server);
    let all: Vec<TcpStream> = (0..200).map(|_| silent(&server)).collect();
    until("the oldest make room", || all.iter().filter(|one| is_closed(one)).count() >= 168);
    serves(&server);
}

#[test]
fn a_head_that_comes_byte_by_byte_has_an_end() {
    let server = server("header_timeout_ms = 300");
    let mut slow = silent(&server);
    let mut head = b"POST /mcp HTTP/1.1\r\nX-Slow: ".iter().chain(std::iter::repeat(&b'x'));
    until("it is closed", || slow.write_all(&[*head.next().unwrap()]).is_err() || is_closed(&slow));
    let nothing = silent(&server);
    until("one that says nothing is closed, too", || is_closed(&nothing));
    serves(&server);
}

#[test]
fn a_body_that_comes_byte_by_byte_has_an_end() {
    let server = server("body_timeout_ms = 300");
    let session = server.hello();
    let body = request("tools/list", &json!({}));
    for encoding in
        [format!("Content-Length: {}", body.len() + 1000), "Transfer-Encoding: chunked".to_owned()]
    {
        let mut slow = silent(&server);
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {TOKEN}\r\nMcp-Session-Id: {session}\r\n{encoding}\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\r\n",
            server.address
        );
        slow.write_all(head.as_bytes()).unwrap();
        slow.write_all(b"1").unwrap();
        let mut said = String::new();
        let _ = slow.read_to_string(&mut said);
        assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
        assert!(said.contains("`mcp.body_timeout_ms`"), "{said}");
    }
    serves(&server);
}

#[test]
fn whoever_has_no_token_is_answered_before_the_body_is_read() {
    let server = server("");
    serves(&server);
    let before = descriptors(&server);
    let mut stranger = silent(&server);
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 1000000\r\n\r\n", server.address);
    stranger.write_all(head.as_bytes()).unwrap();
    let mut said = [0; 13];
    stranger.read_exact(&mut said).unwrap();
    assert_eq!(&said, b"HTTP/1.1 401 ");
    drop(stranger);
    until("its descriptor comes back", || descriptors(&server) <= before);
}

#[test]
fn an_answer_in_progress_is_not_cut_by_time_nor_for_others() {
    let server = server("header_timeout_ms = 200\nbody_timeout_ms = 200\nconnections = 4");
    let session = server.hello();
    let mut events = server.begin("GET", &server.of(&session), "");
    let mut first = [0; 15];
    events.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    let mark = TreeMark::new();
    let text = format!("exec 3< gate; sleep {} & read x <&3; kill $!; echo done", mark.text());
    let gate = fs::OpenOptions::new().read(true).write(true).open(server.place.gate()).unwrap();
    let call = json!({"name": "execute_command", "arguments": {"command": text}});
    let mut long = server.begin("POST", &server.of(&session), &request("tools/call", &call));
    until("it runs", || !mark.carriers().is_empty());
    let others: Vec<TcpStream> = (0..20).map(|_| silent(&server)).collect();
    until("the others make room", || others.iter().filter(|one| is_closed(one)).count() >= 18);
    // Longer than anything but an answer may take.
    let late = silent(&server);
    until("whoever came last is closed by time", || is_closed(&late));
    drop(gate);
    let mut said = String::new();
    long.read_to_string(&mut said).unwrap();
    assert!(said.contains("done\\n"), "{said}");
    assert!(!is_closed(&events));
    drop(others);
    serves(&server);
}

#[test]
fn where_everyone_is_being_answered_the_next_one_is_told() {
    let server = server("connections = 1");
    let session = server.hello();
    let mut events = server.begin("GET", &server.of(&session), "");
    events.read_exact(&mut [0; 15]).unwrap();
    let mut told = String::new();
    let _ = silent(&server).read_to_string(&mut told);
    assert!(told.starts_with("HTTP/1.1 503 "), "{told}");
    drop(events);
    until("there is room again", || {
        let mut one = silent(&server);
        one.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        one.read(&mut [0; 1]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    });
    serves(&server);
}

#[test]
fn that_no_descriptor_is_left_neither_ends_nor_spins_the_server() {
    let server = server("");
    serves(&server);
    let pid = server.child.id().to_string();
    let limit = |files: usize| {
        let files = format!("--nofile={files}:");
        assert!(command(Path::new("prlimit")).args(["--pid", &pid, &files]).status().unwrap().success());
    };
    let ticks = || -> u64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    };
    let (taken, before) = (descriptors(&server), silent(&server));
    let also = silent(&server);
    until("both are taken", || descriptors(&server) >= taken + 2);
    limit(3);
    let (used, waiting) = (ticks(), silent(&server));
    until("the idle one goes first", || is_closed(&before));
    until("and then the next", || is_closed(&also));
    assert!(ticks() - used < 50, "it tried as fast as it could");
    assert!(!is_closed(&waiting), "whoever knocked is kept waiting");
    limit(1024);
    serves(&server);
}
