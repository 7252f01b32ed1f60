//! A container that forbids system calls: told or worked around, never a false time limit, never a hang.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;

/// What runtimes of containers and older kernels are known to lack or forbid, and what Runward may want.
const CALLS: &[&str] = &[
    "clone3",
    "signalfd4",
    "ppoll",
    "pidfd_open",
    "pidfd_send_signal",
    "socketpair",
    "close_range",
    "openat2",
    "memfd_create",
    "execveat",
    "eventfd2",
    "epoll_create1",
    "epoll_pwait2",
    "timerfd_create",
    "prctl",
    "statx",
    "landlock_create_ruleset",
    "seccomp",
    "unshare",
    "inotify_init1",
    "fallocate",
    "membarrier",
    "rseq",
    "getrandom",
    "sched_getaffinity",
    "prlimit64",
    "renameat2",
    "faccessat2",
    "flock",
    "waitid",
];

/// Each call, forbidden and unknown.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for call in CALLS {
            for answer in ["EPERM", "ENOSYS"] {
                forbidden(equipment, call, answer, tally)?;
            }
        }
    }
    Ok(())
}

fn forbidden(equipment: &Equipment, call: &str, answer: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let (fixture, rule) = (equipment.program("runward-fixture"), format!("{call}={answer}"));
    let before = [fixture.as_str(), "forbid", &rule, "--"];
    let mut command = arena.behind(&before, &["exec", "--json", "--", "echo", "here"]);
    let once = outcome::run(&format!("{rule}: exec"), &mut command, GRACE)?;
    if once.ends_with(&[0, 125], tally) {
        let false_words =
            once.stdout.contains("\"timed_out\":true") || once.stdout.contains("\"timed_out\": true");
        tally.hold(!false_words, || format!("a false time limit: {}", once.told()));
        let came = once.code != Some(0) || once.stdout.contains("here");
        tally.hold(came, || format!("the output is gone: {}", once.told()));
        let named = once.code != Some(125)
            || once.words().contains(call.trim_end_matches(|c: char| c.is_ascii_digit()));
        tally.hold(named, || format!("the call is not named: {}", once.told()));
    }
    let mut server = PipedServer::silent(&mut arena.behind(&before, &["mcp", "--profile", "all"]))?;
    if server.serves_or_says(&rule, tally) {
        match server.text("echo here", GRACE) {
            None => tally.hung(format!("{rule}: a call is not answered: {}", server.fate())),
            Some(answer) => {
                tally.hold(!answer.words().contains("imed out"), || format!("{rule}: {}", answer.words()));
            }
        }
        server.ends_with_input(&rule, tally);
    }
    drop(server);
    arena.sweep(&rule, tally);
    tally.round();
    Ok(())
}
