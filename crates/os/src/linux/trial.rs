//! Which layers of a sandbox there are here, found out by trying.

use super::steward::Steward;
use super::walls::Walls;
use super::wire::{self, Report, Shape, Step, Words};
use runward_core::facts::Containment;
use runward_core::sandbox::{LANDLOCK_NEEDED, Layer, SandboxPlan};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, open};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::os::fd::AsFd;
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

/// The layers that this host has.
pub(crate) fn sandbox_layers() -> Vec<Layer> {
    let Ok(steward) = Steward::start() else { return Vec::new() };
    let known = |layer: &Layer| *layer != Layer::Landlock || landlock() >= LANDLOCK_NEEDED;
    Layer::ALL.into_iter().filter(known).filter(|layer| holds(&steward, *layer)).collect()
}

/// The version of Landlock that the kernel speaks; 0 if it does not.
pub(super) fn landlock() -> u32 {
    static VERSION: OnceLock<u32> = OnceLock::new();
    *VERSION.get_or_init(|| {
        const TELL_VERSION: u32 = 1;
        let nothing = std::ptr::null::<libc::c_void>();
        // SAFETY: asked for the version alone, the kernel reads and makes nothing.
        let version =
            unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, 0_usize, TELL_VERSION) };
        u32::try_from(version).unwrap_or(0)
    })
}

/// How long a trial may take: longer than any file system, shorter than for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// Whether a warden can put this layer up. What it then would execute is a folder, so nothing ever runs.
fn holds(steward: &Steward, layer: Layer) -> bool {
    matches!(try_out(steward, layer), Ok(Report::Failed { step: Step::Execute, .. }))
}

fn try_out(steward: &Steward, layer: Layer) -> io::Result<Report> {
    let socket = steward.enlist(Containment::Subreaper)?;
    let root = Path::new("/");
    let null = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    let folder = open(root, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let words = Words { program: OsStr::new("/"), argv: &[], env: &BTreeMap::new() };
    let shape = Shape { terminal: false, cgroup: false, grace: Duration::ZERO };
    let walls = Walls::around(&SandboxPlan::trial(layer), root, None)?;
    let request = wire::launch(&words, &shape, &[], &walls);
    let null = null.as_fd();
    let mut fds = vec![null, null, null, folder.as_fd()];
    fds.extend(walls.descriptors());
    wire::send(&socket, &request, &fds)?;
    let mut report = [0; wire::REPORT];
    let mut got = 0;
    while got < report.len() {
        let time = Timespec::try_from(PATIENCE).ok();
        if poll(&mut [PollFd::new(&socket, PollFlags::IN)], time.as_ref())? == 0 {
            return Err(io::ErrorKind::TimedOut.into());
        }
        match wire::receive(&socket, &mut report[got..])? {
            (0, _) => return Err(io::ErrorKind::UnexpectedEof.into()),
            (len, _) => got += len,
        }
    }
    Report::parse(&report).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
