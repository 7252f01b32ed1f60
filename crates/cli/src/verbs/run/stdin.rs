//! What comes on our own standard input, for the prompt. A terminal is not read: nobody types a prompt's context.

use crate::output::{Failure, tell};
use runward::core::output::escaped;
use runward::core::render::bytes;
use runward::{Code, Coded};
use runward_flow::FlowError;
use std::io::{self, IsTerminal, Read};
use tokio::sync::oneshot;

/// The most that a prompt takes from standard input.
const MOST: u64 = 10 * 1024 * 1024;

/// Everything on standard input; nothing where it is a terminal, or has nothing.
pub(super) async fn read() -> Result<Option<String>, Failure> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    let (to, from) = oneshot::channel();
    // A thread of its own, which is never waited for: a read that nobody answers must not keep us from ending.
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes);
        // Whoever asked may be gone, and then nobody needs it.
        let _ = to.send(read.map(|_| bytes));
    });
    let read = from.await.map_err(|_| io::Error::other("the thread that read it is gone"));
    let bytes = read.and_then(|read| read).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > MOST {
        return Err(too_much().into());
    }
    Ok(Some(text(bytes)).filter(|text| !text.is_empty()))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        tell("standard input is not UTF-8: what is not text stands in the prompt as `\\xNN`");
        escaped(error.as_bytes())
    })
}

fn too_much() -> impl Coded + 'static {
    FlowError::new(Code::FlowBadArgument, format!("standard input holds more than {}", bytes(MOST)))
        .hint("Give less, or put it into a file and name that file.")
}

fn unreadable(error: &io::Error) -> FlowError {
    FlowError::new(Code::FlowBadArgument, format!("standard input could not be read: {error}"))
        .hint("Give something that can be read, or `< /dev/null` for nothing.")
}
