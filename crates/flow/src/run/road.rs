//! The road, as far as a markdown agent sees it: a spec goes in, what was printed comes out. May not start anything itself.

use crate::FlowError;
use runward_engine::{Code, CommandSpec, StopCause};
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

    /// The same, but the command is called off as soon as `halt` is over. Whoever starts something ends it then, and
    /// waits until nothing is left of it.
    fn run_until(
        &self,
        spec: CommandSpec,
        halt: impl Future<Output = ()> + Send,
    ) -> impl Future<Output = Result<Printed, FlowError>> + Send {
        async {
            tokio::select! {
                biased;
                done = self.run(spec) => done,
                () = halt => Err(called_off()),
            }
        }
    }

    /// This was typed as a secret: from now on it is written down and told nowhere.
    fn hush(&self, secret: &str);
}

/// Said of a command that was called off because another failed. Nobody is told: the other failure is.
pub(super) fn called_off() -> FlowError {
    FlowError::new(Code::FlowCommandFailed, "another command of the file failed first")
}

impl<R: Road> Road for Arc<R> {
    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        R::run(self, spec).await
    }

    async fn run_until(
        &self,
        spec: CommandSpec,
        halt: impl Future<Output = ()> + Send,
    ) -> Result<Printed, FlowError> {
        R::run_until(self, spec, halt).await
    }

    fn hush(&self, secret: &str) {
        R::hush(self, secret);
    }
}
