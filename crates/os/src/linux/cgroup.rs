//! Cgroups, version 2, where this user may make them: plain directories and files.
//!
//! A leaf belongs to a warden and is used again by its next command. It is made below the cgroup that Runward itself
//! runs in, named after Runward's pid, and removed with the warden. It is locked for as long as Runward or the warden
//! holds it open: a leaf without a lock was left behind by a dead process, and is removed when the next one is made.
//! (Its name would not tell: in another pid namespace the pid means another process.)

use crate::SpawnError;
use runward_core::facts::Keeper;
use runward_core::plan::Draft;
use rustix::fs::{Access, AtFlags, CWD, FlockOperation, Mode, OFlags, accessat, flock, open, stat};
use rustix::io::Errno;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The cgroup below which leaves are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CgroupBase(PathBuf);

impl CgroupBase {
    /// Whether leaves below it get a controller's files.
    pub(super) fn controls(&self, controller: &str) -> bool {
        fs::read_to_string(self.0.join("cgroup.subtree_control"))
            .is_ok_and(|text| text.split_whitespace().any(|word| word == controller))
    }
}

/// The cgroup that can be used, if any. Asked once: it does not change while a process lives.
pub(super) fn usable() -> Option<CgroupBase> {
    static BASE: OnceLock<Option<CgroupBase>> = OnceLock::new();
    BASE.get_or_init(|| {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let base = CgroupBase(find(&mounts, &own)?);
        (can_kill() && can_lock(&base.0) && may_write(&base.0)).then_some(base)
    })
    .clone()
}

/// Where this process' cgroup is, from the kernel's two tables.
fn find(mounts: &str, own: &str) -> Option<PathBuf> {
    let mount = mounts.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        (after.split(' ').next() == Some("cgroup2")).then(|| before.split(' ').nth(4))?
    })?;
    let path = own.lines().find_map(|line| line.strip_prefix("0::"))?;
    Some(Path::new(mount).join(path.trim_start_matches('/')))
}

/// `cgroup.kill` came with Linux 5.14; without it a cgroup adds nothing to what a warden does.
fn can_kill() -> bool {
    // Not by the call for it, which some hosts forbid.
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut parts = release.split(|c: char| !c.is_ascii_digit()).map(|part| part.parse::<u32>().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0)) >= (5, 14)
}

fn may_write(folder: &Path) -> bool {
    match accessat(CWD, folder, Access::WRITE_OK, AtFlags::EACCESS) {
        // The newer call is forbidden; where the older one errs, making a leaf says so.
        Err(Errno::PERM | Errno::NOSYS) => accessat(CWD, folder, Access::WRITE_OK, AtFlags::empty()).is_ok(),
        answer => answer.is_ok(),
    }
}

/// Whether the call that tells a leaf in use from an abandoned one is not forbidden; without it a tree is held together
/// in another way.
fn can_lock(folder: &Path) -> bool {
    let locked = open_folder(folder).and_then(|folder| flock(&folder, FlockOperation::NonBlockingLockShared));
    !matches!(locked, Err(Errno::PERM | Errno::NOSYS))
}

