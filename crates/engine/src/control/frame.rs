//! The frames on the control socket: a kind, a length, and that many bytes.

use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The kind of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
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

const KINDS: [(u8, FrameKind); 6] = [
    (1, FrameKind::Ask),
    (2, FrameKind::Answer),
    (3, FrameKind::Error),
    (4, FrameKind::Bytes),
    (5, FrameKind::Size),
    (6, FrameKind::Questions),
];

/// More than any frame holds; a client that sends more is not one of ours.
const LARGEST: u32 = 16 * 1024 * 1024;

pub(super) async fn send(
    to: &mut (impl AsyncWrite + Unpin),
    kind: FrameKind,
    bytes: &[u8],
) -> io::Result<()> {
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
pub(super) async fn receive(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<(FrameKind, Vec<u8>)>> {
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
            send(&mut one, FrameKind::Bytes, &[7; 1000]).await.unwrap();
            send(&mut one, FrameKind::Answer, b"{}").await.unwrap();
        });
        assert_eq!(receive(&mut two).await.unwrap(), Some((FrameKind::Bytes, vec![7; 1000])));
        assert_eq!(receive(&mut two).await.unwrap(), Some((FrameKind::Answer, b"{}".to_vec())));
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
