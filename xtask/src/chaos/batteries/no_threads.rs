//! A user who may make no process and no thread: at the start, and after idleness.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::processes::threads;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use std::process::Command;
use std::time::Duration;

/// Longer than a pool of threads keeps one that has nothing to do.
const IDLE: Duration = Duration::from_secs(11);

/// The limit counts what a user has, so each place has a user of its own.
const FIRST_USER: u32 = 61_100;

/// Small numbers at the start, then none after idleness.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for most in 0..=12 {
            at_start(equipment, most, tally)?;
        }
        after_idleness(equipment, tally)?;
    }
    Ok(())
}

/// A place of a user who is not root: the limit does not bind root.
fn own_place(equipment: &Equipment) -> Result<(Arena<'_>, String), String> {
    let arena = Arena::new(equipment)?;
    let user = FIRST_USER + equipment.number();
    arena.give_to(user)?;
    Ok((arena, user.to_string()))
}

fn as_user(user: &[String; 2]) -> Vec<&str> {
    vec!["setpriv", &user[0], &user[1], "--clear-groups"]
}

fn at_start(equipment: &Equipment, most: u32, tally: &mut Tally) -> ChoreResult {
    let (arena, user) = own_place(equipment)?;
    let user = [format!("--reuid={user}"), format!("--regid={user}")];
    let limit = format!("--nproc={most}");
    let mut before = as_user(&user);
    before.extend(["prlimit", &limit]);
    let when = format!("{most} processes at the start");
    for words in [&["--version"][..], &["doctor"], &["log"], &["ps"]] {
        let said =
            outcome::run(&format!("{when}: {}", words.join(" ")), &mut arena.behind(&before, words), GRACE)?;
        said.ends_with(&[0, 125], tally);
    }
    let said =
        outcome::run(&format!("{when}: exec"), &mut arena.behind(&before, &["exec", "--", "true"]), GRACE)?;
    said.ends_with(&[0, 125], tally);
    let mut server = PipedServer::silent(&mut arena.behind(&before, &["mcp", "--profile", "all"]))?;
    if server.serves_or_says(&when, tally) {
        server.answers(&when, tally);
        server.ends_with_input(&when, tally);
    }
    drop(server);
    arena.sweep(&when, tally);
    tally.round();
    Ok(())
}

fn after_idleness(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let (arena, user) = own_place(equipment)?;
    let user = [format!("--reuid={user}"), format!("--regid={user}")];
    let mut server = PipedServer::start(&mut arena.behind(&as_user(&user), &["mcp", "--profile", "all"]))?;
    let when = "no process and no thread after idleness";
    tally.hold(server.text("true", GRACE).is_some_and(|answer| answer.is_fine()), || {
        format!("{when}: the first call: {}", server.words())
    });
    // The idle time itself is what is tested.
    std::thread::sleep(if equipment.part { Duration::from_secs(1) } else { IDLE });
    let mut limit = Command::new("setpriv");
    // A process of the same user may do it wherever this runs; root may lack the ability.
    limit.args(&as_user(&user)[1..]).args(["prlimit", "--pid", &server.pid().to_string(), "--nproc=0"]);
    outcome::run("prlimit", &mut limit, GRACE)?.ends_with(&[0], tally);
    let when = format!("{when}, {} threads", threads(server.pid()));
    (0..3).for_each(|_| server.answers(&when, tally));
    server.ends_with_input(&when, tally);
    drop(server);
    arena.sweep(&when, tally);
    tally.round();
    Ok(())
}
