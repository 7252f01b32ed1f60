//! The time limit of an agent's commands here: that of any other call, unless its file says otherwise.
//!
//! People wait for an agent as long as it takes; a client does not.

use runward_engine::{CommandSpec, Wish};
use runward_flow::FlowError;
use runward_flow::front::Value;
use runward_flow::run::Along;
use runward_flow::run::road::{Printed, Road};
use std::time::Duration;

/// The road with this door's time limit.
#[derive(Debug, Clone)]
pub(super) struct Limited {
    along: Along,
    says: SaysTimeout,
}

/// Whether a file says how long its agent may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SaysTimeout {
    /// It does, and if only that there is no limit.
    HowLong,
    /// It does not.
    Nothing,
}

impl SaysTimeout {
    /// What a file says with this value of `_timeout`.
    pub(super) fn of(timeout: Option<&Value>) -> Self {
        if timeout.is_some_and(|value| !value.is_empty()) {
            SaysTimeout::HowLong
        } else {
            SaysTimeout::Nothing
        }
    }

    /// The time limit here of a command that has this limit elsewhere.
    fn here(self, wall: Wish<Duration>) -> Wish<Duration> {
        match (self, wall) {
            (SaysTimeout::Nothing, Wish::Off) => Wish::Default,
            _ => wall,
        }
    }
}

impl Limited {
    /// The road for an agent with this in its file.
    pub(super) fn new(along: Along, says: SaysTimeout) -> Self {
        Self { along, says }
    }

    /// The same command, with the time limit that it has here.
    pub(super) fn set(&self, mut spec: CommandSpec) -> CommandSpec {
        spec.limits.wall = self.says.here(spec.limits.wall);
        spec
    }
}

impl Road for Limited {
    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        self.along.run(self.set(spec)).await
    }

    async fn run_until(
        &self,
        spec: CommandSpec,
        halt: impl Future<Output = ()> + Send,
    ) -> Result<Printed, FlowError> {
        self.along.run_until(self.set(spec), halt).await
    }

    fn hush(&self, secret: &str) {
        self.along.hush(secret);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_word_of_the_file_the_usual_limit_holds() {
        let inline = Wish::At(Duration::from_secs(30));
        let (none, zero) = (SaysTimeout::of(None), SaysTimeout::of(Some(&Value::Number("0".to_owned()))));
        assert_eq!([none.here(Wish::Off), none.here(inline)], [Wish::Default, inline]);
        assert_eq!([zero.here(Wish::Off), zero.here(inline)], [Wish::Off, inline]);
        assert_eq!(SaysTimeout::of(Some(&Value::Null)), SaysTimeout::Nothing, "a key alone says nothing");
    }
}
