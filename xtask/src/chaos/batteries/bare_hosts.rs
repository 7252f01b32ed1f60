//! Hosts where something is missing that is everywhere else: words that are about it, and never a panic or a hang.

use crate::ChoreResult;
use crate::chaos::arena::{Arena, Equipment};
use crate::chaos::outcome;
use crate::chaos::server::GRACE;
use crate::chaos::tally::Tally;
use std::process::Stdio;

/// What is done to the host before the program begins: a name, and text for a shell that then becomes the program.
const HOSTS: &[(&str, &str)] = &[
    ("no /proc", "umount -l /proc"),
    ("no /dev", "mount -t tmpfs tmpfs /dev"),
    ("no /tmp", "mount -t tmpfs -o ro,mode=000 tmpfs /tmp"),
    ("no /sys", "umount -l /sys"),
    ("a read-only root", "mount -o remount,ro,bind / || mount -o remount,ro /"),
    ("no working directory", "mkdir gone && cd gone && rmdir ../gone"),
    ("no PATH", "unset PATH"),
];

/// Users that no list of users has.
const FIRST_USER: u32 = 62_100;

/// Verbs that anybody calls.
const VERBS: &[&[&str]] = &[
    &["--version"],
    &["--help"],
    &["exec", "--", "/bin/true"],
    &["exec", "--shell", "true"],
    &["doctor"],
    &["log"],
    &["ps"],
    &["resolve", "sh"],
    &["config", "show"],
    &["explain", "--", "true"],
];

/// Every host, every way to have no home, every closed stream.
pub(crate) fn play(equipment: &Equipment, rounds: u32, tally: &mut Tally) -> ChoreResult {
    for _ in 0..rounds {
        for (name, text) in HOSTS {
            host(equipment, name, text, tally)?;
        }
        homes(equipment, tally)?;
        streams(equipment, tally)?;
    }
    Ok(())
}

fn host(equipment: &Equipment, name: &str, text: &str, tally: &mut Tally) -> ChoreResult {
    let arena = Arena::new(equipment)?;
    let script = format!("{{ {text}; }} 2>/dev/null; exec \"$@\"");
    for words in VERBS {
        let before = ["unshare", "--mount", "sh", "-c", &script, "sh"];
        let what = format!("{name}: {}", words.join(" "));
        let said = outcome::run(&what, &mut arena.behind(&before, words), GRACE)?;
        // Without folders to look in, no program is found; that is the right word.
        said.ends_with(if *name == *"no PATH" { &[0, 125, 127] } else { &[0, 125] }, tally);
        once_only(&said.stderr, &what, tally);
        tally.round();
    }
    arena.sweep(name, tally);
    Ok(())
}

/// The same sentence is not said again and again.
fn once_only(words: &str, what: &str, tally: &mut Tally) {
    let lines: Vec<_> = words.lines().filter(|line| line.len() > 20).collect();
    let twice = lines.iter().enumerate().find(|(at, line)| lines[..*at].contains(line));
    tally.hold(twice.is_none(), || format!("{what}: said twice: {words}"));
}

/// A user that the host does not know, and without a home: the journal is somewhere else, which is told.
fn homes(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    for home in [None, Some(""), Some("relative/home"), Some("/proc/nowhere"), Some("/dev/null")] {
        let arena = Arena::new(equipment)?;
        let (temporary, user) = (arena.join("tmp"), FIRST_USER + equipment.number());
        std::fs::create_dir(&temporary).map_err(|error| format!("no folder: {error}"))?;
        arena.give_to(user)?;
        let user = [format!("--reuid={user}"), format!("--regid={user}")];
        let homeless = |words: &[&str]| {
            let mut command = arena.behind(&["setpriv", &user[0], &user[1], "--clear-groups"], words);
            command.env_remove("RUNWARD_STATE_DIR").env_remove("RUNWARD_CONFIG").env("TMPDIR", &temporary);
            command.env_remove("HOME").envs(home.map(|home| ("HOME", home)));
            outcome::run(&format!("home {home:?}: {}", words.join(" ")), &mut command, GRACE)
        };
        let once = homeless(&["exec", "--", "true"])?;
        once.ends_with(&[0, 125], tally);
        tally.hold(!once.stderr.trim().is_empty(), || format!("nothing is said: {}", once.told()));
        homeless(&["log"])?.ends_with(&[0, 125], tally);
        let when = format!("home {home:?}");
        arena.sweep_work(&when, tally);
        arena.sweep(&when, tally);
        tally.round();
    }
    Ok(())
}

/// Streams that are closed when the program begins.
fn streams(equipment: &Equipment, tally: &mut Tally) -> ChoreResult {
    for closed in ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"] {
        let arena = Arena::new(equipment)?;
        for words in
            [&["exec", "--", "true"][..], &["exec", "--", "echo", "x"], &["--version"], &["log"], &["mcp"]]
        {
            let script = format!("exec \"$@\" {closed}");
            let what = format!("{closed}: {}", words.join(" "));
            let mut command = arena.behind(&["sh", "-c", &script, "sh"], words);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let said = outcome::finish(&what, &mut command, GRACE)?;
            if said.is_sound(tally) {
                tally.hold(matches!(said.code, Some(0 | 125)), || said.told());
            }
            tally.round();
        }
        arena.sweep(closed, tally);
    }
    Ok(())
}
