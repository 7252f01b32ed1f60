//! Runward: one road that every command an agent runs must travel.
//!
//! A [`CommandSpec`] says what is asked. The [`Engine`] resolves it, has it judged, drafts what will be done,
//! gets leave for that very draft, launches it, watches it, and gives back a [`Receipt`]. When the command
//! ends, times out, is stopped, or this process is killed, nothing of its process tree is left.
//!
//! Run a command:
//!
//! ```
//! use runward::{CommandSpec, Engine, Outcome, Policy};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_programs(["echo"])).build()?;
//! let Outcome::Ran(receipt) = engine.run(CommandSpec::exec("echo").arg("hello")).await? else {
//!     panic!("refused");
//! };
//! assert_eq!(receipt.stdout.kept.bytes(), b"hello\n");
//! assert_eq!(receipt.end.exit_code(), 0);
//! # Ok::<(), runward::Error>(())
//! # }).unwrap();
//! ```
//!
//! Nothing runs without leave: without a rule that allows it, the same command is refused, and says so.
//!
//! ```
//! # use runward::{CommandSpec, Engine, Outcome};
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().build()?;
//! let Outcome::Refused(refusal) = engine.run(CommandSpec::exec("echo")).await? else { panic!("ran") };
//! assert_eq!(refusal.view().code.name(), "policy.denied");
//! # Ok::<(), runward::Error>(())
//! # }).unwrap();
//! ```
//!
//! Stream events while it runs, and stop it:
//!
//! ```
//! use runward::{CommandSpec, Engine, Event, Policy, Started, StopCause};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_everything("an example")).build()?;
//! let Started::Running(mut session) = engine.start(CommandSpec::shell("echo ready; sleep 60")).await? else {
//!     panic!("refused");
//! };
//! while let Some(event) = session.next_event().await {
//!     if let Event::Output { bytes, .. } = event {
//!         assert_eq!(&bytes[..], b"ready\n");
//!         session.stop();
//!     }
//! }
//! let receipt = session.wait().await?;
//! assert_eq!(receipt.end.stopped, Some(StopCause::Caller));
//! # Ok::<(), runward::Error>(())
//! # }).unwrap();
//! ```
//!
//! Explain, without starting anything:
//!
//! ```
//! # use runward::{CommandSpec, Engine, Policy};
//! let engine = Engine::builder().policy(Policy::allow_programs(["ls"])).build()?;
//! let draft = engine.explain(CommandSpec::exec("ls"))?;
//! assert!(draft.command().program().is_absolute());
//! assert_eq!(draft.ruling().deciding().unwrap().rule, "policy.allow: ls");
//! # Ok::<(), runward::Error>(())
//! ```
//!
//! Without tokio, the [`blocking`] module does the same. Two doors for agents stand on the same road: [`toolkit`], tools
//! bound to a workspace, and [`languages`], code by its language.
//!
//! This crate walks the road; it may not read the environment, the home folder or a terminal, know a
//! protocol, or start a process by itself.
#![forbid(unsafe_code)]

pub mod approve;
pub mod blocking;
mod builder;
pub mod config;
pub mod control;
mod error;
mod event;
pub mod host;
pub mod journal;
pub mod languages;
mod road;
mod session;
pub mod sessions;
mod spool;
pub mod telemetry;
pub mod toolkit;
mod workspace;

pub use builder::EngineBuilder;
pub use error::Error;
pub use event::Event;
pub use road::{Engine, Outcome, Request, Started};
pub use session::{Input, Ledger, Session, Standing, Stopper};
pub use spool::SpoolRules;
pub use workspace::Workspace;

pub use runward_core as core;
pub use runward_core::error::{Code, Coded, ErrorView};
pub use runward_core::facts::HostFacts;
pub use runward_core::output::Stream;
pub use runward_core::plan::{Draft, Refusal, RunId};
pub use runward_core::policy::{Decision, Policy};
pub use runward_core::record::{End, How, Leftovers, Receipt, Signal, StopCause};
pub use runward_core::resolve::Defaults;
pub use runward_core::sandbox::{Layer, Mode, Network, SandboxSettings, SandboxWish};
pub use runward_core::spec::{Caller, CommandSpec, Door, Hand, Program, StdinSpec, Streams, Terminal, Wish};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
