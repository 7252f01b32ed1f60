//! One running command's queue to the spool. May not touch a disk.

use super::Spool;
use super::account::{SpoolAccount, SpoolSource};
use super::flow::{SpoolFlow, Stalled};
use super::writer::{SpoolPieces, SpoolWork};
use bytes::Bytes;
use runward_core::output::{Stream, Window};
use runward_core::plan::{CapturePlan, RunId};
use runward_core::record::Receipt;
use runward_core::render::duration;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// What one running command sends to the spool.
#[derive(Debug)]
pub(crate) struct Spooling {
    spool: Spool,
    account: Arc<SpoolAccount>,
    /// What may still be sent, both streams together.
    left: u64,
    keep: u64,
    /// The streams that are queued.
    begun: [bool; 2],
    /// Whether something did not fit into the command's own share.
    cut: bool,
    /// What the files hold, once they are closed.
    pieces: Option<SpoolPieces>,
}

/// What is waited for before a command's receipt is written.
#[derive(Debug)]
pub(crate) struct SpoolClosing {
    flow: Arc<SpoolFlow>,
    pieces: oneshot::Receiver<SpoolPieces>,
}

impl SpoolClosing {
    /// Waits until everything is on disk, for as long as there is progress.
    pub(crate) async fn pieces(self, most: Duration) -> Result<SpoolPieces, Stalled> {
        self.flow.answer(self.pieces, most).await
    }
}

impl Spooling {
    pub(crate) fn new(spool: Spool, id: RunId, capture: CapturePlan) -> Self {
        let account = Arc::new(SpoolAccount::new(id));
        Self {
            spool,
            account,
            left: capture.spool,
            keep: capture.keep,
            begun: [false; 2],
            cut: false,
            pieces: None,
        }
    }

    /// The queue, for a caller that has to wait.
    pub(crate) fn flow(&self) -> Arc<SpoolFlow> {
        Arc::clone(self.spool.flow())
    }

    /// Bytes that are about to be appended to a window. Once they no longer fit, what the window holds goes
    /// to disk first: until then it holds everything. Says whether output should be left in the pipe for now.
    pub(crate) fn append(&mut self, stream: Stream, bytes: &[u8], window: &Window) -> bool {
        let fits = window.total() + bytes.len() as u64 <= self.keep;
        if fits || self.account.state().is_over() {
            return false;
        }
        if self.left == 0 {
            // A spool that was never there cuts nothing off.
            self.cut |= self.begun.contains(&true);
            return false;
        }
        if self.spool.flow().is_stalled() {
            self.give_up();
            return false;
        }
        if !std::mem::replace(&mut self.begun[stream as usize], true) {
            self.send(stream, window.kept().bytes());
        }
        self.send(stream, bytes.to_vec());
        self.spool.flow().is_full()
    }

    fn send(&mut self, stream: Stream, mut bytes: Vec<u8>) {
        let fits = usize::try_from(self.left).unwrap_or(usize::MAX);
        self.cut |= fits < bytes.len();
        bytes.truncate(fits);
        if bytes.is_empty() {
            return;
        }
        let len = bytes.len();
        self.left -= len as u64;
        self.spool.flow().sent(len);
        let bytes = Bytes::from(bytes);
        self.account.state().pending[stream as usize].push_back(bytes.clone());
        if !self.spool.send(SpoolWork::Write(Arc::clone(&self.account), stream, bytes)) {
            self.spool.flow().did(len);
            self.account.state().failed = Some("no thread could be made for it".to_owned());
        }
    }

    /// The disk made no progress for too long: the rest of the output is in memory alone.
    pub(crate) fn give_up(&mut self) {
        let wait = duration(self.spool.flow().wait());
        let mut state = self.account.state();
        state.given_up = true;
        state.pending.iter_mut().for_each(std::collections::VecDeque::clear);
        state.failed.get_or_insert(format!("the disk did not answer within {wait}"));
    }

    /// Where the bytes of a stream from an offset on are, if they are not in memory.
    pub(crate) fn source(&self, stream: Stream, offset: u64, max: usize) -> Option<SpoolSource> {
        self.account.source(stream, offset, max)
    }

    /// Nothing more will come. Gives what has to be waited for, if anything was sent.
    pub(crate) fn close(&mut self) -> Option<SpoolClosing> {
        if !self.begun.contains(&true) {
            return None;
        }
        let (told, pieces) = oneshot::channel();
        self.spool.flow().sent(0);
        let sent = self.spool.send(SpoolWork::Close(Arc::clone(&self.account), told));
        // What was given up is not waited for again.
        let waits = sent && !self.account.state().given_up;
        waits.then(|| SpoolClosing { flow: self.flow(), pieces })
    }

    /// Everything is on disk.
    pub(crate) fn closed(&mut self, pieces: SpoolPieces) {
        self.pieces = Some(pieces);
    }

    /// Tells the receipt where the files are, and what is missing from them. Gives what each file holds.
    pub(crate) fn end(self, receipt: &mut Receipt) -> SpoolPieces {
        let mut state = self.account.state();
        if state.full {
            receipt.notes.push(
                "the spool is full (`limits.spool_total_bytes`): only the beginning of the output is on disk"
                    .to_owned(),
            );
        } else if self.cut {
            receipt.notes.push(
                "the spool's limit was reached: only the beginning of the output is on disk".to_owned(),
            );
        }
        if let Some(why) = &state.failed {
            receipt.notes.push(format!("the output could not be written to the spool: {why}"));
        }
        let Some(pieces) = self.pieces else { return [None, None] };
        let [stdout, stderr] = std::mem::take(&mut state.files).map(|file| file.map(|(path, _)| path));
        (receipt.stdout.spool, receipt.stderr.spool) = (stdout, stderr);
        pieces
    }
}
