//! A sandbox, made ready: the steps of its plan as a table that a warden's child carries out without a choice.
//!
//! The other side of the table is `warden/walls.rs`. May not leave a step out.

use super::names::WatchedNames;
use super::network::CommandNetwork;
use super::wire::Body;
use super::{filter, rules};
use runward_core::plan::Draft;
use runward_core::sandbox::{
    Access, FileShape, Layer, Means, NameServers, OwnSocket, SandboxPlan, SandboxStep, WhenMissing,
};
use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};
use std::borrow::Cow;
use std::ffi::OsStr;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of one row.
const ROW: usize = 40;

/// As many trees as a warden can keep aside.
const SLOTS: usize = 256;

const CLONE_NEWNS: u64 = 0x0002_0000;
const CLONE_NEWIPC: u64 = 0x0800_0000;
const CLONE_NEWUSER: u64 = 0x1000_0000;
const CLONE_NEWNET: u64 = 0x4000_0000;

const RDONLY: u64 = 1;
const NOSUID: u64 = 2;
const NODEV: u64 = 4;
const NOEXEC: u64 = 8;

/// A sandbox, made ready. Empty where there is none.
#[derive(Debug, Default)]
pub(super) struct SandboxTable {
    steps: Vec<SandboxStep>,
    namespaces: u64,
    filter: &'static [u8],
    /// The Landlock ruleset, where it is made before.
    rules: Option<Arc<OwnedFd>>,
    names: WatchedNames,
    /// The two ends of the socket over which those of the command's network are handed out.
    hand: Option<(OwnedFd, OwnedFd)>,
}

impl SandboxTable {
    /// The sandbox of a draft, for a command on this terminal.
    pub(super) fn of(draft: &Draft, terminal: Option<PathBuf>) -> io::Result<Self> {
        if draft.sandbox().is_off() {
            return Ok(Self::default());
        }
        let mut walls = Self::around(draft.sandbox(), draft.command().cwd(), terminal)?;
        if walls.slots() > SLOTS {
            return Err(io::Error::from_raw_os_error(libc::E2BIG));
        }
        walls.names = WatchedNames::of(draft.sandbox(), draft.id())?;
        Ok(walls)
    }

    /// The sandbox of a plan around a folder, with no name watched.
    pub(super) fn around(plan: &SandboxPlan, cwd: &Path, terminal: Option<PathBuf>) -> io::Result<Self> {
        let own = if plan.has_own_network() { CLONE_NEWNET } else { 0 };
        let apart = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | own;
        let mut walls = Self {
            steps: plan.steps(cwd, &means(plan, terminal)),
            namespaces: if plan.has(Layer::Namespaces) { apart } else { 0 },
            filter: if plan.has(Layer::Seccomp) { filter::of(plan) } else { &[] },
            ..Self::default()
        };
        if walls.steps.contains(&SandboxStep::HandOver) {
            walls.hand = Some(handing()?);
        }
        if plan.has(Layer::Landlock) && !walls.is_apart() {
            walls.rules = Some(rules::of(&walls.steps)?);
            walls.steps.retain(|step| !matches!(step, SandboxStep::Rules { .. } | SandboxStep::Allow(..)));
        }
        Ok(walls)
    }

    fn slots(&self) -> usize {
        let slot = |step: &SandboxStep| if let SandboxStep::Keep(slot, ..) = step { slot + 1 } else { 0 };
        self.steps.iter().map(slot).max().unwrap_or(0)
    }

    /// A step, for people.
    pub(super) fn step(&self, row: usize) -> String {
        self.steps.get(row).map_or_else(String::new, SandboxStep::to_string)
    }

    /// Whether namespaces are to be made.
    pub(super) fn is_apart(&self) -> bool {
        self.namespaces != 0
    }

    /// Whether a Landlock ruleset goes with it.
    pub(super) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// Whether the command has a network of which sockets are handed out.
    pub(super) fn hands_out(&self) -> bool {
        self.hand.is_some()
    }

