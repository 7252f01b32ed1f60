//! Resource limits of each process, for what no cgroup keeps.

use runward_core::facts::Keeper;
use runward_core::plan::Draft;
use rustix::process::{Resource, getrlimit};

/// One resource limit, as the kernel numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Triple {
    pub(super) resource: u32,
    pub(super) soft: u64,
    pub(super) hard: u64,
}

/// Name in the plan, the kernel's number, and how to ask for the value in force.
const KEPT: &[(&str, u32, Resource)] = &[
    ("memory_bytes", 9, Resource::As),
    ("processes", 6, Resource::Nproc),
    ("open_files", 7, Resource::Nofile),
    ("file_size_bytes", 1, Resource::Fsize),
];

/// The resource limits a draft asks for.
pub(super) fn of(draft: &Draft) -> Vec<Triple> {
    let mut triples: Vec<Triple> = KEPT
        .iter()
        .filter_map(|(name, resource, ask)| {
            let value = draft.limit_by(name, Keeper::Rlimit)?;
            // A process may lower its limits but not raise them; a stricter one in force stays.
            let value = getrlimit(*ask).maximum.map_or(value, |most| value.min(most));
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
