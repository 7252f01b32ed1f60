//! A child server that was started here: messages over its input and output, the rest into its log.
//!
//! It travels the road like every command: resolved, judged, limited, killed whole. What it prints that is no message
//! is a line in its log and harms nobody. May not know what a message means.

use super::child::Process;
use super::config::Launch;
use super::talk::{self, Said};
use memchr::memchr;
use runward::control::Tail;
use runward::core::redact::looks_secret;
use runward::core::render::{bytes, sentence as ending};
use runward::{
    Caller, Coded, CommandSpec, Door, Engine, Event, Request, Session, Started, StdinSpec, Stream, Wish,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::mpsc;

/// The longest message of a child. One that sends more is ended: nobody could tell what it still means to say.
const LONGEST: usize = 16 * 1024 * 1024;
/// How much of a line that is no message is shown.
const SHOWN: usize = 200;
/// Bytes of output that are kept beside what is passed on; nobody reads them.
const KEPT: u64 = 2;

/// The two ends of a child.
#[derive(Debug)]
pub(super) struct Pipe {
    session: Session,
    to: mpsc::UnboundedSender<Vec<u8>>,
    lines: Lines,
    log: Arc<Tail>,
}

/// Starts a child. Its relative folder is meant from `base` on; a failure is one sentence.
pub(super) async fn start(
    engine: &Engine,
    launch: &Launch,
    base: &Path,
    log: Arc<Tail>,
) -> Result<Pipe, String> {
    let caller = Caller::file(Door::Gateway);
    let hidden = launch.env.iter().filter(|(name, _)| looks_secret(name));
    hidden.for_each(|(_, value)| engine.redactor().learn(value));
    let started = engine.start(Request::by(caller, spec(launch, base))).await;
    let session = match started.map_err(|error| sentence(&error))? {
        Started::Running(session) => session,
        Started::Refused(refusal) => return Err(sentence(&refusal)),
    };
    let (to, mut from) = mpsc::unbounded_channel::<Vec<u8>>();
    let input = session.input();
    tokio::spawn(async move {
        while let Some(bytes) = from.recv().await {
            // A child that reads no more will say so by ending, or by not answering.
            if input.write(bytes).await.is_err() {
                return;
            }
        }
    });
    Ok(Pipe { session, to, lines: Lines::default(), log })
}

fn spec(launch: &Launch, base: &Path) -> CommandSpec {
    let mut spec = CommandSpec::exec(&launch.command).args(&launch.args);
    spec = launch.env.iter().fold(spec, |spec, (name, value)| spec.env(name, value));
    spec = spec.cwd(launch.cwd.as_ref().map_or_else(|| base.to_owned(), |cwd| base.join(PathBuf::from(cwd))));
    spec.stdin = StdinSpec::Open;
    let limits = &mut spec.limits;
    (limits.wall, limits.idle, limits.output) = (Wish::Off, Wish::Off, Wish::Off);
    (limits.keep, limits.spool) = (Wish::At(KEPT), Wish::Off);
    spec.purpose = Some("a child server of the gateway".to_owned());
    spec
}

fn sentence(error: &impl Coded) -> String {
    match error.hint() {
        Some(hint) => format!("{error}. {hint}"),
        None => error.to_string(),
    }
}

impl Pipe {
    /// Its process.
    pub(super) fn process(&self) -> Process {
        let watcher = self.session.watcher().clone();
        Process { pid: self.session.pid(), watcher, since: Instant::now() }
    }

    /// Says something. Never waits.
    pub(super) fn send(&self, message: &Value) {
        // A value can always be written.
        let mut line = serde_json::to_vec(message).unwrap_or_default();
        line.push(b'\n');
        // Whoever is gone hears nothing; that is noticed when it is listened to.
        let _ = self.to.send(line);
    }

    /// The next message; `None` once it is over. Can be given up and asked again.
    pub(super) async fn next(&mut self) -> Option<Said> {
        loop {
            while let Some(line) = self.lines.next() {
                match line {
                    Line::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => {}
                    Line::Whole(line) => match talk::read(&line) {
                        Ok(said) => return Some(said),
                        Err(talk::Junk) => self.log.remark(&junk(&line)),
                    },
                    Line::TooLong => return None,
                }
            }
            match self.session.next_event().await? {
                Event::Output { stream: Stream::Stdout, bytes, .. } => self.lines.push(&bytes),
                Event::Output { stream: Stream::Stderr, bytes, .. } => self.log.append(&bytes),
                Event::Stopping { .. } => {}
            }
        }
    }

    /// Why it has to be ended, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        let why = || format!("it was ended because it sent a message of more than {}", bytes(LONGEST as u64));
        self.lines.too_long.then(why)
    }

    /// Ends it, and says how it ended.
    pub(super) async fn end(self) -> String {
        let fault = self.fault();
        self.session.stop();
        let ended = match self.session.wait().await {
            Ok(receipt) => ending(&receipt),
            Err(error) => error.to_string(),
        };
        fault.unwrap_or(ended)
    }
}

fn junk(line: &[u8]) -> String {
    let shown = &line[..line.len().min(SHOWN)];
    format!("not a message, passed over: {}", shown.escape_ascii())
}

/// Bytes cut into lines, each looked at once.
#[derive(Debug, Default)]
struct Lines {
    bytes: Vec<u8>,
    /// How far no end of a line was found.
    seen: usize,
    /// How many bytes at the beginning were taken.
    taken: usize,
    /// Whether the line so far is too long. Nothing is kept of it, nor of what follows.
    too_long: bool,
}

#[derive(Debug, PartialEq, Eq)]
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

impl Lines {
    fn push(&mut self, bytes: &[u8]) {
        if self.too_long {
            return;
        }
        self.bytes.drain(..self.taken);
        self.seen -= self.taken;
        self.taken = 0;
        self.bytes.extend_from_slice(bytes);
    }

    fn next(&mut self) -> Option<Line> {
        let found = memchr(b'\n', &self.bytes[self.seen..]);
        let Some(at) = found.map(|at| self.seen + at) else {
            self.seen = self.bytes.len();
            if self.seen - self.taken > LONGEST {
                *self = Self { too_long: true, ..Self::default() };
            }
            return self.too_long.then_some(Line::TooLong);
        };
        let line = &self.bytes[self.taken..at];
        (self.taken, self.seen) = (at + 1, at + 1);
        Some(Line::Whole(line.to_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_come_whole_however_they_are_cut(lines in prop::collection::vec("[a-z]{0,9}", 0..9), cut in 1usize..7) {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            let (mut all, mut heard) = (Lines::default(), Vec::new());
            for piece in text.as_bytes().chunks(cut) {
                all.push(piece);
                while let Some(line) = all.next() {
                    heard.push(line);
                }
            }
            let expected: Vec<_> = lines.iter().map(|line| Line::Whole(line.clone().into_bytes())).collect();
            prop_assert_eq!(heard, expected);
        }
    }

    #[test]
    fn a_line_that_never_ends_takes_bounded_memory() {
        let mut lines = Lines::default();
        let piece = vec![b'x'; 1024 * 1024];
        for pushed in 1..=64 {
            lines.push(&piece);
            let said = lines.next();
            assert_eq!(said, (pushed * piece.len() > LONGEST).then_some(Line::TooLong), "{pushed}");
            assert!(lines.bytes.capacity() <= 2 * (LONGEST + piece.len()));
        }
        lines.push(b"\nnext\n");
        assert_eq!(lines.next(), Some(Line::TooLong), "nothing is believed behind it");
        assert_eq!(lines.bytes.capacity(), 0);
    }
}
