//! One running command: the loop that waits, and the handle that steers it.
//!
//! # Theory of operation
//!
//! The child yields notices (something can be read, it ended, nothing is left), the handle sends orders, the
//! clock passes the life's deadline. The loop turns each of these into an input of [`Life`], carries out the
//! actions that come back, and stops at `Finish`. It is the only loop that waits on a command, whether it is
//! one-shot, in the background or on a terminal.
//!
//! Bytes do not pass through the life. They are read into a buffer of the thread, appended to the window
//! and the spool, and copied once more only if there is a listener. A listener that does not keep up makes the
//! loop leave output in the pipe (back-pressure); deadlines and orders still work. What is in the pipe when the command
//! is over is read before the receipt is written, so no output is lost.
//!
//! [`Life`]: runward_core::life::Life

mod handle;
mod ledger;
mod outlet;
mod run;
mod running;
mod turns;
mod unbroken;

pub use handle::{Session, SessionInput, Stopper};
pub(crate) use ledger::Books;
#[cfg(feature = "sessions")]
pub(crate) use ledger::EndedList;
#[cfg(feature = "journal")]
pub(crate) use ledger::StreamSource;
pub use ledger::{Ledger, LedgerStanding};
pub(crate) use outlet::EventListening;
pub(crate) use running::{Running, RunningPlace};
#[cfg(feature = "config")]
pub(crate) use turns::running_on_this_host;
pub(crate) use turns::{Lining, TurnHeld, TurnRules};
pub(crate) use unbroken::Unbroken;
