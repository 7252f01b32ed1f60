//! Waiting for something to become true.

use std::time::{Duration, Instant};

/// How long anything may take on a busy machine before a test gives up. Passing never waits this long.
pub const LIMIT: Duration = Duration::from_secs(30);

/// Waits until the condition holds; panics, saying what was waited for, if it never does.
pub fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < LIMIT, "never came true: {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}
