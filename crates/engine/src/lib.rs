//! The engine of Runward: takes one command through every step, from what is asked to the receipt of what happened.
//!
//! Programs use it under the name `runward`, the crate that re-exports all of this; its page has the steps, the words and
//! more examples.
//!
//! ```
//! use runward_engine::{CommandSpec, Engine, Outcome, Policy};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_programs(["echo"])).build()?;
//! let Outcome::Ran(receipt) = engine.run(CommandSpec::exec("echo").arg("hello")).await? else {
//!     panic!("refused");
//! };
//! assert_eq!(receipt.stdout.kept.bytes(), b"hello\n");
//! # Ok::<(), runward_engine::Error>(())
//! # }).unwrap();
//! ```
//!
//! Without tokio, the [`blocking`] module does the same.
//!
//! # Features
//!
//! None is on by default. Without any, commands are judged, run, started, streamed, stopped, approved and explained.
//!
//! | feature | adds |
//! | --- | --- |
//! | `journal` | `journal`: every command written down before it starts and when it ends. Brings SQLite. |
//! | `sessions` | `registry`: commands that keep running and are found again, each by its owner |
//! | `control` | `control`: sessions and open questions over a private socket; with `sessions` |
//! | `config` | `config`: reads `runward.toml`; with `languages` and `telemetry`, which it configures |
//! | `languages` | `languages`: runs a piece of code by the name of its language |
//! | `toolkit` | `toolkit`: tools for agents, bound to a workspace |
//! | `telemetry` | `telemetry`: commands as spans, for an OpenTelemetry collector |
//! | `full` | all of these |
//!
//! This crate may not read configuration files, the home folder or a terminal, know a protocol, or start a process but
//! through `runward-os`.
#![forbid(unsafe_code)]

pub mod approve;
mod aside;
mod attempt;
pub mod blocking;
mod builder;
#[cfg(feature = "config")]
pub mod config;
#[cfg(feature = "control")]
pub mod control;
mod error;
mod event;
pub mod host;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(not(feature = "journal"))]
#[path = "journal/absent.rs"]
mod journal;
#[cfg(feature = "languages")]
pub mod languages;
mod lookout;
mod network;
#[cfg(feature = "sessions")]
pub mod registry;
mod road;
pub mod rule_text;
mod session;
mod spool;
mod state;
#[cfg(feature = "telemetry")]
pub mod telemetry;
#[cfg(not(feature = "telemetry"))]
#[path = "telemetry/absent.rs"]
mod telemetry;
#[cfg(feature = "toolkit")]
pub mod toolkit;
mod workspace;

pub use builder::EngineBuilder;
pub use error::Error;
pub use event::SessionEvent;
pub use road::{Engine, Outcome, Request, Started};
pub use session::{Ledger, LedgerStanding, Session, SessionInput, Stopper};
pub use spool::{NoSpool, SpoolPiece, SpoolRules};
pub use workspace::Workspace;

pub use runward_core as core;
pub use runward_core::error::{Code, Coded, ErrorView};
pub use runward_core::facts::HostFacts;
pub use runward_core::output::Stream;
pub use runward_core::plan::{Draft, Refusal, RunId};
pub use runward_core::policy::{Decision, Policy};
pub use runward_core::record::{End, EndedBy, Leftovers, Receipt, Signal, StopCause};
pub use runward_core::resolve::Defaults;
pub use runward_core::sandbox::{Layer, Mode, Network, SandboxSettings, SandboxWish};
pub use runward_core::spec::{Caller, CommandSpec, Door, Hand, Program, StdinSpec, Streams, Terminal, Wish};
