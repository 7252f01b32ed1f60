//! How long commands of an agent may take here: as long as any other call's, unless its file says otherwise.
//!
//! People wait for an agent as long as it takes; a client does not.

use runward::{CommandSpec, Wish};
use runward_flow::FlowError;
use runward_flow::run::Along;
use runward_flow::run::road::{Printed, Road};

/// The road with this door's time limit.
#[derive(Debug, Clone)]
pub(super) struct Limited {
    along: Along,
    /// Whether the file says how long.
    said: bool,
}

impl Limited {
    /// The road for an agent whose file says how long it may take, or does not.
    pub(super) fn new(along: Along, said: bool) -> Self {
        Self { along, said }
    }

    /// The same command, no longer than it may take here.
    pub(super) fn set(&self, mut spec: CommandSpec) -> CommandSpec {
        if !self.said && spec.limits.wall == Wish::Off {
            spec.limits.wall = Wish::Default;
        }
        spec
    }
}

impl Road for Limited {
    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        self.along.run(self.set(spec)).await
    }
}
