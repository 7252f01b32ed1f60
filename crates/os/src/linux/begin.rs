//! Starts the steward's process: from memory (memfd), in `/`, without an environment, with one socket.
//!
//! Not by the standard library: it uses `clone3`, and where a container forbids that with any other error than
//! "unknown", nothing would ever start. Here it is the older `clone`, which shares our memory instead of copying it, so
//! a large server starts it as fast as a small one.
//!
//! The hazard: until it executes, the child runs in this process' memory while the thread that made it stands still. So it
//! has a stack of its own, takes no lock, allocates nothing, and no signal reaches it: all are blocked before it is made.

use crate::SpawnError;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// More than its few calls need.
const STACK: usize = 64 * 1024;

/// What a warden calls itself.
const NAME: &CStr = c"runward-warden";

/// What the child reads, and where it leaves an error.
struct StewardStart {
    program: c_int,
    /// The program by a name, where it may not be executed without one.
    path: CString,
    socket: c_int,
    /// The step that failed, and the kernel's error.
    failed: Option<(&'static str, c_int)>,
}

/// Starts the program with the socket as its standard input.
pub(super) fn begin(program: &OwnedFd, socket: &OwnedFd) -> Result<Pid, SpawnError> {
    let path = CString::new(format!("/proc/self/fd/{}", program.as_raw_fd())).unwrap_or_default();
    let mut start =
        StewardStart { program: program.as_raw_fd(), path, socket: socket.as_raw_fd(), failed: None };
    // Numbers of sixteen bytes, so that it begins where a stack may.
    let mut stack = vec![0_u128; STACK / 16];
    let top = stack.as_mut_ptr_range().end.cast::<c_void>();
    let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
    let blocked = Blocked::all();
    // SAFETY: the child gets a stack of its own and the start, both of which live until it has executed or ended: only
    // then does this call return. What it does is in `run`, which keeps to the hazard of this file.
    let pid = unsafe { libc::clone(run, top, flags, (&raw mut start).cast()) };
    let error = io::Error::last_os_error();
    drop(blocked);
    let Some(pid) = (if pid > 0 { Pid::from_raw(pid) } else { None }) else {
        return Err(SpawnError::host("starting a warden (`clone`)")(error));
    };
    match start.failed {
        None => Ok(pid),
        Some((what, errno)) => {
            // It has ended: this takes the zombie away and cannot wait.
            let _ = waitpid(Some(pid), WaitOptions::empty());
            Err(SpawnError::host(what)(io::Error::from_raw_os_error(errno)))
        }
    }
}

/// The child.
extern "C" fn run(start: *mut c_void) -> c_int {
    // SAFETY: `begin` passes its own, and stands still.
    let start = unsafe { &mut *start.cast::<StewardStart>() };
    start.failed = Some(execute(start));
    // SAFETY: ends this process without running anything of the parent's.
    unsafe { libc::_exit(127) }
}

/// Becomes the program, or says which step failed.
fn execute(start: &StewardStart) -> (&'static str, c_int) {
    // SAFETY: both are descriptors of this process; the new one stays open when a program is executed.
    if unsafe { libc::dup2(start.socket, 0) } < 0 {
        return ("giving a warden its socket (`dup2`)", errno());
    }
    // SAFETY: the name ends with a NUL. A root that cannot be entered is not needed.
    unsafe { libc::chdir(c"/".as_ptr()) };
    let argv: [*const c_char; 2] = [NAME.as_ptr(), std::ptr::null()];
    let envp: [*const c_char; 1] = [std::ptr::null()];
    let (argv, envp, empty) = (argv.as_ptr(), envp.as_ptr(), c"".as_ptr());
    // SAFETY: both lists end with a null pointer, and every text with a NUL.
    unsafe {
        libc::syscall(libc::SYS_execveat, start.program, empty, argv, envp, libc::AT_EMPTY_PATH);
    }
    let first = errno();
    // SAFETY: as above.
    unsafe { libc::execve(start.path.as_ptr(), argv, envp) };
    match (first, errno()) {
        // The newer way is forbidden, and the older one needs `/proc`.
        (libc::EPERM | libc::ENOSYS, libc::ENOENT) => ("executing a warden (`execveat`; `/proc`)", first),
        (libc::EPERM | libc::ENOSYS, second) => ("executing a warden (`execve`)", second),
        _ => ("executing a warden (`execveat`)", first),
    }
}

fn errno() -> c_int {
    io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}

/// No signal is let through to this thread while it exists.
struct Blocked(libc::sigset_t);

impl Blocked {
    fn all() -> Self {
        // SAFETY: a set of signals is bits, and none of them set is one.
        let mut all: libc::sigset_t = unsafe { std::mem::zeroed() };
        let mut before = all;
        // SAFETY: the set is ours to write to.
        unsafe { libc::sigfillset(&raw mut all) };
        // SAFETY: reads the one set and writes the other, both of this function.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before) };
        Self(before)
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        // SAFETY: puts back what was in force before.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}
