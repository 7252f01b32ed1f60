//! Connections that say nothing, say it slowly, or show no token, while a real client works.
//!
//! May not use a client that is kinder than a socket.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::processes::{comes, open_files};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const TOKEN: &str = "a-token-for-the-battery";

/// Fewer than there are connections.
const FILES: &str = "--nofile=256";

/// What connections do.
const KINDS: &[(&str, usize)] =
    &[("silent", 300), ("slow", 60), ("without a token", 120), ("half a body", 60)];

/// Each kind alone, then all together.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for (kind, count) in KINDS {
            besieged(equipment, kind, *count, tally)?;
        }
    }
    Ok(())
}

fn besieged(equipment: &Equipment, kind: &str, count: usize, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let words = ["mcp", "--profile", "all", "--http", "127.0.0.1:0"];
    let mut command = arena.behind(&["prlimit", FILES], &words);
    let mut server = PipedServer::silent(command.env("RUNWARD_TOKEN", TOKEN))?;
    let address = || {
        let words = server.words();
        let (_, rest) = words.split_once("http://")?;
        Some(rest.split(['/', '\n', ' ']).next().unwrap_or_default().to_owned())
    };
    if !comes(GRACE, || address().is_some()) {
        return Err(server.fate());
    }
    let address = address().unwrap_or_default();
    tally.hold(works(&address), || format!("{kind}: a call before it does not work: {}", server.words()));
    let quiet = open_files(server.pid());
    let mut crowd = Vec::new();
    for _ in 0..count {
        if let Ok(stream) = TcpStream::connect(&address) {
            crowd.push(stream);
        }
        let _ = crowd.last().map(|stream| begin(kind, stream, &address));
    }
    let begun = Instant::now();
    if !comes(GRACE * 2, || works(&address)) {
        tally
            .hung(format!("{kind}: a real call among {count} connections does not work: {}", server.words()));
    }
    let took = begun.elapsed();
    tally.hold(took < GRACE, || format!("{kind}: a real call took {took:?}"));
    if !equipment.part {
        // What says nothing is not kept for ever.
        let gone = comes(Duration::from_secs(90), || open_files(server.pid()) <= quiet + 8);
        let open = open_files(server.pid());
        tally.hold(gone, || format!("{kind}: {open} files are open after 90 s, {quiet} before"));
    }
    drop(crowd);
    comes(GRACE, || open_files(server.pid()) <= quiet + 8);
    let open = open_files(server.pid());
    tally.hold(open <= quiet + 8, || format!("{kind}: {open} files are open in the end, {quiet} before"));
    server.signal("TERM");
    if server.ends(GRACE).is_none() {
        tally.hung(format!("{kind}: the server does not end"));
    }
    tally.hold(!crate::chaos::outcome::is_panic(&server.words()), || format!("{kind}: {}", server.words()));
    drop(server);
    arena.sweep(kind, tally);
    tally.rounds += count as u64;
    Ok(())
}

/// What a connection of this kind says.
fn begin(kind: &str, mut stream: &TcpStream, address: &str) -> std::io::Result<()> {
    let head = format!("POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    match kind {
        "slow" => stream.write_all(&head.as_bytes()[..20]),
        "without a token" => stream.write_all(format!("{head}Content-Length: 2\r\n\r\n{{}}").as_bytes()),
        "half a body" => {
            let head =
                format!("{head}Authorization: Bearer {TOKEN}\r\nContent-Length: 100000\r\n\r\n{{\"half\":");
            stream.write_all(head.as_bytes())
        }
        _ => Ok(()),
    }
}

/// Sends `initialize`, then runs a command.
fn works(address: &str) -> bool {
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "chaos", "version": "1"}
    });
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello});
    let Some(greeted) = post(address, "", &hello) else { return false };
    let session = greeted.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("mcp-session-id").then(|| value.trim().to_owned())
    });
    let Some(session) = session else { return false };
    let header = format!("Mcp-Session-Id: {session}\r\nMcp-Protocol-Version: 2025-11-25\r\n");
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let params = json!({"name": "execute_command", "arguments": {"command": "echo here-$((6*7))"}});
    let call = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params});
    post(address, &header, &ready).is_some()
        && post(address, &header, &call).is_some_and(|answer| answer.contains("here-42"))
}

/// One request on a connection of its own. Everything that came back before it was closed, or in time.
fn post(address: &str, headers: &str, body: &Value) -> Option<String> {
    let body = body.to_string();
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(GRACE / 2)).ok()?;
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
         {headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = crate::chaos::outcome::text(&bytes);
    let status = text.split(' ').nth(1)?;
    status.starts_with('2').then_some(text)
}
