//! What this kernel and this user can do.

use super::cgroup;
use runward_core::facts::{Abilities, Containment, Keeper};

/// What this host can do, as found when asked.
pub(crate) fn abilities() -> Abilities {
    let group = cgroup::usable();
    let mut containment = vec![Containment::Subreaper];
    if group.is_some() {
        containment.insert(0, Containment::Cgroup);
    }
    let controls = |name: &str| group.as_ref().is_some_and(|group| group.controls(name));
    // A limit on processes is counted per user and does not bind a privileged one: there it would be a lie.
    let bound = !rustix::process::geteuid().is_root();
    Abilities {
        containment,
        memory: Some(if controls("memory") { Keeper::Cgroup } else { Keeper::Rlimit }),
        processes: if controls("pids") { Some(Keeper::Cgroup) } else { bound.then_some(Keeper::Rlimit) },
        per_process: Some(Keeper::Rlimit),
        pty: true,
    }
}
