//! The processes that hold a command are killed, in any order, and nothing stays: no process, cgroup, file or open call.
//!
//! May not kill server, steward and warden of one command all three: then no process is left that could end it.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::chance::ChanceRow;
use crate::chaos::processes::{comes, line, parent, signal};
use crate::chaos::records;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::json;
use std::time::Duration;

/// The processes it may hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Prey {
    Server,
    Group,
    Steward,
    Warden,
    Command,
    Client,
}

const ALL: [Prey; 6] = [Prey::Server, Prey::Group, Prey::Steward, Prey::Warden, Prey::Command, Prey::Client];

/// Three that sleep below one that sleeps; one of them in a session of its own.
const BUSH: usize = 4;

/// Plays the rounds in one place, so that all share a journal.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let seed = ChanceRow::seed();
    let mut chance = ChanceRow::new(seed);
    for round in 0..rounds {
        let sandboxed = round % 3 == 2;
        arena.configure(if sandboxed { "[sandbox]\nmode = \"workspace-write\"\n" } else { "" })?;
        let prey = choose(&mut chance);
        let when = format!("round {round} of {seed}, {prey:?}, sandbox {sandboxed}");
        if round % 4 == 3 {
            single(&arena, &prey, &when, &mut chance, tally)?;
        } else {
            served(&arena, &prey, &when, &mut chance, tally)?;
        }
        arena.sweep(&when, tally);
        arena.sweep_work(&when, tally);
        tally.round();
        if round % 20 == 19 {
            records::hold(&arena, &when, tally)?;
        }
    }
    records::hold(&arena, "in the end", tally)
}

/// One to three of them, in any order, of the three that hold a command two at most.
fn choose(chance: &mut ChanceRow) -> Vec<Prey> {
    let mut all = ALL.to_vec();
    let mut chosen = Vec::new();
    for _ in 0..=chance.below(3) {
        chosen.push(all.swap_remove(chance.below(all.len())));
    }
    let has = |chosen: &[Prey], one| chosen.contains(&one);
    let served = has(&chosen, Prey::Server) || has(&chosen, Prey::Group);
    if served && has(&chosen, Prey::Steward) && has(&chosen, Prey::Warden) {
        chosen.pop();
    }
    chosen
}

/// A server with two commands.
fn served(
    arena: &Arena<'_>,
    prey: &[Prey],
    when: &str,
    chance: &mut ChanceRow,
    tally: &mut Tally,
) -> ChoreResult {
    let runward = arena.equipment.program("runward");
    let mut server =
        PipedServer::start(&mut arena.command(&["setsid", &runward, "mcp", "--profile", "all"]))?;
    let call = server.send_text(&format!("{} bush 3 here", arena.equipment.program("runward-fixture")));
    let session = server.send_call("start_command", &json!({"command": "setsid sleep 301 & sleep 302"}));
    if !comes(GRACE, || bush(arena).len() >= BUSH) {
        tally.hung(format!("{when}: the command never ran: {}", server.words()));
        return Ok(());
    }
    tally.hold(server.answer(session, GRACE).is_some_and(|answer| answer.is_result()), || {
        format!("{when}: no session")
    });
    let mut client_is_gone = false;
    for one in prey {
        std::thread::sleep(Duration::from_millis(chance.below(20) as u64));
        if *one == Prey::Client {
            client_is_gone = true;
            drop(server.take_input());
        } else {
            strike(arena, *one, server.pid());
        }
    }
    let server_is_gone = prey.iter().any(|one| matches!(one, Prey::Server | Prey::Group));
    let over = prey.iter().any(|one| matches!(one, Prey::Warden | Prey::Command));
    if !server_is_gone && !client_is_gone {
        if over && server.answer(call, GRACE).is_none() {
            tally.hung(format!("{when}: a call whose command is gone is not answered"));
        }
        if server.text("true after", GRACE).is_none() {
            tally.hung(format!("{when}: a call after it is not answered: {}", server.fate()));
        }
    }
    if server.close(GRACE).is_none() {
        tally.hung(format!("{when}: the server does not end"));
    }
    tally.hold(!server.words().contains("panicked"), || format!("{when}: {}", server.words()));
    Ok(())
}

/// A command that a person runs.
fn single(
    arena: &Arena<'_>,
    prey: &[Prey],
    when: &str,
    chance: &mut ChanceRow,
    tally: &mut Tally,
) -> ChoreResult {
    let (runward, fixture) = (arena.equipment.program("runward"), arena.equipment.program("runward-fixture"));
    let words = ["setsid", &runward, "exec", "--timeout", "60s", "--", &fixture, "bush", "3", "here"];
    let mut runner = PipedServer::silent(&mut arena.command(&words))?;
    if !comes(GRACE, || bush(arena).len() >= BUSH) {
        tally.hung(format!("{when}: the command never ran: {}", runner.words()));
        return Ok(());
    }
    for one in prey {
        std::thread::sleep(Duration::from_millis(chance.below(20) as u64));
        // Only the runner is the client of a single command.
        strike(arena, if *one == Prey::Client { Prey::Server } else { *one }, runner.pid());
    }
    if prey == [Prey::Steward] {
        // The command goes on; its runner is asked to end it.
        runner.signal("TERM");
    }
    if runner.ends(GRACE).is_none() {
        tally.hung(format!("{when}: the runner does not end"));
    }
    tally.hold(!runner.words().contains("panicked"), || format!("{when}: {}", runner.words()));
    Ok(())
}

/// The processes of the command. Shells and runners have its words too, behind their own.
fn bush(arena: &Arena<'_>) -> Vec<u32> {
    let begin = format!("{} bush 3 here", arena.equipment.program("runward-fixture"));
    let mut all = arena.processes();
    all.retain(|pid| line(*pid).starts_with(&begin));
    all.sort_unstable();
    all
}

fn strike(arena: &Arena<'_>, prey: Prey, server: u32) {
    let wardens: Vec<_> =
        arena.processes().into_iter().filter(|pid| line(*pid).starts_with("runward-warden")).collect();
    let target = match prey {
        Prey::Server => Some(server.to_string()),
        Prey::Group => Some(format!("-{server}")),
        Prey::Steward => wardens.iter().find(|pid| parent(**pid) == Some(server)).map(u32::to_string),
        Prey::Warden => {
            bush(arena).first().and_then(|main| above(*main, &wardens)).map(|pid| pid.to_string())
        }
        Prey::Command => bush(arena).first().map(u32::to_string),
        Prey::Client => None,
    };
    if let Some(target) = target {
        signal("KILL", &target);
    }
}

/// The nearest warden above a process.
fn above(mut pid: u32, wardens: &[u32]) -> Option<u32> {
    while !wardens.contains(&pid) {
        pid = parent(pid).filter(|parent| *parent > 1)?;
    }
    Some(pid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn somebody_is_always_left_who_can_end_the_command() {
        let mut chance = ChanceRow::new(3);
        for _ in 0..2000 {
            let chosen = choose(&mut chance);
            let has = |one| chosen.contains(&one);
            assert!(!chosen.is_empty() && chosen.len() <= 3);
            assert!(!((has(Prey::Server) || has(Prey::Group)) && has(Prey::Steward) && has(Prey::Warden)));
        }
    }
}
