//! The loop that waits. There is no other.

use super::ledger::Ledger;
use super::outlet::Outlet;
use runward_core::life::{Action, Input, Life, Terms};
use runward_core::output::Stream;
use runward_core::record::{End, Receipt, SandboxUpkeep, Signal, StopCause};
use runward_os::{Child, Disk, Got, Notice};
use std::cell::RefCell;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tokio::time::Sleep;

/// What a handle can ask of a running command.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Order {
    Stop(StopCause),
    StopWith(Signal),
    Signal(Signal),
    Resize(u16, u16),
}

/// What a handle gives a running command to read.
#[derive(Debug)]
pub(crate) enum Meal {
    Bytes(Vec<u8>),
    End,
}

/// Whether a command still reads its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Appetite {
    Left,
    Gone,
}

/// Both channels from a handle. Orders are few and must not wait; input waits until it is wanted.
#[derive(Debug)]
pub(super) struct Mail {
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
    pub(super) input: mpsc::Receiver<Meal>,
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

/// Lives one command's life to its end.
pub(super) async fn live(
    child: Child,
    ledger: Arc<Ledger>,
    mut mail: Mail,
    outlet: Outlet,
) -> (Arc<Receipt>, Outlet) {
    let mut desk = Desk::new(child, ledger, outlet);
    let mut alarm = Box::pin(tokio::time::sleep(Duration::ZERO));
    loop {
        let behind = desk.outlet.is_behind();
        set(&mut alarm, desk.life.deadline());
        let input = tokio::select! {
            biased;
            Some(order) = mail.orders.recv() => desk.obey(order),
            // Before output: a flood must not make a deadline late.
            () = alarm.as_mut(), if desk.life.deadline().is_some() => Some(Input::Tick),
            Some(meal) = mail.input.recv(), if !desk.child.is_feeding() => {
                if desk.feed(&meal) == Appetite::Gone {
                    // Whoever writes is told, instead of feeding nobody for ever.
                    mail.input.close();
                }
                None
            }
            () = desk.outlet.catch_up(), if behind => None,
            notice = desk.child.next(!behind) => desk.notice(notice),
        };
        if let Some(end) = input.and_then(|input| desk.hear(input)) {
            return desk.settle(end);
        }
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
struct Desk {
    child: Child,
    life: Life,
    begun: Instant,
    ledger: Arc<Ledger>,
    outlet: Outlet,
}

impl Desk {
    fn new(child: Child, ledger: Arc<Ledger>, outlet: Outlet) -> Self {
        let begun = Instant::now();
        let life = Life::begin(Terms::of(child.plan().draft()), begun);
        Self { child, life, begun, ledger, outlet }
    }

    fn obey(&mut self, order: Order) -> Option<Input> {
        match order {
            Order::Stop(cause) => return Some(Input::Stop(cause)),
            Order::StopWith(signal) => return Some(Input::StopWith(StopCause::Caller, signal)),
            Order::Signal(signal) => self.child.signal(signal),
            Order::Resize(rows, cols) => {
                // The terminal goes away with the command; then its size does not matter any more.
                let _ = self.child.resize(rows, cols);
            }
        }
        None
    }

    fn feed(&mut self, meal: &Meal) -> Appetite {
        match meal {
            // A command that closed its input gets no more; that is its right.
            Meal::Bytes(bytes) if !self.child.feed(bytes) => return Appetite::Gone,
            Meal::Bytes(_) => {}
            Meal::End => self.child.close_input(),
        }
        Appetite::Left
    }

    fn notice(&mut self, notice: Notice) -> Option<Input> {
        match notice {
            Notice::Readable(stream) => self.pump(stream),
            Notice::Exited { how, others } => Some(Input::Exited { how, others }),
            Notice::Emptied { outlived } => Some(Input::Emptied { outlived }),
            Notice::OutOfMemory => Some(Input::OutOfMemory),
            Notice::Lost => Some(Input::Lost),
            Notice::Fed => None,
        }
    }

    /// Reads what there is, up to a fair share.
    fn pump(&mut self, stream: Stream) -> Option<Input> {
        let mut read = 0;
        for _ in 0..IN_A_ROW {
            match self.take(stream, Child::read) {
                Got::Bytes(len) => read += len as u64,
                Got::Later => break,
                Got::End if read == 0 => return Some(Input::Eof(stream)),
                Got::End => {
                    // Output alone never ends a life; the end of the stream may.
                    self.hear(Input::Output(stream, read));
                    return Some(Input::Eof(stream));
                }
            }
            if self.outlet.is_behind() {
                break;
            }
        }
        (read > 0).then_some(Input::Output(stream, read))
    }

    /// Reads one chunk into window, spool and outlet.
    fn take(&mut self, stream: Stream, read: fn(&mut Child, Stream, &mut [u8]) -> Got) -> Got {
        SCRATCH.with_borrow_mut(|buffer| {
            let got = read(&mut self.child, stream, buffer);
            if let Got::Bytes(len) = got {
                let bytes = &buffer[..len];
                let place = self.ledger.append(stream, bytes);
                self.outlet.output(stream, place, bytes);
            }
            got
        })
    }

    /// Tells the life, carries out what it wants, and says if it is over.
    fn hear(&mut self, input: Input) -> Option<End> {
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
            Input::Exited { others: false, .. } => over.or_else(|| self.read_out()),
            _ => over,
        }
    }

    /// Nobody is left who could print: what there is is read now, without waiting to be told of it.
    fn read_out(&mut self) -> Option<End> {
        [Stream::Stdout, Stream::Stderr].into_iter().find_map(|stream| {
            for _ in 0..IN_A_ROW {
                if self.outlet.is_behind() {
                    break;
                }
                match self.take(stream, Child::read_rest) {
                    Got::Bytes(len) => self.hear(Input::Output(stream, len as u64)),
                    Got::Later => break,
                    Got::End => return self.hear(Input::Eof(stream)),
                };
            }
            None
        })
    }

    /// The last bytes and the receipt. The events that are still owed are left to whoever has time for them.
    fn settle(mut self, end: End) -> (Arc<Receipt>, Outlet) {
        let cut = [Stream::Stdout, Stream::Stderr].map(|stream| self.gulp(stream)).contains(&true);
        let receipt = Receipt::of(self.child.plan(), self.child.pid(), end, self.begun.elapsed());
        let mut receipt = receipt.kept_by(&self.upkeep());
        if cut {
            receipt.notes.push("something outside the command still writes to its output".to_owned());
        }
        drop(self.child);
        (self.ledger.close(receipt), self.outlet)
    }

    /// What had to be done to keep the sandbox, and what was made in it that others will obey.
    fn upkeep(&self) -> SandboxUpkeep {
        let walls = self.child.plan().draft().walls();
        let made = if walls.is_off() { Vec::new() } else { walls.made_repositories(&Disk) };
        SandboxUpkeep { made, ..self.child.upkeep().clone() }
    }

    /// Reads what is left in a stream: as much as a pipe holds and no more, because somebody outside the tree may
    /// write for ever. True if there was more.
    fn gulp(&mut self, stream: Stream) -> bool {
        (0..A_PIPEFUL / CHUNK).all(|_| matches!(self.take(stream, Child::read_rest), Got::Bytes(_)))
    }
}
