//! The system calls that put up a sandbox (mounts, Landlock, seccomp), as thin as they come. May not decide anything.
//!
//! Errors are negative numbers, as the kernel returns them. Paths are addresses of texts in the request that end in NUL.

use crate::sys::{AT_FDCWD, O_CLOEXEC, call, close, number, prctl};

#[cfg(target_arch = "x86_64")]
mod own {
    pub const FSTAT: usize = 5;
    pub const IOCTL: usize = 16;
    pub const SOCKET: usize = 41;
    pub const CAPSET: usize = 126;
    pub const MKDIRAT: usize = 258;
    pub const SECCOMP: usize = 317;
}

#[cfg(target_arch = "aarch64")]
mod own {
    pub const IOCTL: usize = 29;
    pub const MKDIRAT: usize = 34;
    pub const SOCKET: usize = 198;
    pub const FSTAT: usize = 80;
    pub const CAPSET: usize = 91;
    pub const SECCOMP: usize = 277;
}

const OPEN_TREE: usize = 428;
const MOVE_MOUNT: usize = 429;
const OPENAT2: usize = 437;
const MOUNT_SETATTR: usize = 442;
const LANDLOCK_CREATE_RULESET: usize = 444;
const LANDLOCK_ADD_RULE: usize = 445;
const LANDLOCK_RESTRICT_SELF: usize = 446;

pub const O_PATH: i32 = 0o10_000_000;
pub const O_DIRECTORY: i32 = if cfg!(target_arch = "x86_64") { 0o200_000 } else { 0o40_000 };
pub const O_NOFOLLOW: i32 = if cfg!(target_arch = "x86_64") { 0o400_000 } else { 0o100_000 };
const AT_EMPTY_PATH: usize = 0x1000;
const AT_RECURSIVE: usize = 0x8000;
pub const ENOENT: isize = -2;
pub const EEXIST: isize = -17;
pub const ENOTDIR: isize = -20;
pub const ESTALE: isize = -116;

fn empty() -> usize {
    c"".as_ptr() as usize
}

pub fn open(path: usize, flags: i32) -> isize {
    call(number::OPENAT, [AT_FDCWD as usize, path, flags as usize, 0, 0, 0])
}

/// What a path names, if no part of it is a link: what was judged had none.
pub fn open_exact(path: usize) -> isize {
    open_without_links(path, 0)
}

/// The same, or the link itself if that is what lies there.
pub fn open_entry(path: usize) -> isize {
    open_without_links(path, O_NOFOLLOW)
}

/// A folder, to be read and watched.
pub fn open_folder(path: usize) -> isize {
    open_how(path, O_DIRECTORY | O_CLOEXEC)
}

fn open_without_links(path: usize, flags: i32) -> isize {
    open_how(path, O_PATH | O_CLOEXEC | flags)
}

fn open_how(path: usize, flags: i32) -> isize {
    const RESOLVE_NO_SYMLINKS: u64 = 4;
    let how = [flags as u64, 0, RESOLVE_NO_SYMLINKS];
    call(OPENAT2, [AT_FDCWD as usize, path, how.as_ptr() as usize, size_of_val(&how), 0, 0])
}

/// The tree of mounts at something opened, aside from all others.
pub fn open_tree(from: isize) -> isize {
    const OPEN_TREE_CLONE: usize = 1;
    if from < 0 {
        return from;
    }
    let flags = OPEN_TREE_CLONE | AT_RECURSIVE | AT_EMPTY_PATH | O_CLOEXEC as usize;
    let tree = call(OPEN_TREE, [from as usize, empty(), flags, 0, 0, 0]);
    close(from as i32);
    tree
}

/// Puts a tree over something opened. Where it finds nothing there, and only there, the error is that nothing was found.
pub fn move_mount(tree: i32, to: isize) -> isize {
    const BOTH_BY_DESCRIPTOR: usize = 0x04 | 0x40;
    if to < 0 {
        return to;
    }
    let done = call(MOVE_MOUNT, [tree as usize, empty(), to as usize, empty(), BOTH_BY_DESCRIPTOR, 0]);
    close(to as i32);
    if done == ENOENT || done == ENOTDIR { ESTALE } else { done }
}

/// Which mounts are meant.
pub enum Below {
    /// All below a path, with all ties to others cut.
    Path(usize),
    /// All of a tree.
    Tree(i32),
}

/// Sets attributes of mounts.
pub fn set_mounts(below: Below, attributes: u64) -> isize {
    const MS_PRIVATE: u64 = 1 << 18;
    let (dir, path, flags, ties) = match below {
        Below::Path(path) => (AT_FDCWD, path, AT_RECURSIVE, MS_PRIVATE),
        Below::Tree(tree) => (tree, empty(), AT_RECURSIVE | AT_EMPTY_PATH, 0),
    };
    let wanted = [attributes, 0, ties, 0];
    call(MOUNT_SETATTR, [dir as usize, path, flags, wanted.as_ptr() as usize, size_of_val(&wanted), 0])
}

