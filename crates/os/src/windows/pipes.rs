//! Pipes of which our end never waits and the command's end is an ordinary one.
//!
//! Windows' anonymous pipes cannot be overlapped, so these are named ones with a name that is used once. Hazard:
//! another process could open the other end first. Then there is no second one for us, and the launch fails instead of
//! talking to a stranger; machines elsewhere are refused altogether.

use super::handle::owned;
use super::transfer::PARCEL;
use super::wide;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::os::windows::io::OwnedHandle;
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicU64, Ordering};
use windows_sys::Win32::Foundation::{GENERIC_READ, GENERIC_WRITE};
use windows_sys::Win32::Storage::FileSystem::{
    CreateFileW, FILE_FLAG_FIRST_PIPE_INSTANCE, FILE_FLAG_OVERLAPPED, OPEN_EXISTING, PIPE_ACCESS_INBOUND,
    PIPE_ACCESS_OUTBOUND,
};
use windows_sys::Win32::System::Pipes::{
    CreateNamedPipeW, PIPE_READMODE_BYTE, PIPE_REJECT_REMOTE_CLIENTS, PIPE_TYPE_BYTE, PIPE_WAIT,
};

/// Our end and the command's end of one stream.
pub(super) struct Pair {
    pub(super) ours: OwnedHandle,
    pub(super) theirs: OwnedHandle,
}

/// A pipe that the command writes to.
pub(super) fn output() -> io::Result<Pair> {
    pair(PIPE_ACCESS_INBOUND, GENERIC_WRITE)
}

/// A pipe that the command reads from.
pub(super) fn input() -> io::Result<Pair> {
    pair(PIPE_ACCESS_OUTBOUND, GENERIC_READ)
}

fn pair(ours: u32, theirs: u32) -> io::Result<Pair> {
    let name = name();
    let mode = ours | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE;
    let kind = PIPE_TYPE_BYTE | PIPE_READMODE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS;
    let size = PARCEL as u32;
    // SAFETY: the name ends with a NUL; the handle is not inherited.
    let made = unsafe { CreateNamedPipeW(name.as_ptr(), mode, kind, 1, size, size, 0, null()) };
    // SAFETY: it is new, so it has no other owner.
    let ours = unsafe { owned(made) }?;
    Ok(Pair { ours, theirs: open(&name, theirs)? })
}

/// What reads as nothing at all.
pub(super) fn nothing() -> io::Result<OwnedHandle> {
    open(&wide::terminated("NUL".as_ref()), GENERIC_READ)
}

fn open(name: &[u16], access: u32) -> io::Result<OwnedHandle> {
    // SAFETY: the name ends with a NUL; the handle is not inherited and waits like any ordinary one.
    let made = unsafe { CreateFileW(name.as_ptr(), access, 0, null(), OPEN_EXISTING, 0, null_mut()) };
    // SAFETY: it is new, so it has no other owner.
    unsafe { owned(made) }
}

/// A random name, which no other process can foresee and no other pipe of ours has.
fn name() -> Vec<u16> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let chance = RandomState::new().hash_one(count);
    let name = format!(r"\\.\pipe\runward-{}-{count}-{chance:016x}", std::process::id());
    wide::terminated(&OsString::from(name))
}
