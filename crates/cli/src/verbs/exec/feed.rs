//! Standard input: ours, or a file, is passed to the command on demand. Never more than two chunks are in memory.

use crate::output::{VerbFailure, tell};
use crate::threads;
use runward::SessionInput;
use runward::core::render::word;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;

/// Bytes read in one go.
const PIECE: usize = 64 * 1024;

/// Where the command's input comes from.
#[derive(Debug)]
pub(in crate::verbs) enum InputSource {
    Ours,
    /// Opened only when it is read: opening a named pipe (FIFO) blocks until it has a writer.
    Named(PathBuf),
}

impl InputSource {
    /// Opens what was named; `-` is our own standard input.
    pub(super) fn open(named: &Path) -> Result<Self, VerbFailure> {
        if named == Path::new("-") {
            return Ok(InputSource::Ours);
        }
        let cannot = |why: &str| {
            let message = format!("`{}` could not be opened for `--stdin`: {why}", word(named.as_os_str()));
            VerbFailure::bad_value(message, "Name a file that can be read, or `-` for standard input.")
        };
        let found = std::fs::metadata(named).map_err(|error| cannot(&error.to_string()))?;
        match (found.is_dir(), found.is_file()) {
            (true, _) => Err(cannot("it is a directory")),
            // What cannot be opened is reported before anything starts.
            (_, true) => File::open(named).map(|_| named).map_err(|error| cannot(&error.to_string())),
            _ => Ok(named),
        }
        .map(|named| InputSource::Named(named.to_owned()))
    }

    /// Reads on a thread of its own, no faster than chunks are taken. It is never joined: a read without an
    /// answer would never end.
    fn pieces(self) -> mpsc::Receiver<io::Result<Vec<u8>>> {
        let (to, from) = mpsc::channel(1);
        let failed = to.clone();
        let reading = threads::aside("input", move || match self {
            InputSource::Ours => read_all(io::stdin().lock(), &to),
            InputSource::Named(path) => match File::open(path) {
                Ok(file) => read_all(file, &to),
                // The receiver reports the error; without a receiver the command is over.
                Err(error) => drop(to.blocking_send(Err(error))),
            },
        });
        if let Err(error) = reading {
            // There is room for one chunk, and there is no other sender.
            let _ = failed.try_send(Err(error));
        }
        from
    }
}

fn read_all(mut from: impl Read, to: &mpsc::Sender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; PIECE];
    loop {
        let piece = match from.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) => return,
            read => read.map(|len| buffer[..len].to_vec()),
        };
        let last = piece.is_err();
        if to.blocking_send(piece).is_err() || last {
            return;
        }
    }
}

/// Feeds the command in a task of its own until the input or the command ends.
pub(in crate::verbs) fn begin(source: Option<InputSource>, input: SessionInput) {
    if let Some(source) = source {
        // The task ends with the runtime; only the command is waited for.
        tokio::spawn(feed(source, input));
    }
}

async fn feed(source: InputSource, input: SessionInput) {
    let mut pieces = source.pieces();
    while let Some(piece) = pieces.recv().await {
        let written = match piece {
            Ok(piece) => input.write(piece).await,
            // The command sees an end of input; that it is not the true one must be reported.
            Err(error) => {
                tell(&format!("its input could not be read to the end: {error}"));
                Ok(())
            }
        };
        if written.is_err() {
            return;
        }
    }
    // A command that is over needs no end of input.
    let _ = input.close().await;
}
