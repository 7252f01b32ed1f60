//! What the kernel tells about processes: the children of one, the members of a group, and when each was started.
//!
//! Nothing here allocates, so that the guard may use all of it after a fork. Hazard: a pid is used again after its
//! process is gone. A process is therefore known by its pid and the moment it was started.

use libc::{PROC_PIDTBSDINFO, c_int, c_void, pid_t, proc_bsdinfo};
use std::mem::{MaybeUninit, size_of, size_of_val};

/// One process and no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ProcessIdentity {
    pub(super) pid: pid_t,
    seconds: u64,
    micros: u64,
}

/// What is known of a living process.
#[derive(Debug, Clone, Copy)]
pub(super) struct Living {
    pub(super) identity: ProcessIdentity,
    pub(super) group: pid_t,
}

/// A process that lives; zombies do not.
pub(super) fn living(pid: pid_t) -> Option<Living> {
    let mut found = MaybeUninit::<proc_bsdinfo>::zeroed();
    let size = size_of::<proc_bsdinfo>() as c_int;
    // SAFETY: the buffer is as large as is said, and the flavour fills this structure.
    let got =
        unsafe { libc::proc_pidinfo(pid, PROC_PIDTBSDINFO, 0, found.as_mut_ptr().cast::<c_void>(), size) };
    if got != size {
        return None;
    }
    // SAFETY: the kernel filled all of it, and every bit pattern is a value.
    let found = unsafe { found.assume_init() };
    let identity = ProcessIdentity { pid, seconds: found.pbi_start_tvsec, micros: found.pbi_start_tvusec };
    (found.pbi_status != libc::SZOMB).then_some(Living { identity, group: found.pbi_pgid.cast_signed() })
}

impl ProcessIdentity {
    /// This very process, if it still lives.
    pub(super) fn living(self) -> Option<Living> {
        living(self.pid).filter(|living| living.identity == self)
    }
}

/// The children of a process, as many as there is room for. Returns how many were written.
pub(super) fn children(parent: pid_t, into: &mut [pid_t]) -> usize {
    let size = size_of_val(into) as c_int;
    // SAFETY: the buffer is as large as is said.
    written(unsafe { libc::proc_listchildpids(parent, into.as_mut_ptr().cast::<c_void>(), size) }, into)
}

/// The members of a group, as many as there is room for. Returns how many were written.
pub(super) fn members(group: pid_t, into: &mut [pid_t]) -> usize {
    let size = size_of_val(into) as c_int;
    // SAFETY: the buffer is as large as is said.
    written(unsafe { libc::proc_listpgrppids(group, into.as_mut_ptr().cast::<c_void>(), size) }, into)
}

/// Both calls answer with a count of processes.
fn written(answer: c_int, into: &[pid_t]) -> usize {
    usize::try_from(answer).unwrap_or(0).min(into.len())
}
