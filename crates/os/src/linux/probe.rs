//! What this kernel and this user can do: cgroups, namespaces, limits. May not promise more.

use super::{cgroup, steward};
use runward_core::facts::{Abilities, Containment, Keeper};

/// What this host can do, as found when asked.
pub(crate) fn abilities() -> Abilities {
    if !steward::is_built() {
        return unheld();
    }
    let group = cgroup::usable();
    let mut containment = vec![Containment::Subreaper];
    if group.is_some() && can_start_in_cgroups() {
        containment.insert(0, Containment::Cgroup);
    }
    // Last: it changes what a command sees of the host, so it is only taken where it is asked for.
    if may_make_namespaces() {
        containment.push(Containment::PidNamespace);
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
        layers: None,
    }
}

/// Without a warden nobody holds a process tree together or sets its limits, so no command is started: a tree that outlives
/// Runward would be worse.
fn unheld() -> Abilities {
    Abilities {
        containment: Vec::new(),
        memory: None,
        processes: None,
        per_process: None,
        pty: true,
        layers: Some(Vec::new()),
    }
}

/// Whether this process has the capability that a pid namespace takes (`CAP_SYS_ADMIN`).
fn may_make_namespaces() -> bool {
    const CAP_SYS_ADMIN: u64 = 1 << 21;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    effective
        .and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok())
        .is_some_and(|caps| caps & CAP_SYS_ADMIN != 0)
}

/// Whether the newer call is there that starts a process in a cgroup; some containers forbid it.
fn can_start_in_cgroups() -> bool {
    // SAFETY: without arguments the call does nothing but say whether it is known.
    let answer = unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<libc::c_void>(), 0_usize) };
    answer < 0 && std::io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}
