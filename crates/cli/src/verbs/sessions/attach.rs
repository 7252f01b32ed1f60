//! `runward attach ID`: sits down at a session. On a terminal it is a real one: every key goes through, the size
//! follows, and one key leaves without ending anything. However it ends, the terminal is as it was before.

use super::looks::Looks;
use super::{Done, ask, gone, refused};
use crate::args::AttachArgs;
use crate::output::{Failure, tell};
use crate::verbs::code_of;
use runward::control::{Ask, Heard, Hearing, Listed, Telling};
use runward::host::{Interrupt, Interrupts, RawTerminal, Resizes, terminal_size};
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
    /// We were told to end.
    Told(Interrupt),
}

pub(super) async fn sit_down(args: &AttachArgs) -> Done {
    let mut interrupts =
        Interrupts::listen().map_err(|error| Failure::host("no signal can be heard", &error))?;
    let (first, call) = ask(&args.session, |session| Ask::Attach { session }).await?;
    let on_terminal = io::stdin().is_terminal();
    if on_terminal {
        tell("attached; Ctrl-] leaves, the session goes on");
    }
    make_room(&first);
    let raw = on_terminal.then(RawTerminal::enter).transpose();
    let raw = raw.map_err(|error| Failure::host("the terminal could not be handed over", &error))?;
    let (hearing, telling) = call.apart();
    let mut looks = Looks::default();
    let left = tokio::select! {
        over = show(first, hearing, &mut looks) => over.map(Left::Over),
        () = pass_on(telling, on_terminal) => Ok(Left::Away),
        interrupt = interrupts.next() => Ok(Left::Told(interrupt)),
    };
    if let Some(raw) = raw {
        let after = if matches!(left, Ok(Left::Over(_))) { "" } else { "\r\n" };
        put_back(&looks, after);
        raw.leave();
    }
    match left? {
        Left::Over(listed) => Ok(listed.exit_code.unwrap_or(0)),
        Left::Told(interrupt) => Ok(code_of(interrupt)),
        Left::Away => {
            tell("left; the session goes on");
            Ok(0)
        }
    }
}

/// A session's screen is drawn over ours. What stands there is scrolled away first, where it can be found again, unless
/// the drawing takes the other screen. A session without a terminal has no screen, and draws nothing.
fn make_room(first: &Heard) {
    const OTHER_SCREEN: &[u8] = b"\x1b[?1049h";
    let draws = matches!(first, Heard::Bytes(bytes) if !bytes.is_empty() && !bytes.starts_with(OTHER_SCREEN));
    let mut out = io::stdout().lock();
    if let (true, true, Some((rows, _))) = (draws, out.is_terminal(), terminal_size()) {
        // A terminal that is gone has room for nothing.
        let _ = write!(out, "\x1b[{rows};1H{}", "\n".repeat(usize::from(rows)));
    }
}

/// Undoes what the session's program did to the terminal. Whoever left in the middle of a line begins a new one.
fn put_back(looks: &Looks, after: &str) {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        // A terminal that is gone looks like nothing.
        let _ = write!(out, "{}{after}", looks.undo()).and_then(|()| out.flush());
    }
}

async fn show(first: Heard, mut hearing: Hearing, looks: &mut Looks) -> Result<Listed, Failure> {
    let mut heard = first;
    loop {
        match heard {
            Heard::Bytes(bytes) => {
                looks.pass(&bytes);
                let mut out = io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush()).map_err(|_| Failure::ReaderGone)?;
            }
            Heard::Session(listed) => return Ok(listed),
            Heard::Refused(why) => return Err(refused(why)),
            Heard::Sessions(_) | Heard::Questions(_) | Heard::Gone => return Err(gone()),
        }
        heard =
            hearing.next().await.map_err(|error| Failure::host("the server could not be heard", &error))?;
    }
}

/// Passes keys and sizes on until the person leaves. An input that ends is passed on as an end, but for a terminal:
/// one that is gone is a person who left. A server that hears no more has a last word to say: that is waited for, not
/// this.
async fn pass_on(mut telling: Telling, on_terminal: bool) {
    if type_on(&mut telling, on_terminal).await != Ok(Typed::Leave) {
        std::future::pending::<()>().await;
    }
}

/// Why typing came to an end.
#[derive(Debug, PartialEq, Eq)]
enum Typed {
    Leave,
    End,
}

async fn type_on(telling: &mut Telling, on_terminal: bool) -> Result<Typed, io::ErrorKind> {
    let mut keys = typed();
    let mut resizes = if on_terminal { Resizes::listen().ok() } else { None };
    tell_size(telling, on_terminal).await?;
    loop {
        let piece = tokio::select! {
            piece = keys.recv() => piece,
            () = resized(&mut resizes) => {
                tell_size(telling, on_terminal).await?;
                continue;
            }
        };
        let Some(piece) = piece else {
            if on_terminal {
                return Ok(Typed::Leave);
            }
            telling.end().await.map_err(|error| error.kind())?;
            return Ok(Typed::End);
        };
        let leaves = on_terminal.then(|| piece.iter().position(|byte| *byte == LEAVE)).flatten();
        let keys = &piece[..leaves.unwrap_or(piece.len())];
        if !keys.is_empty() {
            telling.bytes(keys).await.map_err(|error| error.kind())?;
        }
        if leaves.is_some() {
            return Ok(Typed::Leave);
        }
    }
}

async fn tell_size(telling: &mut Telling, on_terminal: bool) -> Result<(), io::ErrorKind> {
    match terminal_size().filter(|_| on_terminal) {
        Some((rows, cols)) => telling.size(rows, cols).await.map_err(|error| error.kind()),
        None => Ok(()),
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
