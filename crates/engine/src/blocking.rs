//! The same engine for programs without tokio.
//!
//! ```
//! use runward_engine::{CommandSpec, Outcome, Policy, blocking};
//!
//! let engine = blocking::BlockingEngine::new(runward_engine::Engine::builder().policy(Policy::allow_programs(["echo"])))?;
//! let Outcome::Ran(receipt) = engine.run(CommandSpec::exec("echo").arg("hi"))? else { panic!("refused") };
//! assert_eq!(receipt.stdout.kept.bytes(), b"hi\n");
//! # Ok::<(), runward_engine::Error>(())
//! ```
//!
//! May not do anything the asynchronous engine does not do: it lends it a runtime and waits.

use crate::{Draft, EngineBuilder, Error, Outcome, Receipt, Refusal, Request, SessionEvent, Stopper};
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// An engine with a runtime of its own. Not to be used inside another runtime.
#[derive(Debug, Clone)]
pub struct BlockingEngine {
    inner: crate::Engine,
    runtime: Arc<Runtime>,
}

impl BlockingEngine {
    /// Builds the engine and starts its runtime: one thread that waits.
    pub fn new(builder: EngineBuilder) -> Result<Self, Error> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("runward")
            .enable_all()
            .build()
            .map_err(|error| Error::Internal { what: format!("no runtime could be started: {error}") })?;
        Ok(Self { inner: builder.build()?, runtime: Arc::new(runtime) })
    }

    /// The asynchronous engine inside.
    pub fn inner(&self) -> &crate::Engine {
        &self.inner
    }

    /// The road up to the draft. Starts nothing.
    pub fn explain(&self, request: impl Into<Request>) -> Result<Draft, Error> {
        self.inner.explain(request)
    }

    /// Runs a command to its end.
    pub fn run(&self, request: impl Into<Request>) -> Result<Outcome, Error> {
        self.runtime.block_on(self.inner.run(request))
    }

    /// Starts a command and hands over its session.
    pub fn start(&self, request: impl Into<Request>) -> Result<BlockingStarted, Error> {
        Ok(match self.runtime.block_on(self.inner.start(request))? {
            crate::Started::Running(session) => BlockingStarted::Running(BlockingSession {
                inner: session,
                runtime: Arc::clone(&self.runtime),
            }),
            crate::Started::Refused(refusal) => BlockingStarted::Refused(refusal),
        })
    }
}

/// The result of a request to start something.
#[derive(Debug)]
pub enum BlockingStarted {
    /// It runs.
    Running(BlockingSession),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

/// A running command. Iterating over it gives its events; dropping it stops the command.
#[derive(Debug)]
pub struct BlockingSession {
    inner: crate::Session,
    runtime: Arc<Runtime>,
}

impl BlockingSession {
    /// A handle that stops it, from any thread.
    pub fn stopper(&self) -> Stopper {
        self.inner.stopper()
    }

    /// The asynchronous session inside, for everything else that needs no waiting.
    pub fn inner(&self) -> &crate::Session {
        &self.inner
    }

    /// Waits for the end.
    pub fn wait(self) -> Result<Receipt, Error> {
        self.runtime.block_on(self.inner.wait())
    }
}

impl Iterator for BlockingSession {
    type Item = SessionEvent;

    fn next(&mut self) -> Option<SessionEvent> {
        self.runtime.block_on(self.inner.next_event())
    }
}
