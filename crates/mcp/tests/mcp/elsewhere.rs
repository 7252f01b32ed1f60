//! Remote servers that answer too much, or something else: a server of our own that says what it is told to.

use crate::client::Client;
use crate::gateway::list;
use crate::place::Place;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// How a call is answered.
#[derive(Debug, Clone, Copy)]
enum Manner {
    /// A body that says how long it is.
    Body,
    /// A body that does not.
    Chunks,
    /// An event.
    Event,
    /// An event that never ends.
    Endless,
    /// An answer to another question.
    Other,
}

/// A server that answers calls in this manner, until its test is over.
fn serve(manner: Manner) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || while request(&stream, manner).is_some() {});
        }
    });
    port
}

/// Answers one request; nothing once the other side is gone.
fn request(mut stream: &TcpStream, manner: Manner) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    let result = match asked["method"].as_str() {
        Some("initialize") => {
            json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "far", "version": "1"}})
        }
        Some("tools/list") => json!({"tools": [{"name": "call", "inputSchema": {"type": "object"}}]}),
        Some("tools/call") => return called(stream, &asked, manner),
        Some("ping") => json!({}),
        _ => {
            let status = if first.starts_with("POST") { "202 Accepted" } else { "405 Method Not Allowed" };
            return write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n").ok();
        }
    };
    let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": result}).to_string();
    let head = format!("content-type: application/json\r\ncontent-length: {}", answer.len());
    write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n{answer}").ok()
}

fn called(mut stream: &TcpStream, asked: &Value, manner: Manner) -> Option<()> {
    let size = usize::try_from(asked["params"]["arguments"]["bytes"].as_u64()?).ok()?;
    let id = if matches!(manner, Manner::Other) { json!(424_242) } else { asked["id"].clone() };
    let result = json!({"content": [{"type": "text", "text": "x".repeat(size)}], "x-unknown": 1});
    let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
    let (kind, text) = match manner {
        Manner::Body | Manner::Chunks | Manner::Other => ("application/json", answer),
        Manner::Event => ("text/event-stream", format!("data: {answer}\n\n")),
        Manner::Endless => ("text/event-stream", "data: x\r\n".repeat(size / 9)),
    };
    if matches!(manner, Manner::Body | Manner::Other) {
        let head = format!("content-type: {kind}\r\ncontent-length: {}", text.len());
        return write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n{text}").ok();
    }
    let head = format!("content-type: {kind}\r\ntransfer-encoding: chunked");
    write!(stream, "HTTP/1.1 200 OK\r\n{head}\r\n\r\n").ok()?;
    for chunk in text.as_bytes().chunks(100_000) {
        write!(stream, "{:x}\r\n", chunk.len()).ok()?;
        stream.write_all(chunk).and_then(|()| stream.write_all(b"\r\n")).ok()?;
    }
    if matches!(manner, Manner::Endless) {
        // It is never ended, and waiting for that would be for ever.
        let _ = stream.read(&mut [0]);
    }
    stream.write_all(b"0\r\n\r\n").ok()
}

fn connect(manner: Manner) -> (Client, Place) {
    let place = Place::with("[gateway]\nmessage_bytes = 1048576\n").set("ALLOWED_COMMANDS", None);
    list(&place, &json!({"far": {"url": format!("http://127.0.0.1:{}/mcp", serve(manner))}}));
    (crate::gateway::connect(&place), place)
}

#[test]
fn an_answer_of_a_server_elsewhere_is_bounded_however_it_comes() {
    for manner in [Manner::Body, Manner::Chunks, Manner::Event] {
        let (mut client, _place) = connect(manner);
        let fits = client.ask("tools/call", &json!({"name": "far__call", "arguments": {"bytes": 1_000_000}}));
        let result = &fits["result"];
        assert_eq!(result["content"][0]["text"].as_str().map(str::len), Some(1_000_000), "{manner:?}");
        assert_eq!(result["x-unknown"], 1, "{manner:?}: what nobody knows is passed on");
        let long = client.call("far__call", &json!({"bytes": 3_000_000}));
        assert_eq!(long.fields["error"]["code"], "gateway.bad-answer", "{manner:?}: {long:?}");
        assert!(
            long.text.contains("the server `far` sent a message of more than 1 MiB"),
            "{manner:?}: {long:?}"
        );
        assert!(!client.call("far__call", &json!({"bytes": 10})).is_error, "{manner:?}");
    }
}

#[test]
fn an_event_without_an_end_is_an_error_at_once() {
    let (mut client, _place) = connect(Manner::Endless);
    let long = client.call("far__call", &json!({"bytes": 3_000_000}));
    assert_eq!(long.fields["error"]["code"], "gateway.bad-answer", "{long:?}");
}

#[test]
fn an_answer_to_another_question_is_no_answer() {
    let (mut client, _place) = connect(Manner::Other);
    let other = client.call("far__call", &json!({"bytes": 10}));
    assert_eq!(other.fields["error"]["code"], "gateway.bad-answer", "{other:?}");
}
