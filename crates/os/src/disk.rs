//! Answers the questions of `Look` and `Browse` from the real file system, and opens private files. It decides nothing.

use crate::SpawnError;
use runward_core::facts::{Browse, FileKind, FileStamp, Look};
use runward_core::resolve::ResolvedCommand;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The real file system.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

/// More than any alias file of a version manager holds.
const SMALL: u64 = 64 * 1024;

/// How much of a large file is looked at in one go.
const PIECE: usize = 32 * 1024;

impl Look for Disk {
    fn is_executable(&self, path: &Path) -> bool {
        crate::sys::is_executable(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        let found = fs::metadata(path).ok()?;
        Some(match (found.is_dir(), found.is_file()) {
            (true, _) => FileKind::Directory,
            (_, true) => FileKind::File,
            _ => FileKind::Other,
        })
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        crate::sys::real_path(path).ok()
    }

    fn refusal(&self, path: &Path) -> Option<String> {
        let look = fs::metadata(path).err().map(|error| ("looking at a file (`stat`)", error));
        let follow = || Some(("following links (`readlink`)", crate::sys::real_path(path).err()?));
        let (what, error) = look.or_else(follow)?;
        is_refused(&error).then(|| format!("{what} failed: {error}"))
    }

    fn may_be_link(&self, path: &Path) -> bool {
        // On Windows there are other things than links that lead elsewhere.
        cfg!(windows) || fs::symlink_metadata(path).map_or(true, |found| found.is_symlink())
    }

    fn leads_nowhere(&self, path: &Path) -> bool {
        self.may_be_link(path) && fs::symlink_metadata(path).is_ok() && fs::metadata(path).is_err()
    }

    fn stamp(&self, path: &Path) -> Option<FileStamp> {
        let found = fs::metadata(path).ok()?;
        let written = found.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?.as_nanos();
        #[cfg(unix)]
        let (device, number) = {
            use std::os::unix::fs::MetadataExt;
            (found.dev(), found.ino())
        };
        #[cfg(not(unix))]
        let (device, number) = (0, 0);
        Some(FileStamp { device, number, size: found.len(), written })
    }
}

/// Whether an error says that a call is forbidden or unknown, and nothing about the file that it was made for.
pub(crate) fn is_refused(error: &std::io::Error) -> bool {
    #[cfg(unix)]
    let is_refused = matches!(error.raw_os_error(), Some(libc::EPERM | libc::ENOSYS));
    #[cfg(not(unix))]
    let is_refused = error.kind() == std::io::ErrorKind::Unsupported;
    is_refused
}

/// Holds that a command's program is still the file that was judged.
///
/// Hazard: between judging and starting a person may have been asked, and a file may have taken the program's place.
/// The moment between this look and the kernel's own is what remains.
pub(crate) fn still_judged(command: &ResolvedCommand) -> Result<(), SpawnError> {
    let program = command.program();
    match command.stamp() {
        Some(judged) if Disk.stamp(program) != Some(judged) => {
            Err(SpawnError::Changed { program: program.to_owned() })
        }
        _ => Ok(()),
    }
}

/// Holds that a folder which was opened is the one that was judged, where folders have inode numbers.
#[cfg(unix)]
pub(crate) fn still_the_folder(
    opened: impl std::os::fd::AsFd,
    command: &ResolvedCommand,
) -> Result<(), SpawnError> {
    let Some(judged) = command.folder() else { return Ok(()) };
    let moved = || SpawnError::Moved { cwd: command.cwd().to_owned() };
    let found = rustix::fs::fstat(opened).map_err(|_| moved())?;
    let same = (found.st_dev, found.st_ino) == (stat_number(judged.device), stat_number(judged.number));
    if same { Ok(()) } else { Err(moved()) }
}

/// A device or inode number as the kernel's own call gives it; its type differs from system to system.
#[cfg(unix)]
fn stat_number<N: TryFrom<u64> + Default>(number: u64) -> N {
    N::try_from(number).unwrap_or_default()
}

/// A folder that stays what it is while a person is asked about a command in it: as long as it is held open, no other
/// can have its inode number.
#[derive(Debug)]
pub struct HeldFolder {
    _open: fs::File,
}

impl HeldFolder {
    /// Holds the folder of a command, which must be the one that was judged; nothing where it cannot be opened.
    pub fn of(command: &ResolvedCommand) -> Result<Option<Self>, SpawnError> {
        let Some(open) = Self::opened(command.cwd()) else { return Ok(None) };
        #[cfg(unix)]
        still_the_folder(&open, command)?;
        Ok(Some(Self { _open: open }))
    }

    fn opened(path: &Path) -> Option<fs::File> {
        let mut options = fs::OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        {
            let flags = rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::NOFOLLOW;
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
        }
        // A folder is opened by a flag of its own. While it is open without leave to delete, it cannot be renamed.
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            const BACKUP_SEMANTICS: u32 = 0x0200_0000;
            const READ_AND_WRITE: u32 = 3;
            options.custom_flags(BACKUP_SEMANTICS).share_mode(READ_AND_WRITE);
        }
        options.open(path).ok()
    }
}

