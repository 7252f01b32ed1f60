//! Sessions that can be found again: started now, read, fed, waited for and stopped later, each by its owner.
//!
//! A session belongs to whoever started it; nobody else can find it. Running ones are limited in number and
//! never evicted; finished ones stay readable for a while. May not render anything: doors do.
//! Read first: [`Sessions`], then [`Live`].

mod book;
mod entries;
mod keys;
mod live;
mod pattern;
mod reading;
mod screen;
mod search;
mod state;
mod text;
mod until;

pub use book::{Owner, SessionRules, Sessions, StartedSession};
pub use keys::{UnknownKey, bytes_of_key};
pub use live::Live;
pub use pattern::Pattern;
pub use reading::{Begin, Line, ReadAsk, Reading, Streamed, Which, read_recalled, shown_part};
pub use state::State;
pub use until::{Met, Until};
