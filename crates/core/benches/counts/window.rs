//! Keeping output: lines that come one by one, and chunks as a full pipe gives them.

use crate::Work;
use runward_core::output::{Capture, Stream};
use std::hint::black_box;

/// Less than what is printed, so that the tail is overwritten, too.
const KEEP: u64 = 64 * 1024;

/// Four thousand short lines, each read by itself, with a word on stderr now and then.
pub(crate) fn lines() -> Work {
    let lines: Vec<String> = (0..4000).map(|n| format!("test case number {n} ... ok\n")).collect();
    Box::new(move || {
        let mut capture = Capture::new(KEEP);
        for (at, line) in lines.iter().enumerate() {
            let stream = if at % 16 == 0 { Stream::Stderr } else { Stream::Stdout };
            black_box(capture.append(stream, black_box(line.as_bytes())));
        }
        black_box(&capture);
    })
}

/// A megabyte in chunks that differ in length, none of them as long as the tail.
pub(crate) fn chunks() -> Work {
    let chunks: Vec<Vec<u8>> = (0..64).map(|n| vec![b'y'; 16 * 1024 + n]).collect();
    Box::new(move || {
        let mut capture = Capture::new(KEEP);
        for chunk in &chunks {
            black_box(capture.append(Stream::Stdout, black_box(chunk)));
        }
        black_box(&capture);
    })
}
