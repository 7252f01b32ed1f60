//! Waiting until the machine is at rest before a section is measured.
//!
//! What one section leaves to the kernel (thousands of processes and cgroups to be taken down) is no cost of the next. May
//! not wait for ever: a machine that others use is measured as it is.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// How long it is looked at in one go.
const LOOK: Duration = Duration::from_millis(500);
/// How long a section waits at most.
const PATIENCE: Duration = Duration::from_secs(20);
/// The part of the processors' time that may be in use at rest.
const BUSY: f64 = 0.05;

/// Waits until next to nothing runs. Where that cannot be known, it does not wait.
pub(crate) fn rest() {
    let begun = Instant::now();
    let Some(mut before) = now() else { return };
    while begun.elapsed() < PATIENCE {
        sleep(LOOK);
        let Some(after) = now() else { return };
        if is_rest(before, after) {
            return;
        }
        before = after;
    }
}

/// Ticks of all processors since the start of the machine: all of them, and those in which nothing ran.
fn now() -> Option<(u64, u64)> {
    ticks(&std::fs::read_to_string("/proc/stat").ok()?)
}

fn ticks(stat: &str) -> Option<(u64, u64)> {
    let words = stat.lines().next()?.strip_prefix("cpu ")?;
    let all: Vec<u64> = words.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    // Idle, and idle while a disk is waited for. The last two are counted in the first two already.
    Some((all.iter().take(8).sum(), all.get(3)? + all.get(4)?))
}

fn is_rest(before: (u64, u64), after: (u64, u64)) -> bool {
    let (all, idle) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
    #[expect(clippy::cast_precision_loss, reason = "ticks of half a second")]
    let busy = all.saturating_sub(idle) as f64 / all.max(1) as f64;
    busy <= BUSY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_read_from_the_first_line() {
        let stat = "cpu  10 0 5 80 3 0 1 1 7 0\ncpu0 1 0 1 1 1 0 0 0 0 0\n";
        assert_eq!(ticks(stat), Some((100, 83)));
        assert_eq!(ticks("words\n"), None);
    }

    #[test]
    fn rest_is_when_next_to_nothing_runs() {
        assert!(is_rest((1000, 900), (1100, 999)));
        assert!(!is_rest((1000, 900), (1100, 980)));
    }
}
