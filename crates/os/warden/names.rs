//! Names that must not appear while a command runs, and repositories that must stay some: part of the sandbox.
//!
//! Nothing can be mounted over a name that does not exist. So the folders around such names are watched, and whatever
//! appears there is moved aside, never removed: it may be the user's own. The race: between its appearing and our
//! moving it, another program may read it; and a name may appear again at once. So there is a last look when nothing of
//! the command is left, before that is told. If this warden is killed, Runward gives the same table to another for that
//! last look.
//!
//! The kernel tells of changes by a signal (`F_NOTIFY`), not through inotify: to close an inotify descriptor waits for
//! all its users on the host, which takes up to twenty milliseconds, at the end of every command typed by a person. The
//! other side of the table is `src/linux/names.rs`. Nothing here follows a link that a command could have made.

use crate::confine::{self, EEXIST, ENOENT, O_DIRECTORY};
use crate::place::{HeldPlace, Name, Path, trimmed};
use crate::sys::{self, O_RDONLY, call, number};
use crate::{proc, wire};
use core::ptr::addr_of_mut;

/// As many rows, and bytes of text, as Runward sends.
const MOST_ROWS: usize = 512;
const TEXT: usize = 64 * 1024;
/// How many are told; a command that goes on and on is told no more.
const MOST_TOLD: u32 = 64;
/// How often is looked where the kernel does not tell of changes.
const PAUSE_MS: u64 = 50;

const NAME: u32 = 1;
const WORKTREES: u32 = 2;
const LASTING: u32 = 3;

const MOVED: u32 = 1;
const STUCK: u32 = 2;
const RESTORED: u32 = 3;

/// One row of the table in a request. Offsets count from the body's first byte; texts end in NUL.
#[repr(C)]
#[derive(Clone, Copy)]
struct WatchedRow {
    kind: u32,
    len: u32,
    folder: u64,
    text: u64,
    mark: u64,
    modes: u64,
}

/// One row, taken over.
#[derive(Clone, Copy)]
struct NameWatch {
    kind: u32,
    folder: i32,
    mode: u32,
    path: &'static [u8],
    text: &'static [u8],
    mark: &'static [u8],
    modes: u64,
}

struct NamesTable {
    rows: &'static mut [Option<NameWatch>; MOST_ROWS],
    count: usize,
    text: &'static mut [u8; TEXT],
    used: usize,
    /// Readable when something changed in a folder.
    changes: i32,
    /// The kernel does not tell of every change that matters.
    deaf: bool,
    /// Numbers the things that were moved aside.
    next: u32,
    told: u32,
}

// Nothing but zeros, so that the program does not carry them.
static mut ROWS: [Option<NameWatch>; MOST_ROWS] = [None; MOST_ROWS];
static mut TEXTS: [u8; TEXT] = [0; TEXT];

static mut TABLE: NamesTable = NamesTable {
    // SAFETY: named nowhere else.
    rows: unsafe { &mut *addr_of_mut!(ROWS) },
    count: 0,
    // SAFETY: as above.
    text: unsafe { &mut *addr_of_mut!(TEXTS) },
    used: 0,
    changes: -1,
    deaf: false,
    next: 1,
    told: 0,
};

fn table() -> &'static mut NamesTable {
    // SAFETY: one thread, and no two of these are alive at a time: only the functions that are public take it, and none
    // of them calls another that does.
    unsafe { &mut *addr_of_mut!(TABLE) }
}

/// Whether a command ran.
#[derive(Clone, Copy, PartialEq)]
pub enum NamesOutcome {
    /// Nothing of it is left.
    Ended,
    /// It was never started.
    NeverBegun,
}

/// Takes over the table of a request and begins to watch. An error of the kernel's if a folder cannot be watched.
pub fn take(body: &[u8]) -> isize {
    let base = body.as_ptr() as usize;
    // SAFETY: Runward sends a whole head at the beginning of an aligned body, and offsets that lie in it.
    let head = unsafe { *(base as *const wire::LaunchHead) };
    let rows = (base + head.names as usize) as *const WatchedRow;
    let table = table();
    table.reset();
    let mut last = (0, -1, 0);
    for at in 0..(head.name_count as usize).min(MOST_ROWS) {
        // SAFETY: Runward sends as many rows as it says, aligned.
        let row = unsafe { *rows.add(at) };
        if row.folder != last.0 {
            let folder = confine::open_folder(base + row.folder as usize);
            if folder < 0 {
                table.reset();
                return folder;
            }
            let mode = confine::identity(folder as i32).map_or(0o700, |it| it.mode & 0o7777);
            table.listen(folder as i32);
            last = (row.folder, folder as i32, mode);
        }
        let path = table.copy(&body[row.folder as usize..]);
        let text = table.copy(&body[row.text as usize..]);
        let mark = table.copy(&body[row.mark as usize..]);
        let watch =
            NameWatch { kind: row.kind, folder: last.1, mode: last.2, path, text, mark, modes: row.modes };
        table.rows[at] = Some(watch);
        table.count = at + 1;
    }
    0
}

