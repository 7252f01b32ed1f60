//! The server side of the control socket: answers about its sessions, one request per connection.

use super::frame::{FrameKind, receive, send};
use super::message::{Ask, ListedSession};
use super::tail::Tail;
use crate::approve::{ApprovalChoice, OpenQuestion, operator};
use crate::aside::aside;
use crate::registry::{Live, Sessions};
use crate::{Code, Error, ErrorView};
use runward_core::output::Stream;
use runward_core::record::Signal;
use runward_core::render::may_mean_id;
use runward_os::{LocalListener, LocalStream, is_commanded};
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::io::AsyncWrite;

/// The socket of a server in this process, in the folder that all of them share. Its name is random, not the pid:
/// in two containers with one folder, two have the same pid.
pub fn socket_path(folder: &Path) -> PathBuf {
    let chance = uuid::Uuid::new_v4().simple().to_string();
    folder.join(format!("{}.sock", &chance[..CHANCE]))
}

/// Characters of a socket's name: few enough for the shortest path that a socket may have.
const CHANCE: usize = 10;

/// A gateway with child servers to look at.
pub trait Children: std::fmt::Debug + Send + Sync {
    /// The state of each of them.
    fn list(&self) -> Vec<ListedSession>;

    /// The output of the child of this name: nothing if there is none, more than one if each client has its own.
    fn printed(&self, name: &str) -> Vec<Arc<Tail>>;
}

/// Offers the sessions, the children, and the questions that wait for a person, at a private socket until the future is
/// dropped.
pub async fn serve(sessions: Sessions, children: Option<Arc<dyn Children>>, path: &Path) -> io::Result<()> {
    // Before the socket is there: a question of the first call waits for a client that finds it a moment later.
    let _attendance = sessions.engine().questions().attend();
    let listener = bound(path).await?;
    loop {
        let stream = listener.accept().await?;
        let (sessions, children) = (sessions.clone(), children.clone());
        // A client that goes away half way needs no answer.
        tokio::spawn(async move { drop(answer(&sessions, children.as_deref(), stream).await) });
    }
}

/// Listens at a path. Its folder may be on a disk that hangs, which must not block the server.
async fn bound(path: &Path) -> io::Result<LocalListener> {
    let (path, runtime) = (path.to_owned(), tokio::runtime::Handle::current());
    let bind = move || {
        let _within = runtime.enter();
        LocalListener::bind(&path)
    };
    aside(bind).await.unwrap_or_else(|| Err(io::Error::other("the socket could not be made")))
}

async fn answer(
    sessions: &Sessions,
    children: Option<&dyn Children>,
    mut stream: LocalStream,
) -> io::Result<()> {
    let Some((FrameKind::Ask, bytes)) = receive(&mut stream).await? else { return Ok(()) };
    let Ok(ask) = serde_json::from_slice::<Ask>(&bytes) else {
        return refuse(&mut stream, Code::SpecBadValue, "this request is not known to the server").await;
    };
    let name = match &ask {
        Ask::List => return tell(&mut stream, &listed(sessions, children)).await,
        Ask::Questions => return show(&mut stream, &sessions.engine().questions().list()).await,
        // A command that Runward runs may not approve itself.
        Ask::Answer { .. } if is_commanded(&stream) == Some(true) => {
            let why = "a command that Runward runs may not answer questions";
            return refuse(&mut stream, Code::PolicyDenied, why).await;
        }
        Ask::Answer { question, choice } => {
            return match settle(sessions, question, *choice) {
                Ok(answered) => show(&mut stream, &[answered]).await,
                Err(error) => send(&mut stream, FrameKind::Error, &json(&ErrorView::of(&error))).await,
            };
        }
        Ask::Logs { session, .. }
        | Ask::Wait { session }
        | Ask::Kill { session, .. }
        | Ask::Attach { session } => session,
    };
    match named(sessions, name) {
        Ok(live) => act(&ask, &live, stream).await,
        Err(error) => match (&ask, children) {
            (Ask::Logs { follow, .. }, Some(children)) if !children.printed(name).is_empty() => {
                recount(children, name, *follow, &mut stream).await
            }
            _ => send(&mut stream, FrameKind::Error, &json(&ErrorView::of(&error))).await,
        },
    }
}

/// Sends a child's output. There is no end to follow it to, but that of the server.
async fn recount(
    children: &dyn Children,
    name: &str,
    follow: bool,
    stream: &mut LocalStream,
) -> io::Result<()> {
    let tails = children.printed(name);
    let mut at = 0;
    for tail in &tails {
        let (bytes, end) = tail.since(0);
        at = end;
        send(stream, FrameKind::Bytes, &bytes).await?;
    }
    // Of several, the one that began last is followed.
    if let (true, Some(tail)) = (follow, tails.last()) {
        loop {
            tail.beyond(at).await;
            let (bytes, end) = tail.since(at);
            at = end;
            send(stream, FrameKind::Bytes, &bytes).await?;
        }
    }
    match children.list().into_iter().find(|child| child.name.as_deref() == Some(name)) {
        Some(listed) => tell(stream, &listed).await,
        None => refuse(stream, Code::SessionEnded, "the child server is gone").await,
    }
}

