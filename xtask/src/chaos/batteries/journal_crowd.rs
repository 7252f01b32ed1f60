//! Many servers begin at once on a busy machine with a locked journal, and every record arrives.
//!
//! May not stop the holder of the lock before its time: that is what is tested.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::records::{arrive, hold, missing, text};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Holds the database against every other writer, for three seconds.
const LOCK: &str = "import sqlite3, sys, time\n\
    c = sqlite3.connect(sys.argv[1], timeout=10, isolation_level=None)\n\
    c.execute('BEGIN EXCLUSIVE')\nprint('held', flush=True)\ntime.sleep(3)\nc.execute('ROLLBACK')\n";

/// Keeps a processor busy and ends by itself.
const BUSY: &[&str] = &["timeout", "20", "sh", "-c", "while :; do :; done"];

/// Rounds of a crowd.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    let (servers, calls) = if equipment.part { (8, 5) } else { (20, 20) };
    for _ in 0..rounds {
        crowd(equipment, servers, calls, tally)?;
        tally.round();
    }
    Ok(())
}

fn crowd(equipment: &Equipment, servers: usize, calls: usize, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.run(&["exec", "--", "true"])?.ends_with(&[0], tally);
    tally.hold(arrive(&arena, &[]), || "the first command is not recorded".to_owned());
    let mut load: Vec<_> = (0..3).filter_map(|_| start(BUSY)).collect();
    let mut lock = locked(&arena)?;
    let words = &["mcp", "--profile", "all"];
    let mut all: Vec<_> =
        (0..servers).map(|_| PipedServer::silent(&mut arena.runward(words))).collect::<Result<_, _>>()?;
    let mut numbers: Vec<usize> = Vec::new();
    for (at, server) in all.iter_mut().enumerate() {
        if !server.greet(GRACE * 3) {
            tally.hung(format!("server {at} does not greet: {}", server.fate()));
            continue;
        }
        let own: Vec<usize> = (0..calls).map(|call| at * 1000 + call + 100).collect();
        let asked: Vec<_> = own.iter().map(|number| server.send_text(&text(*number))).collect();
        let late = asked.iter().filter(|id| server.answer(**id, GRACE * 3).is_none()).count();
        tally.lost(late, format!("answers of server {at}: {}", server.words()));
        numbers.extend(own);
    }
    for number in [1, 2] {
        arena.run(&["exec", "--shell", &text(number)])?.ends_with(&[0], tally);
        numbers.push(number);
    }
    let _ = outcome::ends(&mut lock, GRACE);
    for (at, server) in all.iter_mut().enumerate() {
        if server.close(GRACE * 3).is_none() {
            tally.hung(format!("server {at} does not end"));
        }
    }
    let words: String = all.iter().map(PipedServer::words).collect();
    arrive(&arena, &numbers);
    let gone = missing(&arena, &numbers)?;
    tally.lost(gone.len(), format!("records of {}: {gone:?}; {words}", numbers.len()));
    hold(&arena, "after the crowd", tally)?;
    end(&mut load);
    end(std::slice::from_mut(&mut lock));
    arena.sweep("after the crowd", tally);
    Ok(())
}

fn locked(arena: &Arena<'_>) -> Result<Child, String> {
    let mut command = Command::new("python3");
    command.args(["-c", LOCK]).arg(arena.state().join("journal/journal.db"));
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("the database cannot be locked: {error}"))?;
    let mut word = [0; 4];
    let held = child.stdout.as_mut().map(|out| std::io::Read::read_exact(out, &mut word));
    if matches!(held, Some(Ok(()))) { Ok(child) } else { Err("the journal could not be locked".to_owned()) }
}

fn start(words: &[&str]) -> Option<Child> {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// `timeout` passes the signal on to what it started.
fn end(children: &mut [Child]) {
    for child in children {
        crate::chaos::processes::signal("TERM", &child.id().to_string());
        let _ = outcome::ends(child, Duration::from_secs(5));
    }
}
