//! Two servers of the same pid, each in a pid namespace of its own, share a state folder: both are seen.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::records::{self, text};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::json;

/// Ends with its parent, so that nothing stays.
const CONTAINER: &[&str] = &["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

/// Rounds of two.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        let arena = Arena::new(equipment)?;
        let start = || PipedServer::start(&mut arena.behind(CONTAINER, &["mcp", "--profile", "all"]));
        let mut both = [start()?, start()?];
        for (at, server) in both.iter_mut().enumerate() {
            let session = json!({"command": format!("sleep 30{at}"), "name": format!("session-{at}")});
            let id = server.send_call("start_command", &session);
            let begun = server.answer(id, GRACE).is_some_and(|answer| answer.result()["isError"] != true);
            tally.hold(begun, || format!("no session: {}", server.words()));
            records::play(server, &[at + 1], tally);
        }
        let seen = arena.run(&["ps", "--json"])?;
        let count = (0..2).filter(|at| seen.stdout.contains(&format!("session-{at}"))).count();
        tally.lost(2 - count, format!("sessions that cannot be seen: {}", seen.told()));
        for server in &mut both {
            if server.close(GRACE).is_none() {
                tally.hung("a server in a container does not end");
            }
        }
        let gone = records::missing(&arena, &[1, 2])?;
        tally.lost(gone.len(), format!("records of {}: {gone:?}", text(1)));
        records::hold(&arena, "two containers", tally)?;
        drop(both);
        arena.sweep("two containers", tally);
        tally.round();
    }
    Ok(())
}
