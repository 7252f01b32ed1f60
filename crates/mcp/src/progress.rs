//! Progress: output lines for a client that asked for them, and a heartbeat while there are none.
//!
//! At most one message in [`PACE`]; what comes in between is joined. After [`HEARTBEAT`] of silence a message says
//! how long the command has been running, which keeps the client's own timeout from ending a long call.
//! May not delay a command's end: what was not sent by then is in the answer.

use crate::line::ClientChannel;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use runward_engine::core::output::Utf8Stream;
use runward_engine::core::redact::Redactor;
use runward_engine::{Session, SessionEvent, Stream};
use std::borrow::Cow;
use std::future::Future;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// The least time between two messages.
const PACE: Duration = Duration::from_millis(100);

/// The most time between two messages.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Characters of output in one message; of more, the end is shown.
const CHARACTERS: usize = 4000;

/// Sends one call's progress.
pub(crate) struct Teller {
    line: ClientChannel,
    token: ProgressToken,
    /// What is going on while there is nothing to tell.
    doing: &'static str,
    begun: Instant,
    last: Instant,
    lines: UntoldLines,
}

impl Teller {
    /// Sends progress on this channel, if the client wants any.
    pub(crate) fn on(line: &ClientChannel) -> Option<Self> {
        let (now, token) = (Instant::now(), line.progress.clone()?);
        let (line, lines) = (line.clone(), UntoldLines::default());
        Some(Self { line, token, doing: "running", begun: now, last: now, lines })
    }

    /// Sends everything until the command is over.
    pub(crate) async fn attend(mut self, session: &mut Session, redactor: &Redactor) {
        loop {
            let due = self.last + if self.lines.is_empty() { HEARTBEAT } else { PACE };
            tokio::select! {
                biased;
                () = sleep_until(due) => self.tell_masked(redactor).await,
                event = session.next_event() => match event {
                    Some(SessionEvent::Output { stream, bytes, .. }) => self.lines.add(stream, &bytes),
                    Some(_) => {}
                    None => break,
                },
            }
        }
        if !self.lines.is_empty() {
            self.tell_masked(redactor).await;
        }
    }

    /// Sends output, without what looks like a secret in it.
    async fn tell_masked(&mut self, redactor: &Redactor) {
        if let Cow::Owned(masked) = redactor.mask(&self.lines.text) {
            self.lines.text = masked;
        }
        self.tell().await;
    }

    async fn tell(&mut self) {
        let message = self.lines.take().unwrap_or_else(|| {
            format!("{} for {}", self.doing, runward_engine::core::render::duration(self.begun.elapsed()))
        });
        let number = f64::from(self.line.next_number());
        let progress = ProgressNotificationParam::new(self.token.clone(), number);
        // A client that is gone gets nothing; the connection's end stops the command.
        let _ = self.line.peer.notify_progress(progress.with_message(message)).await;
        self.last = Instant::now();
    }
}

/// Does something that may take long, with a heartbeat for a client that wants one.
pub(crate) async fn alive<T>(line: &ClientChannel, work: impl Future<Output = T>) -> T {
    match Teller::on(line) {
        Some(teller) => teller.through(work).await,
        None => work.await,
    }
}

/// Waits for a person, which is reported at once and repeatedly.
pub(crate) async fn waiting<T>(line: &ClientChannel, work: impl Future<Output = T>) -> T {
    match Teller::on(line) {
        Some(mut teller) => {
            teller.doing = "waiting for a person to agree";
            teller.lines.text.push_str("waiting for a person to agree");
            teller.tell().await;
            teller.through(work).await
        }
        None => work.await,
    }
}

impl Teller {
    /// Does something, with a heartbeat now and then.
    async fn through<T>(mut self, work: impl Future<Output = T>) -> T {
        tokio::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = sleep_until(self.last + HEARTBEAT) => self.tell().await,
            }
        }
    }
}

/// Output that was not sent yet. Bounded, whatever is printed.
#[derive(Default)]
struct UntoldLines {
    stdout: Utf8Stream,
    stderr: Utf8Stream,
    text: String,
}

impl UntoldLines {
    fn add(&mut self, stream: Stream, bytes: &[u8]) {
        let decoder = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        decoder.push(bytes, &mut self.text);
        if let Some((at, _)) = self.text.char_indices().rev().nth(CHARACTERS) {
            self.text.drain(..at);
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    fn take(&mut self) -> Option<String> {
        if self.is_empty() {
            return None;
        }
        let text = std::mem::take(&mut self.text);
        Some(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_and_characters_stay_whole() {
        let mut lines = UntoldLines::default();
        assert_eq!(lines.take(), None);
        lines.add(Stream::Stdout, b"one\nt\xc3");
        lines.add(Stream::Stdout, b"\xbc\n");
        assert_eq!(lines.take().unwrap(), "one\ntü");
        assert!(lines.is_empty());
    }

    #[test]
    fn of_too_much_the_end_is_told() {
        let mut lines = UntoldLines::default();
        (0..3).for_each(|_| lines.add(Stream::Stderr, "ä".repeat(CHARACTERS).as_bytes()));
        lines.add(Stream::Stdout, b"end");
        let told = lines.take().unwrap();
        assert!(told.ends_with("äend") && told.chars().count() <= CHARACTERS + 1);
    }
}
