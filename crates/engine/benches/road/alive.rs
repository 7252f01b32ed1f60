//! One measurement of many sessions that are alive at once, in a process of its own: memory that others left
//! behind would hide what these take. More than one process has files for are held by several, and one of them measures.

use crate::spawn::{engine, one_thread};
use runward_engine::core::spec::StdinSpec;
use runward_engine::registry::{
    Live, OutputPattern, ReadAsk, SessionOwner, SessionRules, Sessions, StartedSession, Until,
};
use runward_engine::{CommandSpec, Terminal, Wish};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};
use testkit::measure::median;
use testkit::process::{open_files, own, resident, switches, wardens};
use tokio::runtime::Runtime;

/// What so many sessions cost.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Alive {
    /// Bytes of our memory for each.
    pub(crate) memory: i64,
    /// Bytes that the warden of each has for itself.
    pub(crate) warden: i64,
    /// Files that we have open for each.
    pub(crate) files: f64,
    /// Microseconds to start one more.
    pub(crate) start: f64,
    /// Microseconds to find one and read it, when it has printed nothing new: always the same, and each in turn.
    pub(crate) read: [f64; 2],
    /// Microseconds to write a line to one and have its answer: always the same, and each in turn.
    pub(crate) echo: [f64; 2],
    /// How often we wake up in a second while nothing happens, and how often the wardens do.
    pub(crate) wakes: [f64; 2],
}

const WINDOW: Duration = Duration::from_secs(2);
const READS: usize = 2000;
const ECHOES: usize = 300;
/// Sessions that are started beside those that are alive, to time it.
pub(crate) const MORE: usize = 30;

/// `road alive NUMBER pipes|terminals measure|hold`: measures, and prints one line; or prints an empty one once all are
/// alive, and holds them until its input ends.
pub(crate) fn main(words: &[String]) {
    let number = words[0].parse().expect("a number of sessions");
    let terminal = match words[1].as_str() {
        "terminals" => Terminal::Pty { rows: 24, cols: 80 },
        _ => Terminal::Pipes,
    };
    let house = House::open(number, terminal);
    if words[2] == "hold" {
        house.rest();
        println!();
        house.hold();
    } else {
        println!("{}", serde_json::to_string(&house.measure()).expect("numbers"));
    }
    // Everything ends with us: that is a promise, and shorter than asking each.
    std::process::exit(0);
}

fn me() -> SessionOwner {
    SessionOwner::named("a benchmark")
}

struct House {
    runtime: Runtime,
    sessions: Sessions,
    all: Vec<Live>,
    before: (i64, usize),
    terminal: Terminal,
}

impl House {
    fn open(number: usize, terminal: Terminal) -> Self {
        let runtime = one_thread();
        let rules = SessionRules { running: number + MORE + 1, ..SessionRules::default() };
        let sessions = Sessions::new(engine(), rules);
        // The first one touches what was never touched before, which is no cost of the others.
        let first = runtime.block_on(start(&sessions, terminal));
        runtime.block_on(echo(&first, 0));
        first.stop(runward_engine::Signal::TERM);
        runtime.block_on(first.ended());
        let before = (resident(std::process::id()), open_files(std::process::id()));
        let all = (0..number).map(|_| runtime.block_on(start(&sessions, terminal))).collect();
        Self { runtime, sessions, all, before, terminal }
    }

    fn measure(self) -> Alive {
        let (me, count) = (std::process::id(), self.all.len());
        self.rest();
        let each = i64::try_from(count).expect("not so many");
        let memory = (resident(me) - self.before.0) / each;
        let wardens = wardens(me);
        let warden = wardens.iter().map(|pid| own(*pid)).sum::<i64>() / each;
        let wakes = self.wakes(&wardens);
        Alive {
            memory,
            warden,
            #[expect(clippy::cast_precision_loss, reason = "nobody has so many files open")]
            files: (open_files(me) - self.before.1) as f64 / count as f64,
            read: [self.read(self.same(READS)), self.read(self.each(READS))],
            echo: [self.echo(self.same(ECHOES), 0), self.echo(self.each(ECHOES), ECHOES)],
            wakes,
            // Last, because it adds to those that are alive.
            start: self.start(),
        }
    }

    /// Serves them until the measurement is done.
    fn hold(&self) {
        let (done, wait) = tokio::sync::oneshot::channel();
        std::thread::spawn(move || {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            let _ = done.send(());
        });
        let _ = self.runtime.block_on(wait);
    }

