//! A sandbox, made ready: the steps of its plan as a table that a warden's child carries out without a choice.
//!
//! The other side of the table is `warden/walls.rs`. May not leave a step out.

use super::names::Names;
use super::wire::Body;
use super::{filter, rules};
use runward_core::plan::Draft;
use runward_core::sandbox::{Access, Layer, Means, Missing, Network, SandboxPlan, Shape, Step};
use std::ffi::OsStr;
use std::io;
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

/// A sandbox, made ready. Nothing in it where there is none.
#[derive(Debug, Default)]
pub(super) struct Walls {
    steps: Vec<Step>,
    namespaces: u64,
    filter: &'static [u8],
    /// Landlock's table, where it is made before.
    rules: Option<Arc<OwnedFd>>,
    names: Names,
}

impl Walls {
    /// The walls of a draft, for a command on this terminal.
    pub(super) fn of(draft: &Draft, terminal: Option<PathBuf>) -> io::Result<Self> {
        if draft.walls().is_off() {
            return Ok(Self::default());
        }
        let mut walls = Self::around(draft.walls(), draft.command().cwd(), terminal)?;
        if walls.slots() > SLOTS {
            return Err(io::Error::from_raw_os_error(libc::E2BIG));
        }
        walls.names = Names::of(draft.walls(), draft.id())?;
        Ok(walls)
    }

    /// The walls of a plan around a folder, with no name watched.
    pub(super) fn around(plan: &SandboxPlan, cwd: &Path, terminal: Option<PathBuf>) -> io::Result<Self> {
        let off = *plan.network() == Network::Off;
        let apart = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | if off { CLONE_NEWNET } else { 0 };
        let mut walls = Self {
            steps: plan.steps(cwd, &means(terminal)),
            namespaces: if plan.has(Layer::Namespaces) { apart } else { 0 },
            filter: if plan.has(Layer::Seccomp) { filter::of(plan) } else { &[] },
            ..Self::default()
        };
        if plan.has(Layer::Landlock) && !walls.is_apart() {
            walls.rules = Some(rules::of(&walls.steps)?);
            walls.steps.retain(|step| !matches!(step, Step::Rules { .. } | Step::Allow(..)));
        }
        Ok(walls)
    }

    fn slots(&self) -> usize {
        let slot = |step: &Step| if let Step::Keep(slot, ..) = step { slot + 1 } else { 0 };
        self.steps.iter().map(slot).max().unwrap_or(0)
    }

    /// A step, for people.
    pub(super) fn step(&self, row: usize) -> String {
        self.steps.get(row).map_or_else(String::new, Step::to_string)
    }

    /// Whether namespaces are to be made.
    pub(super) fn is_apart(&self) -> bool {
        self.namespaces != 0
    }

    /// Whether Landlock's table goes with it.
    pub(super) fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// The descriptor that goes with it: Landlock's table.
    pub(super) fn descriptors(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.rules.iter().map(|rules| rules.as_fd())
    }

    /// The names that are watched.
    pub(super) fn into_names(self) -> Names {
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

    fn row(&self, body: &mut Body, at: usize, step: &Step, filter: usize) {
        let row = Row::of(step, self.filter.len() / filter::INSTRUCTION, filter);
        body.word(at, row.kind);
        body.word(at + 4, u32::from(row.lenient));
        let path = row.path.map_or(0, |path| body.text(&[path.as_os_str()]));
        let text = row.text.map(|text| (body.text(&[OsStr::new(text)]), text.len()));
        let [a, b, c] = match (text, step) {
            (Some((text, len)), Step::Write(..)) => [text as u64, len as u64, 0],
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
struct Row<'a> {
    kind: u32,
    lenient: bool,
    path: Option<&'a Path>,
    text: Option<&'a str>,
    numbers: [u64; 3],
}

impl<'a> Row<'a> {
    fn of(step: &'a Step, instructions: usize, filter: usize) -> Self {
        let row = |kind, path, numbers| Row { kind, lenient: false, path, text: None, numbers };
        let folder = |shape: Shape| u64::from(shape == Shape::Folder);
        let lenient = |missing: Missing| missing == Missing::IsFine;
        match step {
            Step::Write(path, text) => Row { text: Some(text), ..row(1, Some(path), [0; 3]) },
            Step::Keep(slot, path) => row(2, Some(path), [*slot as u64, 0, 0]),
            Step::Close => row(3, Some(Path::new("/")), [RDONLY | NOSUID, 0, 0]),
            Step::Fresh(path, missing) => {
                // The old call's numbers for "no suid" and "no devices" are the new one's.
                let flags = NOSUID | NODEV;
                let text = Some("mode=1777");
                Row { lenient: lenient(*missing), text, ..row(4, Some(path), [flags, 0, 0]) }
            }
            Step::Terminals(path) => {
                let text = Some("newinstance,ptmxmode=0666,mode=600");
                // Where there are none at all, there is nobody's to be reached.
                Row { lenient: true, text, ..row(15, Some(path), [NOSUID | NOEXEC, 0, 0]) }
            }
            Step::Folder(path) => row(5, Some(path), [0; 3]),
            Step::Blank(path, shape) => row(6, Some(path), [folder(*shape), 0, 0]),
            Step::Put(slot, path, access, missing) => {
                let numbers = [*slot as u64, attributes(*access), 0];
                Row { lenient: lenient(*missing), ..row(7, Some(path), numbers) }
            }
            Step::Pin(path, access) => row(8, Some(path), [0, attributes(*access), 0]),
            Step::Enter(path) => row(9, Some(path), [0; 3]),
            Step::Yield => row(10, None, [0; 3]),
            Step::Rules { files, network, scopes } => row(11, None, [*files, *network, *scopes]),
            Step::Allow(path, rights) => Row { lenient: true, ..row(12, Some(path), [*rights, 0, 0]) },
            Step::Restrict => row(13, None, [0; 3]),
            Step::Filter => row(14, None, [filter as u64, instructions as u64, 0]),
        }
    }
}

fn attributes(access: Access) -> u64 {
    match access {
        Access::Read => RDONLY | NOSUID,
        Access::Write => NOSUID,
    }
}

fn means(terminal: Option<PathBuf>) -> Means {
    Means {
        terminal,
        uid: rustix::process::geteuid().as_raw(),
        gid: rustix::process::getegid().as_raw(),
        landlock: super::trial::landlock(),
    }
}
