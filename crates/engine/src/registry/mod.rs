//! The registry of sessions: started now, read, fed, waited for and stopped later, each by its owner.
//!
//! A session belongs to the caller that started it; no other can find it. Running ones are limited in number and
//! never evicted; finished ones stay readable for a while. May not render anything: doors do.
//! Read first: [`Sessions`], then [`Live`].

mod entries;
mod keys;
mod live;
mod pattern;
mod reading;
mod screen;
mod search;
mod sessions;
mod state;
mod text;
mod until;

pub use keys::{UnknownKey, bytes_of_key};
pub use live::Live;
pub use pattern::OutputPattern;
pub use reading::{
    MatchedLine, ModelText, OutputReading, ReadAsk, ReadFrom, Streamed, Which, read_ended, shown_part,
};
pub use sessions::{SessionOwner, SessionRules, Sessions, StartedSession};
pub use state::SessionState;
pub use until::{Until, WaitOutcome};
