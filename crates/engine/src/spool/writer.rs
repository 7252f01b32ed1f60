//! The thread that writes output to disk, so that limiting or ending a command never waits for a disk.
//!
//! May not choose what is written: it is handed the bytes in their order.

use super::account::SpoolAccount;
use super::room::SpoolRoom;
use super::{SpoolFlow, SpoolPiece, SpoolRules};
use crate::journal::Journal;
use bytes::Bytes;
use runward_core::output::Stream;
use runward_core::plan::RunId;
use runward_core::render::hex;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use tokio::sync::oneshot;

/// What each file of a run holds.
pub(super) type SpoolPieces = [Option<SpoolPiece>; 2];

/// What the thread is asked to do.
#[derive(Debug)]
pub(super) enum SpoolWork {
    /// Append this.
    Write(Arc<SpoolAccount>, Stream, Bytes),
    /// The command is over: close its files, and say what they hold. Without a receiver they are removed.
    Close(Arc<SpoolAccount>, oneshot::Sender<SpoolPieces>),
}

/// A file that is being written, and the digest of what it holds.
#[derive(Debug)]
struct SpoolFile {
    path: PathBuf,
    file: File,
    digest: Box<blake3::Hasher>,
}

/// Everything the thread knows.
#[derive(Debug)]
pub(super) struct SpoolWriter {
    room: SpoolRoom,
    flow: Arc<SpoolFlow>,
    open: HashMap<RunId, [Option<SpoolFile>; 2]>,
}

impl SpoolWriter {
    pub(super) fn new(rules: Arc<SpoolRules>, journal: Option<Journal>, flow: Arc<SpoolFlow>) -> Self {
        Self { room: SpoolRoom::new(rules, journal), flow, open: HashMap::new() }
    }

    /// Writes until the last sender is gone.
    pub(super) fn run(mut self, from: &Receiver<SpoolWork>) {
        while let Ok(work) = from.recv() {
            match work {
                SpoolWork::Write(account, stream, bytes) => {
                    let over = account.state().is_over();
                    if !over && let Err(error) = self.write(&account, stream, &bytes) {
                        account.state().failed = Some(error.to_string());
                    }
                    // Bytes after a part that was not written are dropped.
                    let mut state = account.state();
                    if state.is_over() {
                        state.pending[stream as usize].clear();
                    }
                    drop(state);
                    self.flow.did(bytes.len());
                }
                SpoolWork::Close(account, told) => {
                    self.close(&account, told);
                    self.flow.did(0);
                }
            }
        }
    }

    fn write(&mut self, account: &SpoolAccount, stream: Stream, bytes: &[u8]) -> io::Result<()> {
        let files = self.open.entry(account.id).or_default();
        let place = &mut files[stream as usize];
        if place.is_none() {
            runward_os::private_folder(self.room.folder())?;
        }
        let given = self.room.take(bytes.len() as u64)?;
        if given == 0 && place.is_none() {
            return Err(io::Error::other("the spool is full of running commands' output"));
        }
        let file = match place {
            Some(file) => file,
            None => place.insert(SpoolFile::create(&self.room, account.id, stream)?),
        };
        let fits = usize::try_from(given).unwrap_or(usize::MAX).min(bytes.len());
        let written = file.put(&bytes[..fits]);
        let mut state = account.state();
        // In one step with taking it from the queue, or it could be read twice, or not at all.
        state.pending[stream as usize].pop_front();
        state.files[stream as usize] = Some((file.path.clone(), file.digest.count()));
        state.full |= fits < bytes.len();
        written
    }

    fn close(&mut self, account: &SpoolAccount, told: oneshot::Sender<SpoolPieces>) {
        let files = self.open.remove(&account.id).unwrap_or_default();
        let paths: Vec<PathBuf> = files.iter().flatten().map(|file| file.path.clone()).collect();
        let pieces = files.map(|file| file.map(|file| file.piece()));
        if account.state().given_up || told.send(pieces).is_err() {
            // The receipt says that nothing is there.
            paths.iter().for_each(|path| drop(fs::remove_file(path)));
        }
    }
}

impl SpoolFile {
    fn create(room: &SpoolRoom, id: RunId, stream: Stream) -> io::Result<Self> {
        let name = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        let path = room.folder().join(format!("{id}.{name}"));
        let file = runward_os::private_file(&path)?;
        // Refused only if another process that makes room looks at the file now; it does not remove what is new.
        let _ = file.try_lock();
        Ok(Self { path, file, digest: Box::default() })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            // What was written before a failure is in the file, and has to be covered.
            match self.file.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => {
                    self.digest.update(&rest[..count]);
                    rest = &rest[count..];
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn piece(&self) -> SpoolPiece {
        SpoolPiece { bytes: self.digest.count(), digest: hex(self.digest.finalize().as_bytes()) }
    }
}