/// The client has the account, so the account's owner is the one who answers.
fn settle(sessions: &Sessions, question: &str, choice: ApprovalChoice) -> Result<OpenQuestion, Error> {
    let engine = sessions.engine();
    engine.questions().answer(question, choice, operator(engine.facts()))
}

fn listed(sessions: &Sessions, children: Option<&dyn Children>) -> Vec<ListedSession> {
    let sessions = sessions.list_all();
    sessions.iter().map(ListedSession::of).chain(children.into_iter().flat_map(Children::list)).collect()
}

/// The one session that a name, an id, or the beginning or end of one means.
fn named(sessions: &Sessions, name: &str) -> Result<Live, Error> {
    let all = sessions.list_all();
    let exact = all.iter().find(|live| live.id() == name || live.name() == Some(name));
    let mut begin = all.iter().filter(|live| !name.is_empty() && may_mean_id(&live.id(), name));
    let found = exact.or(match (begin.next(), begin.next()) {
        (Some(one), None) => Some(one),
        _ => None,
    });
    found.cloned().ok_or_else(|| Error::UnknownSession { id: name.to_owned() })
}

async fn act(ask: &Ask, live: &Live, mut stream: LocalStream) -> io::Result<()> {
    match ask {
        Ask::List | Ask::Questions | Ask::Answer { .. } => Ok(()),
        Ask::Logs { follow, .. } => {
            pour(live, &mut stream, 0, *follow).await?;
            tell(&mut stream, &ListedSession::of(live)).await
        }
        Ask::Wait { .. } => {
            live.ended().await;
            tell(&mut stream, &ListedSession::of(live)).await
        }
        Ask::Kill { signal, .. } => match Signal::named(signal) {
            Some(signal) => {
                live.stop(signal);
                live.ended().await;
                tell(&mut stream, &ListedSession::of(live)).await
            }
            None => {
                refuse(&mut stream, Code::SpecBadValue, &format!("there is no signal named `{signal}`")).await
            }
        },
        Ask::Attach { .. } => attend(live, stream).await,
    }
}

/// Sends output from an offset on; with `follow` until the end. Both streams, as they come.
async fn pour(live: &Live, to: &mut (impl AsyncWrite + Unpin), from: u64, follow: bool) -> io::Result<()> {
    const PIECE: usize = 64 * 1024;
    let ledger = live.ledger();
    let (mut out, mut err) = (from, 0);
    loop {
        let over = ledger.standing().receipt.is_some();
        let mut sent = false;
        for (stream, at) in [(Stream::Stdout, &mut out), (Stream::Stderr, &mut err)] {
            let part = ledger.read(stream, *at, PIECE);
            if !part.bytes.is_empty() {
                *at = part.next();
                sent = true;
                send(to, FrameKind::Bytes, &part.bytes).await?;
            }
        }
        if !sent && (over || !follow) {
            return Ok(());
        }
        if !sent {
            let (seen_out, seen_err) = (out, err);
            let news = |now: &crate::LedgerStanding| {
                (now.stdout > seen_out || now.stderr > seen_err || now.receipt.is_some()).then_some(())
            };
            ledger.until(news).await;
        }
    }
}

/// A person is attached to the session until it ends or they detach.
async fn attend(live: &Live, stream: LocalStream) -> io::Result<()> {
    let (mut from, mut to) = tokio::io::split(stream);
    let (screen, at) = live.screen_to_draw().await;
    send(&mut to, FrameKind::Bytes, screen.as_bytes()).await?;
    tokio::select! {
        poured = pour(live, &mut to, at, true) => {
            poured?;
            send(&mut to, FrameKind::Answer, &json(&ListedSession::of(live))).await
        }
        typed = take_input(live, &mut from) => typed,
    }
}

async fn take_input(live: &Live, from: &mut (impl tokio::io::AsyncRead + Unpin)) -> io::Result<()> {
    while let Some((kind, bytes)) = receive(from).await? {
        match (kind, &bytes[..]) {
            (FrameKind::Bytes, []) => drop(live.close_input().await),
            // A session that reads no more says so by its output, or by ending.
            (FrameKind::Bytes, _) => drop(live.write(bytes).await),
            (FrameKind::Size, &[a, b, c, d]) => {
                drop(live.resize(u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])));
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
    }
    Ok(())
}

async fn tell(stream: &mut LocalStream, answer: &impl Serialize) -> io::Result<()> {
    send(stream, FrameKind::Answer, &json(answer)).await
}

async fn show(stream: &mut LocalStream, questions: &[OpenQuestion]) -> io::Result<()> {
    send(stream, FrameKind::Questions, &json(&questions)).await
}

async fn refuse(stream: &mut LocalStream, code: Code, message: &str) -> io::Result<()> {
    let view = ErrorView { code, message: message.to_owned(), hint: None };
    send(stream, FrameKind::Error, &json(&view)).await
}

fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}
