//! What `/proc` says about processes: parents, children, descriptors. Nothing here allocates.

use crate::sys::{self, AT_FDCWD, O_CLOEXEC, O_RDONLY};

/// A path below `/proc`, built without allocation.
struct ProcPath {
    text: [u8; 64],
    len: usize,
}

impl ProcPath {
    fn of(pid: i32) -> Self {
        let mut path = Self { text: [0; 64], len: 0 };
        path.push(b"/proc/").push_number(pid);
        path
    }

    fn push(&mut self, part: &[u8]) -> &mut Self {
        self.text[self.len..self.len + part.len()].copy_from_slice(part);
        self.len += part.len();
        self
    }

    fn push_number(&mut self, number: i32) -> &mut Self {
        let mut digits = [0_u8; 10];
        let mut at = digits.len();
        let mut rest = number;
        loop {
            at -= 1;
            digits[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.push(&digits[at..])
    }

    fn open(&self) -> i32 {
        sys::open_at(AT_FDCWD, &self.text[..=self.len], O_RDONLY | O_CLOEXEC)
    }
}

/// Whether this process can be seen there; below zero if not.
pub fn readable() -> isize {
    let fd = sys::open_at(AT_FDCWD, b"/proc/self/stat\0", O_RDONLY | O_CLOEXEC);
    if fd >= 0 {
        sys::close(fd);
    }
    fd as isize
}

/// The number that a text begins with.
pub fn number(text: &[u8]) -> i32 {
    text.iter()
        .take_while(|c| c.is_ascii_digit())
        .fold(0_i32, |n, c| n.wrapping_mul(10).wrapping_add(i32::from(c - b'0')))
}

/// What `/proc/PID/stat` says: state and parent.
pub struct Stat {
    pub state: u8,
    pub parent: i32,
}

pub fn stat(pid: i32) -> Option<Stat> {
    let fd = ProcPath::of(pid).push(b"/stat").open();
    if fd < 0 {
        return None;
    }
    let mut text = [0_u8; 512];
    let got = sys::read(fd, &mut text);
    sys::close(fd);
    let text = text.get(..usize::try_from(got).ok()?)?;
    // The name stands in brackets and may itself contain brackets: the last one closes it.
    let close = text.iter().rposition(|c| *c == b')')?;
    let rest = text.get(close + 2..)?;
    Some(Stat { state: *rest.first()?, parent: number(rest.get(2..)?) })
}

/// Calls `found` with every child of every thread of a process. False if the kernel does not tell.
pub fn children(pid: i32, found: &mut dyn FnMut(i32)) -> bool {
    let tasks = ProcPath::of(pid).push(b"/task").open();
    if tasks < 0 {
        return true;
    }
    let mut told = true;
    each_entry(tasks, &mut |thread| told &= children_of_thread(pid, thread, found));
    sys::close(tasks);
    told
}

fn children_of_thread(pid: i32, thread: i32, found: &mut dyn FnMut(i32)) -> bool {
    let fd = ProcPath::of(pid).push(b"/task/").push_number(thread).push(b"/children").open();
    if fd < 0 {
        // A thread that is gone has no children; a kernel that never has the file must be told apart.
        return stat(pid).is_none() || pid != sys::own_pid();
    }
    let mut buffer = [0_u8; 4096];
    let mut pid_so_far = 0_i32;
    loop {
        let got = sys::read(fd, &mut buffer);
        if got <= 0 {
            break;
        }
        for c in &buffer[..got as usize] {
            if c.is_ascii_digit() {
                pid_so_far = pid_so_far * 10 + i32::from(c - b'0');
            } else if pid_so_far != 0 {
                found(pid_so_far);
                pid_so_far = 0;
            }
        }
    }
    sys::close(fd);
    true
}

/// Calls `found` with every process that can be seen and its parent.
pub fn everyone(found: &mut dyn FnMut(i32, i32)) {
    let all = sys::open_at(AT_FDCWD, b"/proc\0", O_RDONLY | O_CLOEXEC);
    if all < 0 {
        return;
    }
    each_entry(all, &mut |pid| {
        if let Some(stat) = stat(pid) {
            found(pid, stat.parent);
        }
    });
    sys::close(all);
}

/// Calls `found` with every name in a directory that is a number.
fn each_entry(dir: i32, found: &mut dyn FnMut(i32)) {
    each_name(dir, &mut |name| {
        if name.first().is_some_and(u8::is_ascii_digit) {
            found(number(name));
        }
    });
}

/// Calls `found` with every name in a directory, which ends in NUL.
pub fn each_name(dir: i32, found: &mut dyn FnMut(&[u8])) {
    let mut buffer = [0_u8; 2048];
    loop {
        let got = sys::entries(dir, &mut buffer);
        if got <= 0 {
            return;
        }
        let mut rest = &buffer[..got as usize];
        // An entry: inode and offset (8 bytes each), its own length (2), a type (1), the name and its end.
        while let Some(&[low, high]) = rest.get(16..18) {
            let len = usize::from(u16::from_le_bytes([low, high]));
            let name = rest.get(19..len).unwrap_or_default();
            let end = name.iter().position(|c| *c == 0).map_or(name.len(), |at| at + 1);
            found(&name[..end]);
            rest = rest.get(len..).unwrap_or_default();
        }
    }
}

/// Closes every descriptor of this process from `first` on, one by one. False if they cannot be seen.
pub fn close_from(first: i32) -> bool {
    let all = sys::open_at(AT_FDCWD, b"/proc/self/fd\0", O_RDONLY | O_CLOEXEC);
    if all < 0 {
        return false;
    }
    // Closing while reading may make the kernel pass over an entry, so it is done until a pass finds none.
    loop {
        let mut closed = false;
        each_entry(all, &mut |fd| {
            if fd >= first && fd != all {
                sys::close(fd);
                closed = true;
            }
        });
        if !closed || !sys::rewind(all) {
            sys::close(all);
            return !closed;
        }
    }
}
