//! Back-pressure: how much may be queued between a child server and its client, in either direction.
//!
//! A queued message holds a place until it was taken. A sender that can wait waits for a place; so a child that sends
//! more than its client takes is read no further. May not know what is queued.

use super::sparing::weight;
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Bytes that may be queued for one child, and as many that one child may be ahead of its client.
pub(super) const BACKLOG_BYTES: usize = 4 * 1024 * 1024;
/// What a message counts at least, so that no more than some thousand are queued.
const LEAST: usize = 1024;
/// Messages to a child that are queued without waiting for a place: cancellations, and answers to its pings.
pub(super) const BRIEF_MESSAGES: usize = 4096;

/// The room for queued messages.
#[derive(Debug, Clone)]
pub(super) struct Backlog {
    bytes: Arc<Semaphore>,
    brief: Arc<Semaphore>,
}

/// The place of a queued message. It is free again when this is dropped.
#[derive(Debug, Default)]
pub(super) struct BacklogPlace(#[expect(dead_code, reason = "held, not read")] Option<OwnedSemaphorePermit>);

impl Default for Backlog {
    fn default() -> Self {
        Self {
            bytes: Arc::new(Semaphore::new(BACKLOG_BYTES)),
            brief: Arc::new(Semaphore::new(BRIEF_MESSAGES)),
        }
    }
}

impl Backlog {
    /// A place for this, once there is one; nothing if the receiver is gone.
    pub(super) async fn place(&self, message: &Value) -> Option<BacklogPlace> {
        let place = Arc::clone(&self.bytes).acquire_many_owned(size(message)).await;
        place.ok().map(|place| BacklogPlace(Some(place)))
    }

    /// A place for this, if there is one now.
    pub(super) fn place_now(&self, message: &Value) -> Option<BacklogPlace> {
        let place = Arc::clone(&self.bytes).try_acquire_many_owned(size(message));
        place.ok().map(|place| BacklogPlace(Some(place)))
    }

    /// A place for a brief message, if there is one.
    pub(super) fn brief_place(&self) -> Option<BacklogPlace> {
        Arc::clone(&self.brief).try_acquire_owned().ok().map(|place| BacklogPlace(Some(place)))
    }

    /// The receiver is gone, and no sender need wait for a place.
    pub(super) fn close(&self) {
        self.bytes.close();
        self.brief.close();
    }
}

/// One message alone has a place, however large it is.
fn size(message: &Value) -> u32 {
    u32::try_from(weight(message).clamp(LEAST, BACKLOG_BYTES)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn a_message_of_any_size_has_a_place_and_the_next_waits_for_it() {
        let backlog = Backlog::default();
        let large = json!("x".repeat(2 * BACKLOG_BYTES));
        let place = backlog.place(&large).await.unwrap();
        assert!(backlog.place_now(&json!(1)).is_none());
        let next = tokio::spawn({
            let backlog = backlog.clone();
            async move { backlog.place(&json!(1)).await.is_some() }
        });
        drop(place);
        assert!(next.await.unwrap());
    }

    #[tokio::test]
    async fn many_small_messages_are_bounded_too() {
        let backlog = Backlog::default();
        let places: Vec<_> = std::iter::from_fn(|| backlog.place_now(&json!(1))).collect();
        assert_eq!(places.len(), BACKLOG_BYTES / LEAST);
        let brief: Vec<_> = std::iter::from_fn(|| backlog.brief_place()).collect();
        assert_eq!(brief.len(), BRIEF_MESSAGES);
    }

    #[tokio::test]
    async fn whoever_waits_for_a_child_that_is_gone_waits_no_longer() {
        let backlog = Backlog::default();
        let _all = backlog.place(&json!("x".repeat(BACKLOG_BYTES))).await;
        let waiting = tokio::spawn({
            let backlog = backlog.clone();
            async move { backlog.place(&json!(1)).await.is_none() }
        });
        tokio::task::yield_now().await;
        backlog.close();
        assert!(waiting.await.unwrap());
    }
}
