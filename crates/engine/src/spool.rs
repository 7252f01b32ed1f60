//! Output on disk: what does not fit into memory, up to a limit, for as long as there is room.
//!
//! A command whose output fits into its window never touches the disk. Files are private to the user, one
//! per stream, named after the run. A file is locked while its command runs, so that making room, which
//! removes the oldest first, never takes one that is still being written.

use crate::journal::{Journal, SpoolPiece};
use runward_core::output::{Part, Stream, Window};
use runward_core::plan::{CapturePlan, RunId};
use runward_core::record::Receipt;
use runward_core::render::hex;
use std::collections::HashMap;
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
pub(crate) struct Spool {
    rules: Arc<SpoolRules>,
    /// Who is told of what is removed: output that is gone without that was taken by somebody else.
    journal: Option<Journal>,
}

impl Spool {
    pub(crate) fn new(rules: SpoolRules, journal: Option<Journal>) -> Self {
        Self { rules: Arc::new(rules), journal }
    }

    /// A new file for a stream of a run that may write this much in all.
    fn create(&self, id: RunId, stream: Stream, share: u64) -> io::Result<(PathBuf, File)> {
        let folder = &self.rules.folder;
        runward_os::private_folder(folder)?;
        let tell = |runs: Vec<String>| {
            if let Some(journal) = &self.journal {
                journal.unspooled(runs);
            }
        };
        make_room(folder, self.rules.total, (&id.to_string(), share), tell)?;
        let name = match stream {
            Stream::Stdout => "stdout",
            Stream::Stderr => "stderr",
        };
        let path = folder.join(format!("{id}.{name}"));
        let file = runward_os::private_file(&path)?;
        // Refused only if somebody who makes room looks at the file this very moment; it does not remove what is new.
        let _ = file.try_lock();
        Ok((path, file))
    }
}

/// What one run has on disk.
struct Stored {
    changed: SystemTime,
    len: u64,
    /// Whether its command still runs, and may write up to its share.
    running: bool,
    files: Vec<PathBuf>,
}

/// Removes the oldest finished output until the share of one more run fits. A running command counts with the share
/// it may still write, so that all of them together keep the total. What goes is told before it is gone.
fn make_room(
    folder: &Path,
    total: u64,
    (id, share): (&str, u64),
    tell: impl FnOnce(Vec<String>),
) -> io::Result<()> {
    let mut runs = stored(folder)?;
    runs.remove(id);
    let size = |run: &Stored| if run.running { run.len.max(share) } else { run.len };
    let mut used: u64 = runs.values().map(size).sum();
    let mut finished: Vec<(String, Stored)> = runs.into_iter().filter(|(_, run)| !run.running).collect();
    finished.sort_by_key(|(_, run)| run.changed);
    let mut goes = 0;
    while let Some((_, run)) = finished.get(goes).filter(|_| used + share > total) {
        used -= run.len;
        goes += 1;
    }
    finished.truncate(goes);
    if goes > 0 {
        tell(finished.iter().map(|(id, _)| id.clone()).collect());
    }
    for (_, run) in finished {
        run.files.iter().for_each(|file| drop(fs::remove_file(file)));
    }
    if used + share <= total {
        Ok(())
    } else {
        Err(io::Error::other("the spool is full of running commands' output"))
    }
}

fn stored(folder: &Path) -> io::Result<HashMap<String, Stored>> {
    let mut runs: HashMap<String, Stored> = HashMap::new();
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        let (Some(id), Ok(found)) = (path.file_stem().and_then(|stem| stem.to_str()), entry.metadata())
        else {
            continue;
        };
        let changed = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        let running = File::open(&path).is_ok_and(|file| file.try_lock().is_err());
        let run = runs.entry(id.to_owned()).or_insert(Stored {
            changed,
            len: 0,
            running: false,
            files: Vec::new(),
        });
        run.len += found.len();
        run.running |= running;
        run.changed = run.changed.max(changed);
        run.files.push(path);
    }
    Ok(runs)
}

/// A file that is being written, and the digest of what it holds.
#[derive(Debug)]
struct SpoolFile {
    path: PathBuf,
    file: File,
    digest: Box<blake3::Hasher>,
}

/// The spool files of one running command.
#[derive(Debug)]
pub(crate) struct Spooling {
    spool: Spool,
    id: RunId,
    /// What may be written, both streams together.
    share: u64,
    /// What may still be written.
    left: u64,
    keep: u64,
    stdout: Option<SpoolFile>,
    stderr: Option<SpoolFile>,
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
            share: capture.spool,
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
            let (path, file) = self.spool.create(self.id, stream, self.share)?;
            let place = place.insert(SpoolFile { path, file, digest: Box::default() });
            self.cut |= place.put(&window.kept().bytes(), &mut self.left)?;
        }
        if let Some(place) = place {
            self.cut |= place.put(bytes, &mut self.left)?;
        }
        Ok(())
    }

    /// The file of a stream, and how much of it is written.
    pub(crate) fn file(&self, stream: Stream) -> Option<(PathBuf, u64)> {
        let place = match stream {
            Stream::Stdout => self.stdout.as_ref()?,
            Stream::Stderr => self.stderr.as_ref()?,
        };
        Some((place.path.clone(), place.file.metadata().ok()?.len()))
    }

    /// Tells the receipt where the files are, and what is missing from them. Gives what each file holds.
    pub(crate) fn finish(self, receipt: &mut Receipt) -> [Option<SpoolPiece>; 2] {
        let pieces = [&self.stdout, &self.stderr].map(|place| place.as_ref().map(SpoolFile::piece));
        for (place, summary) in [(self.stdout, &mut receipt.stdout), (self.stderr, &mut receipt.stderr)] {
            summary.spool = place.map(|place| place.path);
        }
        if self.cut {
            receipt.notes.push(
                "the spool's limit was reached: only the beginning of the output is on disk".to_owned(),
            );
        }
        if let Some(error) = self.failed {
            receipt.notes.push(format!("the output could not be written to the spool: {error}"));
        }
        pieces
    }
}

impl SpoolFile {
    /// Writes as much as fits. True if not all of it did.
    fn put(&mut self, bytes: &[u8], left: &mut u64) -> io::Result<bool> {
        let len = bytes.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
        let (mut rest, written) = (&bytes[..len], self.digest.count());
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
        *left -= self.digest.count() - written;
        Ok(len < bytes.len())
    }

    fn piece(&self) -> SpoolPiece {
        SpoolPiece { bytes: self.digest.count(), digest: hex(self.digest.finalize().as_bytes()) }
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