    /// The descriptors that go with it: the Landlock ruleset, and the socket over which others are handed out.
    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        let hand = self.hand.iter().map(|(_, theirs)| theirs.as_fd());
        self.rules.iter().map(|rules| rules.as_fd()).chain(hand)
    }

    /// The sockets of the command's network, once it was started.
    pub(super) fn take_sockets(&mut self) -> io::Result<Option<CommandNetwork>> {
        self.hand
            .take()
            .map(|(ours, theirs)| {
                // Whoever was to send is the only one who still can.
                drop(theirs);
                CommandNetwork::receive(&ours)
            })
            .transpose()
    }

    /// The names that are watched.
    pub(super) fn into_names(self) -> WatchedNames {
        self.names
    }

    /// Bytes of its tables.
    pub(super) fn size(&self) -> usize {
        self.steps.len() * ROW + self.names.size()
    }

    /// Writes its tables to a request, from this place on.
    pub(super) fn write(&self, body: &mut Body, at: usize) {
        if self.steps.is_empty() {
            return;
        }
        let filter = body.aligned(self.filter);
        for (index, step) in self.steps.iter().enumerate() {
            self.row(body, at + index * ROW, step, filter);
        }
        body.word(12, u32::try_from(self.steps.len()).unwrap_or(u32::MAX));
        let names = at + self.steps.len() * ROW;
        self.names.write(body, names);
        let head = [at as u64, self.namespaces];
        head.into_iter().enumerate().for_each(|(index, value)| body.long(48 + index * 8, value));
    }

    fn row(&self, body: &mut Body, at: usize, step: &SandboxStep, filter: usize) {
        let row = StepRow::of(step, self.filter.len() / filter::INSTRUCTION, filter);
        body.word(at, row.kind);
        body.word(at + 4, u32::from(row.lenient));
        if let Some(bytes) = row.bytes {
            let placed = body.aligned(&bytes);
            [0, placed as u64, bytes.len() as u64, row.numbers[2]]
                .into_iter()
                .enumerate()
                .for_each(|(index, it)| body.long(at + 8 + index * 8, it));
            return;
        }
        let path = row.path.map_or(0, |path| body.text(&[path.as_os_str()]));
        let text = row.text.map(|text| (body.text(&[OsStr::new(text)]), text.len()));
        let [a, b, c] = match (text, step) {
            (Some((text, len)), SandboxStep::Write(..)) => [text as u64, len as u64, 0],
            (Some((text, _)), _) => [row.numbers[0], text as u64, 0],
            (None, _) => row.numbers,
        };
        [path as u64, a, b, c]
            .into_iter()
            .enumerate()
            .for_each(|(index, it)| body.long(at + 8 + index * 8, it));
    }
}

/// One row, before it is written.
struct StepRow<'a> {
    kind: u32,
    lenient: bool,
    path: Option<&'a Path>,
    text: Option<&'a str>,
    /// Takes the places of the first two numbers: where it is, and how long.
    bytes: Option<Cow<'a, [u8]>>,
    numbers: [u64; 3],
}

