//! What a command has printed so far and how it ended, for whoever wants to read it while it runs or after.
//!
//! The loop writes, readers read at their own pace by offset. What memory no longer holds is read from the
//! spool; what neither holds is passed over, and the offset of the part says so.

use crate::journal::Entry;
use crate::spool::{Spool, Spooling, read_at};
use crate::telemetry::{Span, Telemetry};
use runward_core::output::{Capture, Part, Place, Stream};
use runward_core::plan::{Draft, RunId};
use runward_core::record::Receipt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Notify;

/// Where an account is kept beside memory.
#[derive(Debug, Default)]
pub(crate) struct Books {
    pub(crate) spool: Option<Spool>,
    pub(crate) entry: Option<Entry>,
    pub(crate) span: Option<(Span, Telemetry)>,
}

/// Where a stream of the past is.
#[derive(Debug)]
pub(crate) enum Source {
    /// Here.
    Bytes(Vec<u8>),
    /// In this file, which is so long.
    File(PathBuf, u64),
}

impl Source {
    fn len(&self) -> u64 {
        match self {
            Source::Bytes(bytes) => bytes.len() as u64,
            Source::File(_, len) => *len,
        }
    }

    fn read(&self, offset: u64, max: usize) -> Part {
        let nothing = || Part { offset, bytes: Vec::new() };
        match self {
            Source::Bytes(all) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX).min(all.len());
                let until = from.saturating_add(max).min(all.len());
                Part { offset, bytes: all[from..until].to_vec() }
            }
            Source::File(path, _) => read_at(path, offset, max).unwrap_or_else(nothing),
        }
    }
}

/// Where the names of those that are over are put, each once.
pub(crate) type Over = Arc<Mutex<Vec<RunId>>>;

/// The account of one command, kept while it is written.
#[derive(Debug)]
pub struct Ledger {
    book: Mutex<Book>,
    changed: Notify,
}

#[derive(Debug)]
struct Book {
    /// `None` once the receipt has it.
    capture: Option<Capture>,
    /// Where the output of a command of the past is: stdout, then stderr.
    recalled: Option<[Source; 2]>,
    spooling: Option<Spooling>,
    entry: Option<Entry>,
    span: Option<(Span, Telemetry)>,
    receipt: Option<Arc<Receipt>>,
    /// The receipt may be seen: everything that comes with it is in place.
    is_over: bool,
    /// Who is told that it is over, and under which name.
    over: Option<(RunId, Over)>,
    last_output: Instant,
}

