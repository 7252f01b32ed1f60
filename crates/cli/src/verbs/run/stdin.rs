//! Reads our standard input for the prompt. A terminal is not read: no person types a prompt's context.

use crate::output::{VerbFailure, tell};
use crate::threads::done_aside;
use runward::core::output::escaped;
use runward::core::render::bytes;
use runward::{Code, Coded};
use runward_flow::FlowError;
use std::io::{self, IsTerminal, Read};

/// The most that a prompt takes from standard input.
const MOST: u64 = 10 * 1024 * 1024;

/// Everything on standard input; nothing where it is a terminal, or has nothing.
pub(super) async fn read() -> Result<Option<String>, VerbFailure> {
    if io::stdin().is_terminal() {
        return Ok(None);
    }
    // A read that blocks must not keep us from ending.
    let read = done_aside("input", || {
        let mut bytes = Vec::new();
        io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    let bytes = read.await.map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > MOST {
        return Err(too_much().into());
    }
    Ok(Some(text(bytes)).filter(|text| !text.is_empty()))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        tell("standard input is not UTF-8: other bytes stand in the prompt as `\\xNN`");
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