impl<'a> StepRow<'a> {
    fn of(step: &'a SandboxStep, instructions: usize, filter: usize) -> Self {
        let row =
            |kind, path, numbers| StepRow { kind, lenient: false, path, text: None, bytes: None, numbers };
        let folder = |shape: FileShape| u64::from(shape == FileShape::Folder);
        let lenient = |missing: WhenMissing| missing == WhenMissing::IsFine;
        match step {
            SandboxStep::Write(path, text) => StepRow { text: Some(text), ..row(1, Some(path), [0; 3]) },
            SandboxStep::Keep(slot, path) => row(2, Some(path), [*slot as u64, 0, 0]),
            SandboxStep::Close => row(3, Some(Path::new("/")), [RDONLY | NOSUID, 0, 0]),
            SandboxStep::Fresh(path, missing) => {
                // The old call's numbers for "no suid" and "no devices" are the new one's.
                let flags = NOSUID | NODEV;
                let text = Some("mode=1777");
                StepRow { lenient: lenient(*missing), text, ..row(4, Some(path), [flags, 0, 0]) }
            }
            SandboxStep::Terminals(path) => {
                let text = Some("newinstance,ptmxmode=0666,mode=600");
                // Where there are none at all, there is nothing to be reached.
                StepRow { lenient: true, text, ..row(15, Some(path), [NOSUID | NOEXEC, 0, 0]) }
            }
            SandboxStep::Folder(path) => row(5, Some(path), [0; 3]),
            SandboxStep::Blank(path, shape) => row(6, Some(path), [folder(*shape), 0, 0]),
            SandboxStep::Put(slot, path, access, missing) => {
                let numbers = [*slot as u64, attributes(*access), 0];
                StepRow { lenient: lenient(*missing), ..row(7, Some(path), numbers) }
            }
            SandboxStep::Pin(path, access) => row(8, Some(path), [0, attributes(*access), 0]),
            SandboxStep::Enter(path) => row(9, Some(path), [0; 3]),
            SandboxStep::Loopback => row(16, None, [0; 3]),
            SandboxStep::Netlink(bytes, missing) => {
                let bytes = Some(Cow::Borrowed(bytes.as_slice()));
                StepRow { lenient: lenient(*missing), bytes, ..row(17, None, [0; 3]) }
            }
            SandboxStep::Socket(socket) => socket_row(&row(18, None, [0; 3]), *socket),
            SandboxStep::HandOver => row(19, None, [0; 3]),
            SandboxStep::Yield => row(10, None, [0; 3]),
            SandboxStep::Rules { files, network, scopes } => row(11, None, [*files, *network, *scopes]),
            SandboxStep::Allow(path, rights) => {
                StepRow { lenient: true, ..row(12, Some(path), [*rights, 0, 0]) }
            }
            SandboxStep::Restrict => row(13, None, [0; 3]),
            SandboxStep::Filter => row(14, None, [filter as u64, instructions as u64, 0]),
        }
    }
}

fn attributes(access: Access) -> u64 {
    match access {
        Access::Read => RDONLY | NOSUID,
        Access::Write => NOSUID,
    }
}

/// A socket's family and type, and its address as the kernel reads it.
fn socket_row<'a>(row: &StepRow<'a>, socket: OwnSocket) -> StepRow<'a> {
    let (kind, address) = match socket {
        OwnSocket::Names(address) => (libc::SOCK_DGRAM, Some(address)),
        OwnSocket::Listener(address) => (libc::SOCK_STREAM, Some(address)),
        OwnSocket::Spare => (libc::SOCK_STREAM, None),
    };
    let new = address.is_some_and(|address| address.is_ipv6());
    let family = if new { libc::AF_INET6 } else { libc::AF_INET };
    let both = u64::from(family.unsigned_abs()) << 32 | u64::from(kind.unsigned_abs());
    // Without IPv6 there is nothing that could be reached by it.
    let bytes = Some(Cow::Owned(address.map(raw_address).unwrap_or_default()));
    StepRow { lenient: new, bytes, numbers: [0, 0, both], ..*row }
}

/// An address as the kernel reads it.
fn raw_address(address: SocketAddr) -> Vec<u8> {
    let family = if address.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    let mut bytes = u16::try_from(family).unwrap_or(0).to_ne_bytes().to_vec();
    bytes.extend_from_slice(&address.port().to_be_bytes());
    match address {
        SocketAddr::V4(old) => {
            bytes.extend_from_slice(&old.ip().octets());
            bytes.extend_from_slice(&[0; 8]);
        }
        SocketAddr::V6(new) => {
            bytes.extend_from_slice(&[0; 4]);
            bytes.extend_from_slice(&new.ip().octets());
            bytes.extend_from_slice(&[0; 4]);
        }
    }
    bytes
}

/// A way for descriptors. Whole messages, and never a wait: the one who sends does so before the command begins.
fn handing() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?)
}

/// Where this host's programs ask for names. A file that cannot be read names nobody.
pub(super) fn name_servers() -> NameServers {
    NameServers::parse(&std::fs::read_to_string("/etc/resolv.conf").unwrap_or_default())
}

fn means(plan: &SandboxPlan, terminal: Option<PathBuf>) -> Means {
    let name_servers = if plan.hosts().is_some() { name_servers().servers } else { Vec::new() };
    Means {
        terminal,
        name_servers,
        uid: rustix::process::geteuid().as_raw(),
        gid: rustix::process::getegid().as_raw(),
        landlock: super::trial::landlock(),
    }
}
