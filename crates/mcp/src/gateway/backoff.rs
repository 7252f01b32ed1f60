//! When a child server that died is started again, and when nobody tries any more.
//!
//! ```text
//!              Up                 Down                       Down, five tries spent
//!  Starting ────────► Up ──────────────────► Waiting ◄──────┐ ─────────────► Open
//!     ▲  │ Down                                 │           │                  │
//!     │  └──────────────────────────────────────┼───────────┘                  │
//!     └── time, or Again ───────────────────────┴────────── Again ─────────────┘
//! ```
//!
//! [`Backoff`] is a machine without a clock: what happened and the time go in, [`Action`] comes out, and
//! [`Backoff::deadline`] says when it wants to be woken. May not start anything.

use std::time::{Duration, Instant};

/// How long the first wait is; each further one is twice as long.
pub const FIRST_WAIT: Duration = Duration::from_secs(1);
/// The longest wait.
pub const LONGEST_WAIT: Duration = Duration::from_secs(16);
/// How often a child is started again before nobody tries any more.
pub const TRIES: u32 = 5;
/// How long a child must have been up for its earlier deaths to be forgotten.
pub const HEALTHY: Duration = Duration::from_secs(300);

/// What happened to a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// It answered the greeting.
    Up,
    /// It could not be started, did not answer the greeting in time, died, or was given up as hung.
    Down,
    /// A person wants it tried again now.
    Again,
    /// Time passed.
    Tick,
}

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Start the child.
    Start,
    /// Say that nobody tries any more.
    GiveUp,
}

/// Where a child stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is being started and greeted.
    Starting,
    /// It answers.
    Up {
        /// Since when.
        since: Instant,
    },
    /// It is down and will be started again.
    Waiting {
        /// When.
        until: Instant,
    },
    /// It is down, and nobody tries any more.
    Open,
}

/// The machine of one child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backoff {
    standing: Standing,
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
        Self { standing: Standing::Starting, tries: 0 }
    }

    /// Where the child stands.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// How many of the five tries are spent.
    pub fn tries(&self) -> u32 {
        self.tries
    }

    /// When to call [`Backoff::on`] with [`Input::Tick`] if nothing else happens.
    pub fn deadline(&self) -> Option<Instant> {
        match self.standing {
            Standing::Waiting { until } => Some(until),
            Standing::Up { since } if self.tries > 0 => since.checked_add(HEALTHY),
            Standing::Up { .. } | Standing::Starting | Standing::Open => None,
        }
    }

    /// Something happened: what is to be done?
    ///
    /// News that does not fit the standing came late, and changes nothing.
    pub fn on(&mut self, input: Input, now: Instant) -> Option<Action> {
        match (input, self.standing) {
            (Input::Up, Standing::Starting) => {
                self.standing = Standing::Up { since: now };
                None
            }
            (Input::Down, Standing::Up { since }) => {
                self.forget_if_healthy(since, now);
                self.fail(now)
            }
            (Input::Down, Standing::Starting) => self.fail(now),
            (Input::Again, Standing::Waiting { .. } | Standing::Open) => {
                self.tries = 0;
                self.start()
            }
            (Input::Tick, Standing::Waiting { until }) if now >= until => self.start(),
            (Input::Tick, Standing::Up { since }) => {
                self.forget_if_healthy(since, now);
                None
            }
            _ => None,
        }
    }

    fn start(&mut self) -> Option<Action> {
        self.standing = Standing::Starting;
        Some(Action::Start)
    }

    fn forget_if_healthy(&mut self, since: Instant, now: Instant) {
        if now.saturating_duration_since(since) >= HEALTHY {
            self.tries = 0;
        }
    }

    fn fail(&mut self, now: Instant) -> Option<Action> {
        if self.tries == TRIES {
            self.standing = Standing::Open;
            return Some(Action::GiveUp);
        }
        let wait = FIRST_WAIT.saturating_mul(1 << self.tries).min(LONGEST_WAIT);
        self.tries += 1;
        self.standing = Standing::Waiting { until: now + wait };
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
        assert_eq!(backoff.on(Input::Tick, until - Duration::from_millis(1)), None);
        assert_eq!(backoff.on(Input::Tick, until), Some(Action::Start));
        *now = until;
        waited
    }

    #[test]
    fn five_tries_from_one_second_to_sixteen_and_then_nobody_tries() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        let mut waits = Vec::new();
        while backoff.on(Input::Down, now) != Some(Action::GiveUp) {
            waits.push(wait_out(&mut backoff, &mut now).as_secs());
        }
        assert_eq!(waits, [1, 2, 4, 8, 16]);
        assert_eq!(backoff.standing(), Standing::Open);
        assert_eq!(backoff.deadline(), None);
    }

    #[test]
    fn a_child_that_was_up_for_a_moment_has_not_recovered() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        for seconds in [1, 2, 4] {
            backoff.on(Input::Up, now);
            now += HEALTHY - SECOND;
            backoff.on(Input::Down, now);
            assert_eq!(wait_out(&mut backoff, &mut now), Duration::from_secs(seconds));
        }
    }

    #[test]
    fn five_healthy_minutes_forget_everything() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        backoff.on(Input::Down, now);
        wait_out(&mut backoff, &mut now);
        backoff.on(Input::Up, now);
        assert_eq!(backoff.deadline(), Some(now + HEALTHY));
        now += HEALTHY;
        backoff.on(Input::Tick, now);
        assert_eq!((backoff.tries(), backoff.deadline()), (0, None));
        backoff.on(Input::Down, now);
        assert_eq!(wait_out(&mut backoff, &mut now), SECOND);
    }

    #[test]
    fn a_person_closes_the_circuit_again() {
        let (mut backoff, mut now) = (Backoff::begin(), Instant::now());
        while backoff.on(Input::Down, now) != Some(Action::GiveUp) {
            wait_out(&mut backoff, &mut now);
        }
        assert_eq!(backoff.on(Input::Tick, now + HEALTHY), None);
        assert_eq!(backoff.on(Input::Again, now), Some(Action::Start));
        backoff.on(Input::Down, now);
        assert_eq!(wait_out(&mut backoff, &mut now), SECOND);
    }

    fn input() -> impl Strategy<Value = Input> {
        prop::sample::select(vec![Input::Up, Input::Down, Input::Down, Input::Tick, Input::Again])
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
                if let Standing::Waiting { until } = backoff.standing() {
                    prop_assert!(until <= now + LONGEST_WAIT || before.standing() == backoff.standing());
                }
                match action {
                    Some(Action::Start) => {
                        let due = before.deadline().is_some_and(|until| now >= until);
                        prop_assert!(input == Input::Again || due);
                        starts_in_a_row = if input == Input::Again { 0 } else { starts_in_a_row + 1 };
                    }
                    Some(Action::GiveUp) => prop_assert_eq!(backoff.standing(), Standing::Open),
                    None => {}
                }
                let first_of_a_row = input == Input::Down && backoff.tries() == 1;
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
            while backoff.on(Input::Down, now) != Some(Action::GiveUp) {
                now = backoff.deadline().expect("a waiting child has a deadline") + Duration::from_millis(late);
                lateness += Duration::from_millis(late);
                prop_assert_eq!(backoff.on(Input::Tick, now), Some(Action::Start));
            }
            prop_assert_eq!(now - begin, Duration::from_secs(31) + lateness);
        }
    }
}
