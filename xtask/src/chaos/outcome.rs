//! One call of a program to its end, with a bound on how long it is waited for.
//!
//! May not wait for a process that the program left behind, as a reader of a pipe would.

use super::tally::Tally;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How a program ended and what it said.
#[derive(Debug)]
pub(crate) struct BoundedRun {
    /// What was called, for the report.
    pub(crate) what: String,
    /// Its exit code. None where a signal ended it, or where it did not end.
    pub(crate) code: Option<i32>,
    /// How it ended in words.
    pub(crate) how: String,
    /// Whether it had to be killed.
    pub(crate) hung: bool,
    /// What it printed.
    pub(crate) stdout: String,
    /// Its own words.
    pub(crate) stderr: String,
}

/// Runs a command without input to its end, or kills it.
pub(crate) fn run(what: &str, command: &mut Command, limit: Duration) -> Result<BoundedRun, String> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(what, command, limit)
}

/// The same with streams as the command has them.
pub(crate) fn finish(what: &str, command: &mut Command, limit: Duration) -> Result<BoundedRun, String> {
    let mut child = command.spawn().map_err(|error| format!("`{what}` could not be started: {error}"))?;
    let (stdout, stderr) = (child.stdout.take().map(collect), child.stderr.take().map(collect));
    let ended = ends(&mut child, limit);
    let how = ended.map_or_else(|| "did not end".to_owned(), |status| status.to_string());
    if ended.is_none() {
        let _ = child.kill();
        let _ = ends(&mut child, Duration::from_secs(5));
    }
    Ok(BoundedRun {
        what: what.to_owned(),
        code: ended.and_then(|status| status.code()),
        how,
        hung: ended.is_none(),
        stdout: taken(stdout),
        stderr: taken(stderr),
    })
}

/// Waits for the end of a child, so long at most.
pub(crate) fn ends(child: &mut Child, limit: Duration) -> Option<std::process::ExitStatus> {
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if begun.elapsed() < limit => std::thread::sleep(Duration::from_millis(3)),
            _ => return None,
        }
    }
}

fn collect(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        let _ = sender.send(bytes);
    });
    receiver
}

fn taken(from: Option<Receiver<Vec<u8>>>) -> String {
    let bytes = from.and_then(|from| from.recv_timeout(Duration::from_secs(5)).ok()).unwrap_or_default();
    text(&bytes)
}

/// Bytes for a report, whatever they are.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes.utf8_chunks().map(|chunk| chunk.valid()).collect()
}

/// Whether words tell of a panic or an abort.
pub(crate) fn is_panic(words: &str) -> bool {
    words.contains("panicked at") || words.contains("memory allocation of")
}

impl BoundedRun {
    /// Everything it said.
    pub(crate) fn words(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Its end for a report.
    pub(crate) fn told(&self) -> String {
        format!("`{}` {}: {}", self.what, self.how, self.words())
    }

    /// No call may hang, panic, or be ended by a signal of its own making. True if it did none of that.
    pub(crate) fn is_sound(&self, tally: &mut Tally) -> bool {
        if self.hung {
            tally.hung(self.told());
        } else if self.code.is_none() || self.code == Some(101) || is_panic(&self.stderr) {
            tally.wrong(self.told());
        } else {
            return true;
        }
        false
    }

    /// It ends with one of these codes, and not without a word where that is no success.
    pub(crate) fn ends_with(&self, codes: &[i32], tally: &mut Tally) -> bool {
        if !self.is_sound(tally) {
            return false;
        }
        let fits = self.code.is_some_and(|code| codes.contains(&code));
        let silent = self.code != Some(0) && self.words().trim().is_empty();
        tally.hold(fits && !silent, || format!("not one of {codes:?}, or no word: {}", self.told()));
        fits && !silent
    }
}
