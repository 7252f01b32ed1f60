//! How children are looked after: how often they are asked whether they live, and when one that nobody uses may rest.
//!
//! May not know a child.

use super::consent::Digest;
use super::listing::ChildOffer;
use std::time::Duration;

/// The times of supervision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Care {
    /// How often a child is asked whether it lives.
    pub ping_every: Duration,
    /// How long it may take to say so.
    pub ping_within: Duration,
    /// How often in a row it may fail to, before it is given up as hung.
    pub misses: u32,
    /// After how long without a call a lazy child rests.
    pub idle_after: Duration,
    /// How long a client's first look at the lists waits for children that are being started.
    pub patience: Duration,
}

impl Default for Care {
    fn default() -> Self {
        Self {
            ping_every: Duration::from_secs(30),
            ping_within: Duration::from_secs(10),
            misses: 3,
            idle_after: Duration::from_secs(300),
            patience: Duration::from_secs(20),
        }
    }
}

/// Remembers what lazy children offer, so that they need not be started to be listed.
pub trait Listings: std::fmt::Debug + Send + Sync {
    /// What the server of this digest offered last.
    fn recall(&self, digest: &Digest) -> Option<ChildOffer>;

    /// What it offers now.
    fn remember(&self, digest: &Digest, offer: &ChildOffer);
}

/// Remembers nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoListings;

impl Listings for NoListings {
    fn recall(&self, _: &Digest) -> Option<ChildOffer> {
        None
    }

    fn remember(&self, _: &Digest, _: &ChildOffer) {}
}
