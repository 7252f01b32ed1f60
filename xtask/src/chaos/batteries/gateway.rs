//! Children that are rude: each call is answered with words in time, memory is bounded and comes back, nothing stays.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::processes::{comes, resident};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::{Value, json};
use std::fs;
use std::time::{Duration, Instant};

const CHILD: &str = include_str!("rude-child.sh");

/// More than this above its start, in mebibytes, is too much for any child. While a message of the largest size that
/// may be passes, it is held more than once.
const MOST: u64 = 96;

const KINDS: &[&str] = &["huge", "flood", "half", "endless", "dies"];

/// Each kind of child beside a good one, then one that never starts.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for kind in KINDS {
            rude(equipment, kind, tally)?;
        }
        absent(equipment, tally)?;
    }
    Ok(())
}

/// A gateway to a good child and others.
fn gateway(arena: &Arena<'_>, others: Value) -> Result<PipedServer, String> {
    let mut servers = others;
    servers["good"] = json!({"command": arena.equipment.program("scripted-child")});
    let file = arena.join("servers.json");
    let written = fs::write(&file, json!({"mcpServers": servers}).to_string());
    written
        .and_then(|()| fs::write(arena.join("child.sh"), CHILD))
        .map_err(|error| format!("no list: {error}"))?;
    let list = file.display().to_string();
    PipedServer::start(&mut arena.runward(&["gateway", "--config", &list]))
}

fn call(server: &mut PipedServer, tool: &str, limit: Duration) -> Option<String> {
    let id = server.send_call(tool, &json!({"text": "still here"}));
    server.answer(id, limit).map(|answer| answer.words())
}

fn rude(equipment: &Equipment, kind: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let script = arena.join("child.sh").display().to_string();
    let child = json!({"command": "bash", "args": [script], "env": {"KIND": kind}, "timeout_ms": 8000});
    let mut server = gateway(&arena, json!({"rude": child}))?;
    let when = format!("a child of the kind `{kind}`");
    let good = |server: &mut PipedServer| {
        call(server, "good__echo", GRACE).is_some_and(|words| words.contains("still here"))
    };
    let up = comes(GRACE, || {
        let listed = server.ask("tools/list", &json!({}), GRACE);
        listed.is_some_and(|answer| answer.words().contains("rude__now"))
    });
    tally.hold(up && good(&mut server), || format!("{when}: does not come up: {}", server.words()));
    let before = resident(server.pid());
    let id = server.send_call("rude__now", &json!({}));
    let (begun, mut most) = (Instant::now(), before);
    let mut answer = None;
    while answer.is_none() && begun.elapsed() < GRACE * 3 {
        answer = server.answer(id, Duration::from_millis(10));
        most = most.max(resident(server.pid()));
    }
    match answer {
        None => tally.hung(format!("{when}: its call is not answered in 30 s")),
        Some(answer) => {
            let bad = *kind != *"flood" && answer.is_result() && answer.result()["isError"] != true;
            tally.hold(!bad, || format!("{when}: {}", answer.words()));
        }
    }
    tally.hold(good(&mut server), || format!("{when}: the other child does not answer: {}", server.words()));
    tally.hold(most <= before + MOST, || format!("{when}: {before} MiB before, {most} MiB at most"));
    let back = comes(GRACE, || resident(server.pid()) <= before + MOST / 2);
    let after = resident(server.pid());
    tally.hold(back, || format!("{when}: {before} MiB before, {after} MiB after"));
    over(&arena, &mut server, &when, tally);
    Ok(())
}

/// A tool of a child that never started is not a tool that does not exist.
fn absent(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let when = "a child that never comes up";
    let mut server = gateway(&arena, json!({"absent": {"command": "sh", "args": ["-c", "exit 1"]}}))?;
    match call(&mut server, "absent__now", GRACE * 7) {
        None => tally.hung(format!("{when}: its call is not answered")),
        Some(words) => {
            tally.hold(words.contains("gateway.unavailable"), || format!("{when}: {words}"));
            tally.hold(!words.contains("no tool named"), || format!("{when}: {words}"));
        }
    }
    over(&arena, &mut server, when, tally);
    Ok(())
}

fn over(arena: &Arena<'_>, server: &mut PipedServer, when: &str, tally: &mut Tally) {
    if server.close(GRACE).is_none() {
        tally.hung(format!("{when}: the gateway does not end"));
    }
    tally.hold(!crate::chaos::outcome::is_panic(&server.words()), || format!("{when}: {}", server.words()));
    arena.sweep(when, tally);
    tally.round();
}
