//! The journal is removed, in whole or in part, under a running server and between two.
//!
//! May not accept "no commands" where there were some, nor a command that ran and is missing without a word.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::records::{arrive, missing, play as run_numbers, text, word};
use crate::chaos::server::{GRACE, PipedServer};
use crate::chaos::tally::Tally;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What is taken.
const WHAT: &[&str] = &["", "journal", "journal/journal.db", "journal/head"];

/// What becomes of a folder.
const FOLDERS: &[&str] =
    &["deleted", "renamed", "replaced by an empty folder", "replaced by a file", "replaced by a fifo"];

/// What becomes of a file.
const FILES: &[&str] = &[
    "deleted",
    "renamed",
    "cut to nothing",
    "cut in half",
    "replaced by garbage",
    "replaced by a folder",
    "replaced by a fifo",
];

/// Commands before and after.
const BEFORE: [usize; 5] = [1, 2, 3, 4, 5];
const AFTER: [usize; 4] = [11, 12, 13, 14];

/// Every way, with and without `journal.required`, running and not.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        let ways = WHAT.iter().flat_map(|what| {
            let all = if what.contains('/') { FILES } else { FOLDERS };
            all.iter().map(move |how| (*what, *how))
        });
        for (at, (what, how)) in ways.enumerate() {
            // A part is every way once, a whole run is every way in every case.
            let wants = |case: usize| !equipment.part || at % 3 == case;
            if wants(0) {
                running(equipment, what, how, false, tally)?;
            }
            if wants(1) {
                running(equipment, what, how, true, tally)?;
            }
            if wants(2) {
                between(equipment, what, how, tally)?;
            }
        }
        not_ours_to_read(equipment, tally)?;
        set_aside(equipment, tally)?;
    }
    Ok(())
}

fn running(equipment: &Equipment, what: &str, how: &str, required: bool, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    arena.configure(&format!("[journal]\nrequired = {required}\n"))?;
    let when = format!("`{what}` {how} under a server, required {required}");
    let mut server = arena.server()?;
    run_numbers(&mut server, &BEFORE, tally);
    tally.hold(arrive(&arena, &BEFORE), || format!("{when}: five commands are not recorded before"));
    take(&target(&arena, what), how)?;
    let ran = after(&mut server, &when, required, tally);
    if server.close(GRACE).is_none() {
        tally.hung(format!("{when}: the server does not end"));
    }
    let words = server.words();
    let gone = missing(&arena, &ran)?;
    if required {
        tally.lost(gone.len(), format!("{when}: ran and are not recorded: {gone:?}; {words}"));
    } else if !words.contains("journal") && !words.contains("record") {
        tally.lost(
            gone.len(),
            format!("{when}: ran, are not recorded, and nothing was said: {gone:?}; {words}"),
        );
    }
    tally.hold(words.contains("journal") || gone.is_empty() && is_whole(&arena)?, || {
        format!("{when}: nothing was said by the server: {words}")
    });
    asked(&arena, &when, tally)?;
    arena.sweep(&when, tally);
    tally.round();
    Ok(())
}

/// Runs the later commands. Gives those that ran.
fn after(server: &mut PipedServer, when: &str, required: bool, tally: &mut Tally) -> Vec<usize> {
    let mut ran = Vec::new();
    for number in AFTER {
        match server.text(&text(number), GRACE) {
            None => tally.hung(format!("{when}: {} is not answered: {}", word(number), server.fate())),
            Some(answer) if answer.is_fine() => ran.push(number),
            Some(answer) => {
                let refused = answer.words().contains("journal.");
                tally.hold(required && refused, || format!("{when}: {}", answer.words()));
            }
        }
    }
    ran
}

/// Whether everything is there and nothing was found.
fn is_whole(arena: &Arena<'_>) -> Result<bool, String> {
    Ok(missing(arena, &BEFORE)?.is_empty() && arena.run(&["log", "--verify"])?.code == Some(0))
}

