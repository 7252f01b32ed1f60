//! A child server that was started here: messages over its standard input and output, the rest into its log.
//!
//! It travels the road like every command: resolved, judged, limited, killed with everything it started. A line of its
//! output that is no message goes to its log. May not know what a message means.

use super::backlog::BacklogPlace;
use super::child::Process;
use super::config::Launch;
use super::lines::{LineText, MessageLine, MessageLines};
use super::link::Outgoing;
use super::talk::{self, ChildMessage};
use super::terms::GatewayTerms;
use runward_engine::control::Tail;
use runward_engine::core::redact::looks_secret;
use runward_engine::core::render::{bytes, sentence as ending};
use runward_engine::{
    Caller, Coded, CommandSpec, Door, Engine, Request, Session, SessionEvent, SessionInput, Started,
    StdinSpec, Stream, Wish,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How much of a line that is no message is shown.
const SHOWN: usize = 200;
/// Bytes of output that are kept beside what is passed on; they are not read.
const KEPT: u64 = 2;
/// How long a child that reads no more may take to exit by itself, which says more about why.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// The two ends of a child's pipes.
#[derive(Debug)]
pub(super) struct ChildPipe {
    session: Session,
    /// Unbounded itself: whatever is in it has a place in the backlog.
    to: mpsc::UnboundedSender<(Vec<u8>, BacklogPlace)>,
    lines: MessageLines,
    /// The longest message.
    most: usize,
    /// Cancelled once the child reads no more.
    deaf: CancellationToken,
    log: Arc<Tail>,
}

/// Starts a child. Its relative folder is resolved against the base; a failure is one sentence.
pub(super) async fn start(
    terms: &GatewayTerms,
    launch: &Launch,
    log: Arc<Tail>,
) -> Result<ChildPipe, String> {
    let (engine, base): (&Engine, &Path) = (&terms.engine, &terms.base);
    let caller = Caller::file(Door::Gateway);
    let hidden = launch.env.iter().filter(|(name, _)| looks_secret(name));
    hidden.for_each(|(_, value)| engine.redactor().learn(value));
    let started = engine.start(Request::by(caller, spec(launch, base))).await;
    let session = match started.map_err(|error| sentence(&error))? {
        Started::Running(session) => session,
        Started::Refused(refusal) => return Err(sentence(&refusal)),
    };
    let (to, from) = mpsc::unbounded_channel();
    let deaf = CancellationToken::new();
    tokio::spawn(write(session.input(), from, deaf.clone()));
    let most = terms.message_bytes;
    Ok(ChildPipe { session, to, lines: MessageLines::new(most), most, deaf, log })
}

/// Writes the messages to a child's standard input in order. Each keeps its place until it was taken.
async fn write(
    input: SessionInput,
    mut from: mpsc::UnboundedReceiver<(Vec<u8>, BacklogPlace)>,
    deaf: CancellationToken,
) {
    loop {
        let (line, place) = tokio::select! {
            biased;
            () = input.closed() => break,
            next = from.recv() => match next {
                Some(next) => next,
                None => return,
            },
        };
        if input.write(line).await.is_err() {
            break;
        }
        drop(place);
    }
    tokio::time::sleep(LAST_BREATH).await;
    deaf.cancel();
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

impl ChildPipe {
    /// Its process.
    pub(super) fn process(&self) -> Process {
        let watcher = self.session.watcher().clone();
        Process { pid: self.session.pid(), watcher, since: Instant::now() }
    }

    /// Sends a message. Never waits.
    pub(super) fn send(&self, Outgoing { message, place }: Outgoing) {
        // A value can always be written.
        let mut line = serde_json::to_vec(&message).unwrap_or_default();
        line.push(b'\n');
        // A send to an exited child is dropped; `next()` returns `None` and the keeper restarts it.
        let _ = self.to.send((line, place));
    }

    /// The next message; `None` once it is over. Cancel-safe.
    pub(super) async fn next(&mut self) -> Option<ChildMessage> {
        loop {
            while let Some(line) = self.lines.next() {
                match line {
                    MessageLine::Whole(line) => {
                        if let Some(said) = self.read(&line) {
                            return Some(said);
                        }
                    }
                    MessageLine::TooLong(id) => {
                        return Some(ChildMessage::Useless { id, why: too_long(self.most) });
                    }
                    MessageLine::Passed => {
                        let most = bytes(self.most as u64);
                        self.log.remark(&format!("a line of more than {most}, passed over"));
                    }
                    MessageLine::Hopeless => return None,
                }
            }
            let event = tokio::select! {
                biased;
                event = self.session.next_event() => event?,
                () = self.deaf.cancelled() => return None,
            };
            match event {
                SessionEvent::Output { stream: Stream::Stdout, bytes, .. } => self.lines.push(bytes),
                SessionEvent::Output { stream: Stream::Stderr, bytes, .. } => self.log.append(&bytes),
                _ => {}
            }
        }
    }

    fn read(&self, line: &LineText) -> Option<ChildMessage> {
        let text = line.text();
        if text.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let said = talk::read(line, self.most);
        if said.is_err() {
            let shown = text[..text.len().min(SHOWN)].escape_ascii();
            self.log.remark(&format!("not a message, passed over: {shown}"));
        }
        said.ok()
    }

    /// Why it has to be stopped, if it has.
    pub(super) fn fault(&self) -> Option<String> {
        let what = match (self.lines.is_lost(), self.deaf.is_cancelled()) {
            (true, _) => format!("sent a message of more than {}", bytes(self.most as u64)),
            (_, true) => "closed its input".to_owned(),
            _ => return None,
        };
        Some(format!("it was ended because it {what}"))
    }

    /// Stops it, and says how it ended.
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

/// The message about an answer that is too long.
pub(super) fn too_long(most: usize) -> String {
    format!("sent a message of more than {} (`gateway.message_bytes`)", bytes(most as u64))
}
