//! The road, with an engine that walks it.

use super::road::{Printed, Road, called_off};
use crate::FlowError;
use runward_engine::core::output::StreamText;
use runward_engine::{Caller, CommandSpec, Engine, Error, ErrorView, Receipt, Refusal, Request, Started};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;

/// Longer than a command takes to start; a question to a person takes longer.
const STARTING: Duration = Duration::from_millis(300);

/// What became of a command that was begun.
type Walked = Result<Receipt, Refusal>;

/// An engine, and who asks it.
#[derive(Debug, Clone)]
pub struct Along {
    engine: Engine,
    caller: Caller,
    /// Whose turn it is to begin.
    turn: Arc<Mutex<()>>,
}

impl Along {
    /// Commands are asked for by this caller.
    pub fn new(engine: Engine, caller: Caller) -> Self {
        Self { engine, caller, turn: Arc::default() }
    }

    /// Runs a command to its end, which comes early when it is called off; none if it never began.
    ///
    /// Commands of one file run at once, but they begin one after the other, in the order in which they were asked for:
    /// then a person is asked one thing at a time, an "always" holds for the next of them, and the journal has the order
    /// of the text.
    async fn walk(&self, spec: CommandSpec, halt: impl Future<Output = ()>) -> Result<Option<Walked>, Error> {
        let begun = async {
            let _turn = self.turn.lock().await;
            self.engine.start(Request::by(self.caller.clone(), spec)).await
        };
        tokio::pin!(halt, begun);
        let mut halted = false;
        let started = tokio::select! {
            biased;
            started = &mut begun => started?,
            () = &mut halt => {
                halted = true;
                // What is starting this very moment is let start: only then can it be ended, and its end waited for.
                let Ok(started) = tokio::time::timeout(STARTING, begun).await else { return Ok(None) };
                started?
            }
        };
        let session = match started {
            Started::Running(session) => session,
            Started::Refused(refusal) => return Ok(Some(Err(refusal))),
        };
        let stopper = session.stopper();
        let ended = session.wait();
        tokio::pin!(ended);
        if !halted {
            tokio::select! {
                biased;
                ended = &mut ended => return ended.map(|receipt| Some(Ok(receipt))),
                () = &mut halt => {}
            }
        }
        stopper.stop();
        ended.await.map(|receipt| Some(Ok(receipt)))
    }
}

impl Road for Along {
    fn hush(&self, secret: &str) {
        self.engine.redactor().learn(secret);
    }

    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        self.run_until(spec, std::future::pending()).await
    }

    async fn run_until(
        &self,
        spec: CommandSpec,
        halt: impl Future<Output = ()> + Send,
    ) -> Result<Printed, FlowError> {
        match self.walk(spec, halt).await.map_err(|error| of_view(ErrorView::of(&error)))? {
            None => Err(called_off()),
            Some(Err(refusal)) => Err(of_view(refusal.view())),
            Some(Ok(receipt)) => Ok(Printed {
                exit_code: receipt.end.exit_code(),
                stopped: receipt.end.stopped,
                // What is not UTF-8 is shown as `\\xNN`.
                stdout: StreamText::of(&receipt.stdout.kept).text,
                stderr: StreamText::of(&receipt.stderr.kept).text,
                left_out: receipt.stdout.kept.missing() + receipt.stderr.kept.missing(),
            }),
        }
    }
}

/// What the road says of a command that it did not run.
fn of_view(view: ErrorView) -> FlowError {
    view.hint.into_iter().fold(FlowError::new(view.code, view.message), FlowError::hint)
}
