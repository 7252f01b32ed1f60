//! The loop that waits on a child process. There is no other.

use super::ledger::Ledger;
use super::outlet::EventOutlet;
use crate::lookout::Lookout;
use crate::network;
use crate::spool::{SpoolFlow, Stalled};
use runward_core::life::{Action, Life, LifeInput, LifeTerms};
use runward_core::output::Stream;
use runward_core::record::{End, Receipt, SandboxUpkeep, Signal, StopCause};
use runward_os::{Child, Disk, Got, NetworkRelay, Notice};
use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::Sleep;

/// The orders of a handle.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SessionOrder {
    Stop(StopCause),
    StopWith(Signal),
    Signal(Signal),
    Resize(u16, u16),
}

/// What is still needed when a command is over.
#[derive(Debug)]
pub(super) struct Aftermath {
    /// What looks at files.
    pub(super) lookout: Option<Lookout>,
    /// What carries its connections.
    pub(super) relay: Option<NetworkRelay>,
}

/// The standard input that a handle sends.
#[derive(Debug)]
pub(crate) enum InputChunk {
    Bytes(Vec<u8>),
    End,
}

/// Whether a command still reads its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InputState {
    Left,
    Gone,
}

/// Both channels from a handle. Orders are few and must not wait; input waits until it is read.
#[derive(Debug)]
pub(super) struct SessionInbox {
    pub(super) orders: mpsc::UnboundedReceiver<SessionOrder>,
    pub(super) input: mpsc::Receiver<InputChunk>,
}

/// Bytes read in one go.
const CHUNK: usize = 64 * 1024;

/// More than any pipe of ours holds.
const A_PIPEFUL: usize = 1024 * 1024;

/// Chunks read before anything else is looked at.
const IN_A_ROW: usize = 16;

thread_local! {
    /// One buffer per thread: a session that waits holds no buffer.
    static SCRATCH: RefCell<Box<[u8]>> = RefCell::new(vec![0; CHUNK].into_boxed_slice());
}

/// How long the spool is waited for when everything is being ended.
const FAREWELL: Duration = Duration::from_millis(500);

/// Lives one command's life to its end.
pub(super) async fn live(
    child: Child,
    ledger: Arc<Ledger>,
    mut inbox: SessionInbox,
    outlet: EventOutlet,
    last: Aftermath,
) -> (Arc<Receipt>, EventOutlet) {
    let mut running = SessionLoop::new(child, ledger, outlet);
    let mut alarm = Box::pin(tokio::time::sleep(Duration::ZERO));
    loop {
        let behind = running.outlet.is_behind();
        let spool = running.awaited.clone();
        let waits = behind || spool.is_some();
        set(&mut alarm, running.life.deadline());
        let input = tokio::select! {
            biased;
            Some(order) = inbox.orders.recv() => running.obey(order),
            // Before output: a flood must not make a deadline late.
            () = alarm.as_mut(), if running.life.deadline().is_some() => Some(LifeInput::Tick),
            Some(chunk) = inbox.input.recv(), if !running.child.is_feeding() => {
                if running.feed(&chunk) == InputState::Gone {
                    // The sender is told, instead of writing for ever without a reader.
                    inbox.input.close();
                }
                None
            }
            () = running.outlet.catch_up(), if behind => None,
            caught_up = caught_up(spool.as_deref()), if spool.is_some() => {
                running.awaited = None;
                if caught_up.is_err() {
                    running.ledger.give_spool_up();
                }
                None
            }
            notice = running.child.next(!waits) => running.notice(notice),
        };
        if let Some(end) = input.and_then(|input| running.hear(input)) {
            return running.settle(end, last).await;
        }
    }
}

/// Waits until the spool has room, or its disk is given up.
async fn caught_up(spool: Option<&SpoolFlow>) -> Result<(), Stalled> {
    match spool {
        Some(spool) => spool.room().await,
        None => Ok(()),
    }
}

/// Moves the alarm, if it has to be moved at all.
fn set(alarm: &mut Pin<Box<Sleep>>, deadline: Option<Instant>) {
    let Some(deadline) = deadline.map(tokio::time::Instant::from_std) else { return };
    if alarm.deadline() != deadline {
        alarm.as_mut().reset(deadline);
    }
}

/// Everything about one running command.
struct SessionLoop {
    child: Child,
    life: Life,
    begun: Instant,
    ledger: Arc<Ledger>,
    outlet: EventOutlet,
    /// The spool, while it does not keep up.
    awaited: Option<Arc<SpoolFlow>>,
}

impl SessionLoop {
    fn new(child: Child, ledger: Arc<Ledger>, outlet: EventOutlet) -> Self {
        let begun = Instant::now();
        let life = Life::begin(LifeTerms::of(child.plan().draft()), begun);
        Self { child, life, begun, ledger, outlet, awaited: None }
    }

    fn obey(&mut self, order: SessionOrder) -> Option<LifeInput> {
        match order {
            SessionOrder::Stop(cause) => return Some(LifeInput::Stop(cause)),
            SessionOrder::StopWith(signal) => return Some(LifeInput::StopWith(StopCause::Caller, signal)),
            SessionOrder::Signal(signal) => self.child.signal(signal),
            SessionOrder::Resize(rows, cols) => {
                // The terminal goes away with the command; then its size does not matter any more.
                let _ = self.child.resize(rows, cols);
            }
        }
        None
    }

