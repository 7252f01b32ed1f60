//! Programs as a user starts them: what they print, how they end, and whether they answer as an MCP server.

use super::ensure;
use crate::ChoreResult;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Longer than anything takes, so that what hangs is told.
const LIMIT: Duration = Duration::from_secs(90);

/// How a program ended, and what it said.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ProgramEnd {
    /// Its code; none if a signal ended it.
    pub(super) code: Option<i32>,
    /// What it printed.
    pub(super) stdout: String,
    /// What it complained of.
    pub(super) stderr: String,
}

/// Runs it without input.
#[expect(
    clippy::disallowed_methods,
    reason = "what a program said is compared with text and shown to people"
)]
pub(super) fn end_of(command: &mut Command) -> Result<ProgramEnd, String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| format!("{command:?}: {error}"))?;
    Ok(ProgramEnd {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// Runs it and asks for this output and success.
pub(super) fn says(command: &mut Command, wanted: &str) -> ChoreResult {
    let end = end_of(command)?;
    let holds = end.code == Some(0) && end.stdout.trim() == wanted;
    ensure(holds, || format!("{command:?} ended {end:?}, and `{wanted}` was wanted"))
}

/// Runs it and asks for success alone.
pub(super) fn succeeds(command: &mut Command) -> ChoreResult {
    let end = end_of(command)?;
    ensure(end.code == Some(0), || format!("{command:?} ended {end:?}"))
}

/// A program in a folder.
pub(super) fn program(path: impl AsRef<Path>, folder: &Path) -> Command {
    let mut command = Command::new(path.as_ref());
    command.current_dir(folder);
    command
}

/// Starts it as a client would, asks what it is, pings it, closes its input, and waits for its end.
pub(super) fn serves(command: &mut Command) -> ChoreResult {
    let shown = format!("{command:?}");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("{shown}: {error}"))?;
    let served = talk(&mut child);
    if served.is_err() {
        // One that has ended already needs no ending.
        let _ = child.kill();
    }
    drop(child.stdin.take());
    let status = child.wait().map_err(|error| format!("{shown}: {error}"))?;
    served.map_err(|error| format!("{shown}: {error}"))?;
    ensure(status.success(), || format!("{shown} ended with {status} after its input was closed"))
}

fn talk(child: &mut Child) -> ChoreResult {
    let lines = lines(child)?;
    let mut ask = |line: &str| {
        let input = child.stdin.as_mut().ok_or("it has no input")?;
        writeln!(input, "{line}").and_then(|()| input.flush()).map_err(|error| error.to_string())
    };
    ask(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"trial","version":"0"}}}"#,
    )?;
    let first = answer_to(1, &lines)?;
    ensure(first["result"]["serverInfo"]["name"] == "runward", || format!("it answered {first}"))?;
    ask(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)?;
    ask(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)?;
    let second = answer_to(2, &lines)?;
    ensure(second["result"].is_object(), || format!("it answered {second} to a ping"))
}

/// What it prints, line by line, while it runs.
pub(super) fn lines(child: &mut Child) -> Result<mpsc::Receiver<String>, String> {
    let output = child.stdout.take().ok_or("it has no output")?;
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    Ok(lines)
}

/// The next line, in time.
pub(super) fn next_line(lines: &mpsc::Receiver<String>) -> Result<String, String> {
    lines.recv_timeout(LIMIT).map_err(|_| "it said nothing more".to_owned())
}

fn answer_to(id: u64, lines: &mpsc::Receiver<String>) -> Result<serde_json::Value, String> {
    loop {
        let line = next_line(lines)?;
        let value: serde_json::Value =
            serde_json::from_str(&line).map_err(|error| format!("it printed `{line}`: {error}"))?;
        if value["id"] == id {
            return Ok(value);
        }
    }
}