impl Browse for Disk {
    fn list(&self, dir: &Path) -> Vec<OsString> {
        fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.file_name()).collect()
    }

    fn read_small(&self, path: &Path) -> Option<String> {
        // With room from the beginning: without it, the first bytes are asked for in small pieces.
        let mut text = String::with_capacity(4096);
        let mut options = fs::OpenOptions::new();
        options.read(true);
        // Opening a pipe would otherwise block until another process writes to it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        let file = options.open(path).ok()?;
        file.metadata().ok().filter(fs::Metadata::is_file)?;
        file.take(SMALL).read_to_string(&mut text).ok()?;
        Some(text)
    }

    fn mentions(&self, path: &Path, bytes: &[u8]) -> bool {
        match fs::File::open(path).and_then(|file| holds(file, bytes)) {
            Ok(found) => found,
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        }
    }

    fn link(&self, path: &Path) -> Option<PathBuf> {
        fs::read_link(path).ok()
    }

    fn may_enter(&self, path: &Path) -> bool {
        #[cfg(unix)]
        let may = rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
        #[cfg(not(unix))]
        let may = path.exists();
        may
    }
}

/// Whether these bytes lie somewhere in a file, which may be large: it is read piece by piece into one place.
fn holds(mut file: fs::File, bytes: &[u8]) -> std::io::Result<bool> {
    let finder = memchr::memmem::Finder::new(bytes);
    let overlap = bytes.len().saturating_sub(1);
    let mut piece = vec![0; overlap + PIECE];
    let mut kept = 0;
    loop {
        let got = match file.read(&mut piece[kept..]) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            got => got?,
        };
        let filled = kept + got;
        if finder.find(&piece[..filled]).is_some() {
            return Ok(true);
        }
        if got == 0 {
            return Ok(false);
        }
        // What was looked for may begin in this piece and end in the next.
        kept = filled.min(overlap);
        piece.copy_within(filled - kept..filled, 0);
    }
}

/// Makes a folder, with all above it, that only this user may enter.
pub fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut folder = fs::DirBuilder::new();
    folder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
    folder.create(path)
}

/// Opens a file for reading and writing, and makes it, for this user alone, if it is not there. Anything else that stands
/// there is an error.
pub fn private_log(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    open_regular(&options, path)
}

/// Opens a file for reading. A pipe, a device or a folder at that path is an error, and is not waited for.
pub fn regular_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    open_regular(&options, path)
}

fn open_regular(options: &fs::OpenOptions, path: &Path) -> std::io::Result<fs::File> {
    let other = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a file");
    // A device may act when it is opened, so it is looked at first.
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(other());
    }
    // What takes its place since must not be waited for: opening a pipe blocks until its other end is opened.
    #[cfg(unix)]
    let options = {
        let mut options = options.clone();
        let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, flags.bits().cast_signed());
        options
    };
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(other()) }
}

/// Waits until no other process holds a lock on this file, and holds it until the file is closed. Where the host
/// forbids that, the error names the call: the file itself can be written, so nothing else would point to it.
pub fn lock_file(file: &fs::File) -> std::io::Result<()> {
    file.lock().map_err(|error| {
        let call = if cfg!(windows) { "LockFileEx" } else { "flock" };
        std::io::Error::new(error.kind(), format!("locking a file (`{call}`) failed: {error}"))
    })
}

/// Makes a new file that only this user may read.
pub fn private_file(path: &Path) -> std::io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Which file this is, whatever its name: to see whether it was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileIdentity(u64, u64);

/// The file that stands at a path; none where there is nothing, nor where the way there ends.
pub fn file_identity(path: &Path) -> std::io::Result<Option<FileIdentity>> {
    match fs::metadata(path) {
        Ok(found) => Ok(Some(identity(&found))),
        Err(error) if leads_to_nothing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Nothing is there, something that is no folder stands above it, or a link leads to itself.
fn leads_to_nothing(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotADirectory, NotFound};
    #[cfg(unix)]
    let circle = error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error());
    #[cfg(not(unix))]
    let circle = false;
    circle || matches!(error.kind(), NotFound | NotADirectory)
}

#[cfg(unix)]
fn identity(found: &fs::Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    FileIdentity(found.dev(), found.ino())
}

/// A file that is open cannot be replaced here; another one was made at another moment.
#[cfg(not(unix))]
fn identity(found: &fs::Metadata) -> FileIdentity {
    let made = found.created().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    FileIdentity(made.map_or(0, |at| at.as_secs()), made.map_or(0, |at| u64::from(at.subsec_nanos())))
}

/// Lets two folders change places: in one step where the system can do that, else in three.
pub fn exchange(one: &Path, other: &Path) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let between = other.with_extension("between");
    fs::rename(one, &between)?;
    fs::rename(other, one)?;
    fs::rename(between, other)
}

/// Where what must outlive a process can be kept for a user without a home: a folder that was made for that, or a
/// private one among the temporary files. None where neither can be had.
#[cfg(unix)]
pub fn fallback_state() -> Option<PathBuf> {
    use rustix::fs::{Access, access};
    use std::os::unix::fs::MetadataExt;
    let made = PathBuf::from("/var/lib/runward");
    let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
    if is_folder(&made) && access(&made, Access::WRITE_OK | Access::EXEC_OK).is_ok() {
        return Some(made);
    }
    let user = rustix::process::geteuid().as_raw();
    let own = std::env::temp_dir().join(format!("runward-{user}"));
    private_folder(&own).ok()?;
    // Another user may have made it, or a link that leads elsewhere.
    let found = fs::symlink_metadata(&own).ok()?;
    let is_private = found.is_dir() && found.uid() == user && found.mode() & 0o077 == 0;
    (is_private && own.is_absolute()).then_some(own)
}

/// Every user has a home here.
#[cfg(not(unix))]
pub fn fallback_state() -> Option<PathBuf> {
    None
}
