//! The client side of the control socket: finds the servers of this user, and asks one of them.

use super::frame::{FrameKind, receive, send};
use super::message::{Ask, ListedSession};
use crate::approve::OpenQuestion;
use runward_os::{LocalStream, connect_local};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{ReadHalf, WriteHalf};

/// The sockets in the shared folder with a server that answers. Those of dead servers are removed.
pub async fn servers(folder: &Path) -> Vec<PathBuf> {
    let mut alive = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "sock")) {
        match connect_local(&path).await {
            Ok(_) => alive.push(path),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                // It has no listener: its server was killed.
                let _ = std::fs::remove_file(&path);
            }
            Err(_) => {}
        }
    }
    alive
}

/// A server's answer.
#[derive(Debug)]
pub enum ControlMessage {
    /// Output of the session.
    Bytes(Vec<u8>),
    /// The sessions that were asked for; the last message.
    Sessions(Vec<ListedSession>),
    /// The session's state; the last message.
    Session(ListedSession),
    /// The questions that were asked for, or the one that was answered; the last message.
    Questions(Vec<OpenQuestion>),
    /// It cannot be done.
    Refused(ControlRefused),
    /// The server is gone.
    Gone,
}

/// An error from the server.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ControlRefused {
    /// The stable code.
    pub code: String,
    /// What was wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// One request to one server.
#[derive(Debug)]
pub struct ControlCall {
    from: ReadHalf<LocalStream>,
    to: WriteHalf<LocalStream>,
}

impl ControlCall {
    /// Sends the request.
    pub async fn make(server: &Path, ask: &Ask) -> io::Result<Self> {
        let (from, mut to) = tokio::io::split(connect_local(server).await?);
        send(&mut to, FrameKind::Ask, &serde_json::to_vec(ask)?).await?;
        Ok(Self { from, to })
    }

    /// The next message of the server. Not cancel-safe: read it to its end.
    pub async fn hear(&mut self) -> io::Result<ControlMessage> {
        hear(&mut self.from).await
    }

    /// The two directions apart, to be used at the same time.
    pub fn apart(self) -> (ControlReceiver, ControlSender) {
        (ControlReceiver(self.from), ControlSender(self.to))
    }
}

/// The messages from a server.
#[derive(Debug)]
pub struct ControlReceiver(ReadHalf<LocalStream>);

impl ControlReceiver {
    /// The next message of the server. Not cancel-safe: read it to its end.
    pub async fn next(&mut self) -> io::Result<ControlMessage> {
        hear(&mut self.0).await
    }
}

/// The input of a session that a person is attached to.
#[derive(Debug)]
pub struct ControlSender(WriteHalf<LocalStream>);

impl ControlSender {
    /// Sends input.
    pub async fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        send(&mut self.0, FrameKind::Bytes, bytes).await
    }

    /// Ends the input.
    pub async fn end(&mut self) -> io::Result<()> {
        send(&mut self.0, FrameKind::Bytes, &[]).await
    }

    /// Sends the size of the terminal.
    pub async fn size(&mut self, rows: u16, cols: u16) -> io::Result<()> {
        let [a, b] = rows.to_le_bytes();
        let [c, d] = cols.to_le_bytes();
        send(&mut self.0, FrameKind::Size, &[a, b, c, d]).await
    }
}

async fn hear(from: &mut ReadHalf<LocalStream>) -> io::Result<ControlMessage> {
    let Some((kind, bytes)) = receive(from).await? else { return Ok(ControlMessage::Gone) };
    match kind {
        FrameKind::Bytes => Ok(ControlMessage::Bytes(bytes)),
        FrameKind::Error => Ok(ControlMessage::Refused(serde_json::from_slice(&bytes)?)),
        FrameKind::Answer => match serde_json::from_slice(&bytes) {
            Ok(all) => Ok(ControlMessage::Sessions(all)),
            Err(_) => Ok(ControlMessage::Session(serde_json::from_slice(&bytes)?)),
        },
        FrameKind::Questions => Ok(ControlMessage::Questions(serde_json::from_slice(&bytes)?)),
        FrameKind::Ask | FrameKind::Size => Err(io::ErrorKind::InvalidData.into()),
    }
}
