//! Few file descriptors: calls wait their turn, and what cannot begin says what it needs.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;

const CALLS: usize = 120;

/// Many calls at once, then small numbers at the start.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        many_calls(equipment, tally)?;
        for most in 3..=40 {
            at_start(equipment, most, tally)?;
        }
    }
    Ok(())
}

fn many_calls(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let mut server =
        PipedServer::start(&mut arena.behind(&["prlimit", "--nofile=64"], &["mcp", "--profile", "all"]))?;
    let asked: Vec<_> = (0..CALLS).map(|_| server.send_text("sleep 0.2")).collect();
    let (mut late, mut refused, mut sample) = (0, 0, String::new());
    for id in asked {
        match server.answer(id, GRACE * 4) {
            None => late += 1,
            Some(answer) if answer.is_fine() => {}
            Some(answer) => {
                refused += 1;
                sample = answer.words();
            }
        }
    }
    tally.lost(late, format!("answers of {CALLS} calls with 64 files: {}", server.words()));
    tally
        .hold(refused == 0, || format!("{refused} of {CALLS} calls with 64 files refused, such as {sample}"));
    server.ends_with_input("64 files", tally);
    drop(server);
    arena.sweep("64 files", tally);
    tally.rounds += CALLS as u64;
    Ok(())
}

fn at_start(equipment: &Equipment, most: u32, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let limit = format!("--nofile={most}");
    let before = ["prlimit", limit.as_str()];
    for words in [&["--version"][..], &["log"], &["exec", "--", "true"]] {
        let what = format!("{most} files: {}", words.join(" "));
        let said = outcome::run(&what, &mut arena.behind(&before, words), GRACE)?;
        // With so few the loader finds no library; that is no word of ours.
        if !(said.code == Some(127) && said.stderr.contains("shared librar")) {
            said.ends_with(&[0, 125], tally);
        }
    }
    let mut server = PipedServer::silent(&mut arena.behind(&before, &["mcp", "--profile", "all"]))?;
    let when = format!("{most} files");
    if server.serves_or_says(&when, tally) {
        server.answers(&when, tally);
        server.ends_with_input(&when, tally);
    }
    drop(server);
    arena.sweep("few files", tally);
    tally.round();
    Ok(())
}
