//! A client that asks and asks and does not read: memory is bounded and comes back, and every answer arrives.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::processes::resident;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::{Value, json};
use std::io::Write;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// So much more than at its start a server may take while answers wait, in mebibytes, and after all were read.
const WHILE: u64 = 96;
const AFTERWARDS: u64 = 48;

/// Pings, small calls, and large answers.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    let count = u64::from(rounds);
    let ping = json!({"jsonrpc": "2.0", "method": "ping", "params": {}});
    let fixture = equipment.program("runward-fixture");
    flood(equipment, "pings", count, &ping, tally)?;
    flood(equipment, "calls", count, &call("true"), tally)?;
    flood(equipment, "large answers", count.div_ceil(10), &call(&format!("{fixture} spew 150000")), tally)
}

fn call(text: &str) -> Value {
    let params = json!({"name": "execute_command", "arguments": {"command": text}});
    json!({"jsonrpc": "2.0", "method": "tools/call", "params": params})
}

fn flood(equipment: &Equipment, what: &str, count: u64, message: &Value, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let mut server = arena.server()?;
    tally.hold(server.text("true", GRACE).is_some_and(|answer| answer.is_fine()), || {
        format!("{what}: no first call")
    });
    let before = resident(server.pid());
    server.deaf(true);
    // What the reader waits for already is the answer to this.
    server.send("ping", &json!({}));
    let sent = Arc::new(AtomicU64::new(0));
    let writer = write(server.take_input(), message, count, &sent);
    let held = most_memory(&server, || stalls(&sent, count));
    server.deaf(false);
    let begun = Instant::now();
    let (mut most, mut last, mut quiet) = (held, server.waiting(), Instant::now());
    while (server.waiting() as u64) < count && quiet.elapsed() < GRACE * 6 {
        most = most.max(resident(server.pid()));
        std::thread::sleep(Duration::from_millis(20));
        if server.waiting() != last {
            (last, quiet) = (server.waiting(), Instant::now());
        }
    }
    let arrived = server.waiting() as u64;
    let gone = count.saturating_sub(arrived);
    tally.lost(
        usize::try_from(gone).unwrap_or(usize::MAX),
        format!("{what}: answers, after {:?}", begun.elapsed()),
    );
    tally.hold(most <= before + WHILE, || {
        format!("{what}: {before} MiB at the start, {most} MiB while answers wait")
    });
    settle(&mut server, what, before, tally);
    if gone == 0
        && let Ok(input) = writer.join()
    {
        server.give_input(input);
        server.skip_to(count + 1_000_000);
        if !server.pings(GRACE) {
            tally.hung(format!("{what}: a ping after it is not answered"));
        }
        if server.close(GRACE).is_none() {
            tally.hung(format!("{what}: the server does not end"));
        }
    }
    drop(server);
    arena.sweep(what, tally);
    tally.rounds += count;
    Ok(())
}

/// Memory comes back.
fn settle(server: &mut PipedServer, what: &str, before: u64, tally: &mut Tally) {
    let back = crate::chaos::processes::comes(GRACE, || resident(server.pid()) <= before + AFTERWARDS);
    let after = resident(server.pid());
    tally.hold(back, || format!("{what}: {before} MiB at the start, {after} MiB after everything was read"));
}

fn write(
    input: Option<ChildStdin>,
    message: &Value,
    count: u64,
    sent: &Arc<AtomicU64>,
) -> JoinHandle<Option<ChildStdin>> {
    let (mut message, sent) = (message.clone(), Arc::clone(sent));
    std::thread::spawn(move || {
        let mut input = input?;
        for number in 0..count {
            message["id"] = json!(number + 1_000);
            input.write_all(format!("{message}\n").as_bytes()).ok()?;
            sent.fetch_add(1, Ordering::Relaxed);
        }
        Some(input)
    })
}

/// Whether no more is taken: everything was sent, or nothing for two seconds.
fn stalls(sent: &AtomicU64, count: u64) -> bool {
    let before = sent.load(Ordering::Relaxed);
    std::thread::sleep(Duration::from_secs(2));
    let now = sent.load(Ordering::Relaxed);
    now >= count || now == before
}

/// The most memory until something is so, in mebibytes.
fn most_memory(server: &PipedServer, mut until: impl FnMut() -> bool) -> u64 {
    let (begun, mut most) = (Instant::now(), resident(server.pid()));
    while !until() && begun.elapsed() < GRACE * 12 {
        most = most.max(resident(server.pid()));
    }
    most.max(resident(server.pid()))
}