    fn feed(&mut self, chunk: &InputChunk) -> InputState {
        match chunk {
            // A command that closed its input gets no more.
            InputChunk::Bytes(bytes) if !self.child.feed(bytes) => return InputState::Gone,
            InputChunk::Bytes(_) => {}
            InputChunk::End => self.child.close_input(),
        }
        InputState::Left
    }

    fn notice(&mut self, notice: Notice) -> Option<LifeInput> {
        match notice {
            Notice::Readable(stream) => self.pump(stream),
            Notice::Life(input) => Some(input),
            Notice::Fed => None,
        }
    }

    /// Reads output, up to a fair share.
    fn pump(&mut self, stream: Stream) -> Option<LifeInput> {
        let mut read = 0;
        for _ in 0..IN_A_ROW {
            match self.take(stream, Child::read) {
                Got::Bytes(len) => read += len as u64,
                Got::Later => break,
                Got::End if read == 0 => return Some(LifeInput::Eof(stream)),
                Got::End => {
                    // Output alone never ends a life; the end of the stream may.
                    self.hear(LifeInput::Output(stream, read));
                    return Some(LifeInput::Eof(stream));
                }
            }
            if self.is_behind() {
                break;
            }
        }
        (read > 0).then_some(LifeInput::Output(stream, read))
    }

    /// Whether output has to wait: for the listener, or for the spool.
    fn is_behind(&self) -> bool {
        self.outlet.is_behind() || self.awaited.is_some()
    }

    /// Reads one chunk into window, spool and outlet.
    fn take(&mut self, stream: Stream, read: fn(&mut Child, Stream, &mut [u8]) -> Got) -> Got {
        SCRATCH.with_borrow_mut(|buffer| {
            let got = read(&mut self.child, stream, buffer);
            if let Got::Bytes(len) = got {
                let bytes = &buffer[..len];
                let appended = self.ledger.append(stream, bytes);
                if appended.full && self.awaited.is_none() {
                    self.awaited = self.ledger.flow();
                }
                self.outlet.output(stream, appended.place, bytes);
            }
            got
        })
    }

    /// Tells the life, carries out what it wants, and says if it is over.
    fn hear(&mut self, input: LifeInput) -> Option<End> {
        let stopped = self.life.stopped();
        let mut over = None;
        for action in self.life.on(input, Instant::now()) {
            match action {
                Action::Signal(signal) => self.child.signal(signal),
                Action::Sweep => self.child.sweep(),
                Action::Finish(end) => over = Some(end),
            }
        }
        if let Some(cause) = self.life.stopped().filter(|_| stopped.is_none()) {
            self.outlet.stopping(cause);
        }
        match input {
            LifeInput::Exited { others: false, .. } => over.or_else(|| self.read_out()),
            _ => over,
        }
    }

    /// No process is left that could print: the rest is read now, without waiting for a notice.
    fn read_out(&mut self) -> Option<End> {
        [Stream::Stdout, Stream::Stderr].into_iter().find_map(|stream| {
            for _ in 0..IN_A_ROW {
                if self.is_behind() {
                    break;
                }
                match self.take(stream, Child::read_rest) {
                    Got::Bytes(len) => self.hear(LifeInput::Output(stream, len as u64)),
                    Got::Later => break,
                    Got::End => return self.hear(LifeInput::Eof(stream)),
                };
            }
            None
        })
    }

    /// The last bytes and the receipt. The remaining events are left to a task of their own.
    async fn settle(mut self, end: End, last: Aftermath) -> (Arc<Receipt>, EventOutlet) {
        let cut = [Stream::Stdout, Stream::Stderr].map(|stream| self.gulp(stream)).contains(&true);
        let ending = end.stopped == Some(StopCause::Shutdown);
        let receipt = Receipt::of(self.child.plan(), self.child.pid(), end, self.begun.elapsed());
        let mut receipt = receipt.kept_by(&self.upkeep(last.lookout.as_ref()).await);
        if let Some(relay) = last.relay {
            let account = relay.end().await;
            network::told(&mut receipt, account, self.child.plan().draft().sandbox());
        }
        if cut {
            receipt.notes.push("something outside the command still writes to its output".to_owned());
        }
        let Self { child, ledger, outlet, .. } = self;
        drop(child);
        ledger.spooled(if ending { FAREWELL } else { Duration::MAX }).await;
        (ledger.close(receipt), outlet)
    }

    /// What was done to keep the sandbox, and files made in it that other programs will obey, as far as the disk answers.
    async fn upkeep(&self, lookout: Option<&Lookout>) -> SandboxUpkeep {
        let walls = self.child.plan().draft().sandbox();
        let made = match lookout {
            _ if walls.is_off() => Vec::new(),
            Some(lookout) if lookout.is_doubtful() => {
                let walls = walls.clone();
                lookout.look(move || walls.made_repositories(&Disk)).await.unwrap_or_default()
            }
            _ => walls.made_repositories(&Disk),
        };
        SandboxUpkeep { made, ..self.child.upkeep().clone() }
    }

    /// Reads what is left in a stream: as much as a pipe holds and no more, because a process outside the tree may
    /// write for ever. True if there was more.
    fn gulp(&mut self, stream: Stream) -> bool {
        (0..A_PIPEFUL / CHUNK).all(|_| matches!(self.take(stream, Child::read_rest), Got::Bytes(_)))
    }
}
