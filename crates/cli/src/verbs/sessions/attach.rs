//! `runward attach ID`: attaches to a session's terminal. On a terminal (pty) every key goes through, the size follows,
//! and one key detaches without ending anything. However it ends, our terminal is restored.

use super::looks::Looks;
use super::{VerbResult, ask, gone, refused};
use crate::args::AttachArgs;
use crate::output::{VerbFailure, tell, unwritten};
use crate::threads;
use crate::verbs::code_of;
use runward::control::{Ask, ControlMessage, ControlReceiver, ControlSender, ListedSession};
use runward::host::{Interrupt, Interrupts, RawTerminal, Resizes, terminal_size};
use std::io::{self, IsTerminal, Read, Write};
use tokio::sync::mpsc;

/// Ctrl-]: the key that detaches.
const LEAVE: u8 = 0x1d;

/// How attaching ended.
enum AttachEnd {
    /// The session ended.
    Over(ListedSession),
    /// The person detached.
    Away,
    /// We were told to end.
    Told(Interrupt),
}

pub(super) async fn sit_down(args: &AttachArgs) -> VerbResult {
    let mut interrupts =
        Interrupts::listen().map_err(|error| VerbFailure::lacking("signals cannot be received", &error))?;
    let (first, call) = ask(&args.session, |session| Ask::Attach { session }).await?;
    let on_terminal = io::stdin().is_terminal();
    if on_terminal {
        tell("attached; Ctrl-] detaches, the session goes on");
    }
    make_room(&first);
    let raw = on_terminal.then(RawTerminal::enter).transpose();
    let raw = raw.map_err(|error| VerbFailure::lacking("the terminal could not be handed over", &error))?;
    let (hearing, telling) = call.apart();
    let mut looks = Looks::default();
    let left = tokio::select! {
        over = show(first, hearing, &mut looks) => over.map(AttachEnd::Over),
        () = pass_on(telling, on_terminal) => Ok(AttachEnd::Away),
        interrupt = interrupts.next() => Ok(AttachEnd::Told(interrupt)),
    };
    if let Some(raw) = raw {
        let after = if matches!(left, Ok(AttachEnd::Over(_))) { "" } else { "\r\n" };
        put_back(&looks, after);
        raw.leave();
    }
    match left? {
        AttachEnd::Over(listed) => Ok(listed.exit_code.unwrap_or(0)),
        AttachEnd::Told(interrupt) => Ok(code_of(interrupt)),
        AttachEnd::Away => {
            tell("detached; the session goes on");
            Ok(0)
        }
    }
}

/// A session's screen is drawn over ours. What stands there is scrolled away first, where it can be found again, unless
/// the drawing takes the other screen. A session without a terminal has no screen, and draws nothing.
fn make_room(first: &ControlMessage) {
    const OTHER_SCREEN: &[u8] = b"\x1b[?1049h";
    let draws = matches!(first, ControlMessage::Bytes(bytes) if !bytes.is_empty() && !bytes.starts_with(OTHER_SCREEN));
    let mut out = io::stdout().lock();
    if let (true, true, Some((rows, _))) = (draws, out.is_terminal(), terminal_size()) {
        // A terminal that is gone has room for nothing.
        let _ = write!(out, "\x1b[{rows};1H{}", "\n".repeat(usize::from(rows)));
    }
}

/// Undoes what the session's program did to the terminal. A cursor in the middle of a line goes to a new one.
fn put_back(looks: &Looks, after: &str) {
    let mut out = io::stdout().lock();
    if out.is_terminal() {
        // A terminal that is gone needs no restoring.
        let _ = write!(out, "{}{after}", looks.undo()).and_then(|()| out.flush());
    }
}

async fn show(
    first: ControlMessage,
    mut hearing: ControlReceiver,
    looks: &mut Looks,
) -> Result<ListedSession, VerbFailure> {
    let mut heard = first;
    loop {
        match heard {
            ControlMessage::Bytes(bytes) => {
                looks.pass(&bytes);
                let mut out = io::stdout().lock();
                out.write_all(&bytes).and_then(|()| out.flush()).map_err(|error| unwritten(&error))?;
            }
            ControlMessage::Session(listed) => return Ok(listed),
            ControlMessage::Refused(why) => return Err(refused(why)),
            ControlMessage::Sessions(_) | ControlMessage::Questions(_) | ControlMessage::Gone => {
                return Err(gone());
            }
        }
        heard = hearing
            .next()
            .await
            .map_err(|error| VerbFailure::unheard("the server's answer could not be read", &error))?;
    }
}

/// Passes keys and sizes on until the person detaches. An input that ends is passed on as an end, but for a terminal:
/// one that is gone means that the person left. A server that reads no more still sends a last message: that is waited
/// for, not this.
async fn pass_on(mut telling: ControlSender, on_terminal: bool) {
    if type_on(&mut telling, on_terminal).await != Ok(TypingEnd::Leave) {
        std::future::pending::<()>().await;
    }
}

/// Why reading keys ended.
#[derive(Debug, PartialEq, Eq)]
enum TypingEnd {
    Leave,
    End,
}

async fn type_on(telling: &mut ControlSender, on_terminal: bool) -> Result<TypingEnd, io::ErrorKind> {
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
                return Ok(TypingEnd::Leave);
            }
            telling.end().await.map_err(|error| error.kind())?;
            return Ok(TypingEnd::End);
        };
        let leaves = on_terminal.then(|| piece.iter().position(|byte| *byte == LEAVE)).flatten();
        let keys = &piece[..leaves.unwrap_or(piece.len())];
        if !keys.is_empty() {
            telling.bytes(keys).await.map_err(|error| error.kind())?;
        }
        if leaves.is_some() {
            return Ok(TypingEnd::Leave);
        }
    }
}

async fn tell_size(telling: &mut ControlSender, on_terminal: bool) -> Result<(), io::ErrorKind> {
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

/// Reads our input on a thread of its own, no faster than it is taken. It is never joined: waiting for a key would
/// hold us.
fn typed() -> mpsc::Receiver<Vec<u8>> {
    let (to, from) = mpsc::channel(1);
    let reading = threads::aside("keys", move || {
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
    if let Err(error) = reading {
        tell(&format!("what is typed cannot be read: {error}"));
    }
    from
}
