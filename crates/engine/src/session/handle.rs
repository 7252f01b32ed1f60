//! The handle of a running command.

use super::ledger::{Books, Ledger};
use super::outlet::{Listening, Outlet};
use super::run::{self, Mail, Meal, Order};
use super::running::Place;
use crate::{Error, Event};
use runward_core::plan::RunId;
use runward_core::record::{Receipt, Signal, StopCause};
use runward_core::spec::Terminal;
use runward_os::{Child, Watcher};
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// A running command. Dropping it stops the command.
#[derive(Debug)]
pub struct Session {
    id: RunId,
    pid: u32,
    terminal: Terminal,
    orders: mpsc::UnboundedSender<Order>,
    input: mpsc::Sender<Meal>,
    events: Option<mpsc::Receiver<Event>>,
    ledger: Option<Arc<Ledger>>,
    watcher: Watcher,
    task: Option<JoinHandle<Arc<Receipt>>>,
}

/// Stops a command from somewhere else. Outlives the session without keeping it.
#[derive(Debug, Clone)]
pub struct Stopper(mpsc::UnboundedSender<Order>);

impl Stopper {
    /// Asks the command to end; asked a second time, kills it at once.
    pub fn stop(&self) {
        // A command that has ended needs no stopping.
        let _ = self.0.send(Order::Stop(StopCause::Caller));
    }
}

/// The writing end of a command's input. Dropping it closes nothing; [`Input::close`] does.
#[derive(Debug, Clone)]
pub struct Input {
    id: RunId,
    to: mpsc::Sender<Meal>,
}

impl Input {
    /// Writes bytes. Waits while the command has not taken what was written before; fails once it reads no more.
    pub async fn write(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Error> {
        self.send(Meal::Bytes(bytes.into())).await
    }

    /// Closes the command's input once everything was written.
    pub async fn close(&self) -> Result<(), Error> {
        self.send(Meal::End).await
    }

    async fn send(&self, meal: Meal) -> Result<(), Error> {
        self.to.send(meal).await.map_err(|_| Error::InputClosed { id: self.id.to_string() })
    }
}

impl Session {
    pub(crate) fn begin(child: Child, books: Books, place: Place, listening: Listening) -> Self {
        let draft = child.plan().draft();
        let (id, terminal, pid) = (draft.id(), draft.command().terminal(), child.pid());
        let watcher = child.watcher();
        let (orders, orders_in) = mpsc::unbounded_channel();
        let (input, input_in) = mpsc::channel(1);
        let (outlet, events) = Outlet::new(listening);
        let mail = Mail { orders: orders_in, input: input_in };
        let ledger = Arc::new(Ledger::new(draft, books));
        // Only a session that somebody holds is read later; a run's account goes into its receipt alone.
        let kept = (listening == Listening::Someone).then(|| Arc::clone(&ledger));
        place.hear(&orders);
        let task = tokio::spawn(async move {
            let (receipt, outlet) = run::live(child, ledger, mail, outlet).await;
            drop(place);
            // The command is over, and the engine may end: a listener that takes its time holds nobody but itself.
            outlet.finish().await;
            receipt
        });
        Self { id, pid, terminal, orders, input, events, ledger: kept, watcher, task: Some(task) }
    }

    /// The run's name.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// The command's process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The next event; `None` once the command is over and everything was heard.
    ///
    /// Output waits for its listener: a command that prints faster than events are taken is slowed down.
    pub async fn next_event(&mut self) -> Option<Event> {
        self.events.as_mut()?.recv().await
    }

    /// Stops listening: output is still captured, and nothing waits for a listener any more.
    pub fn stop_listening(&mut self) {
        self.events = None;
    }

    /// The account of what it has printed, readable while it runs and after. `None` for a run that nobody started
    /// to listen to.
    pub fn ledger(&self) -> Option<Arc<Ledger>> {
        self.ledger.clone()
    }

    /// Asks the command to end; asked a second time, kills it at once.
    pub fn stop(&self) {
        self.stopper().stop();
    }

    /// Asks the command to end with this signal; the ladder does the rest.
    pub fn stop_with(&self, signal: Signal) {
        // A command that has ended needs no stopping.
        let _ = self.orders.send(Order::StopWith(signal));
    }

    /// Someone who can look at what it is doing.
    pub fn watcher(&self) -> &Watcher {
        &self.watcher
    }

    /// A handle that can only stop it.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.orders.clone())
    }

    /// Sends a signal to every process of the tree, and nothing more.
    pub fn signal(&self, signal: Signal) -> Result<(), Error> {
        self.order(Order::Signal(signal))
    }

    /// Where the command's input can be written, while the session is used for something else.
    pub fn input(&self) -> Input {
        Input { id: self.id, to: self.input.clone() }
    }

    /// Tells the command's terminal its new size.
    pub fn resize(&self, rows: u16, cols: u16) -> Result<(), Error> {
        if self.terminal == Terminal::Pipes {
            return Err(Error::NoTerminal { id: self.id.to_string() });
        }
        self.order(Order::Resize(rows, cols))
    }

    fn order(&self, order: Order) -> Result<(), Error> {
        self.orders.send(order).map_err(|_| Error::Ended { id: self.id.to_string() })
    }

    /// Waits for the end. What was not listened to by now is captured, but no longer told.
    pub async fn wait(self) -> Result<Receipt, Error> {
        self.ended().await.map(Arc::unwrap_or_clone)
    }

    /// The same, with the very receipt that readers of the ledger see.
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
