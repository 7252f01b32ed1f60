//! Back-pressure: what waits on standard input and output is bounded, its memory comes back, and no thread is needed.

use crate::client::Client;
use crate::place::{Place, command};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use testkit::{TreeMark, until};

const MIB: u64 = 1024;

/// A line of the server's status, in KiB.
fn status(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn resident(pid: u32) -> u64 {
    status(pid, "VmRSS:")
}

/// Sets how much address space a running server may have beyond what it has, in KiB.
fn leave(pid: u32, more: u64) {
    let most = format!("--as={}:", (status(pid, "VmSize:") + more) * 1024);
    let done = command(Path::new("prlimit")).args(["--pid", &pid.to_string(), &most]).status().unwrap();
    assert!(done.success());
}

fn hello() -> Value {
    let client = json!({"name": "t", "version": "1"});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize",
        "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}})
}

fn ready() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

/// The next message.
fn heard(from: &mut impl BufRead) -> Value {
    let mut line = String::new();
    from.read_line(&mut line).unwrap();
    serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

/// One end to speak through and one to listen at, whatever they are.
struct Ends<R, W> {
    child: Child,
    from: BufReader<R>,
    to: W,
}

impl<R: Read, W: Write> Ends<R, W> {
    fn say(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).unwrap();
    }

    fn hear(&mut self) -> Value {
        heard(&mut self.from)
    }

    /// Everything that a client does, where no thread can be made.
    fn lives_without_threads(mut self) {
        leave(self.child.id(), MIB);
        self.say(&hello());
        assert_eq!(self.hear()["id"], 0);
        self.say(&ready());
        self.say(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
        assert_eq!(self.hear()["id"], 1);
        let echo = json!({"name": "execute_command", "arguments": {"command": "echo here"}});
        self.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": echo}));
        let answer = self.hear();
        assert_eq!(answer["result"]["structuredContent"]["stdout"], "here\n", "{answer}");
        drop(self.to);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }
}

/// A server that has read its configuration and waits for its client.
fn settled(child: &Child) {
    let own = |name: &str| format!("/proc/{}/{name}", child.id());
    let is_epoll = |file: fs::DirEntry| {
        fs::read_link(file.path()).is_ok_and(|to| to.ends_with("anon_inode:[eventpoll]"))
    };
    let listens = || fs::read_dir(own("fd")).is_ok_and(|all| all.flatten().any(is_epoll));
    let sleeps = || fs::read_to_string(own("stat")).unwrap().contains(") S ");
    let mut times = 0;
    until("the server waits", || {
        times = if sleeps() && listens() { times + 1 } else { 0 };
        times > 50
    });
}

#[test]
fn no_thread_is_needed_once_it_serves() {
    let place = Place::open();
    let mut child = place.server(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    settled(&child);
    let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    Ends { child, from, to }.lives_without_threads();
    // Node gives its children sockets, both ways in one or one for each.
    let (ours, theirs) = UnixStream::pair().unwrap();
    let child = place
        .server(&[])
        .stdin(OwnedFd::from(theirs.try_clone().unwrap()))
        .stdout(OwnedFd::from(theirs))
        .spawn()
        .unwrap();
    settled(&child);
    let to = Shut(ours.try_clone().unwrap());
    Ends { child, from: BufReader::new(ours), to }.lives_without_threads();
    // One end a pipe and one a socket.
    let (ours, theirs) = UnixStream::pair().unwrap();
    let mut child = place.server(&[]).stdin(OwnedFd::from(theirs)).stdout(Stdio::piped()).spawn().unwrap();
    settled(&child);
    let from = BufReader::new(child.stdout.take().unwrap());
    Ends { child, from, to: ours }.lives_without_threads();
}

/// The writing half of a socket, which ends when it is dropped.
struct Shut(UnixStream);

impl Write for Shut {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Drop for Shut {
    fn drop(&mut self) {
        self.0.shutdown(std::net::Shutdown::Write).unwrap();
    }
}

#[test]
fn a_file_is_read_and_written_too() {
    let place = Place::open();
    let (asked, told) = (place.work().join("asked"), place.work().join("told"));
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    fs::write(&asked, format!("{}\n{}\n{ping}\n", hello(), ready())).unwrap();
    let mut server = place.server(&[]);
    server.stdin(fs::File::open(&asked).unwrap()).stdout(fs::File::create(&told).unwrap());
    assert_eq!(server.status().unwrap().code(), Some(0));
    let told = fs::read_to_string(told).unwrap();
    let ids: Vec<Value> =
        told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].clone()).collect();
    assert_eq!(ids, [0, 1]);
}

/// A client that says more than it hears.
struct Flood {
    child: Child,
    from: BufReader<ChildStdout>,
    sent: Arc<AtomicUsize>,
    writer: JoinHandle<ChildStdin>,
    begun: u64,
}

impl Flood {
    /// Shakes hands, and says all of this without listening.
    fn of(place: &Place, count: usize, message: fn(usize) -> Value) -> Self {
        let mut child = place.server(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (mut to, mut from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        to.write_all(format!("{}\n{}\n", hello(), ready()).as_bytes()).unwrap();
        assert_eq!(heard(&mut from)["id"], 0);
        let (begun, sent) = (resident(child.id()), Arc::<AtomicUsize>::default());
        let told = Arc::clone(&sent);
        let writer = std::thread::spawn(move || {
            for id in 1..=count {
                if to.write_all(format!("{}\n", message(id)).as_bytes()).is_err() {
                    break;
                }
                told.store(id, Ordering::SeqCst);
            }
            to
        });
        Self { child, from, sent, writer, begun }
    }

    fn grown(&self) -> u64 {
        resident(self.child.id()).saturating_sub(self.begun)
    }

    /// Waits until the server takes nothing any more.
    fn stops(&self) {
        let (mut last, mut same) = (0, 0);
        while same < 200 {
            let mut looks = 0;
            until("a moment has passed", || {
                looks += 1;
                looks > 2
            });
            let sent = self.sent.load(Ordering::SeqCst);
            (same, last) = if sent == last && sent > 0 { (same + 1, last) } else { (0, sent) };
        }
    }

    /// Reads every answer, and gives the most memory that was taken meanwhile.
    fn drain(&mut self, count: usize) -> u64 {
        let (mut seen, mut most) = (vec![false; count + 1], 0);
        for at in 0..count {
            let answer = heard(&mut self.from);
            let id = usize::try_from(answer["id"].as_u64().unwrap()).unwrap();
            assert!(answer["result"].is_object() && !seen[id], "{answer}");
            seen[id] = true;
            if at % 64 == 0 {
                most = most.max(self.grown());
            }
        }
        most
    }

    fn end(self) {
        drop(self.writer.join().unwrap());
        let mut child = self.child;
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}

fn list(id: usize) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})
}

fn ping(id: usize) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"})
}

fn echo(id: usize) -> Value {
    let arguments = json!({"command": "head -c 100000 /dev/zero | tr '\\0' x"});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "execute_command", "arguments": arguments}})
}

