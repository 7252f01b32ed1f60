//! The handle of a running command.

use super::ledger::{Books, Ledger};
use super::outlet::{EventListening, EventOutlet};
use super::run::{self, Aftermath, InputChunk, SessionInbox, SessionOrder};
use super::running::RunningPlace;
use crate::{Error, SessionEvent};
use runward_core::plan::RunId;
use runward_core::record::{Receipt, Signal, StopCause};
use runward_core::spec::Terminal;
use runward_os::{Child, Watcher};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A running command, from [`Engine::start`](crate::Engine::start). Dropping it stops the command.
///
/// Take its events with [`Session::next_event`] or call [`Session::stop_listening`], then [`Session::wait`].
#[derive(Debug)]
pub struct Session {
    id: RunId,
    pid: u32,
    terminal: Terminal,
    orders: mpsc::UnboundedSender<SessionOrder>,
    input: mpsc::Sender<InputChunk>,
    events: Option<mpsc::Receiver<SessionEvent>>,
    ledger: Option<Arc<Ledger>>,
    watcher: Watcher,
    task: Option<JoinHandle<Arc<Receipt>>>,
}

/// Stops a command from another task or thread, while its [`Session`] is used elsewhere. Holding one keeps nothing
/// running.
#[derive(Debug, Clone)]
pub struct Stopper(mpsc::UnboundedSender<SessionOrder>);

impl Stopper {
    /// Asks the command to end; asked a second time, kills it at once.
    pub fn stop(&self) {
        // A command that has ended needs no stopping.
        let _ = self.0.send(SessionOrder::Stop(StopCause::Caller));
    }
}

/// The writing end of a command's input. Dropping it closes nothing; [`SessionInput::close`] does.
#[derive(Debug, Clone)]
pub struct SessionInput {
    id: RunId,
    to: mpsc::Sender<InputChunk>,
}

impl SessionInput {
    /// Writes bytes. Waits while the command has not taken what was written before.
    ///
    /// # Errors
    /// [`Error::InputClosed`], once the command reads no more.
    pub async fn write(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.send(InputChunk::Bytes(bytes.into())).await
    }

    /// Closes the command's input once everything was written.
    pub async fn close(&self) -> Result<(), Error> {
        self.send(InputChunk::End).await
    }

    /// Waits until the command reads no more.
    pub async fn closed(&self) {
        self.to.closed().await;
    }

    async fn send(&self, meal: InputChunk) -> Result<(), Error> {
        self.to.send(meal).await.map_err(|_| Error::InputClosed { id: self.id.to_string() })
    }
}

impl Session {
    pub(crate) fn begin(
        child: Child,
        mut books: Books,
        place: RunningPlace,
        listening: EventListening,
    ) -> Self {
        let draft = child.plan().draft();
        let (id, terminal, pid) = (draft.id(), draft.command().terminal(), child.pid());
        let watcher = child.watcher();
        let (orders, orders_in) = mpsc::unbounded_channel();
        let (input, input_in) = mpsc::channel(1);
        let (outlet, events) = EventOutlet::new(listening);
        let inbox = SessionInbox { orders: orders_in, input: input_in };
        books.notes.extend(place.note());
        let last = Aftermath { lookout: books.lookout.clone(), relay: books.relay.take() };
        let ledger = Arc::new(Ledger::new(draft, books));
        // Only a session with a holder is read later; a run's output goes into its receipt alone.
        let kept = (listening == EventListening::Someone).then(|| Arc::clone(&ledger));
        place.hear(&orders);
        let task = tokio::spawn(async move {
            let (receipt, outlet) = run::live(child, ledger, inbox, outlet, last).await;
            drop(place);
            // The command is over, and the engine may end: a slow listener delays only itself.
            outlet.finish().await;
            receipt
        });
        Self { id, pid, terminal, orders, input, events, ledger: kept, watcher, task: Some(task) }
    }

    /// The run's id.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// The id of the command's process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The next event; `None` once the command is over and every event was taken.
    ///
    /// Back-pressure: a command that prints faster than events are taken is slowed down.
    pub async fn next_event(&mut self) -> Option<SessionEvent> {
        self.events.as_mut()?.recv().await
    }

    /// Stops listening: output is still captured, and no listener is waited for.
    pub fn stop_listening(&mut self) {
        self.events = None;
    }

    /// Its captured output, readable at any offset while it runs and after. Always there for a session of
    /// [`Engine::start`](crate::Engine::start).
    pub fn ledger(&self) -> Option<Arc<Ledger>> {
        self.ledger.clone()
    }

    /// Asks the command to end; asked a second time, kills it at once.
    pub fn stop(&self) {
        self.stopper().stop();
    }

    /// Asks the command to end with this signal. What has not ended after the grace of its limits is killed.
    pub fn stop_with(&self, signal: Signal) {
        // A command that has ended needs no stopping.
        let _ = self.orders.send(SessionOrder::StopWith(signal));
    }

    /// A handle to look at what it is doing.
    pub fn watcher(&self) -> &Watcher {
        &self.watcher
    }

    /// A handle that can only stop it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.orders.clone())
    }

    /// Sends a signal to every process of the tree, and nothing more: the command is not counted as stopped.
    ///
    /// # Errors
    /// [`Error::Ended`], where it has ended.
    pub fn signal(&self, signal: Signal) -> Result<(), Error> {
        self.order(SessionOrder::Signal(signal))
    }

    /// A handle to write to the command's input, which has to be [`StdinSpec::Open`](crate::StdinSpec::Open) or a
    /// terminal.
    pub fn input(&self) -> SessionInput {
        SessionInput { id: self.id, to: self.input.clone() }
    }

    /// Sets the size of the command's terminal.
    ///
    /// # Errors
    /// [`Error::NoTerminal`] for a command on pipes, [`Error::Ended`] for one that has ended.
    pub fn resize(&self, rows: u16, cols: u16) -> Result<(), Error> {
        if self.terminal == Terminal::Pipes {
            return Err(Error::NoTerminal { id: self.id.to_string() });
        }
        self.order(SessionOrder::Resize(rows, cols))
    }

    fn order(&self, order: SessionOrder) -> Result<(), Error> {
        self.orders.send(order).map_err(|_| Error::Ended { id: self.id.to_string() })
    }

    /// Waits for the end. Output that was not taken as events is in the receipt all the same.
    ///
    /// # Errors
    /// [`Error::Internal`], where the task that watches the command failed.
    pub async fn wait(self) -> Result<Receipt, Error> {
        self.ended().await.map(Arc::unwrap_or_clone)
    }

    /// [`Session::wait`] without a copy of the receipt, which readers of the [`Ledger`] share.
    pub async fn ended(mut self) -> Result<Arc<Receipt>, Error> {
        self.events = None;
        self.ledger = None;
        let task = self.task.as_mut().ok_or_else(|| Error::Ended { id: self.id.to_string() })?;
        let receipt = task.await;
        self.task = None;
        receipt.map_err(|error| Error::Internal { what: format!("the session's task failed: {error}") })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if self.task.is_some() {
            self.stop();
        }
    }
}
