//! Log messages for a client that wants them: refusals and failures, and what ran under which rule.
//!
//! May not hold a call up: a message that cannot be sent is not sent.
#![expect(deprecated, reason = "newer revisions of the protocol drop logging; clients of older ones use it")]

use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::{Peer, RoleServer};
use serde_json::Value;
use std::sync::atomic::{AtomicU8, Ordering};

/// The level from which on a client wants to hear. Until it says so, warnings and worse.
#[derive(Debug)]
pub(crate) struct Threshold(AtomicU8);

impl Default for Threshold {
    fn default() -> Self {
        Self(AtomicU8::new(rank(LoggingLevel::Warning)))
    }
}

impl Threshold {
    /// The client wants everything from this level on.
    pub(crate) fn set(&self, level: LoggingLevel) {
        self.0.store(rank(level), Ordering::Relaxed);
    }

    fn lets_through(&self, level: LoggingLevel) -> bool {
        rank(level) >= self.0.load(Ordering::Relaxed)
    }
}

fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

/// Something to tell a client beside its answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// How something was resolved.
    Detail,
    /// Something was refused or failed.
    Trouble,
}

/// Tells the client, if it wants to hear that much.
pub(crate) async fn tell(peer: &Peer<RoleServer>, threshold: &Threshold, weight: Weight, fields: Value) {
    let level = match weight {
        Weight::Detail => LoggingLevel::Info,
        Weight::Trouble => LoggingLevel::Warning,
    };
    if threshold.lets_through(level) {
        let message = LoggingMessageNotificationParam::new(level, fields).with_logger("runward");
        // A client that is gone hears nothing, and needs to hear nothing.
        let _ = peer.notify_logging_message(message).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_hears_from_its_level_on() {
        let threshold = Threshold::default();
        assert!(threshold.lets_through(LoggingLevel::Warning) && !threshold.lets_through(LoggingLevel::Info));
        threshold.set(LoggingLevel::Debug);
        assert!(threshold.lets_through(LoggingLevel::Info));
        threshold.set(LoggingLevel::Emergency);
        assert!(!threshold.lets_through(LoggingLevel::Alert));
    }
}
