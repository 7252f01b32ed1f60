//! The caller's side: finds the servers of this user, and asks one of them.

use super::frame::{Kind, receive, send};
use super::message::{Ask, Listed};
use crate::approve::Open;
use runward_os::{LocalStream, connect_local};
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use tokio::io::{ReadHalf, WriteHalf};

/// The sockets in the shared folder behind which a server answers. What dead servers left is removed.
pub async fn servers(folder: &Path) -> Vec<PathBuf> {
    let mut alive = Vec::new();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| path.extension().is_some_and(|ending| ending == "sock")) {
        match connect_local(&path).await {
            Ok(_) => alive.push(path),
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
                // Nobody listens any more: its server was killed.
                let _ = std::fs::remove_file(&path);
            }
            Err(_) => {}
        }
    }
    alive
}

/// What a server says.
#[derive(Debug)]
pub enum Heard {
    /// Output of the session.
    Bytes(Vec<u8>),
    /// The sessions that were asked about; the last word.
    Sessions(Vec<Listed>),
    /// The session as it stands now; the last word.
    Session(Listed),
    /// The questions that were asked about, or the one that was answered; the last word.
    Questions(Vec<Open>),
    /// It cannot be done.
    Refused(Refused),
    /// The server is gone.
    Gone,
}

/// An error that the server told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Refused {
    /// The stable code.
    pub code: String,
    /// What was wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// One request to one server.
#[derive(Debug)]
pub struct Call {
    from: ReadHalf<LocalStream>,
    to: WriteHalf<LocalStream>,
}

impl Call {
    /// Asks.
    pub async fn make(server: &Path, ask: &Ask) -> io::Result<Self> {
        let (from, mut to) = tokio::io::split(connect_local(server).await?);
        send(&mut to, Kind::Ask, &serde_json::to_vec(ask)?).await?;
        Ok(Self { from, to })
    }

    /// The next thing the server says. Not cancel-safe: hear it to its end.
    pub async fn hear(&mut self) -> io::Result<Heard> {
        hear(&mut self.from).await
    }

    /// The two directions apart, to be used at the same time.
    pub fn apart(self) -> (Hearing, Telling) {
        (Hearing(self.from), Telling(self.to))
    }
}

/// What comes from a server.
#[derive(Debug)]
pub struct Hearing(ReadHalf<LocalStream>);

impl Hearing {
    /// The next thing the server says. Not cancel-safe: hear it to its end.
    pub async fn next(&mut self) -> io::Result<Heard> {
        hear(&mut self.0).await
    }
}

/// What goes to a session that somebody sits at.
#[derive(Debug)]
pub struct Telling(WriteHalf<LocalStream>);

impl Telling {
    /// Types.
    pub async fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        send(&mut self.0, Kind::Bytes, bytes).await
    }

    /// Ends the input.
    pub async fn end(&mut self) -> io::Result<()> {
        send(&mut self.0, Kind::Bytes, &[]).await
    }

    /// Tells the size of the terminal.
    pub async fn size(&mut self, rows: u16, cols: u16) -> io::Result<()> {
        let [a, b] = rows.to_le_bytes();
        let [c, d] = cols.to_le_bytes();
        send(&mut self.0, Kind::Size, &[a, b, c, d]).await
    }
}

async fn hear(from: &mut ReadHalf<LocalStream>) -> io::Result<Heard> {
    let Some((kind, bytes)) = receive(from).await? else { return Ok(Heard::Gone) };
    match kind {
        Kind::Bytes => Ok(Heard::Bytes(bytes)),
        Kind::Error => Ok(Heard::Refused(serde_json::from_slice(&bytes)?)),
        Kind::Answer => match serde_json::from_slice(&bytes) {
            Ok(all) => Ok(Heard::Sessions(all)),
            Err(_) => Ok(Heard::Session(serde_json::from_slice(&bytes)?)),
        },
        Kind::Questions => Ok(Heard::Questions(serde_json::from_slice(&bytes)?)),
        Kind::Ask | Kind::Size => Err(io::ErrorKind::InvalidData.into()),
    }
}