/// Readable when something changed; -1 while nothing is watched.
pub fn changes() -> i32 {
    let table = table();
    if table.count == 0 { -1 } else { table.changes }
}

/// How long until the next look, where the kernel does not tell of changes.
pub fn pause() -> Option<u64> {
    let table = table();
    (table.count > 0 && table.deaf).then_some(PAUSE_MS)
}

/// Looks, if something may have changed.
pub fn look(socket: i32, changed: bool) {
    let table = table();
    if changed {
        sys::read(table.changes, &mut [0_u8; 128]);
    }
    if changed || (table.count > 0 && table.deaf) {
        table.look(socket, false);
    }
}

/// The last look, and the end of watching.
pub fn end(socket: i32, over: NamesOutcome) {
    let table = table();
    if over == NamesOutcome::Ended {
        table.look(socket, true);
    }
    table.reset();
}

impl NamesTable {
    fn reset(&mut self) {
        let mut last = -1;
        for row in self.rows[..self.count].iter().flatten() {
            if row.folder != last {
                sys::close(row.folder);
                last = row.folder;
            }
        }
        (self.count, self.used, self.deaf, self.next, self.told) = (0, 0, false, 1, 0);
    }

    /// A text that ends in NUL, kept with it. Texts that repeat the last are not kept twice.
    fn copy(&mut self, from: &[u8]) -> &'static [u8] {
        let len = from.iter().position(|c| *c == 0).unwrap_or(0).min(TEXT - 1 - self.used);
        let at = self.used;
        self.text[at..at + len].copy_from_slice(&from[..len]);
        self.text[at + len] = 0;
        self.used = (at + len + 1).min(TEXT - 1);
        // SAFETY: the text lives as long as the process; it is written again only after the rows that name it are gone.
        unsafe { core::slice::from_raw_parts(self.text.as_ptr().add(at), len + 1) }
    }

    /// Asks the kernel to tell of changes in a folder.
    fn listen(&mut self, folder: i32) {
        const F_NOTIFY: usize = 1026;
        // Made, removed, renamed, modes and owners changed; again and again.
        const CHANGES: usize = 0x04 | 0x08 | 0x10 | 0x20 | 0x8000_0000;
        if self.changes < 0 {
            self.changes = sys::folder_signals();
        }
        let told = call(number::FCNTL, [folder as usize, F_NOTIFY, CHANGES, 0, 0, 0]);
        self.deaf |= told < 0 || self.changes < 0;
    }

    fn look(&mut self, socket: i32, last: bool) {
        for at in 0..self.count {
            let Some(row) = self.rows[at] else { continue };
            match row.kind {
                NAME => self.name(socket, &row),
                // Only in the end: git makes such a folder in several steps, and nothing is run from it.
                WORKTREES if last => self.worktrees(socket, &row),
                LASTING => self.lasting(socket, &row),
                _ => {}
            }
        }
    }

    /// Moves a name aside, if there is anything. Folders between that a command made are gone into; a link is not.
    fn name(&mut self, socket: i32, row: &NameWatch) {
        let mut inside = row.place();
        let mut found = FoundName { row: *row, below: Name::of(b"") };
        let mut parts = trimmed(row.text).split(|c| *c == b'/').peekable();
        while let Some(part) = parts.next() {
            let name = Name::of(part);
            if parts.peek().is_none() {
                self.aside(socket, &found, &inside, &name);
                break;
            }
            let below = inside.open(name.text(), O_RDONLY | O_DIRECTORY);
            if below == ENOENT {
                break;
            }
            self.deaf = true;
            if below < 0 {
                // A link, or a file where a folder would have to be: neither leads anywhere any more.
                self.aside(socket, &found, &inside, &name);
                break;
            }
            if inside.folder != row.folder {
                sys::close(inside.folder);
            }
            inside = HeldPlace { folder: below as i32, mode: 0o700 };
            found.below.push(part);
        }
        if inside.folder != row.folder {
            sys::close(inside.folder);
        }
    }

    fn aside(&mut self, socket: i32, found: &FoundName, inside: &HeldPlace, name: &Name) {
        if !inside.has(name.text()) {
            return;
        }
        loop {
            let mut to = *name;
            to.extend(trimmed(found.row.mark));
            to.extend(b"-");
            to.extend_number(self.next);
            self.next += 1;
            match inside.rename(name.text(), to.text()) {
                EEXIST => {}
                ENOENT => return,
                done if done < 0 => return self.tell(socket, STUCK, done, &found.path(name)),
                _ => return self.tell(socket, MOVED, 0, &found.path(&to)),
            }
        }
    }

    fn tell(&mut self, socket: i32, what: u32, done: isize, path: &Path) {
        if self.told < MOST_TOLD {
            self.told += 1;
            wire::report_aside(socket, what, done.min(0).unsigned_abs() as u32, trimmed(path.text()));
        }
    }

    /// Work trees that were made meanwhile lead back to their repository, or are moved aside.
    fn worktrees(&mut self, socket: i32, row: &NameWatch) {
        let git = row.place();
        let name = Name::of(b"worktrees");
        let all = git.open(name.text(), O_RDONLY | O_DIRECTORY);
        if all == ENOENT {
            return;
        }
        let mut found = FoundName { row: *row, below: Name::of(b"") };
        if all < 0 {
            return self.aside(socket, &found, &git, &name);
        }
        found.below.push(name.text());
        let all = HeldPlace { folder: all as i32, mode: 0o755 };
        proc::each_name(all.folder, &mut |name| {
            let known = trimmed(row.text).split(|c| *c == b'/').any(|known| known == trimmed(name));
            let ours = name.windows(trimmed(row.mark).len()).any(|part| part == trimmed(row.mark));
            if !known && !ours && !trimmed(name).iter().all(|c| *c == b'.') {
                self.worktree(socket, found, &all, &Name::of(name));
            }
        });
        sys::close(all.folder);
    }

    fn worktree(&mut self, socket: i32, mut found: FoundName, all: &HeldPlace, name: &Name) {
        let own = all.open(name.text(), O_RDONLY | O_DIRECTORY);
        if own < 0 {
            return self.aside(socket, &found, all, name);
        }
        let own = HeldPlace { folder: own as i32, mode: 0o755 };
        found.below.push(name.text());
        let pointer = Name::of(b"commondir");
        let mut text = [0_u8; 4096];
        let len = own.read(pointer.text(), &mut text);
        let leads = text[..len].iter().rposition(|c| *c != b'\n' && *c != b'\r').map_or(0, |at| at + 1);
        if &text[..leads] != b"../.." && &text[..leads] != trimmed(found.row.path) {
            self.aside(socket, &found, &own, &pointer);
        }
        self.aside(socket, &found, &own, &Name::of(b"config.worktree"));
        sys::close(own.folder);
    }

    /// A repository that stopped being one gets back what it had.
    fn lasting(&mut self, socket: i32, row: &NameWatch) {
        let git = row.place();
        if git.is_repository() {
            return;
        }
        git.mend();
        for (at, name) in [(16, b"objects\0" as &[u8]), (32, b"refs\0")] {
            git.change_mode(name, (row.modes >> at & 0o7777) as u32);
        }
        let head = Name::of(b"HEAD");
        let found = FoundName { row: *row, below: Name::of(b"") };
        if !git.has_head() {
            self.aside(socket, &found, &git, &head);
            git.make(head.text(), trimmed(row.text), (row.modes & 0o777) as u32);
        }
        let done = if git.is_repository() { RESTORED } else { STUCK };
        self.tell(socket, done, 0, &Path::of(row.path));
    }
}

impl NameWatch {
    fn place(&self) -> HeldPlace {
        HeldPlace { folder: self.folder, mode: self.mode }
    }
}

/// Where something was found: below the folder of a row.
#[derive(Clone, Copy)]
struct FoundName {
    row: NameWatch,
    below: Name,
}

impl FoundName {
    fn path(&self, name: &Name) -> Path {
        let mut path = Path::of(self.row.path);
        path.extend(trimmed(self.below.text()));
        path.push(name.text());
        path
    }
}
