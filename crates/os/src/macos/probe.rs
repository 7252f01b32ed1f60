//! What this Mac and this user can do.

use runward_core::facts::{Abilities, Containment, Keeper};
use runward_core::sandbox::Layer;

/// What this host can do, as found when asked.
pub(crate) fn abilities() -> Abilities {
    // A limit on processes is counted per user and does not bind a privileged one: there it would be a lie.
    let bound = !rustix::process::geteuid().is_root();
    Abilities {
        containment: vec![Containment::ProcessGroup],
        memory: Some(Keeper::Rlimit),
        processes: bound.then_some(Keeper::Rlimit),
        per_process: Some(Keeper::Rlimit),
        pty: true,
        layers: Some(Vec::new()),
    }
}

/// No layer of a sandbox can be put on here.
pub(crate) fn sandbox_layers() -> Vec<Layer> {
    Vec::new()
}
