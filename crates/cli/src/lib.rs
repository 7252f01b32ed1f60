//! Runs commands for AI agents: each one judged by rules, limited, killed whole, and accounted for.
//!
//! A [`CommandSpec`] says what is asked. The [`Engine`] takes it through fixed steps, which these pages call *the road*:
//!
//! | step | what happens | type |
//! | --- | --- | --- |
//! | resolve | the program is found, and every value that was left open is filled in | [`Draft::command`] |
//! | judge | the [`Policy`] says allow, ask or deny | [`Draft::ruling`] |
//! | draft | everything that will be done is written down; nothing has started yet | [`Draft`] |
//! | leave | a rule, or a person who is asked, gives leave (permission) for that very draft | [`approve`] |
//! | launch | the command starts, with its limits and its sandbox | [`Session`] |
//! | record | how it ended, what it printed, what was enforced | [`Receipt`] |
//!
//! When the command ends, times out, is stopped, or this process is killed, nothing of its process tree is left. Where
//! that could not be done, [`End::leftovers`] says so.
//!
//! # Run a command
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
//! # Three results
//!
//! | result | means |
//! | --- | --- |
//! | `Ok(`[`Outcome::Ran`]`)` | it ran and is over; a non-zero exit code and a timeout are this, too |
//! | `Ok(`[`Outcome::Refused`]`)` | it may not run: a rule or a person says no, or no rule allows it. Nothing was started. |
//! | `Err(`[`Error`]`)` | something failed, such as a program that does not exist |
//!
//! Refusals and errors have a stable [`Code`], a message and often a hint: [`Refusal::view`], [`ErrorView::of`].
//! Nothing runs without leave. Without a rule that allows it, the same command is refused:
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
//! # Limits and input
//!
//! A command has 30 seconds unless [`CommandSpec::timeout`] or [`EngineBuilder::defaults`] say otherwise. It reads an
//! empty input unless it is given one.
//!
//! ```
//! # use runward::{CommandSpec, Engine, Outcome, Policy, StopCause};
//! # use std::time::Duration;
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let engine = Engine::builder().policy(Policy::allow_programs(["cat", "sleep"])).build()?;
//!
//! let cat = CommandSpec::exec("cat").stdin("from the caller");
//! let Outcome::Ran(receipt) = engine.run(cat).await? else { panic!("refused") };
//! assert_eq!(receipt.stdout.kept.bytes(), b"from the caller");
//!
//! let sleep = CommandSpec::exec("sleep").arg("60").timeout(Duration::from_millis(50));
//! let Outcome::Ran(receipt) = engine.run(sleep).await? else { panic!("refused") };
//! assert_eq!(receipt.end.stopped, Some(StopCause::Timeout));
//! assert_eq!(receipt.end.exit_code(), 124);
//! # Ok::<(), runward::Error>(())
//! # }).unwrap();
//! ```
//!
//! # Listen while it runs, and stop it
//!
//! ```
//! use runward::{CommandSpec, Engine, Policy, SessionEvent, Started, StopCause};
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
//! # Explain, without starting anything
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
//! # Words
//!
//! - **caller**: who asks. Unless a [`Request`] says otherwise it is the program that uses this library.
//! - **door**: the way a request came in: the library, the command line, MCP and so on ([`Door`]).
//! - **operator**: the person who configures Runward, and so writes its rules.
//! - **warden**: the process beside a command that ends its process tree, even when this process is killed.
//! - **spool**: files with output that does not fit into memory ([`SpoolRules`]).
//!
//! # Where to go on
//!
//! | to | see |
//! | --- | --- |
//! | write rules | [`Policy`] |
//! | put commands into a sandbox | [`SandboxSettings`] |
//! | ask a person | [`approve::Approver`] |
//! | do without tokio | [`blocking`] |
//! | read `runward.toml` | module `config` |
//! | keep commands running and find them again | module `registry` |
//! | write down every command | module `journal` |
//! | offer a tool to a model | modules `toolkit` and `languages`, or a whole server with `mcp` |
//!
//! # Features
//!
//! This package is both the program `runward`, built by the default feature `cli`, and this library. A program that
//! uses the library leaves the command line out:
//!
//! ```toml
//! runward = { version = "0.1", default-features = false }
//! ```
//!
//! The features `journal`, `sessions`, `control`, `config`, `languages`, `toolkit`, `telemetry` and `full` are those of
//! [`runward_engine`], whose page says what each adds; `journal` alone brings a C library, SQLite. `mcp` adds the MCP
//! server, as the module `mcp`. Everything else on this page is re-exported from [`runward_engine`]; depend on one of
//! the two, not on both.
#![forbid(unsafe_code)]

pub use runward_engine::*;

/// The MCP server, to be served by another program.
#[cfg(feature = "mcp")]
pub use runward_mcp as mcp;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
