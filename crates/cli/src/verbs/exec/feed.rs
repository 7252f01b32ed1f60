//! Our own input, or a file, goes to the command as it is wanted. Never more than two pieces are in memory.

use crate::output::{Failure, tell};
use runward::Input;
use runward::core::render::word;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tokio::sync::mpsc;

/// Bytes read in one go.
const PIECE: usize = 64 * 1024;

/// Where the command's input comes from.
#[derive(Debug)]
pub(in crate::verbs) enum Food {
    Ours,
    /// Opened only when it is read: a pipe with a name waits for its writer, and nobody waits for that.
    Named(PathBuf),
}

impl Food {
    /// Opens what was named; `-` is our own input.
    pub(super) fn open(named: &Path) -> Result<Self, Failure> {
        if named == Path::new("-") {
            return Ok(Food::Ours);
        }
        let cannot = |why: &str| {
            let message = format!("`{}` could not be opened for `--stdin`: {why}", word(named.as_os_str()));
            Failure::bad_value(message, "Name a file that can be read, or `-` for standard input.")
        };
        let found = std::fs::metadata(named).map_err(|error| cannot(&error.to_string()))?;
        match (found.is_dir(), found.is_file()) {
            (true, _) => Err(cannot("it is a directory")),
            // What cannot be read is told before anything starts.
            (_, true) => File::open(named).map(|_| named).map_err(|error| cannot(&error.to_string())),
            _ => Ok(named),
        }
        .map(|named| Food::Named(named.to_owned()))
    }

    /// Reads on a thread of its own, no faster than pieces are taken. It is never waited for: a read that
    /// nobody answers would never end.
    fn pieces(self) -> mpsc::Receiver<io::Result<Vec<u8>>> {
        let (to, from) = mpsc::channel(1);
        std::thread::spawn(move || match self {
            Food::Ours => read_all(io::stdin().lock(), &to),
            Food::Named(path) => match File::open(path) {
                Ok(file) => read_all(file, &to),
                // Whoever takes it tells it; if nobody does, the command is over.
                Err(error) => drop(to.blocking_send(Err(error))),
            },
        });
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

/// Feeds the command on the side until there is no more, or it is over.
pub(in crate::verbs) fn begin(food: Option<Food>, input: Input) {
    if let Some(food) = food {
        // The task ends with the runtime; whoever waits for the command waits for nothing else.
        tokio::spawn(feed(food, input));
    }
}

async fn feed(food: Food, input: Input) {
    let mut pieces = food.pieces();
    while let Some(piece) = pieces.recv().await {
        let written = match piece {
            Ok(piece) => input.write(piece).await,
            // The command sees an end; that it is not the true one must not pass in silence.
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
