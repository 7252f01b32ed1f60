//! Signals that ask us to end, while a command runs: the first stops it, the second kills it at once.

use crate::output::VerbFailure;
use crate::verbs::code_of;
use runward::Stopper;
use runward::host::{Interrupt, Interrupts};
use std::future::Future;
use std::time::Duration;

/// Receives requests to end, and passes them on to the command.
pub(in crate::verbs) struct InterruptGuard {
    interrupts: Interrupts,
    stopper: Option<Stopper>,
    first: Option<Interrupt>,
    count: usize,
}

/// Longer than a command takes to start, shorter than a person notices; a question to a person takes longer.
const STARTING: Duration = Duration::from_millis(300);

impl InterruptGuard {
    /// Begins to listen.
    pub(in crate::verbs) fn listen() -> Result<Self, VerbFailure> {
        let interrupts = Interrupts::listen()
            .map_err(|error| VerbFailure::lacking("signals cannot be received", &error))?;
        Ok(Self { interrupts, stopper: None, first: None, count: 0 })
    }

    /// From now on, requests to end are for this command; one that came while it started is passed on.
    pub(in crate::verbs) fn protect(&mut self, stopper: Stopper) {
        if self.first.is_some() {
            stopper.stop();
        }
        self.stopper = Some(stopper);
    }

    /// Does something before a command runs; a request to end wins, with the code to exit with. A command that is
    /// just starting is let start: only then can it be stopped, and its end be reported.
    pub(in crate::verbs) async fn before<T>(&mut self, work: impl Future<Output = T>) -> Result<T, i32> {
        tokio::pin!(work);
        let interrupt = tokio::select! {
            biased;
            interrupt = self.interrupts.next() => interrupt,
            done = &mut work => return Ok(done),
        };
        self.hear(interrupt);
        tokio::time::timeout(STARTING, work).await.map_err(|_| code_of(interrupt))
    }

    /// Does something that is given up at the first request to end; then this is the exit code.
    pub(in crate::verbs) async fn unless_asked<T>(
        &mut self,
        work: impl Future<Output = T>,
    ) -> Result<T, i32> {
        tokio::select! {
            biased;
            interrupt = self.interrupts.next() => {
                self.hear(interrupt);
                Err(code_of(self.first.unwrap_or(interrupt)))
            }
            done = work => Ok(done),
        }
    }

    /// Does something while the command runs; given up at the second request to end.
    pub(in crate::verbs) async fn unless_insisted<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                interrupt = self.interrupts.next() => self.hear(interrupt),
                done = &mut work => return Some(done),
            }
            if self.count > 1 {
                return None;
            }
        }
    }

    /// Does something while the command runs, to its end.
    pub(in crate::verbs) async fn through<T>(&mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                interrupt = self.interrupts.next() => self.hear(interrupt),
                done = &mut work => return done,
            }
        }
    }

    /// The exit code, if we were asked to end.
    pub(in crate::verbs) fn exit_code(&self) -> Option<i32> {
        self.first.map(code_of)
    }

    fn hear(&mut self, interrupt: Interrupt) {
        self.first.get_or_insert(interrupt);
        self.count += 1;
        if let Some(stopper) = &self.stopper {
            stopper.stop();
        }
    }
}
