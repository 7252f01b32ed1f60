//! What happened: the published account of one command.
//!
//! This is our own format, read by `--json`, the journal and every other door; it changes only with its
//! version. May not hold secrets: environment values never get here.
//! Read first: [`Receipt`].

mod denial;
mod end;
mod receipt;
mod upkeep;

pub use denial::{DeniedThing, SandboxDenial, SandboxDenials};
pub use end::{End, EndedBy, Leftovers, Signal, StopCause};
pub use receipt::{Receipt, ReceiptView, SCHEMA, StreamSummary};
pub use upkeep::SandboxUpkeep;
