//! Resource limits (rlimits) of each process, for what no cgroup keeps. May not loosen one in force.

use crate::sys::unix::{ResourceNumber, limit_in_force};
use runward_core::facts::Keeper;
use runward_core::plan::Draft;

/// One resource limit, as the kernel numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Triple {
    pub(super) resource: u32,
    pub(super) soft: u64,
    pub(super) hard: u64,
}

/// Name in the plan, the kernel's number, and the C library's name of it.
const KEPT: &[(&str, u32, ResourceNumber)] = &[
    ("memory_bytes", 9, libc::RLIMIT_AS),
    ("processes", 6, libc::RLIMIT_NPROC),
    ("open_files", 7, libc::RLIMIT_NOFILE),
    ("file_size_bytes", 1, libc::RLIMIT_FSIZE),
];

/// The resource limits a draft asks for.
pub(super) fn of(draft: &Draft) -> Vec<Triple> {
    let mut triples: Vec<Triple> = KEPT
        .iter()
        .filter_map(|(name, resource, ask)| {
            let value = draft.limit_by(name, Keeper::Rlimit)?;
            // A process may lower its limits but not raise them; a stricter one in force stays.
            let value = limit_in_force(*ask).map_or(value, |limit| value.min(limit.rlim_max));
            Some(Triple { resource: *resource, soft: value, hard: value })
        })
        .collect();
    if let Some(millis) = draft.limit_by("cpu_ms", Keeper::Rlimit) {
        // Whole seconds are all the kernel counts; the signal first, the end a second later.
        let seconds = millis.div_ceil(1000).max(1);
        triples.push(Triple { resource: 0, soft: seconds, hard: seconds + 1 });
    }
    triples
}