/// The same without a server when it happens.
fn between(equipment: &Equipment, what: &str, how: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let when = format!("`{what}` {how} between two");
    let mut server = arena.server()?;
    run_numbers(&mut server, &BEFORE, tally);
    if server.close(GRACE).is_none() {
        tally.hung(format!("{when}: the server does not end"));
    }
    take(&target(&arena, what), how)?;
    // Without a state folder, or with an empty one, there is nothing left that could tell.
    let nothing_tells = matches!((what, how), (_, "deleted" | "renamed" | "replaced by an empty folder") if !what.contains('/'));
    if !nothing_tells {
        asked(&arena, &when, tally)?;
        let verified = arena.run(&["log", "--verify"])?;
        // What was not yet moved out of the write-ahead log is still whole there.
        let whole = verified.code == Some(0) && missing(&arena, &BEFORE)?.is_empty();
        tally.hold(verified.code == Some(125) || whole, || format!("{when}: {}", verified.told()));
    }
    tally.round();
    Ok(())
}

/// No way to ask says that there was nothing, unless a new journal says what became of the old one.
fn asked(arena: &Arena<'_>, when: &str, tally: &mut Tally) -> ChoreResult {
    let export = arena.run(&["log", "--export"])?;
    let told = export.stdout.contains("taken") || missing(arena, &BEFORE)?.is_empty();
    for words in [&["log"][..], &["log", "--verify"], &["log", "--stats"], &["log", "--json"]] {
        let said = arena.run(words)?;
        if !said.is_sound(tally) {
            continue;
        }
        let empty = said.words().contains("no commands");
        let silent = said.code == Some(0) && !told;
        let code = matches!(said.code, Some(0 | 125));
        tally.hold(!empty && !silent && code, || format!("{when}: {}", said.told()));
    }
    Ok(())
}

/// A journal that belongs to another user is not an empty one.
fn not_ours_to_read(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let mut server = arena.server()?;
    run_numbers(&mut server, &BEFORE, tally);
    let _ = server.close(GRACE);
    let runward = equipment.program("runward");
    for words in [&["log"][..], &["log", "--verify"], &["log", "--stats"]] {
        let user = ["setpriv", "--reuid=61001", "--regid=61001", "--clear-groups", &runward];
        let all: Vec<&str> = user.iter().chain(words).copied().collect();
        let said = crate::chaos::outcome::run(&words.join(" "), &mut arena.command(&all), GRACE)?;
        said.ends_with(&[125], tally);
        tally.hold(!said.words().contains("no commands"), || format!("not ours to read: {}", said.told()));
    }
    tally.round();
    Ok(())
}

/// A damaged journal can be set aside, and the new one names it.
fn set_aside(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let mut server = arena.server()?;
    run_numbers(&mut server, &BEFORE, tally);
    let _ = server.close(GRACE);
    take(&arena.state().join("journal/journal.db"), "cut in half")?;
    arena.run(&["log", "--set-aside"])?.ends_with(&[0], tally);
    let mut server = arena.server()?;
    run_numbers(&mut server, &AFTER, tally);
    let _ = server.close(GRACE);
    let gone = missing(&arena, &AFTER)?;
    tally.lost(gone.len(), format!("after setting aside: {gone:?}; {}", server.words()));
    arena.run(&["log", "--verify"])?.ends_with(&[0], tally);
    let export = arena.run(&["log", "--export"])?;
    tally.hold(export.stdout.contains("aside"), || format!("the new one names nothing: {}", export.told()));
    tally.round();
    Ok(())
}

/// The state folder itself, or something inside.
fn target(arena: &Arena<'_>, what: &str) -> PathBuf {
    if what.is_empty() { arena.state() } else { arena.state().join(what) }
}

fn take(path: &Path, how: &str) -> ChoreResult {
    let aside = path.with_extension("moved");
    let remove = || if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    let done = match how {
        "deleted" => remove(),
        "renamed" => fs::rename(path, aside),
        "cut to nothing" => fs::File::options().write(true).open(path).and_then(|file| file.set_len(0)),
        "cut in half" => fs::File::options().write(true).open(path).and_then(|file| {
            let len = file.metadata()?.len();
            file.set_len(len / 2)
        }),
        "replaced by garbage" => remove().and_then(|()| fs::write(path, "garbage\n".repeat(1000))),
        "replaced by a file" => remove().and_then(|()| fs::write(path, "")),
        "replaced by a fifo" => remove().map(|()| drop(Command::new("mkfifo").arg(path).status())),
        _ => remove().and_then(|()| fs::create_dir(path)),
    };
    done.map_err(|error| format!("`{}` could not be {how}: {error}", path.display()))
}
