//! `runward attach ID`: sits down at a session. On a terminal it is a real one: every key goes through, the size
//! follows, and one key leaves without ending anything.

use super::{Done, ask, gone, refused};
use crate::args::AttachArgs;
use crate::output::{Failure, tell};
use runward::control::{Ask, Heard, Hearing, Listed, Telling};
use runward::host::{RawTerminal, Resizes, terminal_size};
use std::io::{self, IsTerminal, Read, Write};
use tokio::sync::mpsc;

/// Ctrl-]: the key that leaves.
const LEAVE: u8 = 0x1d;

/// How it came to an end.
enum Left {
    /// The session ended.
    Over(Listed),
    /// The person left.
    Away,
}

pub(super) async fn sit_down(args: &AttachArgs) -> Done {
    let (first, call) = ask(&args.session, |session| Ask::Attach { session }).await?;
    let on_terminal = io::stdin().is_terminal();
    if on_terminal {
        tell("attached; Ctrl-] leaves, the session goes on");
    }
    let raw = on_terminal.then(RawTerminal::enter).transpose();
    let raw = raw.map_err(|error| Failure::host("the terminal could not be handed over", &error))?;
    let (hearing, telling) = call.apart();
    let left = tokio::select! {
        over = show(first, hearing) => over.map(Left::Over),
        typed = pass_on(telling, on_terminal) => typed.map(|()| Left::Away),
    };
    drop(raw);
    match left? {
        Left::Over(listed) => Ok(listed.exit_code.unwrap_or(0)),
        Left::Away => {
            tell("left; the session goes on");
            Ok(0)
        }
    }
}

async fn show(first: Heard, mut hearing: Hearing) -> Result<Listed, Failure> {
    let mut heard = first;
    loop {
        match heard {
            Heard::Bytes(bytes) => {
                let mut out = io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush()).map_err(|_| Failure::ReaderGone)?;
            }
            Heard::Session(listed) => return Ok(listed),
            Heard::Refused(why) => return Err(refused(why)),
            Heard::Sessions(_) | Heard::Gone => return Err(gone()),
        }
        heard =
            hearing.next().await.map_err(|error| Failure::host("the server could not be heard", &error))?;
    }
}

/// Passes keys and sizes on until the person leaves. An input that ends is passed on as an end, and then waited
/// out: what the session still prints is wanted.
async fn pass_on(mut telling: Telling, on_terminal: bool) -> Result<(), Failure> {
    let lost = |error: io::Error| Failure::host("the server could not be told", &error);
    let mut keys = typed();
    let mut resizes = if on_terminal { Resizes::listen().ok() } else { None };
    if let Some((rows, cols)) = terminal_size().filter(|_| on_terminal) {
        telling.size(rows, cols).await.map_err(lost)?;
    }
    loop {
        tokio::select! {
            piece = keys.recv() => match piece {
                Some(piece) if on_terminal && piece.contains(&LEAVE) => {
                    let before = piece.split(|byte| *byte == LEAVE).next().unwrap_or_default();
                    if !before.is_empty() {
                        telling.bytes(before).await.map_err(lost)?;
                    }
                    return Ok(());
                }
                Some(piece) => telling.bytes(&piece).await.map_err(lost)?,
                None => {
                    telling.end().await.map_err(lost)?;
                    std::future::pending::<()>().await;
                }
            },
            () = resized(&mut resizes) => {
                if let Some((rows, cols)) = terminal_size() {
                    telling.size(rows, cols).await.map_err(lost)?;
                }
            }
        }
    }
}

async fn resized(resizes: &mut Option<Resizes>) {
    match resizes {
        Some(resizes) => resizes.next().await,
        None => std::future::pending().await,
    }
}

/// Reads our input on a thread of its own, no faster than it is taken. It is never waited for: a key that nobody
/// presses would hold us.
fn typed() -> mpsc::Receiver<Vec<u8>> {
    let (to, from) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut buffer = vec![0; 4096];
        loop {
            match io::stdin().lock().read(&mut buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(len) if len > 0 => {
                    if to.blocking_send(buffer[..len].to_vec()).is_err() {
                        return;
                    }
                }
                _ => return,
            }
        }
    });
    from
}
