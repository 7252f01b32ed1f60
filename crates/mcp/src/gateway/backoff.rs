//! When a child server that exited is restarted, and when restarts end.
//!
//! ```text
//!              Up                 Down                       Down, five tries spent
//!  Starting ────────► Up ──────────────────► Waiting ◄──────┐ ─────────────► Open
//!     ▲  │ Down                                 │           │                  │
//!     │  └──────────────────────────────────────┼───────────┘                  │
//!     └── time, or Again ───────────────────────┴────────── Again ─────────────┘
//! ```
//!
//! [`Backoff`] is a machine without a clock: what happened and the time go in, [`RestartAction`] comes out, and
//! [`Backoff::deadline`] says when it wants to be woken. May not start anything.

use std::time::{Duration, Instant};

/// How long the first wait is; each further one is twice as long.
pub const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(16);
/// How often a child is restarted before it stays down.
pub const TRIES: u32 = 5;
/// How long a child must have been up for its earlier exits to be forgotten.
pub const HEALTHY: Duration = Duration::from_secs(300);

/// What happened to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildNews {
    /// It answered `initialize`.
    Up,
    /// It could not be started, did not answer `initialize` in time, exited, or was given up as hung.
    Down,
    /// The operator wants it tried again now.
    Again,
    /// Time passed.
    Tick,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestartAction {
    /// Start the child.
    Start,
    /// Report that it is not restarted any more.
    GiveUp,
}

/// The state of a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildStanding {
    /// It is being started and initialized.
    Starting,
    /// It answers.
    Up {
        /// Since when.
        since: Instant,
    },
    /// It is down and will be restarted.
    Waiting {
        /// When.
        until: Instant,
    },
    /// It is down, and not restarted any more.
    Open,
}

/// The state machine of one child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    standing: ChildStanding,
    tries: u32,
}

impl Default for Backoff {
    fn default() -> Self {
        Self::begin()
    }
}

impl Backoff {
    /// A child that is being started for the first time.
    pub fn begin() -> Self {
        Self { standing: ChildStanding::Starting, tries: 0 }
    }

    /// The state of the child.
    pub fn standing(&self) -> ChildStanding {
        self.standing
    }