fn open_folder(path: &Path) -> rustix::io::Result<OwnedFd> {
    open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

/// One command's cgroup.
#[derive(Debug)]
pub(super) struct Leaf {
    path: PathBuf,
    dir: OwnedFd,
    /// What the kernel did about memory. Not there where the controller is not.
    events: Option<fs::File>,
    /// How often the kernel had killed for memory when the running command began.
    kills_before: u64,
    /// Whether an earlier command left limits set. A new cgroup has none.
    limited: bool,
}

/// The limits that a cgroup keeps, and the files that hold them.
const LIMITS: [(&str, &str); 2] = [("memory_bytes", "memory.max"), ("processes", "pids.max")];

const PREFIX: &str = "runward-";

/// How many leaves are made between two looks for abandoned ones.
const CLEAN_EVERY: u64 = 32;

impl Leaf {
    pub(super) fn make() -> Result<Self, SpawnError> {
        let base = usable().ok_or_else(|| making(io::ErrorKind::Unsupported.into()))?;
        Self::make_below(&base.0)
    }

    fn make_below(base: &Path) -> Result<Self, SpawnError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            if count.is_multiple_of(CLEAN_EVERY) {
                remove_abandoned(base);
            }
            let path = base.join(format!("{PREFIX}{}-{count}", std::process::id()));
            if let Some(leaf) = Self::make_at(&path)? {
                return Ok(leaf);
            }
        }
    }

    /// The leaf, or nothing where the name is taken: a dead process had the same pid and its leaf is still emptied, a
    /// namespace counts its processes from one as well, or another Runward took the leaf for abandoned before it was
    /// locked.
    fn make_at(path: &Path) -> Result<Option<Self>, SpawnError> {
        match fs::create_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
            made => made.map_err(making)?,
        }
        match Self::hold(path) {
            Ok(dir) => {
                let events = fs::File::open(path.join("memory.events")).ok();
                Ok(Some(Self { path: path.to_owned(), dir, events, kills_before: 0, limited: false }))
            }
            Err((_, Errno::NOENT)) => Ok(None),
            Err((what, error)) => {
                // The leaf may exist, so its removal is owed.
                let _ = fs::remove_dir(path);
                Err(SpawnError::host(what)(error.into()))
            }
        }
    }

    /// Opens and locks what was made; or what failed, with its call.
    fn hold(path: &Path) -> Result<OwnedFd, (&'static str, Errno)> {
        let dir = open_folder(path).map_err(|error| ("opening a cgroup (`openat`)", error))?;
        // Waits for a Runward that looks whether it is abandoned, which takes a moment; then it is there or it is not.
        flock(&dir, FlockOperation::LockExclusive).map_err(|error| ("locking a cgroup (`flock`)", error))?;
        stat(path).map_err(|error| ("looking at a cgroup (`stat`)", error))?;
        Ok(dir)
    }

    /// Kills everything in it, where the warden cannot any more.
    pub(super) fn kill(&self) {
        // Gone already, or refused: then the steward is the last net.
        let _ = fs::write(self.path.join("cgroup.kill"), "1");
    }

    /// Sets the limits that the draft says the cgroup keeps, and begins a new count of what they cost.
    pub(super) fn limit(&mut self, draft: &Draft) -> io::Result<()> {
        self.ran_out_of_memory();
        let limits = LIMITS.map(|(name, file)| (draft.limit_by(name, Keeper::Cgroup), file));
        let any = limits.iter().any(|(value, _)| value.is_some());
        if any || self.limited {
            self.limited = true;
            self.write(&limits)?;
            self.limited = any;
        }
        Ok(())
    }

    fn write(&self, limits: &[(Option<u64>, &str)]) -> io::Result<()> {
        for (value, file) in limits {
            let text = value.map_or_else(|| "max".to_owned(), |value| value.to_string());
            match fs::write(self.path.join(file), text) {
                Err(error) if value.is_some() => return Err(error),
                _ => {}
            }
        }
        let memory = limits.iter().any(|(value, file)| value.is_some() && *file == "memory.max");
        // Without this a command at its limit would push its memory to disk instead of ending.
        let _ = fs::write(self.path.join("memory.swap.max"), if memory { "0" } else { "max" });
        Ok(())
    }

    /// Whether the kernel killed for memory since the last time this was asked.
    pub(super) fn ran_out_of_memory(&mut self) -> bool {
        let Some(events) = &self.events else { return false };
        let before = self.kills_before;
        let mut text = [0; 512];
        self.kills_before = events.read_at(&mut text, 0).map_or(before, |len| oom_kills(&text[..len]));
        self.kills_before > before
    }
}

fn making(error: io::Error) -> SpawnError {
    SpawnError::host("making a cgroup (`mkdir`)")(error)
}

fn oom_kills(events: &[u8]) -> u64 {
    let text = std::str::from_utf8(events).unwrap_or_default();
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()).unwrap_or(0)
}

impl AsFd for Leaf {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.dir.as_fd()
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        // Refused while something still dies in it; it is removed when the next leaf is made.
        let _ = fs::remove_dir(&self.path);
    }
}

/// Whether a name is one that leaves are given. Anything else is another program's, whatever it begins with.
fn is_ours(name: &str) -> bool {
    // As it is written, not as it could be: without a sign, or zeros before it.
    let is_number = |text: &str| text.parse::<u64>().is_ok_and(|number| number.to_string() == text);
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    numbers.is_some_and(|(process, count)| is_number(process) && is_number(count))
}

