//! The messages to wardens and from them, encoded. The other side of this file is `warden/wire.rs`. May not wait.

use super::limits::Triple;
use super::names::WatchedNames;
use super::walls::SandboxTable;
use runward_core::facts::Containment;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, recvmsg, sendmsg,
};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

const ENLIST: u32 = 1;
const ENLIST_APART: u32 = 5;
const LAUNCH: u32 = 2;
const SIGNAL: u32 = 3;
const SWEEP: u32 = 4;
const LOOK: u32 = 6;
const ENLIST_AFTER: u32 = 7;

const TERMINAL: u32 = 1;
const CGROUP: u32 = 2;
const RULES: u32 = 4;
const HAND: u32 = 8;

/// Bytes of the fixed part of a launch.
const LAUNCH_HEAD: usize = 80;

/// A request with its head.
fn request(kind: u32, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + body.len());
    bytes.extend_from_slice(&u32::try_from(body.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend_from_slice(&kind.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// Asks the steward for a warden, in a pid namespace of its own if the containment is one.
pub(super) fn enlist(containment: Containment) -> Vec<u8> {
    request(if containment == Containment::PidNamespace { ENLIST_APART } else { ENLIST }, &[])
}

/// Asks the steward for a warden, once this one and everything that it leaves are gone.
pub(super) fn enlist_after(warden: u32) -> Vec<u8> {
    let mut bytes = request(ENLIST_AFTER, &[]);
    bytes[..4].copy_from_slice(&warden.to_le_bytes());
    bytes
}

/// Asks for one look at names that must not be there.
pub(super) fn look(names: &WatchedNames) -> Vec<u8> {
    let mut body = Body::with_tables(LAUNCH_HEAD + names.size());
    names.write(&mut body, LAUNCH_HEAD);
    request(LOOK, &body.0)
}

/// Asks for a signal to the whole tree.
pub(super) fn signal(number: i32) -> Vec<u8> {
    request(SIGNAL, &u64::try_from(number).unwrap_or(0).to_le_bytes())
}

/// Asks for everything to be killed.
pub(super) fn sweep() -> Vec<u8> {
    request(SWEEP, &[])
}

/// How a launch differs from the plain one.
pub(super) struct LaunchShape {
    pub(super) terminal: bool,
    pub(super) cgroup: bool,
    pub(super) grace: Duration,
}

/// What is to be started.
pub(super) struct Words<'a> {
    pub(super) program: &'a OsStr,
    pub(super) argv: &'a [OsString],
    pub(super) env: &'a BTreeMap<OsString, OsString>,
}

/// Everything a warden needs to start a command.
pub(super) fn launch(
    words: &Words<'_>,
    shape: &LaunchShape,
    limits: &[Triple],
    walls: &SandboxTable,
) -> Vec<u8> {
    let limits_at = LAUNCH_HEAD;
    let walls_at = limits_at + limits.len() * 24;
    let argv_at = walls_at + walls.size();
    let envp_at = argv_at + (words.argv.len() + 1) * 8;
    let mut body = Body::with_tables(envp_at + (words.env.len() + 1) * 8);
    let flags = [
        (shape.terminal, TERMINAL),
        (shape.cgroup, CGROUP),
        (walls.has_rules(), RULES),
        (walls.hands_out(), HAND),
    ];
    body.word(0, flags.iter().filter(|(set, _)| *set).map(|(_, flag)| flag).sum());
    body.word(4, u32::try_from(shape.grace.as_millis()).unwrap_or(u32::MAX));
    body.word(8, u32::try_from(limits.len()).unwrap_or(u32::MAX));
    for (index, triple) in limits.iter().enumerate() {
        for (part, value) in [u64::from(triple.resource), triple.soft, triple.hard].into_iter().enumerate() {
            body.long(limits_at + index * 24 + part * 8, value);
        }
    }
    let program = body.text(&[words.program]);
    for (at, value) in [(16, program), (24, argv_at), (32, envp_at), (40, limits_at)] {
        body.long(at, value as u64);
    }
    for (index, word) in words.argv.iter().enumerate() {
        let at = body.text(&[word]);
        body.long(argv_at + index * 8, at as u64);
    }
    for (index, (name, value)) in words.env.iter().enumerate() {
        let at = body.text(&[name, OsStr::new("="), value]);
        body.long(envp_at + index * 8, at as u64);
    }
    walls.write(&mut body, walls_at);
    request(LAUNCH, &body.0)
}

/// The body of a launch, with its tables at the front and texts behind them.
pub(super) struct Body(Vec<u8>);

impl Body {
    fn with_tables(tables: usize) -> Self {
        let mut bytes = Vec::with_capacity(tables + 4096);
        bytes.resize(tables, 0);
        Self(bytes)
    }

    pub(super) fn word(&mut self, at: usize, value: u32) {
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub(super) fn long(&mut self, at: usize, value: u64) {
        self.0[at..at + 8].copy_from_slice(&value.to_le_bytes());
    }

    /// Appends bytes where numbers of eight bytes may stand, and says where they begin.
    pub(super) fn aligned(&mut self, bytes: &[u8]) -> usize {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
        let at = self.0.len();
        self.0.extend_from_slice(bytes);
        at
    }

    /// Appends a text made of parts and says where it begins. Texts hold no NUL: the spec was checked.
    pub(super) fn text(&mut self, parts: &[&OsStr]) -> usize {
        let at = self.0.len();
        parts.iter().for_each(|part| self.0.extend_from_slice(part.as_bytes()));
        self.0.push(0);
        at
    }
}

/// Sends bytes, with descriptors attached to the first of them. Returns how many bytes went.
pub(super) fn send(socket: impl AsFd, bytes: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<usize> {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(32))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() {
        control.push(SendAncillaryMessage::ScmRights(fds));
    }
    Ok(sendmsg(socket, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)?)
}

/// Receives bytes, and a descriptor if one came with them.
pub(super) fn receive(socket: impl AsFd, into: &mut [u8]) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let got = recvmsg(socket, &mut [IoSliceMut::new(into)], &mut control, RecvFlags::CMSG_CLOEXEC)?;
    let fd = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut fds) => fds.next(),
        _ => None,
    });
    Ok((got.bytes, fd))
}