    fn start(&self) -> f64 {
        let mut more = Vec::new();
        let mut times: Vec<Duration> = (0..MORE)
            .map(|_| {
                let begun = Instant::now();
                more.push(self.runtime.block_on(start(&self.sessions, self.terminal)));
                begun.elapsed()
            })
            .collect();
        micros(median(&mut times))
    }

    /// Lets everything happen that has begun.
    fn rest(&self) {
        let asleep = || self.runtime.block_on(async { tokio::time::sleep(Duration::from_millis(500)).await });
        let mut last = 0;
        testkit::until("all have begun to wait", || {
            asleep();
            let now = wardens(std::process::id()).iter().map(|pid| switches(*pid)).sum();
            std::mem::replace(&mut last, now) == now
        });
    }

    /// Counted on a thread of its own, with ours in the loop where it waits.
    fn wakes(&self, wardens: &[u32]) -> [f64; 2] {
        let pids = wardens.to_vec();
        let me = std::process::id();
        let count = move || {
            let ours = switches_of_main(me);
            (ours, pids.iter().map(|pid| switches(*pid)).sum::<u64>())
        };
        let (done, wait) = tokio::sync::oneshot::channel();
        let watcher = std::thread::spawn(move || {
            // The loop has to have begun to wait.
            std::thread::sleep(Duration::from_millis(300));
            let before = count();
            std::thread::sleep(WINDOW);
            let after = count();
            let _ = done.send(());
            [after.0 - before.0, after.1 - before.1]
        });
        self.runtime.block_on(wait).expect("told");
        let often = |times: u64| f64::from(u32::try_from(times).unwrap_or(u32::MAX)) / WINDOW.as_secs_f64();
        watcher.join().expect("counted").map(often)
    }

    fn read<'a>(&self, picked: impl Iterator<Item = &'a Live>) -> f64 {
        let ask = ReadAsk { timeout: Duration::ZERO, ..ReadAsk::default() };
        let ids: Vec<String> = picked.map(Live::id).collect();
        let mut times: Vec<Duration> = ids
            .iter()
            .map(|id| {
                let begun = Instant::now();
                let live = self.sessions.find(&me(), id).expect("it is there");
                std::hint::black_box(self.runtime.block_on(live.read(&ask)));
                begun.elapsed()
            })
            .collect();
        micros(median(&mut times))
    }

    /// Lines are numbered on from `first`: none may be taken for an earlier one.
    fn echo<'a>(&self, picked: impl Iterator<Item = &'a Live>, first: usize) -> f64 {
        let mut times: Vec<Duration> = picked
            .enumerate()
            .map(|(number, live)| {
                let begun = Instant::now();
                self.runtime.block_on(echo(live, first + number));
                begun.elapsed()
            })
            .collect();
        micros(median(&mut times))
    }

    /// One of them, over and over: what it costs beside the others.
    fn same(&self, times: usize) -> impl Iterator<Item = &Live> {
        std::iter::repeat_n(&self.all[self.all.len() / 2], times)
    }

    /// So many of them, spread over all: none of what it takes is at hand, as it is where there is but one.
    fn each(&self, times: usize) -> impl Iterator<Item = &Live> {
        (0..times).map(|turn| &self.all[turn.wrapping_mul(7919) % self.all.len()])
    }
}

/// The thread that counts wakes up as well, and is not the one that is asked about.
fn switches_of_main(pid: u32) -> u64 {
    testkit::process::switches_of_thread(pid, pid)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

async fn start(sessions: &Sessions, terminal: Terminal) -> Live {
    let mut spec = CommandSpec::exec(Path::new("/bin/cat"));
    spec.stdin = StdinSpec::Open;
    spec.limits.wall = Wish::Off;
    spec.terminal = terminal;
    match sessions.start(&me(), spec, None).await {
        Ok(StartedSession::Running(live)) => live,
        other => panic!("did not start: {other:?}"),
    }
}

async fn echo(live: &Live, number: usize) {
    let line = format!("line {number}\n");
    let answered = Until::Output(OutputPattern::new(&format!("line {number}\\b")).expect("a pattern"));
    live.write(line.into_bytes()).await.expect("it reads");
    live.wait(&answered, Duration::from_secs(10)).await;
}
