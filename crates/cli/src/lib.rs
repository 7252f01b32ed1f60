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
//! use runward::{CommandSpec, Engine, SessionEvent, Policy, Started, StopCause};
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_everything("an example")).build()?;
//! let Started::Running(mut session) = engine.start(CommandSpec::shell("echo ready; sleep 60")).await? else {
//!     panic!("refused");
//! };
//! while let Some(event) = session.next_event().await {
//!     if let SessionEvent::Output { bytes, .. } = event {
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
//! Without tokio, the [`blocking`] module does the same.
//!
//! # Features
//!
//! This package is the program `runward`, which is its default feature `cli`, and this library, which is the engine under
//! its public name. A program that uses the library leaves the rest out:
//!
//! ```toml
//! runward = { version = "0.1", default-features = false }
//! ```
//!
//! What the engine can do besides comes with the features of [`runward_engine`], under the same names; `journal` alone
//! brings a C library, SQLite. `mcp` adds the MCP server, as `mcp`.
//!
//! The library adds nothing to the engine, and may not: it only names things.
#![forbid(unsafe_code)]

pub use runward_engine::*;

/// The MCP server, to be served by another program.
#[cfg(feature = "mcp")]
pub use runward_mcp as mcp;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
