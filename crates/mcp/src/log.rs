//! Log messages for a client that wants them: refusals and failures, and what ran under which rule.
//!
//! May not block a call: a message that cannot be sent is dropped.
#![expect(deprecated, reason = "newer revisions of the protocol drop logging; clients of older ones use it")]

use crate::client::is_stateless;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use runward_engine::core::redact::Redactor;
use serde_json::Value;
use std::sync::atomic::{AtomicU8, Ordering};

/// The log level of a client. Until it sets one, warnings and worse.
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

    /// The level outside any request, and in a request that sets none itself.
    pub(crate) fn hearing(&self) -> LogHearing {
        LogHearing(Some(self.0.load(Ordering::Relaxed)))
    }
}

/// The level while one request is answered; nothing at all, if none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LogHearing(Option<u8>);

impl LogHearing {
    /// The level of a request. In the stateless revision each request sets its own, and none means nothing is sent.
    pub(crate) fn of(context: &RequestContext<RoleServer>, threshold: &Threshold) -> Self {
        if is_stateless(context) {
            LogHearing(context.meta.log_level().map(rank))
        } else {
            threshold.hearing()
        }
    }

    /// Whether this level is sent at all. Frequent messages need not be put together otherwise.
    pub(crate) fn wants(self, weight: Weight) -> bool {
        self.lets_through(weight.level())
    }

    fn lets_through(self, level: LoggingLevel) -> bool {
        self.0.is_some_and(|least| rank(level) >= least)
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

/// A log message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// How something was resolved.
    Detail,
    /// Something was refused or failed.
    Trouble,
}

impl Weight {
    fn level(self) -> LoggingLevel {
        match self {
            Weight::Detail => LoggingLevel::Info,
            Weight::Trouble => LoggingLevel::Warning,
        }
    }
}

/// Sends it to the client, if it wants this level.
pub(crate) async fn tell(
    peer: &Peer<RoleServer>,
    hearing: LogHearing,
    redactor: &Redactor,
    weight: Weight,
    fields: Value,
) {
    if hearing.wants(weight) {
        let fields = masked(fields, redactor);
        let message = LoggingMessageNotificationParam::new(weight.level(), fields).with_logger("runward");
        // A client that is gone needs no message.
        let _ = peer.notify_logging_message(message).await;
    }
}

/// The same without the secrets in its texts.
fn masked(fields: Value, redactor: &Redactor) -> Value {
    match fields {
        Value::String(text) => Value::String(redactor.mask(&text).into_owned()),
        Value::Array(all) => Value::Array(all.into_iter().map(|one| masked(one, redactor)).collect()),
        Value::Object(all) => {
            Value::Object(all.into_iter().map(|(name, value)| (name, masked(value, redactor))).collect())
        }
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_hears_from_its_level_on() {
        let threshold = Threshold::default();
        let hears = |level| threshold.hearing().lets_through(level);
        assert!(hears(LoggingLevel::Warning) && !hears(LoggingLevel::Info));
        threshold.set(LoggingLevel::Debug);
        assert!(hears(LoggingLevel::Info));
        threshold.set(LoggingLevel::Emergency);
        assert!(!hears(LoggingLevel::Alert));
        assert!(!LogHearing(None).lets_through(LoggingLevel::Emergency));
    }

    #[test]
    fn a_message_tells_no_secret() {
        let redactor = Redactor::default();
        redactor.learn("typed");
        let fields =
            serde_json::json!({"message": "`curl --token abc` is refused", "n": [1, "TOKEN=x", "typed"]});
        assert_eq!(
            masked(fields, &redactor),
            serde_json::json!({"message": "`curl --token [redacted] is refused", "n": [1, "TOKEN=[redacted]", "[redacted]"]})
        );
    }
}
