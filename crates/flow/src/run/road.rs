//! The road, as far as a markdown agent sees it: a spec goes in, what was printed comes out. May not start anything itself.

use crate::FlowError;
use runward::{CommandSpec, StopCause};
use std::sync::Arc;

/// What a command printed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// Its exit code.
    pub exit_code: i32,
    /// Why it was stopped, if it was.
    pub stopped: Option<StopCause>,
    /// What it wrote to its standard output.
    pub stdout: String,
    /// What it wrote to its standard error.
    pub stderr: String,
    /// Bytes that it wrote and that are in neither: output is kept up to a limit.
    pub left_out: u64,
}

/// Whoever walks commands along the road.
pub trait Road: Send + Sync + 'static {
    /// Runs one command to its end. A non-zero exit is no error here: it ran.
    fn run(&self, spec: CommandSpec) -> impl Future<Output = Result<Printed, FlowError>> + Send;

    /// This was typed as a secret: from now on it is written down and told nowhere.
    fn hush(&self, secret: &str);
}

impl<R: Road> Road for Arc<R> {
    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        R::run(self, spec).await
    }

    fn hush(&self, secret: &str) {
        R::hush(self, secret);
    }
}
