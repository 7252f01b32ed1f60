//! What a caller hears when the child server it needs is down.
//!
//! May not decide when the child comes back: the machine in `backoff` did.

use super::backoff::{Backoff, Standing, TRIES};
use runward::{Code, Coded};
use std::fmt;
use std::time::{Duration, Instant};

/// A child server that cannot be asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    server: String,
    how: How,
    /// What is known about the reason.
    because: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Starting,
    Waiting {
        left: Duration,
        next: u32,
    },
    Open,
    /// It went away while it was being asked.
    Died,
    /// It did not answer in time.
    Late {
        within: Duration,
    },
}

impl Unavailable {
    /// Why this child cannot be asked; nothing if it can.
    pub fn of(server: &str, backoff: &Backoff, now: Instant) -> Option<Self> {
        let how = match backoff.standing() {
            Standing::Up { .. } => return None,
            Standing::Starting => How::Starting,
            Standing::Waiting { until } => {
                How::Waiting { left: until.saturating_duration_since(now), next: backoff.tries() }
            }
            Standing::Open => How::Open,
        };
        Some(Self { server: server.to_owned(), how, because: None })
    }

    /// The child died before it answered.
    pub fn died(server: &str) -> Self {
        Self { server: server.to_owned(), how: How::Died, because: None }
    }

    /// The child did not answer within this time.
    pub fn late(server: &str, within: Duration) -> Self {
        Self { server: server.to_owned(), how: How::Late { within }, because: None }
    }

    /// The same, with what is known about the reason.
    #[must_use]
    pub fn because(mut self, why: &str) -> Self {
        self.because = Some(why.to_owned());
        self
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let server = &self.server;
        match self.how {
            How::Starting => write!(f, "the server `{server}` is still being started"),
            How::Waiting { left, next } => {
                let seconds = left.as_millis().div_ceil(1000);
                write!(
                    f,
                    "the server `{server}` is down; it is started again in {seconds}s (try {next} of {TRIES})"
                )
            }
            How::Open => {
                write!(f, "the server `{server}` is down, and {TRIES} tries to start it again failed")
            }
            How::Died => write!(f, "the server `{server}` died before it answered"),
            How::Late { within } => {
                write!(f, "the server `{server}` did not answer within {}ms", within.as_millis())
            }
        }?;
        match &self.because {
            Some(why) => write!(f, ": {why}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Unavailable {}

impl Coded for Unavailable {
    fn code(&self) -> Code {
        Code::GatewayUnavailable
    }

    fn hint(&self) -> Option<String> {
        let server = &self.server;
        Some(match self.how {
            How::Starting | How::Waiting { .. } => "Try again in a few seconds, or do without it.".to_owned(),
            How::Open => {
                format!("Look at what it printed with `runward logs {server}`, and mend its command.")
            }
            How::Late { .. } => {
                format!("Ask for less, or raise `timeout_ms` of `{server}` in its configuration.")
            }
            How::Died => {
                format!(
                    "Look at what it printed with `runward logs {server}`; it may have done part of the work."
                )
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::backoff::{Action, Input};
    use super::*;
    use runward::ErrorView;

    #[test]
    fn each_standing_has_its_own_sentence_and_the_same_code() {
        let mut now = Instant::now();
        let mut backoff = Backoff::begin();
        let said = |backoff: &Backoff, now| {
            let view = ErrorView::of(&Unavailable::of("github", backoff, now).unwrap());
            assert_eq!(view.code.name(), "gateway.unavailable");
            view.message
        };
        assert_eq!(said(&backoff, now), "the server `github` is still being started");
        backoff.on(Input::Down, now);
        let waiting = "the server `github` is down; it is started again in 1s (try 1 of 5)";
        assert_eq!(said(&backoff, now + Duration::from_millis(300)), waiting);
        while backoff.on(Input::Down, now) != Some(Action::GiveUp) {
            now = backoff.deadline().unwrap();
            backoff.on(Input::Tick, now);
        }
        let open = "the server `github` is down, and 5 tries to start it again failed";
        assert_eq!(said(&backoff, now), open);
    }

    #[test]
    fn a_child_that_is_up_can_be_asked() {
        let now = Instant::now();
        let mut backoff = Backoff::begin();
        backoff.on(Input::Up, now);
        assert_eq!(Unavailable::of("github", &backoff, now), None);
    }

    #[test]
    fn a_death_during_a_call_warns_of_half_done_work() {
        let view = ErrorView::of(&Unavailable::died("github"));
        assert_eq!(view.message, "the server `github` died before it answered");
        assert!(view.hint.unwrap().contains("part of the work"));
    }
}
