//! `runward hook`: the door under the shell tool that a client has already.
//!
//! Reads one event, has the engine judge the command in it, and answers in the client's words. May not end with another
//! status than 0 or 2: a client takes any other for a hook that failed, and runs the command.
//! Read first: [`door`].

mod after;
mod asking;
mod clock;
mod door;
#[cfg(test)]
mod fuzz;
mod install;
mod test;
mod wrap;

use super::VerbResult;
use crate::args::{HookArgs, HookVerb};
use crate::hook::failure;
use clock::HookClock;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

pub(super) use install::run as install;

pub(super) fn run(args: &HookArgs, file: Option<&Path>) -> VerbResult {
    match (&args.verb, args.client) {
        (Some(HookVerb::Test(args)), _) => test::run(args, file),
        (Some(HookVerb::Install(args)), _) => install::run(args, file),
        (None, Some(client)) => {
            let clock = match HookClock::start(client) {
                Ok(clock) => clock,
                Err(error) => {
                    return Ok(clock::put(&failure(client, &format!("no thread can be started: {error}"))));
                }
            };
            let door = door::HookDoor { client, mode: args.mode, file, clock: &clock };
            let words = catch_unwind(AssertUnwindSafe(|| door.answer()));
            let words = words.unwrap_or_else(|_| failure(client, "something in Runward itself went wrong"));
            Ok(clock.answer(words))
        }
        // The parser rules this out.
        (None, None) => Ok(2),
    }
}
