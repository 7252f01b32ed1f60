//! Which sandbox layers this host has (Landlock, seccomp, namespaces), found out by trying. No command is executed.

use super::launcher::unfit;
use super::steward::StewardHandle;
use super::walls::SandboxTable;
use super::wire::{self, LaunchShape, LaunchStep, WardenReport, Words};
use crate::SpawnError;
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
    let Ok(steward) = StewardHandle::start() else { return Vec::new() };
    let known = |layer: &Layer| *layer != Layer::Landlock || landlock() >= LANDLOCK_NEEDED;
    let layers: Vec<Layer> = Layer::ALL.into_iter().filter(known).collect();
    // Mostly all of them are there, and one trial shows it.
    let there = if holds(&steward, layers.clone()) {
        layers
    } else {
        layers.into_iter().filter(|layer| holds(&steward, vec![*layer])).collect()
    };
    // The end of a steward is waited for, and nobody else has to. Without a thread it is waited for here.
    let _ = std::thread::Builder::new().name("steward".to_owned()).spawn(move || drop(steward));
    there
}

/// Holds that a command could be started here: everything is done but executing one.
pub(crate) fn trial_start() -> Result<(), SpawnError> {
    let steward = StewardHandle::start()?;
    let tried = try_out(&steward, &SandboxTable::default());
    if let Some(why) = steward.last_words() {
        return Err(why);
    }
    match tried.map_err(SpawnError::host("trying out a warden"))? {
        WardenReport::Failed { step: LaunchStep::Execute, .. } => Ok(()),
        WardenReport::Failed { step, errno, .. } => Err(unfit(step, errno)),
        _ => Err(SpawnError::host("trying out a warden")(io::ErrorKind::InvalidData.into())),
    }
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

/// Whether a warden can put these layers up. What it then would execute is a folder, so nothing ever runs.
fn holds(steward: &StewardHandle, layers: Vec<Layer>) -> bool {
    let walls = SandboxTable::around(&SandboxPlan::trial(layers), Path::new("/"), None);
    let tried = walls.and_then(|walls| try_out(steward, &walls));
    matches!(tried, Ok(WardenReport::Failed { step: LaunchStep::Execute, .. }))
}

fn try_out(steward: &StewardHandle, walls: &SandboxTable) -> io::Result<WardenReport> {
    let socket = steward.enlist(Containment::Subreaper)?;
    let root = Path::new("/");
    let null = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    let folder = open(root, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let words = Words { program: OsStr::new("/"), argv: &[], env: &BTreeMap::new() };
    let shape = LaunchShape { terminal: false, cgroup: false, grace: Duration::ZERO };
    let request = wire::launch(&words, &shape, &[], walls);
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
    WardenReport::parse(&report).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
