//! A bounded log: the latest part of an output, and a notice to its followers.
//!
//! Bounded, whatever is printed. May not read what is in it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// How many bytes are kept.
const KEPT: usize = 256 * 1024;

/// The latest part of the output.
#[derive(Debug, Default)]
pub struct Tail {
    held: Mutex<TailBuffer>,
    changed: Notify,
}

#[derive(Debug, Default)]
struct TailBuffer {
    bytes: VecDeque<u8>,
    /// How many bytes there were in all.
    total: u64,
}

impl Tail {
    /// Appends output.
    pub fn append(&self, bytes: &[u8]) {
        let mut held = self.open();
        held.total += bytes.len() as u64;
        let fresh = &bytes[bytes.len().saturating_sub(KEPT)..];
        let too_many = (held.bytes.len() + fresh.len()).saturating_sub(KEPT);
        held.bytes.drain(..too_many);
        held.bytes.extend(fresh);
        drop(held);
        self.changed.notify_waiters();
    }

    /// A remark of ours, on a line of its own.
    pub fn remark(&self, sentence: &str) {
        let begun = self.open().bytes.back().is_some_and(|last| *last != b'\n');
        let line = format!("{}[runward] {sentence}\n", if begun { "\n" } else { "" });
        self.append(line.as_bytes());
    }

    /// The bytes that are kept from an offset on, and where they end. Earlier ones are gone.
    pub fn since(&self, offset: u64) -> (Vec<u8>, u64) {
        let held = self.open();
        let first = held.total - held.bytes.len() as u64;
        let skip = usize::try_from(offset.saturating_sub(first)).unwrap_or(usize::MAX);
        (held.bytes.iter().skip(skip).copied().collect(), held.total)
    }

    /// How many bytes there were in all.
    pub fn total(&self) -> u64 {
        self.open().total
    }

    /// Waits until there is output beyond this offset.
    pub async fn beyond(&self, offset: u64) {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before looking, so that a change in between is not missed.
            changed.as_mut().enable();
            if self.open().total > offset {
                return;
            }
            changed.await;
        }
    }

    /// The last line with something on it, for one sentence about why it exited.
    pub fn last_line(&self) -> Option<String> {
        let (bytes, _) = self.since(0);
        let lines = bytes.split(|byte| *byte == b'\n').rev();
        let mut told = lines.filter(|line| !line.starts_with(b"[runward]"));
        let line = told.find(|line| line.iter().any(|byte| !byte.is_ascii_whitespace()))?;
        let line = &line[..line.len().min(300)];
        Some(line.escape_ascii().to_string())
    }

    /// A panic elsewhere leaves the log whole, but for a few bytes.
    fn open(&self) -> MutexGuard<'_, TailBuffer> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_part_is_kept_whatever_is_printed() {
        let log = Tail::default();
        log.append(b"first\n");
        assert_eq!(log.since(0), (b"first\n".to_vec(), 6));
        assert_eq!(log.since(2), (b"rst\n".to_vec(), 6));
        log.append(&vec![b'x'; 3 * KEPT]);
        let (kept, total) = log.since(0);
        assert_eq!((kept.len(), total), (KEPT, 6 + 3 * KEPT as u64));
        assert_eq!(log.since(total), (Vec::new(), total));
    }

    #[test]
    fn a_remark_stands_on_its_own_line_and_is_not_what_the_child_said() {
        let log = Tail::default();
        log.append(b"Error: no such module\n\n");
        log.remark("it ended with 1");
        log.append(b"half");
        log.remark("again");
        let text = log.since(0).0;
        assert_eq!(
            text,
            b"Error: no such module\n\n[runward] it ended with 1\nhalf\n[runward] again\n".to_vec()
        );
        assert_eq!(log.last_line().as_deref(), Some("half"));
    }

    #[tokio::test]
    async fn whoever_follows_is_woken() {
        let log = std::sync::Arc::new(Tail::default());
        let follower = tokio::spawn({
            let log = std::sync::Arc::clone(&log);
            async move {
                log.beyond(0).await;
                log.since(0).0
            }
        });
        tokio::task::yield_now().await;
        log.append(b"x");
        assert_eq!(follower.await.unwrap(), b"x");
    }
}
