//! How children are supervised: how often they are pinged, and when an idle one may be stopped.
//!
//! May not know a child.

use super::consent::ConsentDigest;
use super::listing::ChildOffer;
use std::time::Duration;

/// The times of supervision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeepAliveTerms {
    /// How often a child is pinged.
    pub ping_every: Duration,
    /// How long the answer may take.
    pub ping_within: Duration,
    /// How many pings in a row may fail before it is given up as hung.
    pub misses: u32,
    /// The time without a call after which a lazy child is stopped.
    pub idle_after: Duration,
    /// How long a request about something that no child is known to have waits for children that are being started.
    pub patience: Duration,
    /// How long a request for the lists waits for children that were never seen before.
    pub first_list: Duration,
}

impl Default for KeepAliveTerms {
    fn default() -> Self {
        Self {
            ping_every: Duration::from_secs(30),
            ping_within: Duration::from_secs(10),
            misses: 3,
            idle_after: Duration::from_secs(300),
            patience: Duration::from_secs(20),
            // Clients give up on a list sooner than on a call: Codex after ten seconds.
            first_list: Duration::from_secs(5),
        }
    }
}

/// Remembers what children offer, so that they need not be started to be listed.
pub trait RememberedListings: std::fmt::Debug + Send + Sync {
    /// What the server of this digest offered last.
    fn recall(&self, digest: &ConsentDigest) -> Option<ChildOffer>;

    /// What it offers now.
    fn remember(&self, digest: &ConsentDigest, offer: &ChildOffer);
}

/// Remembers nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoListings;

impl RememberedListings for NoListings {
    fn recall(&self, _: &ConsentDigest) -> Option<ChildOffer> {
        None
    }

    fn remember(&self, _: &ConsentDigest, _: &ChildOffer) {}
}