/// Where a command's account stands.
#[derive(Debug, Clone)]
pub struct Standing {
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
        let book = Book {
            capture: Some(Capture::new(plan.keep)),
            recalled: None,
            entry: books.entry,
            span: books.span,
            spooling: books
                .spool
                .filter(|_| plan.spool > 0)
                .map(|spool| Spooling::new(spool, draft.id(), plan)),
            receipt: None,
            is_over: false,
            over: None,
            last_output: Instant::now(),
        };
        Self { book: Mutex::new(book), changed: Notify::new() }
    }

    /// The account of a command of the past, as far as it was kept.
    pub(crate) fn recalled(sources: [Source; 2]) -> Self {
        let book = Book {
            capture: None,
            recalled: Some(sources),
            spooling: None,
            entry: None,
            span: None,
            receipt: None,
            is_over: false,
            over: None,
            last_output: Instant::now(),
        };
        Self { book: Mutex::new(book), changed: Notify::new() }
    }

    /// Appends what was read.
    pub(super) fn append(&self, stream: Stream, bytes: &[u8]) -> Place {
        let mut book = self.open();
        let Book { capture, spooling, entry, .. } = &mut *book;
        if let Some(entry) = entry {
            entry.printed(stream, bytes);
        }
        let place = match capture {
            Some(capture) => {
                if let Some(spooling) = spooling {
                    spooling.append(stream, bytes, capture.window(stream));
                }
                capture.append(stream, bytes)
            }
            None => Place { offset: 0, seq: 0 },
        };
        book.last_output = Instant::now();
        drop(book);
        self.changed.notify_waiters();
        place
    }

    /// It is over: the account becomes a receipt, kept here only if somebody may still read it.
    pub(super) fn close(self: Arc<Self>, mut receipt: Receipt) -> Arc<Receipt> {
        let mut book = self.open();
        if let Some(capture) = book.capture.take() {
            (receipt.stdout, receipt.stderr, receipt.order) = capture.finish();
        }
        let spooled = book.spooling.take().map(|spooling| spooling.finish(&mut receipt)).unwrap_or_default();
        let (entry, span) = (book.entry.take(), book.span.take());
        receipt.notes.extend(entry.as_ref().and_then(Entry::note));
        let receipt = Arc::new(receipt);
        if Arc::strong_count(&self) > 1 {
            book.receipt = Some(Arc::clone(&receipt));
        }
        // Whoever reads what it printed does not wait for the disk.
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

    /// Puts the name where it is asked for, once it is over. Whoever sees the receipt finds the name there.
    pub(crate) fn tell_when_over(&self, id: RunId, over: &Over) {
        let mut book = self.open();
        if book.is_over {
            tell(over, id);
        } else {
            book.over = Some((id, Arc::clone(over)));
        }
    }

    /// At most `max` bytes of a stream from `offset` on. A part that begins later than asked says that what lies
    /// before is nowhere any more.
    pub fn read(&self, stream: Stream, offset: u64, max: usize) -> Part {
        let book = self.open();
        if let Some(capture) = &book.capture {
            let window = capture.window(stream);
            let spooled =
                book.spooling.as_ref().filter(|_| !window.holds(offset)).and_then(|s| s.file(stream));
            return spooled
                .and_then(|(path, len)| read_at(&path, offset, max.min(clamp(len, offset))))
                .unwrap_or_else(|| window.part(offset, max));
        }
        if let Some(sources) = &book.recalled {
            return sources[stream as usize].read(offset, max);
        }
        let Some(receipt) = book.receipt.clone() else { return Part { offset, bytes: Vec::new() } };
        drop(book);
        read_receipt(&receipt, stream, offset, max)
    }

    /// Where things stand.
    pub fn standing(&self) -> Standing {
        let book = self.open();
        let total = |stream| match (&book.capture, &book.receipt) {
            (Some(capture), _) => capture.window(stream).total(),
            (None, Some(receipt)) => receipt.stream(stream).kept.total,
            (None, None) => book.recalled.as_ref().map_or(0, |sources| sources[stream as usize].len()),
        };
        Standing {
            stdout: total(Stream::Stdout),
            stderr: total(Stream::Stderr),
            last_output: book.last_output,
            receipt: book.receipt.clone().filter(|_| book.is_over),
        }
    }

    /// Waits until `found` finds something in how things stand, looking again whenever they change.
    pub async fn until<T>(&self, mut found: impl FnMut(&Standing) -> Option<T>) -> T {
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

    /// A panic elsewhere leaves the book as it was: appending is the only change, and it does not panic half way.
    fn open(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A panic elsewhere leaves the list as it was: putting a name there is a single step.
fn tell(over: &Over, id: RunId) {
    over.lock().unwrap_or_else(PoisonError::into_inner).push(id);
}

fn clamp(len: u64, offset: u64) -> usize {
    usize::try_from(len.saturating_sub(offset)).unwrap_or(usize::MAX)
}

/// Reads from what a receipt kept, and from the spool file it names.
fn read_receipt(receipt: &Receipt, stream: Stream, offset: u64, max: usize) -> Part {
    let summary = receipt.stream(stream);
    let kept = summary.kept.part(offset, max);
    if kept.offset <= offset {
        return kept;
    }
    summary.spool.as_ref().and_then(|path| read_at(path, offset, max)).unwrap_or(kept)
}
