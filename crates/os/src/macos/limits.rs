//! Resource limits (rlimits) of each process. May not loosen one in force.

use libc::{RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, c_int, rlimit};
use runward_core::facts::Keeper;
use runward_core::plan::Draft;

/// One limit, as the kernel takes it.
pub(super) type KernelLimit = (c_int, rlimit);

const KEPT: &[(&str, c_int)] = &[
    ("memory_bytes", RLIMIT_AS),
    ("processes", RLIMIT_NPROC),
    ("open_files", RLIMIT_NOFILE),
    ("file_size_bytes", RLIMIT_FSIZE),
];

/// The resource limits a draft asks for.
pub(super) fn of(draft: &Draft) -> Vec<KernelLimit> {
    let mut limits: Vec<KernelLimit> = KEPT
        .iter()
        .filter_map(|(name, resource)| {
            // A process may lower its limits but not raise them; a stricter one in force stays.
            let value = draft.limit_by(name, Keeper::Rlimit)?.min(most(*resource));
            Some((*resource, rlimit { rlim_cur: value, rlim_max: value }))
        })
        .collect();
    if let Some(millis) = draft.limit_by("cpu_ms", Keeper::Rlimit) {
        // Whole seconds are all the kernel counts; the signal first, the end a second later.
        let seconds = millis.div_ceil(1000).max(1);
        limits.push((RLIMIT_CPU, rlimit { rlim_cur: seconds, rlim_max: seconds + 1 }));
    }
    limits
}

/// The most that may be asked for.
pub(super) fn most(resource: c_int) -> u64 {
    let mut limit = rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the structure is ours to write to.
    if unsafe { libc::getrlimit(resource, &raw mut limit) } == 0 { limit.rlim_max } else { u64::MAX }
}