/// `kept` is what may stay, in KiB.
fn is_bounded(bounds: &str, count: usize, message: fn(usize) -> Value, kept: u64) {
    let place = Place::with(&format!("[policy]\nallow = [\"*\"]\n[mcp]\n{bounds}\n"));
    let mut flood = Flood::of(&place, count, message);
    flood.stops();
    let unread = flood.grown();
    let most = flood.drain(count);
    let left = flood.grown();
    println!("{count}: {unread} KiB while nobody read, {most} KiB while it was read, {left} KiB afterwards");
    assert!(unread.max(most) < 24 * MIB, "{unread} KiB, {most} KiB");
    assert!(left < kept, "{left} KiB are kept");
    flood.end();
}

#[test]
fn answers_that_nobody_reads_wait_in_little_memory_and_all_come() {
    is_bounded("answers_bytes = 1_000_000\nrequests = 16", 1_500, list, 8 * MIB);
}

#[test]
fn pings_that_nobody_reads_wait_in_little_memory_and_are_all_answered() {
    is_bounded("answers_bytes = 1_000_000", 60_000, ping, 8 * MIB);
}

#[test]
fn large_answers_of_commands_that_nobody_reads_wait_in_little_memory_and_all_come() {
    // Finished commands can be read as resources: their 4 MB of output are kept, and the first one of all opens
    // what every later one uses.
    is_bounded("answers_bytes = 1_000_000\nrequests = 8", 40, echo, 16 * MIB);
}