/// Removes the leaves that are not locked. One with a process in it stays, and stays to be found.
fn remove_abandoned(base: &Path) {
    for entry in fs::read_dir(base).into_iter().flatten().flatten() {
        if !entry.file_name().to_str().is_some_and(is_ours) {
            continue;
        }
        let free = open_folder(&entry.path())
            .is_ok_and(|dir| flock(&dir, FlockOperation::NonBlockingLockExclusive).is_ok());
        if free {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "24 1 8:1 / / rw - ext4 /dev/sda1 rw\n\
        31 24 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    #[test]
    fn the_own_cgroup_is_found_in_the_kernels_tables() {
        let own = "0::/user.slice/user-1000.slice\n";
        assert_eq!(find(MOUNTS, own), Some(PathBuf::from("/sys/fs/cgroup/user.slice/user-1000.slice")));
        assert_eq!(find(MOUNTS, "0::/\n"), Some(PathBuf::from("/sys/fs/cgroup")));
    }

    #[test]
    fn a_host_with_version_one_alone_has_none() {
        assert_eq!(
            find("30 24 0:26 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", "4:memory:/x\n"),
            None
        );
    }

    #[test]
    fn controllers_are_read_from_the_files() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("cgroup.subtree_control"), "cpu memory\n").unwrap();
        let base = CgroupBase(dir.path().to_owned());
        assert!(base.controls("memory"));
        assert!(!base.controls("pids"));
        assert!(!base.controls("mem"));
    }

    #[test]
    fn memory_kills_are_counted_apart_from_other_events() {
        assert_eq!(oom_kills(b"low 0\nhigh 3\nmax 9\noom 2\noom_kill 1\noom_group_kill 0\n"), 1);
        assert_eq!(oom_kills(b""), 0);
    }

    #[test]
    fn a_limit_that_is_not_asked_for_again_is_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let leaf = Leaf::make_at(&dir.path().join("leaf")).unwrap().unwrap();
        let held = |file: &str| fs::read_to_string(leaf.path.join(file)).unwrap();
        leaf.write(&[(Some(5), "memory.max"), (None, "pids.max")]).unwrap();
        assert_eq!(["memory.max", "pids.max", "memory.swap.max"].map(held), ["5", "max", "0"]);
        leaf.write(&[(None, "memory.max"), (Some(7), "pids.max")]).unwrap();
        assert_eq!(["memory.max", "pids.max", "memory.swap.max"].map(held), ["max", "7", "max"]);
    }

    #[test]
    fn a_kill_for_memory_is_told_once() {
        let dir = tempfile::tempdir().unwrap();
        let events = dir.path().join("memory.events");
        fs::write(&events, "oom_kill 0\n").unwrap();
        let mut leaf = Leaf::make_at(&dir.path().join("leaf")).unwrap().unwrap();
        assert!(!leaf.ran_out_of_memory());
        leaf.events = Some(fs::File::open(&events).unwrap());
        assert!(!leaf.ran_out_of_memory());
        fs::write(&events, "oom_kill 1\n").unwrap();
        assert!(leaf.ran_out_of_memory());
        assert!(!leaf.ran_out_of_memory());
    }

    #[test]
    fn a_name_that_another_has_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        // Left by an earlier process of this pid; the processes in it keep it from being removed.
        let taken = |count| dir.path().join(format!("{PREFIX}{}-{count}", std::process::id()));
        for count in 0..40 {
            fs::create_dir_all(taken(count).join("busy")).unwrap();
        }
        let leaf = Leaf::make_below(dir.path()).unwrap();
        assert!((0..40).all(|count| taken(count) != leaf.path && taken(count).is_dir()));
    }

    #[test]
    fn a_cgroup_that_is_gone_is_an_error_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let error = Leaf::make_below(&dir.path().join("gone")).unwrap_err();
        assert!(error.to_string().contains("`mkdir`"), "{error}");
        let SpawnError::Host { source, .. } = error else { panic!("{error}") };
        assert_eq!(source.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn only_leaves_of_our_own_form_are_taken_for_abandoned() {
        let dir = tempfile::tempdir().unwrap();
        let others = [
            "runward-tests",
            "runward-",
            "runward-7",
            "runward-7-",
            "runward--7",
            "runward-7-8-9",
            "runward-7-x",
            "runward-x-7",
            "runward-+7-8",
            "runward-07-8",
            "runward-7-8.scope",
            "runward.service",
            "Runward-7-8",
        ];
        for name in others.iter().chain(&["runward-7-8", "runward-4194304-0"]) {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        let held = dir.path().join("runward-9-1");
        let _held = Leaf::make_at(&held).unwrap().unwrap();
        remove_abandoned(dir.path());
        assert_eq!(others.map(|name| dir.path().join(name).is_dir()), [true; 13]);
        assert!(held.is_dir());
        assert!(!dir.path().join("runward-7-8").exists() && !dir.path().join("runward-4194304-0").exists());
    }
}
