//! The state of one command's output on disk, shared by the loop and the writer thread.

use bytes::Bytes;
use runward_core::output::{Stream, StreamPart};
use runward_core::plan::RunId;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Where a part of the output is.
#[derive(Debug)]
pub(crate) enum SpoolSource {
    /// In this file, of which so much is written.
    File(PathBuf, u64),
    /// Here: it is in the queue.
    Part(StreamPart),
}

/// The state of one command's files.
#[derive(Debug)]
pub(super) struct SpoolAccount {
    pub(super) id: RunId,
    state: Mutex<SpoolState>,
}

#[derive(Debug, Default)]
pub(super) struct SpoolState {
    /// The file of each stream, and how much of it is written.
    pub(super) files: [Option<(PathBuf, u64)>; 2],
    /// The queued part of each stream: it follows what is written, and can be read from here.
    pub(super) pending: [VecDeque<Bytes>; 2],
    /// All files together took what they may.
    pub(super) full: bool,
    /// Why writing stopped, if it did.
    pub(super) failed: Option<String>,
    /// The disk is given up.
    pub(super) given_up: bool,
}

impl SpoolState {
    /// Whether nothing more will be written.
    pub(super) fn is_over(&self) -> bool {
        self.full || self.given_up || self.failed.is_some()
    }
}

impl SpoolAccount {
    pub(super) fn new(id: RunId) -> Self {
        Self { id, state: Mutex::default() }
    }

    /// Where the bytes of a stream from an offset on are.
    pub(super) fn source(&self, stream: Stream, offset: u64, max: usize) -> Option<SpoolSource> {
        let state = self.state();
        let file = state.files[stream as usize].as_ref();
        let mut from = file.map_or(0, |(_, written)| *written);
        if let Some((path, written)) = file.filter(|_| offset < from) {
            return Some(SpoolSource::File(path.clone(), *written));
        }
        for bytes in &state.pending[stream as usize] {
            let skip = usize::try_from(offset - from).unwrap_or(usize::MAX);
            if skip < bytes.len() {
                let until = skip.saturating_add(max).min(bytes.len());
                return Some(SpoolSource::Part(StreamPart { offset, bytes: bytes[skip..until].to_vec() }));
            }
            from += bytes.len() as u64;
        }
        None
    }

    /// A panic elsewhere leaves it whole: every change to it is a single step.
    pub(super) fn state(&self) -> MutexGuard<'_, SpoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
