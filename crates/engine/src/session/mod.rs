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
//! and the spool, and copied once more only if somebody listens. A listener that does not keep up makes the
//! loop leave output in the pipe; deadlines and orders are still heard. What is in the pipe when the command
//! is over is read before the receipt is written, so nothing that was printed is lost on the way.
//!
//! [`Life`]: runward_core::life::Life

mod handle;
mod ledger;
mod outlet;
mod run;
mod running;
mod unbroken;

pub use handle::{Input, Session, Stopper};
pub(crate) use ledger::{Books, Over, Source};
pub use ledger::{Ledger, Standing};
pub(crate) use outlet::Listening;
pub(crate) use running::Running;
pub(crate) use unbroken::Unbroken;
