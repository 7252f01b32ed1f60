//! Tools of a server that means harm: floods, lines without end, answers that cannot be read, closed ends.

use super::tools::{size, text};
use super::wire::ScriptedWire;
use serde_json::{Value, json};

/// Says so many bytes of one kind of message, as fast as they are taken, then answers.
pub(crate) fn storm(wire: &ScriptedWire, id: &Value, params: &Value) {
    let (arguments, token) = (&params["arguments"], &params["_meta"]["progressToken"]);
    let filler = "s".repeat(size(&arguments["size"]));
    let message = match arguments["kind"].as_str().unwrap_or_default() {
        "progress" => {
            json!({"method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "message": filler}})
        }
        "notice" => json!({"method": "notifications/message", "params": {"level": "info", "data": filler}}),
        "changed" => json!({"method": "notifications/tools/list_changed"}),
        "question" => {
            json!({"id": "q", "method": "sampling/createMessage", "params": {"messages": [], "x": filler}})
        }
        "ping" => json!({"id": "p", "method": "ping"}),
        "answer" => json!({"id": 1_000_000, "result": {"x": filler}}),
        _ => json!(filler),
    };
    let mut left = size(&arguments["bytes"]);
    for n in 0_u64.. {
        let mut message = message.clone();
        if message.is_object() {
            message["jsonrpc"] = json!("2.0");
        }
        // Progress goes up, and each question has an id of its own.
        if message.get("method").is_some() && message.get("id").is_some() {
            message["id"] = json!(n);
        }
        if message["params"].get("progress").is_some() {
            message["params"]["progress"] = json!(n);
        }
        let line = format!("{message}\n");
        wire.bytes(line.as_bytes());
        left = left.saturating_sub(line.len());
        if left == 0 {
            break;
        }
    }
    wire.answer(id, Ok(text("over")));
}

/// Prints what it is told to, with its own id where `$ID` stands, and a line's end unless that is not wanted.
pub(crate) fn raw(wire: &ScriptedWire, id: &Value, arguments: &Value) {
    let nested = size(&arguments["nested"]);
    let nest = "[".repeat(nested) + &"]".repeat(nested);
    let mut line = arguments["text"].as_str().unwrap_or_default().as_bytes().to_vec();
    let bytes = arguments["bytes"].as_array().into_iter().flatten();
    line.extend(bytes.filter_map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok())));
    line = replaced(&line, b"$NEST", nest.as_bytes());
    line = replaced(&line, b"$ID", id.to_string().as_bytes());
    if arguments["end"] != false {
        line.push(b'\n');
    }
    wire.bytes(&line);
}

fn replaced(line: &[u8], what: &[u8], with: &[u8]) -> Vec<u8> {
    match line.windows(what.len()).position(|window| window == what) {
        Some(at) => [&line[..at], with, &line[at + what.len()..]].concat(),
        None => line.to_vec(),
    }
}

/// A long answer with its id at the end, as some libraries write it.
pub(crate) fn id_last(wire: &ScriptedWire, id: &Value, arguments: &Value) {
    let result = text(&"x".repeat(size(&arguments["bytes"])));
    wire.bytes(format!("{{\"result\":{result},\"jsonrpc\":\"2.0\",\"id\":{id}}}\n").as_bytes());
}

/// The beginning of an answer, so many bytes of it, and never its end.
pub(crate) fn endless(wire: &ScriptedWire, id: &Value, arguments: &Value) {
    wire.bytes(format!("{{\"_\":{{}},\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":\"").as_bytes());
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..size(&arguments["bytes"]).div_ceil(piece.len()) {
        wire.bytes(&piece);
    }
}

/// Closes one of its ends and lives on. What it is asked is answered first if it closes the way back.
pub(crate) fn shut(wire: &ScriptedWire, id: &Value, arguments: &Value) {
    let what = arguments["what"].as_str().unwrap_or_default();
    if what == "stdin" {
        wire.answer(id, Ok(text("deaf")));
        close(0);
    } else {
        close(1);
    }
    loop {
        std::thread::park();
    }
}

#[cfg(unix)]
fn close(end: i32) {
    use std::os::fd::{FromRawFd, OwnedFd};
    // SAFETY: the process parks for ever after this, so nobody uses the descriptor again.
    drop(unsafe { OwnedFd::from_raw_fd(end) });
}

#[cfg(not(unix))]
fn close(_end: i32) {
    // Tests close ends only where there are descriptors.
    std::process::exit(9);
}