/// An empty file system of this kind over a path.
pub fn fresh(kind: &core::ffi::CStr, path: usize, flags: usize, options: usize) -> isize {
    let found = open_exact(path);
    if found < 0 {
        return found;
    }
    close(found as i32);
    let kind = kind.as_ptr() as usize;
    call(number::MOUNT, [kind, path, kind, flags, options, 0])
}

/// Makes a folder; one that is there already will do.
pub fn make_folder(path: usize, mode: usize) -> isize {
    match call(own::MKDIRAT, [AT_FDCWD as usize, path, mode, 0, 0, 0]) {
        EEXIST => 0,
        done => done,
    }
}

/// Makes a file with mode 0, which no user without privileges may open.
pub fn make_file(path: usize) -> isize {
    const O_CREATE_NEW: usize = 0o100 | 0o200;
    let made = call(number::OPENAT, [AT_FDCWD as usize, path, O_CREATE_NEW | O_CLOEXEC as usize, 0, 0, 0]);
    if made >= 0 {
        close(made as i32);
    }
    made
}

/// What tells a file from every other, and its mode.
#[derive(Clone, Copy, PartialEq)]
pub struct InodeIdentity {
    device: u64,
    number: u64,
    pub mode: u32,
}

impl InodeIdentity {
    /// Whether two are the same file, whatever became of it meanwhile.
    pub fn is(&self, other: &InodeIdentity) -> bool {
        (self.device, self.number) == (other.device, other.number)
    }
}

pub fn identity(fd: i32) -> Option<InodeIdentity> {
    const MODE_AT: usize = if cfg!(target_arch = "x86_64") { 24 } else { 16 };
    let mut stat = [0_u64; 18];
    if call(own::FSTAT, [fd as usize, stat.as_mut_ptr() as usize, 0, 0, 0, 0]) < 0 {
        return None;
    }
    Some(InodeIdentity { device: stat[0], number: stat[1], mode: stat[MODE_AT / 8] as u32 })
}

/// Brings up the one interface that a new network has.
pub fn bring_up_loopback() -> isize {
    const AF_INET: usize = 2;
    const SOCK_DATAGRAM: usize = 2;
    const SET_FLAGS: usize = 0x8914;
    const IFF_UP: u64 = 1;
    // The interface's name in sixteen bytes, then its flags; the kernel reads forty.
    let wanted = [u64::from_ne_bytes(*b"lo\0\0\0\0\0\0"), 0, IFF_UP, 0, 0];
    let socket = call(own::SOCKET, [AF_INET, SOCK_DATAGRAM | O_CLOEXEC as usize, 0, 0, 0, 0]);
    if socket < 0 {
        return socket;
    }
    let done = call(own::IOCTL, [socket as usize, SET_FLAGS, wanted.as_ptr() as usize, 0, 0, 0]);
    close(socket as i32);
    done
}

/// No capability now, and none by executing. The first step alone keeps a program from gaining any; the second takes from
/// root what makes it root, in case the first should ever be read otherwise. (To empty the bounding set would do the same
/// in forty calls, which took as long as a fifth of a start.)
pub fn give_up_privileges() -> isize {
    const PR_SET_SECUREBITS: usize = 28;
    const ROOT_IS_NOBODY_FOR_GOOD: usize = 1 | 2;
    const PR_SET_NO_NEW_PRIVS: usize = 38;
    const VERSION_3: u64 = 0x2008_0522;
    let done = prctl(PR_SET_NO_NEW_PRIVS, 1);
    if done < 0 {
        return done;
    }
    // A process that may not do this has no capability that root could get back.
    prctl(PR_SET_SECUREBITS, ROOT_IS_NOBODY_FOR_GOOD);
    let (head, none) = ([VERSION_3], [0_u64; 3]);
    call(own::CAPSET, [head.as_ptr() as usize, none.as_ptr() as usize, 0, 0, 0, 0])
}

/// The rights that make sense for something that is no folder.
pub const LANDLOCK_OF_FILES: u64 = 1 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;

pub fn landlock_create(governed: &[u64; 3]) -> isize {
    call(LANDLOCK_CREATE_RULESET, [governed.as_ptr() as usize, size_of_val(governed), 0, 0, 0, 0])
}

pub fn landlock_add(rules: i32, rights: u64, below: i32) -> isize {
    const PATH_BENEATH: usize = 1;
    let row = [rights, u64::from(below as u32)];
    call(LANDLOCK_ADD_RULE, [rules as usize, PATH_BENEATH, row.as_ptr() as usize, 0, 0, 0])
}

pub fn landlock_restrict(rules: i32) -> isize {
    call(LANDLOCK_RESTRICT_SELF, [rules as usize, 0, 0, 0, 0, 0])
}

/// Puts a filter of so many instructions in force.
pub fn filter_calls(instructions: usize, count: u16) -> isize {
    const SET_MODE_FILTER: usize = 1;
    let program = [usize::from(count), instructions];
    call(own::SECCOMP, [SET_MODE_FILTER, 0, program.as_ptr() as usize, 0, 0, 0])
}
