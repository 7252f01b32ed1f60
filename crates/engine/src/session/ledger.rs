//! A command's output so far and its ending, readable while it runs or after.
//!
//! The loop writes, readers read at their own pace by offset. What memory no longer holds is read from the
//! spool; what neither holds is passed over, and the offset of the part shows it.

use crate::journal::JournalEntry;
use crate::lookout::Lookout;
use crate::spool::{NoSpool, Spool, SpoolFlow, SpoolSource, Spooling, read_at};
use crate::telemetry::{Span, Telemetry};
use runward_core::output::{AppendedAt, Capture, Stream, StreamPart};
use runward_core::plan::{Draft, RunId};
use runward_core::record::Receipt;
use runward_os::NetworkRelay;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Where output is kept beside memory.
#[derive(Debug, Default)]
pub(crate) struct Books {
    pub(crate) spool: Option<Spool>,
    /// Why there is none, where there is none.
    pub(crate) no_spool: NoSpool,
    pub(crate) entry: Option<JournalEntry>,
    pub(crate) span: Option<(Span, Telemetry)>,
    /// Further sentences for the receipt.
    pub(crate) notes: Vec<String>,
    /// What looks at files in the end.
    pub(crate) lookout: Option<Lookout>,
    /// What carries its connections, if it has a network of its own.
    pub(crate) relay: Option<NetworkRelay>,
}

/// Where a stream of a former command is.
#[derive(Debug)]
#[cfg_attr(not(feature = "journal"), expect(dead_code, reason = "the journal alone has a past"))]
pub(crate) enum StreamSource {
    /// Here.
    Bytes(Vec<u8>),
    /// In this file, which is so long.
    File(PathBuf, u64),
}

impl StreamSource {
    fn len(&self) -> u64 {
        match self {
            StreamSource::Bytes(bytes) => bytes.len() as u64,
            StreamSource::File(_, len) => *len,
        }
    }

    fn read(&self, offset: u64, max: usize) -> StreamPart {
        let nothing = || StreamPart { offset, bytes: Vec::new() };
        match self {
            StreamSource::Bytes(all) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
                let until = from.saturating_add(max).min(all.len());
                StreamPart { offset, bytes: all[from..until].to_vec() }
            }
            StreamSource::File(path, _) => read_at(path, offset, max).unwrap_or_else(nothing),
        }
    }
}

/// Where the names of ended sessions are put, each once.
pub(crate) type EndedList = Arc<Mutex<Vec<RunId>>>;

/// The captured output of one command, to be read at any offset while it grows. From
/// [`Session::ledger`](crate::Session::ledger).
#[derive(Debug)]
pub struct Ledger {
    book: Mutex<LedgerState>,
    changed: Notify,
    /// What reads the spool; its disk may hang.
    lookout: Option<Lookout>,
}

#[derive(Debug)]
struct LedgerState {
    /// `None` once the receipt has it.
    capture: Option<Capture>,
    /// Where the output of a former command is: stdout, then stderr.
    recalled: Option<[StreamSource; 2]>,
    spooling: Option<Spooling>,
    no_spool: NoSpool,
    notes: Vec<String>,
    entry: Option<JournalEntry>,
    span: Option<(Span, Telemetry)>,
    receipt: Option<Arc<Receipt>>,
    /// The receipt may be seen: everything that comes with it is in place.
    is_over: bool,
    /// Where its end is announced, and under which name.
    over: Option<(RunId, EndedList)>,
    last_output: Instant,
}

/// The result of appending bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Appended {
    pub(super) place: AppendedAt,
    /// Whether more should be left in the pipe for now: the spool does not keep up.
    pub(super) full: bool,
}

/// How much a command has printed so far, and its receipt once it is over.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct LedgerStanding {
    /// Bytes of stdout so far.
    pub stdout: u64,
    /// Bytes of stderr so far.
    pub stderr: u64,
    /// When the last byte came; the start, if none did.
    pub last_output: Instant,
    /// The receipt, once it is over.
    pub receipt: Option<Arc<Receipt>>,
}

