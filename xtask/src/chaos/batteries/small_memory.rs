//! Little address space: words instead of an abort, and a large request is refused where it does not fit.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::processes::resident;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::json;

/// Sizes of the address space, in mebibytes. Below the first, not even the loader has room.
const SIZES: &[u64] = &[64, 96, 128, 192, 256, 384, 512];

/// Every size, small requests and large ones.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        // A part is every third size: a request of 8 MB takes a while to read.
        for size in SIZES.iter().step_by(if equipment.part { 3 } else { 1 }) {
            limited(equipment, *size, tally)?;
        }
        large(equipment, tally)?;
    }
    Ok(())
}

fn limited(equipment: &Equipment, size: u64, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let limit = format!("--as={}", size << 20);
    let before = ["prlimit", limit.as_str()];
    let when = format!("{size} MiB of address space");
    let mut command = arena.behind(&before, &["exec", "--", "true"]);
    let once = outcome::run(&format!("{when}: exec"), &mut command, GRACE)?;
    if once.stderr.contains("shared librar") || once.code == Some(126) && once.stderr.contains("prlimit") {
        return Ok(());
    }
    once.ends_with(&[0, 125], tally);
    let mut server = PipedServer::silent(&mut arena.behind(&before, &["mcp", "--profile", "all"]))?;
    if server.serves_or_says(&when, tally) {
        let id =
            server.send_call("execute_command", &json!({"command": "wc -c", "input": "x".repeat(8_000_000)}));
        let answered = server.answer(id, GRACE).is_some();
        tally.hold(answered, || format!("{when}: a request of 8 MB is not answered: {}", server.fate()));
        if answered {
            server.answers(&when, tally);
            server.ends_with_input(&when, tally);
        }
    }
    drop(server);
    arena.sweep(&when, tally);
    tally.round();
    Ok(())
}

/// A request that is larger than any may be is answered, and its memory comes back.
fn large(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let mut server = arena.server()?;
    let before = resident(server.pid());
    let id = server.send_call("execute_command", &json!({"command": "true", "input": "x".repeat(40 << 20)}));
    tally.hold(server.answer(id, GRACE * 3).is_some() || server.pings(GRACE), || {
        format!("a request of 40 MiB: {}", server.fate())
    });
    let back = crate::chaos::processes::comes(GRACE, || resident(server.pid()) < before + 64);
    let after = resident(server.pid());
    tally.hold(back, || format!("a request of 40 MiB: {before} MiB before, {after} MiB after"));
    tally.hold(server.text("true", GRACE).is_some_and(|answer| answer.is_fine()), || {
        format!("no call after a request of 40 MiB: {}", server.fate())
    });
    server.ends_with_input("a large request", tally);
    drop(server);
    arena.sweep("a large request", tally);
    tally.round();
    Ok(())
}
