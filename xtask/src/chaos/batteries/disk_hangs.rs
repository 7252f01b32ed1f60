//! A file system that hangs: commands end at their limits, pings and ends are answered, other calls go on.
//!
//! May not look at the mount itself while it is stopped.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::mounts::StoppableMount;
use crate::chaos::processes::{comes, line};
use crate::chaos::records::{arrive, missing, play as run_numbers, text};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use serde_json::json;
use std::fs;

/// Each way of ending, required or not, then folders of a call.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        state(equipment, "input", false, tally)?;
        state(equipment, "TERM", true, tally)?;
        if !equipment.part {
            state(equipment, "input", true, tally)?;
            state(equipment, "TERM", false, tally)?;
        }
        at_start(equipment, tally)?;
        folder(equipment, tally)?;
    }
    Ok(())
}

/// The mount and the place it is for. Taken apart in this order, the mount goes first.
struct HangingPlace<'e> {
    arena: Arena<'e>,
    mount: StoppableMount,
}

impl<'e> HangingPlace<'e> {
    fn new(equipment: &'e Equipment, at: &str) -> Result<Self, String> {
        let arena = Arena::new(equipment)?;
        let mount = StoppableMount::new(&arena, at)?;
        Ok(Self { arena, mount })
    }
}

fn state(equipment: &Equipment, end: &str, required: bool, tally: &mut Tally) -> ChoreResult {
    let HangingPlace { arena, mount } = HangingPlace::new(equipment, "state")?;
    arena.configure(&format!("[journal]\nrequired = {required}\n"))?;
    let when = format!("the state folder hangs, end by {end}, required {required}");
    let mut server = arena.server()?;
    run_numbers(&mut server, &[1, 2], tally);
    tally.hold(arrive(&arena, &[1, 2]), || format!("{when}: two commands are not recorded before"));
    let limited = |command: &str| json!({"command": command, "timeout_ms": 2000});
    let fixture = equipment.program("runward-fixture");
    let sleeps = server.send_call("execute_command", &limited("sleep 60"));
    let prints =
        server.send_call("execute_command", &limited(&format!("sleep 1; {fixture} spew 8000000; sleep 60")));
    let sleeping = || arena.processes().iter().filter(|pid| line(**pid).starts_with("sleep ")).count() >= 2;
    tally.hold(comes(GRACE, sleeping), || format!("{when}: two commands do not run: {}", server.words()));
    mount.stop();
    let ran = while_it_hangs(&mut server, &when, required, tally);
    for (id, what) in [(sleeps, "sleeps"), (prints, "prints")] {
        match server.answer(id, GRACE) {
            None => tally.hung(format!("{when}: a command that {what} is not ended at its limit")),
            Some(answer) => {
                tally.hold(answer.words().contains("imed"), || format!("{when}: {}", answer.words()));
            }
        }
    }
    if end == "input" {
        drop(server.take_input());
    } else {
        server.signal(end);
    }
    if !server.is_heard_to_end(GRACE) {
        tally.hung(format!("{when}: the server does not end: {}", server.words()));
    }
    let words = server.words();
    mount.go_on();
    if server.ends(GRACE).is_none() {
        tally.hung(format!("{when}: the server does not end although the disk goes on: {words}"));
    }
    arrive(&arena, &ran);
    let gone = missing(&arena, &ran)?;
    let told = words.contains("record") || words.contains("journal");
    if required || !told {
        tally.lost(gone.len(), format!("{when}: ran and are not recorded: {gone:?}; {words}"));
    }
    crate::chaos::records::hold(&arena, &when, tally)?;
    drop(server);
    arena.sweep(&when, tally);
    drop(mount);
    tally.round();
    Ok(())
}

/// Pings and calls are answered. Gives the numbers that ran.
fn while_it_hangs(server: &mut PipedServer, when: &str, required: bool, tally: &mut Tally) -> Vec<usize> {
    let mut ran = vec![1, 2];
    for number in 11..14 {
        if !server.pings(GRACE) {
            tally.hung(format!("{when}: a ping is not answered"));
        }
        match server.text(&text(number), GRACE) {
            None => tally.hung(format!("{when}: a call is not answered")),
            Some(answer) if answer.is_fine() => ran.push(number),
            Some(answer) => {
                let refused = required && answer.words().contains("journal.");
                tally.hold(refused, || format!("{when}: {}", answer.words()));
            }
        }
    }
    ran
}

/// The state folder hangs before anything begins.
fn at_start(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let HangingPlace { arena, mount } = HangingPlace::new(equipment, "state")?;
    mount.stop();
    let when = "the state folder hangs at the start";
    let mut server = PipedServer::silent(&mut arena.runward(&["mcp", "--profile", "all"]))?;
    if !server.greet(GRACE) {
        tally.hung(format!("{when}: {}", server.fate()));
    } else if server.text(&text(1), GRACE).is_none() {
        tally.hung(format!("{when}: a call is not answered: {}", server.fate()));
    }
    drop(server.take_input());
    if !server.is_heard_to_end(GRACE) {
        tally.hung(format!("{when}: the server does not end"));
    }
    arena.run(&["exec", "--", "true"])?.ends_with(&[0, 125], tally);
    mount.go_on();
    drop(server);
    arena.sweep(when, tally);
    drop(mount);
    tally.round();
    Ok(())
}

/// A working directory and a program on a mount that hangs: those calls fail with words, others go on.
fn folder(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let HangingPlace { arena, mount } = HangingPlace::new(equipment, "away")?;
    let away = arena.join("away");
    let copied =
        fs::create_dir(away.join("inner")).and_then(|()| fs::copy("/bin/true", away.join("program")));
    copied.map_err(|error| format!("the mount cannot be written: {error}"))?;
    let mut server = arena.server()?;
    run_numbers(&mut server, &[1], tally);
    mount.stop();
    let inner = away.join("inner").display().to_string();
    let calls = [
        ("a working directory", json!({"command": "true", "cwd": inner, "timeout_ms": 3000})),
        ("a program", json!({"command": away.join("program").display().to_string(), "timeout_ms": 3000})),
        ("a folder inside the text", json!({"command": format!("cd {inner} && true"), "timeout_ms": 3000})),
    ];
    for (what, call) in calls {
        let id = server.send_call("execute_command", &call);
        if !server.pings(GRACE) {
            tally.hung(format!("{what} hangs: a ping is not answered"));
        }
        if server.text("true", GRACE).is_none() {
            tally.hung(format!("{what} hangs: another call is not answered"));
        }
        // Its own limit is 3 s.
        match server.answer(id, GRACE + GRACE) {
            None => tally.hung(format!("{what} hangs: its call is not answered")),
            Some(answer) => tally.hold(!answer.is_fine(), || format!("{what} hangs: {}", answer.words())),
        }
        tally.round();
    }
    drop(server.take_input());
    if !server.is_heard_to_end(GRACE) {
        tally.hung("a folder hangs: the server does not end");
    }
    mount.go_on();
    drop(server);
    arena.sweep("a folder hangs", tally);
    drop(mount);
    Ok(())
}
