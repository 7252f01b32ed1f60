//! File systems that stop, are full, or may not be written, and that are gone with us.
//!
//! May not look at a mount that is stopped: a process that does waits until it goes on.

use super::arena::Arena;
use super::outcome;
use super::processes::{self, comes};
use super::server::GRACE;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A folder that is shown in a second place by a process, which can be stopped.
pub(crate) struct StoppableMount {
    daemon: Child,
    at: PathBuf,
    /// Tells a guard which process to end if we cannot.
    note: PathBuf,
}

impl StoppableMount {
    /// Shows the folder `real` of a place at another of its folders.
    pub(crate) fn new(arena: &Arena<'_>, at: &str) -> Result<Self, String> {
        let (real, at) = (&arena.join("real"), &arena.join(at));
        let failed = |error: std::io::Error| format!("`{}` cannot be mounted: {error}", at.display());
        fs::create_dir_all(real).and_then(|()| fs::create_dir_all(at)).map_err(failed)?;
        fs::create_dir_all(arena.daemons()).map_err(failed)?;
        let mut command = Command::new("bindfs");
        command.args(["-f", "-o", "allow_other"]).args([real, at]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let daemon = command.spawn().map_err(failed)?;
        let note = arena.daemons().join(daemon.id().to_string());
        let mount = Self { daemon, at: at.clone(), note };
        fs::write(&mount.note, "").map_err(failed)?;
        if comes(GRACE, || is_mounted(at)) { Ok(mount) } else { Err("bindfs mounts nothing".to_owned()) }
    }

    /// It does not answer any more.
    pub(crate) fn stop(&self) {
        processes::signal("STOP", &self.daemon.id().to_string());
    }

    /// It goes on.
    pub(crate) fn go_on(&self) {
        processes::signal("CONT", &self.daemon.id().to_string());
    }
}

impl Drop for StoppableMount {
    fn drop(&mut self) {
        self.go_on();
        let _ = quiet(&["fusermount3", "-uz"], &self.at);
        if is_mounted(&self.at) {
            let _ = quiet(&["umount", "-l"], &self.at);
        }
        if outcome::ends(&mut self.daemon, Duration::from_secs(5)).is_none() {
            // A process that still waits for it is told that it is gone.
            let _ = self.daemon.kill();
            let _ = self.daemon.wait();
        }
        let _ = fs::remove_file(&self.note);
    }
}

/// A small disk in memory.
pub(crate) struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// A disk of so many bytes at this folder.
    pub(crate) fn new(at: &Path, bytes: u64) -> Result<Self, String> {
        fs::create_dir_all(at).map_err(|error| format!("`{}`: {error}", at.display()))?;
        let size = format!("size={bytes},mode=700");
        quiet(&["mount", "-t", "tmpfs", "-o", &size, "tmpfs"], at)?;
        Ok(Self { at: at.to_owned() })
    }

    /// Leaves no room on it.
    pub(crate) fn fill(&self) {
        let block = vec![b'x'; 4096];
        let Ok(mut file) = fs::File::create(self.filling()) else { return };
        while std::io::Write::write_all(&mut file, &block).is_ok() {}
        // What is left of the last page.
        while std::io::Write::write_all(&mut file, b"x").is_ok() {}
    }

    /// Gives the room back.
    pub(crate) fn empty(&self) {
        let _ = fs::remove_file(self.filling());
    }

    /// It may be read only. Refused by the kernel while a file is open for writing.
    pub(crate) fn read_only(&self) -> Result<(), String> {
        quiet(&["mount", "-o", "remount,ro"], &self.at)
    }

    fn filling(&self) -> PathBuf {
        self.at.join("filling")
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = quiet(&["umount", "-l"], &self.at);
    }
}

/// A disk in a file, which the kernel makes read-only when it finds an error, even with files open.
pub(crate) struct FailingDisk {
    image: PathBuf,
    at: PathBuf,
}

impl FailingDisk {
    /// A disk of so many bytes, in the first file and at the second folder.
    pub(crate) fn new(image: &Path, at: &Path, bytes: u64) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("`{}`: {error}", image.display());
        fs::File::create(image).and_then(|file| file.set_len(bytes)).map_err(failed)?;
        fs::create_dir_all(at).map_err(failed)?;
        quiet(&["mkfs.ext4", "-q", "-F"], image)?;
        let disk = Self { image: image.to_owned(), at: at.to_owned() };
        disk.mount().map(|()| disk)
    }

    fn mount(&self) -> Result<(), String> {
        let image = self.image.display().to_string();
        quiet(&["mount", "-o", "loop,errors=remount-ro", &image], &self.at)
    }

    /// The kernel is told of an error. What was written before is on the disk by then: what an error takes that was not is
    /// lost like in a power cut.
    pub(crate) fn fail(&self) -> Result<(), String> {
        quiet(&["sync", "-f"], &self.at)?;
        let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
        let row =
            mounts.lines().find(|line| line.split(' ').nth(1).is_some_and(|at| Path::new(at) == self.at));
        let device = row.and_then(|line| line.split(' ').next()?.strip_prefix("/dev/"));
        let device = device.ok_or("the disk has no device")?;
        let trigger = format!("/sys/fs/ext4/{device}/trigger_fs_error");
        fs::write(&trigger, "chaos").map_err(|error| format!("`{trigger}`: {error}"))
    }

    /// Repaired and mounted again. No file is open on it by now.
    pub(crate) fn mend(&self) -> Result<(), String> {
        quiet(&["umount"], &self.at)?;
        // Exit code 1 says that something was repaired.
        let mut command = Command::new("e2fsck");
        let done = outcome::run("e2fsck", command.args(["-f", "-y"]).arg(&self.image), GRACE)?;
        if matches!(done.code, Some(0 | 1)) { self.mount() } else { Err(done.told()) }
    }
}

impl Drop for FailingDisk {
    fn drop(&mut self) {
        let _ = quiet(&["umount", "-l"], &self.at);
    }
}

/// Told by the kernel's list, without a look at the mount itself.
fn is_mounted(at: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/mounts").unwrap_or_default();
    mounts.lines().any(|line| line.split(' ').nth(1).is_some_and(|there| Path::new(there) == at))
}

fn quiet(words: &[&str], at: &Path) -> Result<(), String> {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(at);
    let done = outcome::run(&words.join(" "), &mut command, GRACE)?;
    if done.code == Some(0) { Ok(()) } else { Err(done.told()) }
}
