//! Empty things that hold a place while a command runs, and are taken away after it.
//!
//! A path that must not come into being is kept by laying something over it, for which something must be there. Runward
//! makes an empty file or folder; whoever uses it holds a shared lock on it. The race: another command may use the same
//! one. So it is removed only by who can get the lock alone, only if it is still the thing of that name, and only if it
//! is still empty and marked as ours (the sticky bit, which a file or such a folder has for no other reason). One that a
//! murdered warden left is unlocked, and the next command in the same workspace takes it over.

use crate::sys::{self, MOST_FDS, O_CLOEXEC, call};
use crate::{confine, wire};
use core::ptr::addr_of_mut;

/// Longer than any name.
const NAME: usize = 256;

/// As many as descriptors can come for.
const MOST: usize = (MOST_FDS - 5) / 2;

#[derive(Clone, Copy)]
struct Hold {
    /// The folder it lies in.
    parent: i32,
    /// The thing itself, with the lock.
    thing: i32,
    folder: bool,
    name: [u8; NAME],
}

static mut HOLDS: [Hold; MOST] = [Hold { parent: -1, thing: -1, folder: false, name: [0; NAME] }; MOST];

/// One row of the table in a request.
#[repr(C)]
#[derive(Clone, Copy)]
struct Row {
    name: u64,
    folder: u64,
}

fn holds() -> &'static mut [Hold; MOST] {
    // SAFETY: one thread, and no two of these are alive at a time: each function takes it once and calls none that does.
    unsafe { &mut *addr_of_mut!(HOLDS) }
}

/// Takes over the holds of a request, with their descriptors.
pub fn take(body: &[u8], fds: &[i32]) {
    let base = body.as_ptr() as usize;
    // SAFETY: Runward sends a whole head at the beginning of an aligned body, and offsets that lie in it.
    let head = unsafe { *(base as *const wire::LaunchHead) };
    let rows = (base + head.holds as usize) as *const Row;
    for (at, hold) in holds().iter_mut().enumerate().take(head.hold_count as usize) {
        // SAFETY: Runward sends as many rows as it says, aligned.
        let row = unsafe { *rows.add(at) };
        let [parent, thing] = [fds[at * 2], fds[at * 2 + 1]];
        *hold = Hold { parent, thing, folder: row.folder != 0, name: [0; NAME] };
        let name = &body[row.name as usize..];
        let len = name.iter().position(|c| *c == 0).unwrap_or(0).min(NAME - 1);
        hold.name[..len].copy_from_slice(&name[..len]);
    }
}

/// Lets go of all of them, and removes those that nobody else holds.
pub fn release() {
    for hold in holds().iter_mut().filter(|hold| hold.thing >= 0) {
        if alone(hold.thing) && still_ours(hold) {
            // What is not empty any more is not removed by this.
            confine::remove_at(hold.parent, hold.name.as_ptr() as usize, hold.folder);
        }
        sys::close(hold.thing);
        sys::close(hold.parent);
        hold.thing = -1;
    }
}

fn alone(thing: i32) -> bool {
    #[cfg(target_arch = "x86_64")]
    const FLOCK: usize = 73;
    #[cfg(target_arch = "aarch64")]
    const FLOCK: usize = 32;
    const EXCLUSIVE_NOW: usize = 2 | 4;
    call(FLOCK, [thing as usize, EXCLUSIVE_NOW, 0, 0, 0, 0]) >= 0
}

fn still_ours(hold: &Hold) -> bool {
    const STICKY: u32 = 0o1000;
    const O_NONBLOCK: i32 = 0o4000;
    let flags = confine::O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    let named = sys::open_at(hold.parent, &hold.name, flags);
    if named < 0 {
        return false;
    }
    let (found, held) = (confine::identity(named), confine::identity(hold.thing));
    sys::close(named);
    match (found, held) {
        (Some(found), Some(held)) => {
            found.is(&held) && held.mode & STICKY != 0 && (hold.folder || held.size == 0)
        }
        _ => false,
    }
}