#[test]
fn an_order_to_end_is_heard_while_nobody_reads() {
    let flood = Flood::of(&Place::open(), 20_000, list);
    flood.stops();
    let Flood { mut child, from, writer, .. } = flood;
    assert!(!writer.is_finished(), "everything was taken");
    let pid = child.id().to_string();
    assert!(command(Path::new("/bin/kill")).args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    drop((writer.join().unwrap(), from));
}

#[test]
fn a_client_that_closes_its_end_and_reads_nothing_is_gone() {
    let place = Place::open();
    let mut child = place.server(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    let lists: String = (1..=1000).map(|id| format!("{}\n", list(id))).collect();
    to.write_all(format!("{}\n{}\n{lists}", hello(), ready()).as_bytes()).unwrap();
    drop(to);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// A place where one call is worked on at a time, and a person is asked about `touch`.
fn narrow(requests: usize) -> Place {
    let rules = format!("[policy]\nallow = [\"*\"]\nask = [\"touch\"]\n[mcp]\nrequests = {requests}\n");
    Place::with(&rules).set("ALLOWED_COMMANDS", None)
}

#[test]
fn what_a_call_waits_for_is_heard_behind_requests_that_wait() {
    let place = narrow(1);
    let mut client = Client::silent(&place, &[]);
    client.greet_as(&json!({"elicitation": {}}));
    let touch = client.send_call("execute_command", &json!({"command": "touch made"}));
    let form = client.hears("elicitation/create");
    let waiting: Vec<u64> =
        (0..50).map(|_| client.send_call("execute_command", &json!({"command": "echo"}))).collect();
    assert!(client.ask("ping", &json!({}))["result"].is_object(), "whether it lives can be asked meanwhile");
    let yes = &form["params"]["requestedSchema"]["properties"]["answer"]["enum"][0];
    client.reply(&form, &json!({"action": "accept", "content": {"answer": yes}}));
    assert!(client.answer(touch)["result"].is_object());
    for id in waiting {
        assert_eq!(client.called(id).fields["exit_code"], 0);
    }
}

#[test]
fn a_call_that_waits_can_be_cancelled_and_so_can_the_one_it_waits_for() {
    let (place, first, second) = (narrow(1), TreeMark::new(), TreeMark::new());
    let mut client = Client::connect(&place);
    let sleep = |mark: &TreeMark| json!({"command": format!("sleep {}", mark.text())});
    let running = client.send_call("execute_command", &sleep(&first));
    until("the first runs", || !first.carriers().is_empty());
    let waiting = client.send_call("execute_command", &sleep(&second));
    let last = client.send_call("execute_command", &json!({"command": "echo last"}));
    client.cancel(waiting);
    client.cancel(running);
    assert_eq!(client.called(last).fields["stdout"], "last\n");
    assert!(first.carriers().is_empty() && second.carriers().is_empty());
    assert!(client.heard.iter().all(|message| message["id"] != waiting), "{:?}", client.heard);
}

#[test]
fn the_end_of_input_ends_calls_that_run_and_calls_that_wait() {
    let (place, mark) = (narrow(1), TreeMark::new());
    let mut client = Client::connect(&place);
    for _ in 0..200 {
        client.send_call("execute_command", &json!({"command": format!("sleep {}", mark.text())}));
    }
    until("one runs", || !mark.carriers().is_empty());
    assert_eq!(client.close(), Some(0));
    assert!(mark.carriers().is_empty());
}

#[test]
fn a_request_that_is_too_long_is_answered_by_its_name_and_not_kept() {
    let mut client = Client::open(&[]);
    client.ask("ping", &json!({}));
    let begun = resident(client.pid());
    let text = "x".repeat(100 << 20);
    for (line, id) in [
        (
            format!(
                r#"{{"method":"tools/call","params":{{"id":5,"name":"{text}"}},"jsonrpc":"2.0","id":"me"}}"#
            ),
            json!("me"),
        ),
        (format!(r#"{{"id":7,"method":"tools/call","params":{{"name":"{text}"}}}}"#), json!(7)),
        (format!(r#"{{"method":"notifications/{text}"}}"#), json!(null)),
        (text, json!(null)),
    ] {
        client.line(&line);
        let answer = client.next().unwrap();
        assert_eq!(answer["id"], id, "{answer}");
        assert_eq!(
            (&answer["error"]["code"], &answer["error"]["data"]["code"]),
            (&json!(-32600), &json!("spec.too-large"))
        );
        let said = answer["error"]["message"].as_str().unwrap();
        assert_eq!(said, format!("the request has `{}` bytes, and `16777216` are read at most", line.len()));
        let grown = status(client.pid(), "VmHWM:").saturating_sub(begun);
        assert!(grown < 64 * MIB, "{grown} KiB");
    }
    assert!(client.ask("ping", &json!({}))["result"].is_object());
    let kept = resident(client.pid()).saturating_sub(begun);
    assert!(kept < 4 * MIB, "{kept} KiB are kept");
}

#[test]
fn how_long_a_request_may_be_is_the_owners_word_and_memory_of_a_long_one_comes_back() {
    let place = Place::with("[policy]\nallow = [\"*\"]\n[mcp]\nrequest_bytes = 2_000_000\n");
    let mut client = Client::connect(&place);
    let call = |len: usize| json!({"command": "wc -c", "input": "x".repeat(len)});
    let wc = |client: &mut Client, len: usize| {
        let id = client.send_call("execute_command", &call(len));
        client.answer(id)
    };
    wc(&mut client, 10);
    let begun = resident(client.pid());
    for _ in 0..3 {
        let answer = wc(&mut client, 1_990_000);
        assert_eq!(answer["result"]["structuredContent"]["stdout"], "1990000\n", "{answer}");
        assert_eq!(wc(&mut client, 2_000_000)["error"]["data"]["code"], "spec.too-large");
    }
    let kept = resident(client.pid()).saturating_sub(begun);
    assert!(kept < 8 * MIB, "{kept} KiB are kept");
}

#[test]
fn an_input_that_the_host_has_no_memory_for_is_refused_with_words() {
    let mut client = Client::open(&[]);
    let wc = |len: usize| json!({"command": "wc -c", "input": "x".repeat(len)});
    assert_eq!(client.call("execute_command", &wc(10)).fields["stdout"], "10\n");
    for more in [2, 8, 16, 32, 48] {
        leave(client.pid(), more * MIB);
        let id = client.send_call("execute_command", &wc(8 << 20));
        let answer = client.answer(id);
        assert_eq!(answer["error"]["data"]["code"], "spawn.resources", "{more} MiB: {answer}");
        let said = answer["error"]["message"].as_str().unwrap();
        assert!(said.starts_with("the host has no memory for a request of `8388"), "{said}");
        assert_eq!(client.call("execute_command", &wc(10)).fields["stdout"], "10\n");
    }
}