    /// How many of the five tries are spent.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// When to call [`Backoff::on`] with [`ChildNews::Tick`] if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        match self.standing {
            ChildStanding::Waiting { until } => Some(until),
            ChildStanding::Up { since } if self.tries > 0 => since.checked_add(HEALTHY),
            ChildStanding::Up { .. } | ChildStanding::Starting | ChildStanding::Open => None,
        }
    }

    /// Something happened: what is to be done?
    ///
    /// An event that does not fit the state came late, and changes nothing.
    pub fn on(&mut self, input: ChildNews, now: Instant) -> Option<RestartAction> {
        match (input, self.standing) {
            (ChildNews::Up, ChildStanding::Starting) => {
                self.standing = ChildStanding::Up { since: now };
                None
            }
            (ChildNews::Down, ChildStanding::Up { since }) => {
                self.forget_if_healthy(since, now);
                self.fail(now)
            }
            (ChildNews::Down, ChildStanding::Starting) => self.fail(now),
            (ChildNews::Again, ChildStanding::Waiting { .. } | ChildStanding::Open) => {
                self.tries = 0;
                self.start()
            }
            (ChildNews::Tick, ChildStanding::Waiting { until }) if now >= until => self.start(),
            (ChildNews::Tick, ChildStanding::Up { since }) => {
                self.forget_if_healthy(since, now);
                None
            }
            _ => None,
        }
    }

    fn start(&mut self) -> Option<RestartAction> {
        self.standing = ChildStanding::Starting;
        Some(RestartAction::Start)
    }

    fn forget_if_healthy(&mut self, since: Instant, now: Instant) {
        if now.saturating_duration_since(since) >= HEALTHY {
            self.tries = 0;
        }
    }

    fn fail(&mut self, now: Instant) -> Option<RestartAction> {
        if self.tries == TRIES {
            self.standing = ChildStanding::Open;
            return Some(RestartAction::GiveUp);
        }
        let wait = FIRST_WAIT.saturating_mul(1 << self.tries).min(LONGEST_WAIT);
        self.tries += 1;
        self.standing = ChildStanding::Waiting { until: now + wait };
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Lets a waiting child be started, and says how long it waited.
    fn wait_out(backoff: &mut Backoff, now: &mut Instant) -> Duration {
        let until = backoff.deadline().expect("a waiting child has a deadline");
        let waited = until - *now;
        assert_eq!(backoff.on(ChildNews::Tick, until - Duration::from_millis(1)), None);
        assert_eq!(backoff.on(ChildNews::Tick, until), Some(RestartAction::Start));
        *now = until;
        waited
    }

    #[test]
    fn five_tries_from_one_second_to_sixteen_and_then_nobody_tries() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        let mut waits = Vec::new();
        while backoff.on(ChildNews::Down, now) != Some(RestartAction::GiveUp) {
            waits.push(wait_out(&mut backoff, &mut now).as_secs());
        }
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        assert_eq!(backoff.standing(), ChildStanding::Open);
        assert_eq!(backoff.deadline(), None);
    }

    #[test]
    fn a_child_that_was_up_for_a_moment_has_not_recovered() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        for seconds in [1, 2, 4] {
            backoff.on(ChildNews::Up, now);
            now += HEALTHY - SECOND;
            backoff.on(ChildNews::Down, now);
            assert_eq!(wait_out(&mut backoff, &mut now), Duration::from_secs(seconds));
        }
    }

    #[test]
    fn five_healthy_minutes_forget_everything() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        backoff.on(ChildNews::Down, now);
        wait_out(&mut backoff, &mut now);
        backoff.on(ChildNews::Up, now);
        assert_eq!(backoff.deadline(), Some(now + HEALTHY));
        now += HEALTHY;
        backoff.on(ChildNews::Tick, now);
        assert_eq!((backoff.tries(), backoff.deadline()), (0, None));
        backoff.on(ChildNews::Down, now);
        assert_eq!(wait_out(&mut backoff, &mut now), SECOND);
    }

    #[test]
    fn a_person_closes_the_circuit_again() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        while backoff.on(ChildNews::Down, now) != Some(RestartAction::GiveUp) {
            wait_out(&mut backoff, &mut now);
        }
        assert_eq!(backoff.on(ChildNews::Tick, now + HEALTHY), None);
        assert_eq!(backoff.on(ChildNews::Again, now), Some(RestartAction::Start));
        backoff.on(ChildNews::Down, now);
        assert_eq!(wait_out(&mut backoff, &mut now), SECOND);
    }

    fn input() -> impl Strategy<Value = ChildNews> {
        prop::sample::select(vec![
            ChildNews::Up,
            ChildNews::Down,
            ChildNews::Down,
            ChildNews::Tick,
            ChildNews::Again,
        ])
    }

    proptest! {
        #[test]
        fn whatever_happens_no_child_is_started_too_soon_or_too_often(
            story in prop::collection::vec((input(), 0u64..400), 0..200),
        ) {
            let mut now = Instant::now();
            let mut backoff = Backoff::begin();
            let mut starts_in_a_row = 0;
            for (input, seconds) in story {
                now += Duration::from_secs(seconds);
                let before = backoff.clone();
                let action = backoff.on(input, now);
                prop_assert!(backoff.tries() <= TRIES);
                if let ChildStanding::Waiting { until } = backoff.standing() {
                    prop_assert!(until <= now + LONGEST_WAIT || before.standing() == backoff.standing());
                }
                match action {
                    Some(RestartAction::Start) => {
                        let due = before.deadline().is_some_and(|until| now >= until);
                        prop_assert!(input == ChildNews::Again || due);
                        starts_in_a_row = if input == ChildNews::Again { 0 } else { starts_in_a_row + 1 };
                    }
                    Some(RestartAction::GiveUp) => prop_assert_eq!(backoff.standing(), ChildStanding::Open),
                    None => {}
                }
                let first_of_a_row = input == ChildNews::Down && backoff.tries() == 1;
                if backoff.tries() == 0 || first_of_a_row {
                    starts_in_a_row = 0;
                }
                prop_assert!(starts_in_a_row <= TRIES);
            }
        }

        #[test]
        fn a_child_that_always_fails_is_given_up_in_thirty_one_seconds(late in 0u64..5000) {
            let begin = Instant::now();
            let (mut backoff, mut now, mut lateness) = (Backoff::begin(), begin, Duration::ZERO);
            while backoff.on(ChildNews::Down, now) != Some(RestartAction::GiveUp) {
                now = backoff.deadline().expect("a waiting child has a deadline") + Duration::from_millis(late);
                lateness += Duration::from_millis(late);
                prop_assert_eq!(backoff.on(ChildNews::Tick, now), Some(RestartAction::Start));
            }
            prop_assert_eq!(now - begin, Duration::from_secs(31) + lateness);
        }
    }
}
