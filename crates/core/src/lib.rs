//! What a command is, may do, will do, and did.
//!
//! This crate has no side effects: pure values and pure functions, in the order of the road.
//!
//! | step | module | value it makes |
//! | --- | --- | --- |
//! | asked | [`spec`] | [`CommandSpec`](spec::CommandSpec) |
//! | true here | [`facts`] | [`HostFacts`](facts::HostFacts), and the questions of [`Look`](facts::Look) |
//! | resolved | [`resolve`] | [`ResolvedCommand`](resolve::ResolvedCommand) |
//! | judged | [`policy`] | [`Ruling`](policy::Ruling) |
//! | walled in | [`sandbox`] | [`SandboxPlan`](sandbox::SandboxPlan): what it may reach, and who keeps it |
//! | let out | [`network`] | [`HostList`](network::HostList): whom it may connect to, and what it asked for |
//! | planned | [`plan`] | [`Draft`](plan::Draft), [`Permit`](plan::Permit), [`ExecPlan`](plan::ExecPlan) |
//! | alive | [`life`] | [`Life`](life::Life): input and time in, actions out |
//! | printed | [`output`] | [`Window`](output::Window): head and tail, exact counts |
//! | recorded | [`record`] | [`End`](record::End), [`Receipt`](record::Receipt) |
//! | masked | [`redact`] | text without its secrets, before it is written or told |
//! | shortened | [`digest`] | [`StreamAnswers`](digest::StreamAnswers): what a model is shown of the output |
//! | told | [`render`] | sentences for people, text for machines |
//! | refused, failed | [`error`] | one table of stable codes |
//!
//! It may not look at a clock, a file, the environment or a process: whatever it needs to know is an
//! argument. `clippy.toml` beside this crate keeps it so.
//!
//! Read first: [`spec::CommandSpec`], then [`plan::Draft`].
#![forbid(unsafe_code)]

pub mod amount;
pub mod calendar;
pub mod digest;
pub mod error;
pub mod facts;
pub mod life;
pub mod network;
pub mod os_text;
pub mod output;
pub mod plan;
pub mod policy;
pub mod record;
pub mod redact;
pub mod render;
pub mod resolve;
pub mod sandbox;
pub mod spec;
