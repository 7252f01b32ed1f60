//! The registry of sessions: started now, read, fed, waited for and stopped later, each by its owner.
//!
//! A session belongs to the caller that started it; no other can find it. Running ones are limited in number and
//! never evicted; finished ones stay readable for a while. May not render anything: doors do.
//!
//! ```
//! use runward_engine::registry::{SessionOwner, SessionRules, Sessions, StartedSession, Until};
//! use runward_engine::{CommandSpec, Engine, Policy};
//! use std::time::Duration;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_everything("an example")).build()?;
//! let sessions = Sessions::new(engine, SessionRules::default());
//! let ana = SessionOwner::named("ana, connection 1");
//! let StartedSession::Running(started) =
//!     sessions.start(&ana, CommandSpec::shell("echo ready; sleep 60"), None).await?
//! else {
//!     panic!("refused");
//! };
//! // Later, and perhaps elsewhere in the program: by its id, and only for its owner.
//! let live = sessions.find(&ana, &started.id())?;
//! let heard = live.wait(&Until::Idle(Duration::from_millis(50)), Duration::from_secs(10)).await;
//! assert_eq!(heard.what, "idle_ms");
//! assert!(sessions.find(&SessionOwner::named("ben, connection 2"), &started.id()).is_err());
//! sessions.end_owner(&ana).await;
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
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
