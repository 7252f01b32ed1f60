//! Real agent programs, run offline: each in a scratch home, against a scripted model on loopback.
//!
//! May not touch the home of whoever runs the tests, nor let a client reach any other host. Read first: [`AgentClient`].

mod claude;
mod client;
mod codex;
mod gemini;
mod opencode;
mod place;
mod running;

pub use client::{AgentClient, AgentServer};
pub use place::AgentKind;
pub use running::{AgentReport, RunningAgent};
