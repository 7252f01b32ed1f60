//! How long calls of one child took: the usual and the slow ones, over the latest of them.
//!
//! May not read a clock.

use std::collections::VecDeque;
use std::time::Duration;

/// How many of the latest calls are looked at.
pub const WINDOW: usize = 1024;

/// The times of the latest calls.
#[derive(Debug, Clone, Default)]
pub struct Latency {
    latest: VecDeque<Duration>,
    calls: u64,
}

/// What a child's calls took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantiles {
    /// Half of the calls took at most this.
    pub p50: Duration,
    /// All but one in a hundred took at most this.
    pub p99: Duration,
}

impl Latency {
    /// A call took this long.
    pub fn add(&mut self, took: Duration) {
        if self.latest.len() == WINDOW {
            self.latest.pop_front();
        }
        self.latest.push_back(took);
        self.calls += 1;
    }

    /// How many calls there were in all.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// What the latest calls took; nothing before the first one.
    ///
    /// Each is the time of a call that was made, by nearest rank, never a mean between two.
    pub fn quantiles(&self) -> Option<Quantiles> {
        let mut sorted: Vec<Duration> = self.latest.iter().copied().collect();
        sorted.sort_unstable();
        let at = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100);
            sorted.get(rank.saturating_sub(1)).copied()
        };
        Some(Quantiles { p50: at(50)?, p99: at(99)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn after(times: impl IntoIterator<Item = u64>) -> Latency {
        let mut latency = Latency::default();
        times.into_iter().for_each(|millis| latency.add(Duration::from_millis(millis)));
        latency
    }

    fn millis(latency: &Latency) -> (u128, u128) {
        let Quantiles { p50, p99 } = latency.quantiles().unwrap();
        (p50.as_millis(), p99.as_millis())
    }

    #[test]
    fn without_a_call_there_is_nothing_to_tell() {
        assert_eq!(Latency::default().quantiles(), None);
    }

    #[test]
    fn ranks_are_those_of_calls_that_were_made() {
        assert_eq!(millis(&after([7])), (7, 7));
        assert_eq!(millis(&after([1, 1000])), (1, 1000));
        assert_eq!(millis(&after((1..=100).rev())), (50, 99));
        assert_eq!(millis(&after((1..=1000).rev())), (500, 990));
    }

    #[test]
    fn old_calls_are_forgotten_but_counted() {
        let latency = after(std::iter::repeat_n(9000, WINDOW).chain(std::iter::repeat_n(2, WINDOW)));
        assert_eq!(millis(&latency), (2, 2));
        assert_eq!(latency.calls(), 2 * WINDOW as u64);
    }

    proptest! {
        #[test]
        fn half_are_at_most_the_median_and_few_are_above_the_last(
            times in prop::collection::vec(0u64..10_000, 1..500),
        ) {
            let (p50, p99) = millis(&after(times.iter().copied()));
            let above = |limit: u128| times.iter().filter(|&&time| u128::from(time) > limit).count();
            prop_assert!(p50 <= p99);
            prop_assert!(above(p50) * 2 <= times.len());
            prop_assert!(above(p99) * 100 <= times.len());
            prop_assert!(times.iter().any(|&time| u128::from(time) == p50));
        }
    }
}
