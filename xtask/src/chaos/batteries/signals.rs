//! Every signal that can be caught, to a server that runs a command: it goes on, or it ends with a record of the end.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::processes::{comes, line};
use crate::chaos::records;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::Value;
use std::time::Duration;

/// All but the two that cannot be caught, those that stop, and those of a fault in the program itself.
const SIGNALS: &[&str] = &[
    "HUP", "INT", "QUIT", "USR1", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "URG", "XCPU",
    "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "34", "50", "64",
];

/// Each signal, to a server and to a single command.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for signal in SIGNALS {
            to_server(equipment, signal, tally)?;
            to_runner(equipment, signal, tally)?;
        }
    }
    Ok(())
}

fn to_server(equipment: &Equipment, signal: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let when = format!("SIG{signal} to a server");
    let mut server = arena.server()?;
    server.send_text("sleep 301");
    if !comes(GRACE, || runs(&arena)) {
        return Err(format!("{when}: no command: {}", server.words()));
    }
    server.signal(signal);
    // Whether it ends is for it to choose.
    if server.ends(Duration::from_millis(300)).is_none() {
        if !server.pings(GRACE) && server.ends(GRACE).is_none() {
            tally.hung(format!("{when}: neither ends nor answers"));
        }
        if server.close(GRACE).is_none() {
            tally.hung(format!("{when}: does not end after its input"));
        }
    }
    ended(&arena, &when, &server, tally)
}

fn to_runner(equipment: &Equipment, signal: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let when = format!("SIG{signal} to a single command");
    let mut runner =
        PipedServer::silent(&mut arena.runward(&["exec", "--timeout", "2s", "--", "sleep", "301"]))?;
    if !comes(GRACE, || runs(&arena)) {
        return Err(format!("{when}: no command: {}", runner.words()));
    }
    runner.signal(signal);
    if runner.ends(GRACE).is_none() {
        tally.hung(format!("{when}: does not end"));
    }
    ended(&arena, &when, &runner, tally)
}

fn runs(arena: &Arena<'_>) -> bool {
    arena.processes().iter().any(|pid| line(*pid).trim() == "sleep 301")
}

/// The one command has an end.
fn ended(arena: &Arena<'_>, when: &str, server: &PipedServer, tally: &mut Tally) -> ChoreResult {
    let told = records::all(arena)?;
    let states: Vec<String> = told
        .stdout
        .lines()
        .filter_map(|line| Some(serde_json::from_str::<Value>(line).ok()?["state"].as_str()?.to_owned()))
        .collect();
    let good = states.iter().all(|state| state == "ended") && states.len() == 1;
    tally.lost(usize::from(!good), format!("{when}: the record's end: {states:?}; {}", server.words()));
    tally.hold(!server.words().contains("panicked"), || format!("{when}: {}", server.words()));
    arena.sweep(when, tally);
    tally.round();
    Ok(())
}
