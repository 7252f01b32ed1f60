//! Whether a session costs the same beside 5000 others as alone.

use crate::alive::{Alive, MORE};
use std::ffi::OsStr;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use testkit::measure::{Amount, Plan, ResultRow, TargetSide};

const NUMBERS: [u32; 5] = [1, 10, 100, 1000, 5000];

/// Enough for ten of them in each session.
const FILES: u32 = 50_000;

pub(crate) fn rows(_: &Plan) -> Vec<ResultRow> {
    ["pipes", "terminals"].into_iter().flat_map(of_kind).collect()
}

fn of_kind(kind: &str) -> Vec<ResultRow> {
    let mut all: Vec<(u32, Alive)> = Vec::new();
    for number in NUMBERS {
        // Who looks at a session keeps one more open.
        let each = all.last().map_or(1.0, |(_, alive)| alive.files.ceil() + 1.0);
        let number = number.min(terminals(kind));
        all.push((number, alive(number, number.div_ceil(room(each)), kind)));
    }
    let curve = |what: &str, target: TargetSide, of: &dyn Fn(&Alive) -> Amount| {
        let points = all.iter().map(|(number, alive)| (*number, of(alive))).collect();
        ResultRow::curve(&format!("{what} ({kind})"), "sessions", target, points)
    };
    let time = |micros: f64| Amount::Time(Duration::from_secs_f64(micros / 1e6));
    vec![
        curve("our memory for one session", TargetSide::Flat(2.0), &|alive| Amount::Bytes(alive.memory)),
        curve("its warden's memory", TargetSide::ToKnow, &|alive| Amount::Bytes(alive.warden)),
        curve("open files for one session", TargetSide::ToKnow, &|alive| Amount::Number(alive.files)),
        curve("start one more", TargetSide::ToKnow, &|alive| time(alive.start)),
        curve("find one and read it", TargetSide::Flat(2.0), &|alive| time(alive.read[0])),
        curve("find each in turn and read it", TargetSide::ToKnow, &|alive| time(alive.read[1])),
        curve("a line to one and its answer", TargetSide::ToKnow, &|alive| time(alive.echo[0])),
        curve("a line to each in turn and its answer", TargetSide::ToKnow, &|alive| time(alive.echo[1])),
        curve("we wake up, all idle", TargetSide::Flat(1.0), &|alive| Amount::PerSecond(alive.wakes[0])),
        curve("wardens wake up, all idle", TargetSide::Flat(1.0), &|alive| Amount::PerSecond(alive.wakes[1])),
    ]
}

/// Lets a process open enough files, or as many as it may.
const RAISE: &str = "ulimit -n FILES 2>/dev/null || ulimit -n $(ulimit -Hn)";

/// How many sessions a process can have, if each takes so many files.
fn room(each: f64) -> u32 {
    let said = shell("ulimit -n", &[]).output().expect("it runs");
    let files: f64 =
        std::str::from_utf8(&said.stdout).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(1e6);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sessions")]
    let room = ((files - 400.0) / each) as u32;
    room.saturating_sub(u32::try_from(MORE).unwrap_or(u32::MAX)).max(1)
}

/// How many terminals there can be, with some left to others. Pipes need none.
fn terminals(kind: &str) -> u32 {
    const FEW: u32 = 100;
    let most = std::fs::read_to_string("/proc/sys/kernel/pty/max").ok();
    let most = most.filter(|_| kind == "terminals").and_then(|text| text.trim().parse::<u32>().ok());
    most.map_or(u32::MAX, |most| most.saturating_sub(FEW).max(1))
}

/// So many sessions, shared by so many processes; one of them measures while the others hold theirs.
fn alive(number: u32, processes: u32, kind: &str) -> Alive {
    let share = number.div_ceil(processes);
    let held = (1..processes).map(|_| hold(share, kind)).collect::<Vec<_>>();
    let said = process(number - share * (processes - 1), kind, "measure").output().expect("it runs");
    held.into_iter().for_each(end);
    let complained = runward_engine::core::output::escaped(&said.stderr);
    serde_json::from_slice(&said.stdout)
        .unwrap_or_else(|error| panic!("{number} {kind}: {error}: {complained}"))
}

/// A process with sessions that all stay alive until its input ends.
fn hold(number: u32, kind: &str) -> Child {
    let mut holder = process(number, kind, "hold");
    let mut holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let said = holder.stdout.as_mut().map(|said| said.read(&mut [0]));
    assert!(matches!(said, Some(Ok(1))), "{number} {kind} could not be held");
    holder
}

fn end(mut holder: Child) {
    drop(holder.stdin.take());
    assert!(holder.wait().is_ok_and(|status| status.success()), "what was held did not end well");
}

fn process(number: u32, kind: &str, job: &str) -> Command {
    let me = std::env::current_exe().expect("our own file");
    let number = number.to_string();
    shell(
        "exec \"$0\" \"$@\"",
        &[me.as_os_str(), "alive".as_ref(), number.as_ref(), kind.as_ref(), job.as_ref()],
    )
}

fn shell(line: &str, words: &[&OsStr]) -> Command {
    #[expect(clippy::disallowed_methods, reason = "a benchmark stands outside the house and looks in")]
    let mut command = Command::new("/bin/sh");
    let raise = RAISE.replace("FILES", &FILES.to_string());
    command.arg("-c").arg(format!("{raise}; {line}")).args(words);
    command
}
