//! The deadline of a hook: a client runs the command when its hook hangs, so the hook ends itself before that, with a no.
//!
//! The race: the deadline and the answer come at once. Whoever takes the turn first speaks, and nobody after; an answer
//! that is ready too late (the process was stopped, and goes on) is not given. May not be used for anything that may
//! take longer, but with an extension.

use crate::hook::{ClientWords, HookClient, failure};
use runward::host::{let_go_of_streams, say_to_somebody};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a hook may think.
const THINKING: Duration = Duration::from_secs(2);

/// The deadline of this process.
#[derive(Debug, Clone)]
pub(super) struct HookClock(Arc<ClockFace>);

#[derive(Debug)]
struct ClockFace {
    begun: Instant,
    /// Milliseconds after the beginning.
    until: AtomicU64,
    answered: AtomicBool,
    client: HookClient,
    /// The words where the deadline is missed, if they are not a no.
    lenient: OnceLock<ClientWords>,
}

impl HookClock {
    /// Starts it.
    pub(super) fn start(client: HookClient) -> std::io::Result<Self> {
        let clock = Self(Arc::new(ClockFace {
            begun: Instant::now(),
            until: AtomicU64::new(millis(THINKING)),
            answered: AtomicBool::new(false),
            client,
            lenient: OnceLock::new(),
        }));
        let own = clock.clone();
        std::thread::Builder::new().name("deadline".to_owned()).spawn(move || own.watch())?;
        Ok(clock)
    }

    fn left(&self) -> Duration {
        Duration::from_millis(self.0.until.load(Ordering::Acquire)).saturating_sub(self.0.begun.elapsed())
    }

    fn watch(&self) {
        loop {
            let left = self.left();
            if left.is_zero() {
                break;
            }
            std::thread::sleep(left);
        }
        if !self.0.answered.swap(true, Ordering::AcqRel) {
            std::process::exit(put(&self.too_late()));
        }
    }

    fn too_late(&self) -> ClientWords {
        let seconds = self.0.until.load(Ordering::Acquire) / 1000;
        let no = || failure(self.0.client, &format!("it took longer than {seconds} s"));
        self.0.lenient.get().cloned().unwrap_or_else(no)
    }

    /// A person is waited for.
    pub(super) fn extend(&self, by: Duration) {
        self.0.until.fetch_add(millis(by), Ordering::AcqRel);
    }

    /// From now on a missed deadline is told in these words.
    pub(super) fn lenient(&self, words: ClientWords) {
        // Said once.
        let _ = self.0.lenient.set(words);
    }

    /// Gives the answer, unless it comes too late. Gives the exit status.
    pub(super) fn answer(&self, words: ClientWords) -> i32 {
        if self.0.answered.swap(true, Ordering::AcqRel) {
            // The deadline has spoken, and ends this process.
            loop {
                std::thread::park();
            }
        }
        let words = if self.left().is_zero() { self.too_late() } else { words };
        put(&words)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Says it. An answer that cannot be written is a no, and then stands on standard error.
pub(super) fn put(words: &ClientWords) -> i32 {
    let line = |text: &str| if text.is_empty() { String::new() } else { format!("{text}\n") };
    let answer = line(&words.stdout);
    let written = if answer.is_empty() { Ok(()) } else { say_to_somebody(answer.as_bytes()) };
    let (stderr, code) = match written {
        Ok(()) => (line(&words.stderr), words.code),
        Err(error) => (format!("runward: the hook could not answer: {error} [hook.failed]\n{answer}"), 2),
    };
    // Where standard error is closed, the exit status alone has to do.
    let _ = std::io::stderr().write_all(stderr.as_bytes());
    let_go_of_streams();
    code
}
