//! The sandbox: a table of steps, carried out in order by the child before it becomes the command.
//!
//! Everything was decided and prepared by Runward; the other side of the table is `src/linux/walls.rs`. A step that
//! fails ends the launch. Once a step has given something up, nothing later can take it back.

use crate::confine::{self, Below, ENOENT, ENOTDIR, ESTALE};
use crate::own_network::{self, MadeSockets};
use crate::sys::{self, O_CLOEXEC};

/// One row of the table. Paths and texts are offsets in the body and end in NUL.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct ConfinementRow {
    pub kind: u32,
    /// 1 if a path that is not there is passed over.
    pub lenient: u32,
    pub path: u64,
    pub a: u64,
    pub b: u64,
    pub c: u64,
}

const WRITE: u32 = 1;
const KEEP: u32 = 2;
const CLOSE: u32 = 3;
const FRESH: u32 = 4;
const FOLDER: u32 = 5;
const BLANK: u32 = 6;
const PUT: u32 = 7;
const PIN: u32 = 8;
const ENTER: u32 = 9;
const YIELD: u32 = 10;
const RULES: u32 = 11;
const ALLOW: u32 = 12;
const RESTRICT: u32 = 13;
const FILTER: u32 = 14;
const TERMINALS: u32 = 15;
const LOOPBACK: u32 = 16;
const NETLINK: u32 = 17;
const SOCKET: u32 = 18;
const HAND_OVER: u32 = 19;

/// How many trees can be kept aside at a time; Runward sends no more.
pub const SLOTS: usize = 256;

/// A link in a path that had none when it was judged.
const ELOOP: isize = -40;
const EINVAL: isize = -22;

/// What the steps share. All descriptors in it are closed by executing.
pub struct Confinement {
    base: usize,
    /// The directory that was judged.
    directory: i32,
    slots: [i32; SLOTS],
    rules: i32,
    /// Sockets that were made, and where they are handed out.
    sockets: MadeSockets,
    hand: i32,
}

impl Confinement {
    pub const fn new() -> Self {
        Self { base: 0, directory: -1, slots: [-1; SLOTS], rules: -1, sockets: MadeSockets::new(), hand: -1 }
    }

    /// Puts up the sandbox from a table in the body at `base`. On failure: the row's number, and the kernel's error.
    /// The descriptors are the directory that was judged, the Landlock ruleset if it was made before, and the socket over
    /// which those of the command's network are handed out.
    pub fn put_up(
        &mut self,
        [directory, rules, hand]: [i32; 3],
        base: usize,
        rows: &[ConfinementRow],
    ) -> Result<(), (u32, i32)> {
        (self.base, self.directory, self.rules, self.hand) = (base, directory, rules, hand);
        self.sockets.forget();
        for (at, row) in rows.iter().enumerate() {
            let done = self.carry_out(row);
            if done < 0 && !passes(row, done) {
                return Err((at as u32, -done as i32));
            }
        }
        Ok(())
    }

    fn carry_out(&mut self, row: &ConfinementRow) -> isize {
        let path = self.base + row.path as usize;
        match row.kind {
            WRITE => write(path, self.base + row.a as usize, row.b as usize),
            KEEP => self.keep(row.a as usize, path),
            CLOSE => confine::set_mounts(Below::Path(path), row.a),
            FRESH => confine::fresh(c"tmpfs", path, row.a as usize, self.base + row.b as usize),
            TERMINALS => confine::fresh(c"devpts", path, row.a as usize, self.base + row.b as usize),
            FOLDER => confine::make_folder(path, 0o755),
            BLANK if row.a == 1 => confine::make_folder(path, 0),
            BLANK => confine::make_file(path),
            PUT => self.put(row.a as usize, path, row.b),
            PIN => pin(path, row.b),
            ENTER => self.enter(path),
            LOOPBACK => confine::bring_up_loopback(),
            NETLINK => own_network::tell_kernel(self.base + row.a as usize, row.b as usize),
            SOCKET => self.sockets.make(row.c, self.base + row.a as usize, row.b as usize),
            HAND_OVER => self.sockets.hand_over(self.hand),
            YIELD => confine::give_up_privileges(),
            RULES => self.begin_rules([row.a, row.b, row.c]),
            ALLOW => self.allow(path, row.a),
            RESTRICT => confine::landlock_restrict(self.rules),
            FILTER => confine::filter_calls(self.base + row.a as usize, row.b as u16),
            _ => EINVAL,
        }
    }

    fn keep(&mut self, slot: usize, path: usize) -> isize {
        let Some(place) = self.slots.get_mut(slot) else { return EINVAL };
        let tree = confine::open_tree(confine::open_exact(path));
        *place = tree as i32;
        tree
    }

    fn put(&mut self, slot: usize, path: usize, attributes: u64) -> isize {
        match self.slots.get(slot) {
            Some(&tree) => place(tree, confine::open_exact(path), attributes),
            None => EINVAL,
        }
    }

    /// Goes where the command runs, through the new view, if that is the very directory that was judged.
    fn enter(&self, path: usize) -> isize {
        let folder = confine::open_exact(path);
        if folder < 0 {
            return folder;
        }
        match (confine::identity(folder as i32), confine::identity(self.directory)) {
            (Some(found), Some(judged)) if found.is(&judged) => sys::change_dir(folder as i32),
            _ => ESTALE,
        }
    }

    fn begin_rules(&mut self, governed: [u64; 3]) -> isize {
        let made = confine::landlock_create(&governed);
        self.rules = made as i32;
        made
    }

    /// Rights below a path. To what is not there nothing needs to be given.
    fn allow(&self, path: usize, rights: u64) -> isize {
        let below = confine::open_exact(path);
        if below < 0 {
            return below;
        }
        let mut done = confine::landlock_add(self.rules, rights, below as i32);
        if done == EINVAL {
            // It is no folder: the rights that only a folder can have are refused.
            done = confine::landlock_add(self.rules, rights & confine::LANDLOCK_OF_FILES, below as i32);
        }
        sys::close(below as i32);
        done
    }
}

/// Whether a step that found nothing to do is passed over. To what cannot be reached nothing needs to be done; a link is
/// passed only where that gives less, not more.
fn passes(row: &ConfinementRow, error: isize) -> bool {
    let gives = [FRESH, ALLOW].contains(&row.kind);
    if [NETLINK, SOCKET].contains(&row.kind) {
        // Addresses of a kind that this kernel does not know cannot be reached.
        return row.lenient != 0;
    }
    row.lenient != 0 && (error == ENOENT || error == ENOTDIR || (gives && error == ELOOP))
}

fn write(path: usize, text: usize, len: usize) -> isize {
    let file = confine::open(path, sys::O_WRONLY | O_CLOEXEC);
    if file < 0 {
        return file;
    }
    // SAFETY: Runward sends as many bytes as it says, and they stay there until the command was started.
    let text = unsafe { core::slice::from_raw_parts(text as *const u8, len) };
    let done = sys::write(file as i32, text);
    sys::close(file as i32);
    done
}

fn pin(path: usize, attributes: u64) -> isize {
    let tree = confine::open_tree(confine::open_entry(path));
    if tree < 0 { tree } else { place(tree as i32, confine::open_entry(path), attributes) }
}

/// Puts a tree over something opened.
fn place(tree: i32, to: isize, attributes: u64) -> isize {
    let mut done = 0;
    if attributes != 0 {
        done = confine::set_mounts(Below::Tree(tree), attributes);
    }
    if done >= 0 {
        done = confine::move_mount(tree, to);
    }
    sys::close(tree);
    done
}
