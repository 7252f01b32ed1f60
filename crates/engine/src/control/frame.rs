//! What goes over the socket: a kind, a length, and that many bytes.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A request, as JSON.
    Ask,
    /// An answer, as JSON.
    Answer,
    /// An error, as JSON: code, message, hint.
    Error,
    /// Output of a session, or input for it.
    Bytes,
    /// A new size for its terminal: lines and columns.
    Size,
    /// Questions to a person, as JSON.
    Questions,
}

const KINDS: [(u8, Kind); 6] = [
    (1, Kind::Ask),
    (2, Kind::Answer),
    (3, Kind::Error),
    (4, Kind::Bytes),
    (5, Kind::Size),
    (6, Kind::Questions),
];

/// More than any frame holds; a caller that says more is not one of ours.
const LARGEST: u32 = 16 * 1024 * 1024;

pub(super) async fn send(to: &mut (impl AsyncWrite + Unpin), kind: Kind, bytes: &[u8]) -> io::Result<()> {
    let number = KINDS.iter().find(|(_, known)| *known == kind).map_or(0, |(number, _)| *number);
    let len = u32::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    let mut frame = Vec::with_capacity(bytes.len() + 5);
    frame.push(number);
    frame.extend_from_slice(&len.to_le_bytes());
    frame.extend_from_slice(bytes);
    to.write_all(&frame).await?;
    to.flush().await
}

/// The next frame; `None` where the other side has gone.
pub(super) async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<(Kind, Vec<u8>)>> {
    let mut head = [0; 5];
    match from.read_exact(&mut head).await {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read.map(drop)?,
    }
    let kind = KINDS.iter().find(|(number, _)| *number == head[0]).ok_or(io::ErrorKind::InvalidData)?.1;
    let len = u32::from_le_bytes([head[1], head[2], head[3], head[4]]);
    if len > LARGEST {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    from.read_exact(&mut bytes).await?;
    Ok(Some((kind, bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_come_back_as_they_went() {
        let (mut one, mut two) = tokio::io::duplex(64);
        let sender = tokio::spawn(async move {
            send(&mut one, Kind::Bytes, &[7; 1000]).await.unwrap();
            send(&mut one, Kind::Answer, b"{}").await.unwrap();
        });
        assert_eq!(receive(&mut two).await.unwrap(), Some((Kind::Bytes, vec![7; 1000])));
        assert_eq!(receive(&mut two).await.unwrap(), Some((Kind::Answer, b"{}".to_vec())));
        sender.await.unwrap();
        assert_eq!(receive(&mut two).await.unwrap(), None);
    }

    #[tokio::test]
    async fn nonsense_is_an_error_and_costs_no_memory() {
        let mut wild: &[u8] = &[4, 255, 255, 255, 255];
        assert!(receive(&mut wild).await.is_err());
        let mut unknown: &[u8] = &[99, 0, 0, 0, 0];
        assert!(receive(&mut unknown).await.is_err());
    }
}