impl Ledger {
    pub(super) fn new(draft: &Draft, books: Books) -> Self {
        let plan = draft.capture();
        // A caller that wants no spool is not told that there is none.
        let no_spool = if books.spool.is_some() { NoSpool::Unneeded } else { books.no_spool };
        let book = LedgerState {
            capture: Some(Capture::new(plan.keep)),
            recalled: None,
            entry: books.entry,
            span: books.span,
            spooling: books
                .spool
                .filter(|_| plan.spool > 0)
                .map(|spool| Spooling::new(spool, draft.id(), plan)),
            no_spool,
            notes: books.notes,
            receipt: None,
            is_over: false,
            over: None,
            last_output: Instant::now(),
        };
        Self { book: Mutex::new(book), changed: Notify::new(), lookout: books.lookout }
    }

    /// The ledger of a former command, as far as it was kept.
    #[cfg(feature = "journal")]
    pub(crate) fn recalled(sources: [StreamSource; 2]) -> Self {
        let book = LedgerState {
            capture: None,
            recalled: Some(sources),
            spooling: None,
            no_spool: NoSpool::Unneeded,
            notes: Vec::new(),
            entry: None,
            span: None,
            receipt: None,
            is_over: false,
            over: None,
            last_output: Instant::now(),
        };
        Self { book: Mutex::new(book), changed: Notify::new(), lookout: None }
    }

    /// The queue to the spool, where there is one.
    pub(super) fn flow(&self) -> Option<Arc<SpoolFlow>> {
        self.open().spooling.as_ref().map(Spooling::flow)
    }

    /// The spool's disk made no progress for too long.
    pub(super) fn give_spool_up(&self) {
        if let Some(spooling) = &mut self.open().spooling {
            spooling.give_up();
        }
    }

    /// Appends what was read.
    pub(super) fn append(&self, stream: Stream, bytes: &[u8]) -> Appended {
        let mut book = self.open();
        let LedgerState { capture, spooling, entry, .. } = &mut *book;
        if let Some(entry) = entry {
            entry.printed(stream, bytes);
        }
        let mut full = false;
        let place = match capture {
            Some(capture) => {
                if let Some(spooling) = spooling {
                    full = spooling.append(stream, bytes, capture.window(stream));
                }
                capture.append(stream, bytes)
            }
            None => AppendedAt { offset: 0, seq: 0 },
        };
        book.last_output = Instant::now();
        drop(book);
        self.changed.notify_waiters();
        Appended { place, full }
    }

    /// Waits until everything that was sent to the spool is there, at most so long without progress. It stays readable
    /// meanwhile.
    pub(super) async fn spooled(&self, most: Duration) {
        let closing = self.open().spooling.as_mut().and_then(Spooling::close);
        let Some(closing) = closing else { return };
        let pieces = closing.pieces(most).await;
        let mut book = self.open();
        match (pieces, &mut book.spooling) {
            (Ok(pieces), Some(spooling)) => spooling.closed(pieces),
            (Err(_), Some(spooling)) => spooling.give_up(),
            (_, None) => {}
        }
    }

    /// It is over: the ledger becomes a receipt, kept here only if it may still be read.
    pub(super) fn close(self: Arc<Self>, mut receipt: Receipt) -> Arc<Receipt> {
        let mut book = self.open();
        if let Some(capture) = book.capture.take() {
            (receipt.stdout, receipt.stderr, receipt.order) = capture.finish();
        }
        let had_spool = book.spooling.is_some();
        let spooled = match book.spooling.take() {
            Some(spooling) => spooling.end(&mut receipt),
            None => Default::default(),
        };
        let missing = receipt.stdout.kept.missing() + receipt.stderr.kept.missing();
        if let (NoSpool::Because(why), 1.., false) = (&book.no_spool, missing, had_spool) {
            let missing = runward_core::render::bytes(missing);
            receipt.notes.push(format!("{missing} of the output are lost: there is no spool, {why}"));
        }
        receipt.notes.append(&mut book.notes);
        let (entry, span) = (book.entry.take(), book.span.take());
        receipt.notes.extend(entry.as_ref().and_then(JournalEntry::note));
        let receipt = Arc::new(receipt);
        if Arc::strong_count(&self) > 1 {
            book.receipt = Some(Arc::clone(&receipt));
        }
        // A reader of the output does not wait for the disk.
        drop(book);
        if let Some(entry) = entry {
            entry.end(&receipt, spooled);
        }
        if let Some((span, telemetry)) = span {
            telemetry.end(span, &receipt);
        }
        let mut book = self.open();
        book.is_over = true;
        if let Some((id, over)) = book.over.take() {
            tell(&over, id);
        }
        drop(book);
        self.changed.notify_waiters();
        receipt
    }