/// Our pid of a process that was pinned (pidfd) elsewhere.
pub(super) fn pid_of(pinned: &OwnedFd) -> Option<u32> {
    let known = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", pinned.as_raw_fd())).ok()?;
    known.lines().find_map(|line| line.strip_prefix("Pid:")?.trim().parse().ok())
}

/// What a warden reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WardenReport {
    /// The command's process, and the warden's own.
    Started {
        pid: u32,
        warden: u32,
    },
    Failed {
        errno: i32,
        step: LaunchStep,
        row: usize,
    },
    Exited {
        status: i32,
        others: bool,
    },
    Emptied {
        outlived: u32,
    },
    /// Something appeared that must not be there. So many bytes follow: where it lies now.
    Aside {
        kind: AsideKind,
        len: usize,
    },
}

/// What was done about something that appeared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AsideKind {
    /// It was moved aside.
    Moved,
    /// It could not be.
    Stuck { errno: i32 },
    /// A repository had stopped being one, and is one again.
    Restored,
}

/// Which step of a launch failed. The other side of this list is `warden/launch.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LaunchStep {
    Clone,
    Session,
    Terminal,
    Directory,
    Descriptors,
    Limits,
    Execute,
    Walls,
    Names,
    Fork,
    Proc,
    Subreaper,
    Closing,
    Nothing,
    Waiting,
    Reaping,
    Signals,
    Hearing,
    Processes,
}

impl LaunchStep {
    /// What was tried, with the call that failed.
    pub(super) fn what(self) -> &'static str {
        match self {
            LaunchStep::Clone => "making a process (`clone`)",
            LaunchStep::Session => "making a session (`setsid`)",
            LaunchStep::Terminal => "taking the terminal (`ioctl`)",
            LaunchStep::Directory => "entering the working directory (`fchdir`)",
            LaunchStep::Descriptors => "placing the standard streams (`dup3`)",
            LaunchStep::Limits => "setting resource limits (`prlimit64`)",
            LaunchStep::Execute => "executing the program (`execve`)",
            LaunchStep::Walls | LaunchStep::Names => "putting up the sandbox",
            LaunchStep::Fork => "making a warden (`clone`)",
            LaunchStep::Proc => "showing a warden its own /proc (`mount`)",
            LaunchStep::Subreaper => "keeping what a command leaves behind (`prctl`)",
            LaunchStep::Closing => "closing what commands must not see (`close_range`)",
            LaunchStep::Nothing => "opening `/dev/null`",
            LaunchStep::Waiting => "waiting for a command (`ppoll`)",
            LaunchStep::Reaping => "hearing of a command's end (`wait4`)",
            LaunchStep::Signals => "blocking signals (`rt_sigprocmask`)",
            LaunchStep::Hearing => "hearing what to start (`recvmsg`)",
            LaunchStep::Processes => "looking at processes in `/proc`",
        }
    }
}

/// Bytes of one report.
pub(super) const REPORT: usize = 16;

impl WardenReport {
    pub(super) fn parse(bytes: &[u8; REPORT]) -> Option<Self> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let (first, second) = (word(4), word(8));
        match word(0) {
            1 => Some(WardenReport::Started { pid: first, warden: second }),
            2 => Some(WardenReport::Failed {
                errno: first.cast_signed(),
                step: step(second)?,
                row: word(12) as usize,
            }),
            3 => Some(WardenReport::Exited { status: first.cast_signed(), others: second != 0 }),
            4 => Some(WardenReport::Emptied { outlived: first }),
            5 => {
                let kind = match second {
                    1 => AsideKind::Moved,
                    2 => AsideKind::Stuck { errno: word(12).cast_signed() },
                    3 => AsideKind::Restored,
                    _ => return None,
                };
                Some(WardenReport::Aside { kind, len: first as usize })
            }
            _ => None,
        }
    }
}

fn step(number: u32) -> Option<LaunchStep> {
    use LaunchStep::{
        Clone, Closing, Descriptors, Directory, Execute, Fork, Hearing, Limits, Names, Nothing, Proc,
        Processes, Reaping, Session, Signals, Subreaper, Terminal, Waiting, Walls,
    };
    const ALL: [LaunchStep; 19] = [
        Clone,
        Session,
        Terminal,
        Directory,
        Descriptors,
        Limits,
        Execute,
        Walls,
        Names,
        Fork,
        Proc,
        Subreaper,
        Closing,
        Nothing,
        Waiting,
        Reaping,
        Signals,
        Hearing,
        Processes,
    ];
    let at = usize::try_from(number).ok()?.checked_sub(1)?;
    ALL.get(at).copied()
}
