//! The road, with an engine that walks it.

use super::road::{Printed, Road};
use crate::FlowError;
use runward::core::output::Text;
use runward::{Caller, CommandSpec, Engine, ErrorView, Outcome, Request};

/// An engine, and who asks it.
#[derive(Debug, Clone)]
pub struct Along {
    engine: Engine,
    caller: Caller,
}

impl Along {
    /// Commands are asked for by this caller.
    pub fn new(engine: Engine, caller: Caller) -> Self {
        Self { engine, caller }
    }
}

impl Road for Along {
    fn hush(&self, secret: &str) {
        self.engine.redactor().learn(secret);
    }

    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        let outcome = self.engine.run(Request::by(self.caller.clone(), spec)).await;
        match outcome.map_err(|error| of_view(ErrorView::of(&error)))? {
            Outcome::Refused(refusal) => Err(of_view(refusal.view())),
            Outcome::Ran(receipt) => Ok(Printed {
                exit_code: receipt.end.exit_code(),
                stopped: receipt.end.stopped,
                // What is not UTF-8 is shown as `\\xNN`.
                stdout: Text::of(&receipt.stdout.kept).text,
                stderr: Text::of(&receipt.stderr.kept).text,
                left_out: receipt.stdout.kept.missing() + receipt.stderr.kept.missing(),
            }),
        }
    }
}

/// What the road says of a command that it did not run.
fn of_view(view: ErrorView) -> FlowError {
    let error = FlowError::new(view.code, view.message);
    match view.hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}
