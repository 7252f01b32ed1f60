//! Tools that do what a server should not: die, hang, repeat, talk nonsense, leave something behind.

use super::tools::{size, text};
use super::wire::ScriptedWire;
use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// Lines that no client should fall over: text, JSON that is nothing, a message cut in two, bytes that are no text.
const JUNK: &[u8] = b"this is no JSON\n\
    {\"hello\": \"world\"}\n\
    [1, 2, 3]\n\
    null\n\
    \n\
    {\"jsonrpc\": \"2.0\", \"id\": \"nobody asked\", \"result\": {}}\n\
    {\"jsonrpc\": \"2.0\", \"id\": 1000001, \"resu\n\
    lt\": {}}\n\
    \xff\xfe{\"jsonrpc\xc3\": 2}\n";

/// Says nonsense on stdout, then answers.
pub(crate) fn junk(wire: &ScriptedWire, id: &Value) {
    wire.bytes(JUNK);
    wire.answer(id, Ok(text("after the junk")));
}

/// Answers the same request twice, differently.
pub(crate) fn twice(wire: &ScriptedWire, id: &Value) {
    wire.answer(id, Ok(text("first")));
    wire.answer(id, Ok(text("second")));
}

/// Fills stderr with lines, then answers.
pub(crate) fn flood(wire: &ScriptedWire, id: &Value, arguments: &Value) {
    let line = format!("{}\n", "e".repeat(99));
    let mut left = size(&arguments["bytes"]);
    let mut out = std::io::stderr().lock();
    while left > 0 {
        let part = left.min(line.len());
        // A reader that has had enough is no reason to stop answering.
        let _ = out.write_all(&line.as_bytes()[..part]);
        left -= part;
    }
    wire.answer(id, Ok(text("flooded")));
}

/// Ends in the middle of the call.
pub(crate) fn die(arguments: &Value) -> ! {
    let code = arguments["code"].as_i64().and_then(|code| i32::try_from(code).ok());
    std::process::exit(code.unwrap_or(3));
}

/// Starts a process in a session of its own that outlives everything, and says its pid.
pub(crate) fn spawn(wire: &ScriptedWire, id: &Value) {
    let script = "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo $!";
    let made = Command::new("sh").args(["-c", script]).stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let pid = made.map(|made| String::from_utf8_lossy(&made.stdout).trim().to_owned());
    wire.answer(id, Ok(text(&pid.unwrap_or_else(|error| format!("no grandchild: {error}")))));
}
