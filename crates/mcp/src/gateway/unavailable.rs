//! The error for a caller when the child server it needs is down, or gave an answer that cannot be used.
//!
//! May not decide when the child comes back: the machine in `backoff` did.

use super::backoff::{Backoff, ChildStanding, TRIES};
use super::link::MOST_OPEN;
use runward_engine::{Code, Coded};
use std::fmt;
use std::time::{Duration, Instant};

/// A child server that cannot be asked now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unavailable {
    server: String,
    how: UnavailableBecause,
    /// What is known about the reason.
    because: Option<String>,
    /// The name that was looked up, and how many other servers are down too.
    sought: Option<(String, usize)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnavailableBecause {
    Starting,
    Waiting {
        left: Duration,
        next: u32,
    },
    Open,
    /// It exited while a request was open.
    Died,
    /// It did not answer in time.
    Late {
        within: Duration,
    },
    /// Too many requests are open already.
    Busy,
    /// Its answer cannot be used.
    Useless,
    /// The configuration switches it off.
    Disabled,
    /// It has no approval.
    Unagreed,
}

impl Unavailable {
    fn new(server: &str, how: UnavailableBecause) -> Self {
        Self { server: server.to_owned(), how, because: None, sought: None }
    }

    /// Why this child cannot be asked; nothing if it can.
    pub fn of(server: &str, backoff: &Backoff, now: Instant) -> Option<Self> {
        let how = match backoff.standing() {
            ChildStanding::Up { .. } => return None,
            ChildStanding::Starting => UnavailableBecause::Starting,
            ChildStanding::Waiting { until } => UnavailableBecause::Waiting {
                left: until.saturating_duration_since(now),
                next: backoff.tries(),
            },
            ChildStanding::Open => UnavailableBecause::Open,
        };
        Some(Self::new(server, how))
    }

    /// The child exited before it answered.
    pub fn died(server: &str) -> Self {
        Self::new(server, UnavailableBecause::Died)
    }

    /// The child did not answer within this time.
    pub fn late(server: &str, within: Duration) -> Self {
        Self::new(server, UnavailableBecause::Late { within })
    }

    /// Too many calls wait for the child already.
    pub fn busy(server: &str) -> Self {
        Self::new(server, UnavailableBecause::Busy)
    }

    /// The child answered with something that cannot be used. `why` goes on where the server was named.
    pub fn useless(server: &str, why: &str) -> Self {
        Self { because: Some(why.to_owned()), ..Self::new(server, UnavailableBecause::Useless) }
    }

    /// The configuration disables this server.
    pub fn disabled(server: &str) -> Self {
        Self::new(server, UnavailableBecause::Disabled)
    }

    /// This server has no approval yet.
    pub fn unagreed(server: &str) -> Self {
        Self::new(server, UnavailableBecause::Unagreed)
    }

    /// The same, for a name that no server that is up has, but this one may.
    #[must_use]
    pub fn seeking(mut self, what: &str, others: usize) -> Self {
        self.sought = Some((what.to_owned(), others));
        self
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
        match &self.sought {
            Some((what, 0)) => write!(f, "no server that is up has `{what}`, and ")?,
            Some((what, others)) => {
                write!(f, "no server that is up has `{what}`, {others} more are not, and ")?;
            }
            None => {}
        }
        match self.how {
            UnavailableBecause::Starting => write!(f, "the server `{server}` is still being started"),
            UnavailableBecause::Waiting { left, next } => {
                let seconds = left.as_millis().div_ceil(1000);
                write!(
                    f,
                    "the server `{server}` is down; it is restarted in {seconds}s (try {next} of {TRIES})"
                )
            }
            UnavailableBecause::Open => {
                write!(f, "the server `{server}` is down, and {TRIES} tries to restart it failed")
            }
            UnavailableBecause::Died => write!(f, "the server `{server}` died before it answered"),
            UnavailableBecause::Late { within } => {
                write!(f, "the server `{server}` did not answer within {}ms", within.as_millis())
            }
            UnavailableBecause::Busy => write!(f, "{MOST_OPEN} calls wait for the server `{server}` already"),
            UnavailableBecause::Useless => {
                let why = self.because.as_deref().unwrap_or_default();
                return write!(f, "the server `{server}` {why}");
            }
            UnavailableBecause::Disabled => write!(f, "the server `{server}` is switched off"),
            UnavailableBecause::Unagreed => {
                write!(f, "the server `{server}` waits for a person's approval")
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
        match self.how {
            UnavailableBecause::Useless => Code::GatewayBadAnswer,
            _ => Code::GatewayUnavailable,
        }
    }

    fn hint(&self) -> Option<String> {
        let server = &self.server;
        Some(match self.how {
            UnavailableBecause::Starting | UnavailableBecause::Waiting { .. } => {
                "Try again in a few seconds, or do without it.".to_owned()
            }
            UnavailableBecause::Open => {
                format!("Read its output with `runward logs {server}`, and fix its command.")
            }
            UnavailableBecause::Late { .. } => {
                format!("Ask for less, or raise `timeout_ms` of `{server}` in its configuration.")
            }
            UnavailableBecause::Busy => "Try again when some of them are answered.".to_owned(),
            UnavailableBecause::Useless => "Ask for less at once, or for something else.".to_owned(),
            UnavailableBecause::Disabled => {
                format!("Take `disabled` out of the entry `{server}` in the list of servers.")
            }
            UnavailableBecause::Unagreed => {
                "Ask the operator to agree to it with `runward gateway consent FILE`.".to_owned()
            }
            UnavailableBecause::Died => {
                format!("Read its output with `runward logs {server}`; it may have done part of the work.")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::backoff::{ChildNews, RestartAction};
    use super::*;
    use runward_engine::ErrorView;

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
        backoff.on(ChildNews::Down, now);
        let waiting = "the server `github` is down; it is restarted in 1s (try 1 of 5)";
        assert_eq!(said(&backoff, now + Duration::from_millis(300)), waiting);
        while backoff.on(ChildNews::Down, now) != Some(RestartAction::GiveUp) {
            now = backoff.deadline().unwrap();
            backoff.on(ChildNews::Tick, now);
        }
        let open = "the server `github` is down, and 5 tries to restart it failed";
        assert_eq!(said(&backoff, now), open);
    }

    #[test]
    fn a_child_that_is_up_can_be_asked() {
        let now = Instant::now();
        let mut backoff = Backoff::begin();
        backoff.on(ChildNews::Up, now);
        assert_eq!(Unavailable::of("github", &backoff, now), None);
    }

    #[test]
    fn a_death_during_a_call_warns_of_half_done_work() {
        let view = ErrorView::of(&Unavailable::died("github"));
        assert_eq!(view.message, "the server `github` died before it answered");
        assert!(view.hint.unwrap().contains("part of the work"));
    }
}
