//! Output on disk: what does not fit into memory, up to a limit, for as long as there is room.
//!
//! # Theory of operation
//!
//! A command with output that fits into its window never touches the disk. Files are private to the user, one a stream,
//! named after the run. The loop that waits on a command hands its output to one thread per engine (`writer`), which
//! counts what is written (`room`); it never waits for a disk itself. While more than [`AHEAD`] bytes are queued,
//! output is left in the pipe, and limits, orders and other commands go on. A disk without progress for as long as
//! the rules say is given up: the command goes on, and its receipt says so.
//!
//! A file is locked while its command runs, so that making room, which removes the oldest first, never takes one that is
//! still being written, in any process: several share the folder.
//!
//! Read first: [`Spooling`], then `writer`.

mod account;
mod flow;
mod piece;
mod room;
mod spooling;
mod writer;

pub(crate) use account::SpoolSource;
pub(crate) use flow::{SpoolFlow, Stalled};
pub use piece::SpoolPiece;
pub(crate) use spooling::Spooling;

use crate::journal::Journal;
use runward_core::output::StreamPart;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use writer::SpoolWork;

/// Bytes queued for the disk before output is left in the pipe, of all commands of an engine together.
const AHEAD: usize = 4 * 1024 * 1024;

/// Where output is written, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpoolRules {
    /// The folder; made when it is first needed.
    pub folder: PathBuf,
    /// Bytes that all files together may take.
    pub total: u64,
}

/// Why output that does not fit into memory is written nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoSpool {
    /// The caller has every byte already.
    Unneeded,
    /// This is why: a clause that a receipt can end with.
    Because(String),
}

impl Default for NoSpool {
    fn default() -> Self {
        NoSpool::Because("because none was set up".to_owned())
    }
}

/// The spool of one engine. Cheap to clone; the clones are one.
#[derive(Debug, Clone)]
pub(crate) struct Spool(Arc<SpoolShared>);

#[derive(Debug)]
struct SpoolShared {
    rules: Arc<SpoolRules>,
    /// What records removals: output that is gone without a record was removed from outside.
    journal: Option<Journal>,
    flow: Arc<SpoolFlow>,
    /// Where the thread takes work; nothing where none could be made.
    to: OnceLock<Option<Sender<SpoolWork>>>,
}

impl Spool {
    pub(crate) fn new(rules: SpoolRules, journal: Option<Journal>, wait: Duration) -> Self {
        let (rules, flow) = (Arc::new(rules), Arc::new(SpoolFlow::new(wait)));
        Self(Arc::new(SpoolShared { rules, journal, flow, to: OnceLock::new() }))
    }

    fn flow(&self) -> &Arc<SpoolFlow> {
        &self.0.flow
    }

    /// Hands work to the thread, which is made with the first of it. False where there is none.
    fn send(&self, work: SpoolWork) -> bool {
        let to = self.0.to.get_or_init(|| {
            let (to, from) = channel();
            let SpoolShared { rules, journal, flow, .. } = &*self.0;
            let writer = writer::SpoolWriter::new(Arc::clone(rules), journal.clone(), Arc::clone(flow));
            let thread = std::thread::Builder::new().name("spool".to_owned());
            thread.spawn(move || writer.run(&from)).is_ok().then_some(to)
        });
        to.as_ref().is_some_and(|to| to.send(work).is_ok())
    }
}

/// Bytes of a spool file. Nothing if it is gone or ends before `offset`.
pub(crate) fn read_at(path: &Path, offset: u64, max: usize) -> Option<StreamPart> {
    let mut file = runward_os::regular_file(path).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = Vec::new();
    file.take(max as u64).read_to_end(&mut bytes).ok()?;
    (!bytes.is_empty()).then_some(StreamPart { offset, bytes })
}
