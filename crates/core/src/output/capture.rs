//! Everything kept of one command's standard output and standard error. May not grow beyond its budget.

use super::{Marks, StreamMark, Window};
use crate::record::StreamSummary;
use serde::Serialize;

/// An output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stream {
    /// Standard output; with a terminal or joined streams, everything.
    Stdout,
    /// Standard error.
    Stderr,
}

/// Both windows, and the order in which they were filled.
#[derive(Debug)]
pub struct Capture {
    stdout: Window,
    stderr: Window,
    marks: Marks,
}

impl Capture {
    /// A capture that keeps this many bytes of each stream.
    pub fn new(keep: u64) -> Self {
        Self { stdout: Window::new(keep), stderr: Window::new(keep), marks: Marks::default() }
    }

    /// Appends what was read, and says where in its stream it begins and which place it has in the order.
    pub fn append(&mut self, stream: Stream, bytes: &[u8]) -> AppendedAt {
        let window = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        let offset = window.total();
        window.append(bytes);
        AppendedAt { offset, seq: self.marks.note(stream, offset, bytes.len() as u64) }
    }

    /// The window of one stream.
    pub fn window(&self, stream: Stream) -> &Window {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }

    /// What was kept of stdout and stderr, and the order of arrival.
    pub fn finish(self) -> (StreamSummary, StreamSummary, Vec<StreamMark>) {
        let summary = |window: Window| StreamSummary { kept: window.into_kept(), spool: None };
        (summary(self.stdout), summary(self.stderr), self.marks.into_list())
    }
}

/// Where appended bytes stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AppendedAt {
    /// Where in its stream the bytes begin.
    pub offset: u64,
    /// Their place in the order of arrival over both streams.
    pub seq: u64,
}
