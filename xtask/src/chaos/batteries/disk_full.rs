//! The disk of the state folder is full or may not be written: commands run or are refused, and what is lost is told.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::mounts::{FailingDisk, SmallDisk};
use crate::chaos::records::{arrive, hold, missing, play as run_numbers, text};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;

const BYTES: u64 = 8 << 20;

/// What happens to the disk, and when.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for required in [false, true] {
            becomes_full(equipment, required, true, tally)?;
            becomes_full(equipment, required, false, tally)?;
            becomes_read_only(equipment, required, tally)?;
            at_start(equipment, "full", required, tally)?;
            at_start(equipment, "read-only", required, tally)?;
        }
    }
    Ok(())
}

/// The numbers that ran although the disk is spoiled.
fn spoiled(server: &mut PipedServer, when: &str, required: bool, tally: &mut Tally) -> Vec<usize> {
    let mut ran = Vec::new();
    for number in 11..16 {
        match server.text(&text(number), GRACE) {
            None => tally.hung(format!("{when}: a call is not answered: {}", server.fate())),
            Some(answer) if answer.is_fine() => ran.push(number),
            Some(answer) => {
                let refused = required && answer.words().contains("journal.");
                tally.hold(refused, || format!("{when}: {}", answer.words()));
            }
        }
    }
    ran
}

/// A server that has recorded three commands.
fn begun(arena: &Arena<'_>, when: &str, tally: &mut Tally) -> Result<PipedServer, String> {
    let mut server = arena.server()?;
    run_numbers(&mut server, &[1, 2, 3], tally);
    tally.hold(arrive(arena, &[1, 2, 3]), || format!("{when}: three commands are not recorded before"));
    Ok(server)
}

fn becomes_full(equipment: &Equipment, required: bool, heals: bool, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.configure(&format!("[journal]\nrequired = {required}\n"))?;
    let disk = SmallDisk::new(&arena.state(), BYTES)?;
    let when = format!("the disk becomes full while running, required {required}, heals {heals}");
    let mut server = begun(&arena, &when, tally)?;
    disk.fill();
    let mut ran = spoiled(&mut server, &when, required, tally);
    if heals {
        disk.empty();
        ran.extend(run_numbers(&mut server, &[21, 22], tally));
    }
    server.ends_with_input(&when, tally);
    let words = server.words();
    disk.empty();
    accounts(&arena, &ran, &when, &words, tally)?;
    drop(server);
    arena.sweep(&when, tally);
    tally.round();
    Ok(())
}

fn becomes_read_only(equipment: &Equipment, required: bool, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.configure(&format!("[journal]\nrequired = {required}\n"))?;
    let disk = FailingDisk::new(&arena.join("image"), &arena.state(), BYTES)?;
    let when = format!("the disk fails and becomes read-only while running, required {required}");
    let mut server = begun(&arena, &when, tally)?;
    disk.fail()?;
    let ran = spoiled(&mut server, &when, required, tally);
    server.ends_with_input(&when, tally);
    let words = server.words();
    drop(server);
    arena.sweep(&when, tally);
    disk.mend()?;
    accounts(&arena, &ran, &when, &words, tally)?;
    tally.round();
    Ok(())
}

/// What ran is in the journal, or it is told that it is not, and how many.
fn accounts(arena: &Arena<'_>, ran: &[usize], when: &str, words: &str, tally: &mut Tally) -> ChoreResult {
    let gone = missing(arena, ran)?;
    let told = words.chars().any(|letter| letter.is_ascii_digit()) && words.contains("record");
    if !gone.is_empty() && !told {
        tally.lost(
            gone.len(),
            format!("{when}: ran, are not recorded, and no number was told: {gone:?}; {words}"),
        );
    }
    let early = missing(arena, &[1, 2, 3])?;
    tally.lost(early.len(), format!("{when}: recorded before and gone: {early:?}"));
    hold(arena, when, tally)
}

fn at_start(equipment: &Equipment, how: &str, required: bool, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.configure(&format!("[journal]\nrequired = {required}\n"))?;
    let disk = SmallDisk::new(&arena.state(), BYTES)?;
    if how == "full" {
        disk.fill();
    } else {
        disk.read_only()?;
    }
    let when = format!("the disk is {how} at the start, required {required}");
    let mut server = PipedServer::silent(&mut arena.runward(&["mcp", "--profile", "all"]))?;
    if server.greet(GRACE) {
        let ran = spoiled(&mut server, &when, required, tally);
        let closed = server.close(GRACE);
        tally.hold(closed.is_some(), || format!("{when}: the server does not end"));
        let words = server.words();
        tally.hold(ran.is_empty() || words.contains("record") || words.contains("journal"), || {
            format!("{when}: {} commands ran and nothing was said: {words}", ran.len())
        });
        tally.hold(!required || ran.is_empty(), || format!("{when}: {} commands ran", ran.len()));
    } else {
        let fate = server.fate();
        tally.hold(required && fate.contains("125"), || format!("{when}: {fate}"));
    }
    let once = arena.run(&["exec", "--", "true"])?;
    once.ends_with(if required { &[125] } else { &[0] }, tally);
    tally.hold(required || once.stderr.contains("record") || once.stderr.contains("journal"), || {
        format!("{when}: not recorded, and nothing was said: {}", once.told())
    });
    drop(server);
    arena.sweep(&when, tally);
    drop(disk);
    tally.round();
    Ok(())
}
