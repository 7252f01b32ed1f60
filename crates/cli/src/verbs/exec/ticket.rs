//! `runward exec --ticket`: what a client's hook was allowed to run, run as the client's command.
//!
//! The ticket must be for this text in this folder. The command is judged again by the rules of now, which costs little; only
//! a person's yes is taken from the ticket, and only while the rules are the same. May not run anything without a good one.

use crate::hook::{BadTicket, HookTicket, TicketDesk};
use crate::output::VerbFailure;
use crate::places;
use crate::setup::Setup;
use runward::approve::{Approver, Matter, PendingVerdict, Silence, Verdict};
use runward::config::ValueOrigin;
use runward::core::plan::Person;
use runward::{Caller, Code, CommandSpec, Door, Engine, ErrorView, Hand, Wish};
use std::ffi::OsStr;

/// The person who approved when the ticket was handed out, if anybody did.
struct TicketApprover(Option<Person>);

impl Approver for TicketApprover {
    fn ask<'a>(&'a self, _: &'a Matter<'a>) -> PendingVerdict<'a> {
        let said = self.0.clone().map_or(Verdict::Unanswered(Silence::Nobody), Verdict::Once);
        Box::pin(std::future::ready(said))
    }
}

/// Uses the ticket up. Gives the engine that knows who approved, and the caller that the command is of.
pub(super) fn redeem(
    token: &str,
    text: &OsStr,
    setup: &Setup,
    engine: &Engine,
    spec: &mut CommandSpec,
) -> Result<(Engine, Caller), VerbFailure> {
    let state = places::state_folder(&setup.facts).ok_or_else(|| bad("there is no state folder"))?;
    let desk = TicketDesk::in_state(&state);
    let ticket = desk.redeem(token).map_err(|why| match why {
        BadTicket::Unknown => bad("it is unknown, or was used already"),
        BadTicket::Late => bad("it was given more than 60 s ago"),
    })?;
    if let Err(why) = fits(&ticket, text, setup) {
        desk.burn(token);
        return Err(bad(why));
    }
    // The client has a time limit of its own, and what is built in is not meant for builds.
    let wall = setup.settings.get("limits.timeout_ms");
    if wall.is_some_and(|setting| setting.origin == ValueOrigin::BuiltIn) && spec.limits.wall == Wish::Default
    {
        spec.limits.wall = Wish::Off;
    }
    let rules = TicketDesk::hash_of(&format!("{:?}", engine.policy()));
    let approved = ticket.approved_by.filter(|_| rules == ticket.rules).map(Person::named);
    let (name, tool) = (Some(ticket.client), Some(ticket.tool));
    let caller = Caller { door: Door::Hook, hand: Hand::Program, name, tool };
    Ok((engine.asking(TicketApprover(approved)), caller))
}

fn fits(ticket: &HookTicket, text: &OsStr, setup: &Setup) -> Result<(), &'static str> {
    let text = text.to_str().ok_or("it is for another text")?;
    if TicketDesk::hash_of(text) != ticket.text {
        return Err("it is for another text");
    }
    let here = std::fs::canonicalize(&setup.facts.cwd).map_err(|_| "this folder is gone")?;
    if ticket.folders.contains(&here) { Ok(()) } else { Err("it is for another folder") }
}

fn bad(why: &str) -> VerbFailure {
    VerbFailure::Told(ErrorView {
        code: Code::HookBadTicket,
        message: format!("the ticket is not good: {why}"),
        hint: Some(
            "Let the client run its command again: its hook gives a new ticket for each, which is good once."
                .to_owned(),
        ),
    })
}
