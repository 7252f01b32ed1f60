//! Output on disk: what does not fit into memory, up to a limit, for as long as there is room.
//!
//! A command whose output fits into its window never touches the disk. Files are private to the user, one
//! per stream, named after the run. A file is locked while its command runs, so that making room, which
//! removes the oldest first, never takes one that is still being written.

use runward_core::output::{Part, Stream, Window};
use runward_core::plan::{CapturePlan, RunId};
use runward_core::record::Receipt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// Where output is written, and how much of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpoolRules {
    /// The folder; made when it is first needed.
    pub folder: PathBuf,
    /// Bytes that all files together may take.
    pub total: u64,
}

/// The spool of one engine.
#[derive(Debug, Clone)]
pub(crate) struct Spool(Arc<SpoolRules>);

impl Spool {
    pub(crate) fn new(rules: SpoolRules) -> Self {
        Self(Arc::new(rules))
    }

    fn create(&self, id: RunId, stream: Stream) -> io::Result<(PathBuf, File)> {
        let folder = &self.0.folder;
        runward_os::private_folder(folder)?;
        make_room(folder, self.0.total)?;
        let name = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        let path = folder.join(format!("{id}.{name}"));
        let file = runward_os::private_file(&path)?;
        // Nobody else knows the name yet, so this cannot be refused.
        file.try_lock().map_err(io::Error::from)?;
        Ok((path, file))
    }
}

/// Removes the oldest files that no running command holds, until there is room.
fn make_room(folder: &Path, total: u64) -> io::Result<()> {
    let mut files: Vec<(SystemTime, u64, PathBuf)> = fs::read_dir(folder)?
        .flatten()
        .filter_map(|entry| {
            let found = entry.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((found.modified().ok()?, found.len(), entry.path()))
        })
        .collect();
    let mut used: u64 = files.iter().map(|(_, len, _)| len).sum();
    files.sort_unstable();
    for (_, len, path) in files {
        if used < total {
            break;
        }
        let free = File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
        if free && fs::remove_file(&path).is_ok() {
            used -= len;
        }
    }
    Ok(())
}

/// The spool files of one running command.
#[derive(Debug)]
pub(crate) struct Spooling {
    spool: Spool,
    id: RunId,
    /// What may still be written, both streams together.
    left: u64,
    keep: u64,
    stdout: Option<(PathBuf, File)>,
    stderr: Option<(PathBuf, File)>,
    /// Whether something did not fit.
    cut: bool,
    /// Why writing stopped, if it did. Output goes on; the receipt tells.
    failed: Option<io::Error>,
}

impl Spooling {
    pub(crate) fn new(spool: Spool, id: RunId, capture: CapturePlan) -> Self {
        Self {
            spool,
            id,
            left: capture.spool,
            keep: capture.keep,
            stdout: None,
            stderr: None,
            cut: false,
            failed: None,
        }
    }

    /// Bytes that are about to be appended to a window. Once they no longer fit, what the window holds goes
    /// to disk first: until then it holds everything.
    pub(crate) fn append(&mut self, stream: Stream, bytes: &[u8], window: &Window) {
        let fits = window.total() + bytes.len() as u64 <= self.keep;
        if fits || self.failed.is_some() {
            return;
        }
        if self.left == 0 {
            // A spool that was never there cuts nothing off.
            self.cut |= self.stdout.is_some() || self.stderr.is_some();
            return;
        }
        if let Err(error) = self.write(stream, bytes, window) {
            self.failed = Some(error);
        }
    }

    fn write(&mut self, stream: Stream, bytes: &[u8], window: &Window) -> io::Result<()> {
        let place = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        if place.is_none() {
            let (path, file) = self.spool.create(self.id, stream)?;
            let (_, file) = place.insert((path, file));
            self.cut |= Self::put(file, &window.kept().bytes(), &mut self.left)?;
        }
        if let Some((_, file)) = place {
            self.cut |= Self::put(file, bytes, &mut self.left)?;
        }
        Ok(())
    }

    fn put(file: &mut File, bytes: &[u8], left: &mut u64) -> io::Result<bool> {
        // True if not all of it fitted.
        let len = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        file.write_all(&bytes[..len])?;
        *left -= len as u64;
        Ok(len < bytes.len())
    }

    /// The file of a stream, and how much of it is written.
    pub(crate) fn file(&self, stream: Stream) -> Option<(PathBuf, u64)> {
        let (path, file) = match stream {
            Stream::Stdout => self.stdout.as_ref()?,
            Stream::Stderr => self.stderr.as_ref()?,
        };
        Some((path.clone(), file.metadata().ok()?.len()))
    }

    /// Tells the receipt where the files are, and what is missing from them.
    pub(crate) fn finish(self, receipt: &mut Receipt) {
        for (place, summary) in [(self.stdout, &mut receipt.stdout), (self.stderr, &mut receipt.stderr)] {
            summary.spool = place.map(|(path, _)| path);
        }
        if self.cut {
            receipt.notes.push(
                "the spool's limit was reached: only the beginning of the output is on disk".to_owned(),
            );
        }
        if let Some(error) = self.failed {
            receipt.notes.push(format!("the output could not be written to the spool: {error}"));
        }
    }
}

/// Bytes of a spool file. Nothing if it is gone or ends before `offset`.
pub(crate) fn read_at(path: &Path, offset: u64, max: usize) -> Option<Part> {
    let mut file = File::open(path).ok()?;
    file.seek(io::SeekFrom::Start(offset)).ok()?;
    let mut bytes = Vec::new();
    file.take(max as u64).read_to_end(&mut bytes).ok()?;
    (!bytes.is_empty()).then_some(Part { offset, bytes })
}
