//! The hook door, as far as it is text: events of clients in, answers in the clients' own words out.
//!
//! Everything in here is a function of its arguments, but for `desk`, which keeps tickets in the state folder. May not
//! judge anything: the engine does. Read first: [`HookEvent`], then [`HookAnswer`].

mod answer;
mod client;
mod command_text;
mod desk;
mod event;
pub(crate) mod install;
mod samples;
mod strict_json;
pub(crate) mod theirs;
mod wrapping;

pub(crate) use answer::{ClientWords, HookAnswer, denial, failure};
pub(crate) use client::HookClient;
pub(crate) use desk::{BadTicket, HookTicket, TicketDesk};
pub(crate) use event::{HookEvent, HookMoment, HookTrouble, ToolRuns};
pub(crate) use samples::sample;
pub(crate) use wrapping::{WrapShape, quoted, shape};