    /// Puts the name where it is asked for, once it is over. A reader that sees the receipt finds the name there.
    #[cfg(feature = "sessions")]
    pub(crate) fn tell_when_over(&self, id: RunId, over: &EndedList) {
        let mut book = self.open();
        if book.is_over {
            tell(over, id);
        } else {
            book.over = Some((id, Arc::clone(over)));
        }
    }

    /// At most `max` bytes of a stream from `offset` on. A part that begins later than asked says that what lies
    /// before is lost.
    pub fn read(&self, stream: Stream, offset: u64, max: usize) -> StreamPart {
        let book = self.open();
        if let Some(capture) = &book.capture {
            let window = capture.window(stream);
            let spooling = book.spooling.as_ref().filter(|_| !window.holds(offset));
            let spooled = spooling.and_then(|spooling| spooling.source(stream, offset, max));
            let part = window.part(offset, max);
            drop(book);
            let found = match spooled {
                Some(SpoolSource::Part(part)) => Some(part),
                Some(SpoolSource::File(path, len)) => {
                    self.read_file(path, offset, max.min(clamp(len, offset)))
                }
                None => None,
            };
            return found.unwrap_or(part);
        }
        if let Some(sources) = &book.recalled {
            return sources[stream as usize].read(offset, max);
        }
        let Some(receipt) = book.receipt.clone() else { return StreamPart { offset, bytes: Vec::new() } };
        drop(book);
        let summary = receipt.stream(stream);
        let kept = summary.kept.part(offset, max);
        if kept.offset <= offset {
            return kept;
        }
        let spool = summary.spool.clone();
        spool.and_then(|path| self.read_file(path, offset, max)).unwrap_or(kept)
    }

    /// Bytes of a spool file; nothing if its disk hangs.
    fn read_file(&self, path: PathBuf, offset: u64, max: usize) -> Option<StreamPart> {
        match &self.lookout {
            Some(lookout) => lookout.glance(move || read_at(&path, offset, max)).ok().flatten(),
            None => read_at(&path, offset, max),
        }
    }

    /// The state.
    pub fn standing(&self) -> LedgerStanding {
        let book = self.open();
        let total = |stream| match (&book.capture, &book.receipt) {
            (Some(capture), _) => capture.window(stream).total(),
            (None, Some(receipt)) => receipt.stream(stream).kept.total,
            (None, None) => book.recalled.as_ref().map_or(0, |sources| sources[stream as usize].len()),
        };
        LedgerStanding {
            stdout: total(Stream::Stdout),
            stderr: total(Stream::Stderr),
            last_output: book.last_output,
            receipt: book.receipt.clone().filter(|_| book.is_over),
        }
    }

    /// Waits until `found` finds something in the state, looking again whenever it changes.
    pub async fn until<T>(&self, mut found: impl FnMut(&LedgerStanding) -> Option<T>) -> T {
        loop {
            let changed = self.changed.notified();
            tokio::pin!(changed);
            // Registered before looking, so that a change in between is not missed.
            changed.as_mut().enable();
            if let Some(value) = found(&self.standing()) {
                return value;
            }
            changed.await;
        }
    }

    /// A panic elsewhere leaves the ledger whole: appending is the only change, and it does not panic half way.
    fn open(&self) -> MutexGuard<'_, LedgerState> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A panic elsewhere leaves the list whole: putting a name there is a single step.
fn tell(over: &EndedList, id: RunId) {
    over.lock().unwrap_or_else(PoisonError::into_inner).push(id);
}

fn clamp(len: u64, offset: u64) -> usize {
    usize::try_from(len.saturating_sub(offset)).unwrap_or(usize::MAX)
}
