//! Forty commands at once that print more than memory keeps: all of it is on disk.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::server::GRACE;
use crate::chaos::tally::Tally;
use serde_json::json;
use std::fs;
use std::path::Path;

const COMMANDS: usize = 40;

/// More than memory keeps of one stream. What the answers take to render is no part of this.
const BYTES: [u64; 2] = [1_200_000, 2_000_000];

/// Rounds of forty.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        let arena = Arena::new(equipment)?;
        let fixture = equipment.program("runward-fixture");
        let mut server = arena.server()?;
        let bytes = BYTES[usize::from(!equipment.part)];
        let call = json!({"command": format!("{fixture} spew {bytes}; sleep 1"), "timeout_ms": 300_000});
        let asked: Vec<_> = (0..COMMANDS).map(|_| server.send_call("execute_command", &call)).collect();
        let answers: Vec<_> = asked.iter().map(|id| server.answer(*id, GRACE * 12)).collect();
        let late = answers.iter().filter(|answer| answer.is_none()).count();
        tally.lost(late, "answers of commands that print");
        let bad = answers.iter().flatten().find(|answer| !answer.is_fine());
        tally.hold(bad.is_none(), || {
            format!("{:.400}", bad.map_or_else(String::new, |answer| answer.words()))
        });
        let whole = spooled(&arena.state(), bytes);
        let found = COMMANDS.saturating_sub(whole);
        tally.lost(
            found,
            format!("outputs of {COMMANDS} that are not on disk as a whole: {}", server.words()),
        );
        if server.close(GRACE).is_none() {
            tally.hung("the server does not end");
        }
        drop(server);
        arena.sweep("the spool", tally);
        tally.rounds += COMMANDS as u64;
    }
    Ok(())
}

/// How many files below a folder hold as much as one command prints.
fn spooled(folder: &Path, bytes: u64) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |entry: fs::DirEntry| match entry.metadata() {
        Ok(there) if there.is_dir() => spooled(&entry.path(), bytes),
        Ok(there) => usize::from(there.len() == bytes),
        Err(_) => 0,
    };
    entries.map(count).sum()
}
