//! The system calls that a sandboxed command is denied (seccomp), by name.
//!
//! A list of what is denied, not of what is allowed, so that programs nobody thought of run. What it must stop is what
//! leads around the other layers, or to parts of the kernel that no command needs. May not know system call numbers:
//! they differ between machines.

use super::{Network, SandboxPlan};
use serde::Serialize;

/// When a call is denied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// Always.
    Always,
    /// If any of these bits is set in the argument at that place.
    AnyBit(u8, u32),
    /// If the argument at that place is this, in its lower half: the kernel does not look at the upper one.
    Is(u8, u32),
    /// If the argument at that place is anything but this, in its lower half.
    IsNot(u8, u32),
    /// If the argument at that place is none of these, in its lower half.
    NoneOf(u8, &'static [u32]),
    /// If the argument at the first place is this, and the one at the second place is none of these.
    IsAndNoneOf(u8, u32, u8, &'static [u32]),
}

/// One row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DeniedCall {
    /// Its name.
    pub name: &'static str,
    /// When.
    pub when: When,
}

/// Pushes input back into a terminal, as if its user had typed it.
const TIOCSTI: u32 = 0x5412;
/// Does the same on a console, among other things.
const TIOCLINUX: u32 = 0x541c;

/// Bits of `clone` and `unshare` that make a namespace. The one for time shares its bit with a signal's number in
/// `clone`, which cannot make one.
const NEW_ANY: u32 =
    0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000;
const NEW_TIME: u32 = 0x80;

const AF_UNIX: u32 = 1;
const AF_INET: u32 = 2;
const AF_INET6: u32 = 10;
const AF_NETLINK: u32 = 16;

/// What sockets may be in a network of its own: local ones, those of the internet, and netlink, by which every program that
/// lists its addresses asks for them.
const OWN_FAMILIES: &[u32] = &[AF_UNIX, AF_INET, AF_INET6, AF_NETLINK];

/// The protocols of the internet that programs need: whichever fits, TCP, UDP, TCP over several ways. Others make the kernel
/// load parts that hardly anyone uses.
const OWN_PROTOCOLS: &[u32] = &[0, 6, 17, 262];

/// Of netlink, addresses and routes alone. To change them takes a privilege that was given up.
const OWN_NETLINK: &[u32] = &[0];

/// Denied whatever their arguments are.
const ALWAYS: &[&str] = &[
    // Changing what lies where.
    "mount",
    "umount2",
    "pivot_root",
    "open_tree",
    "open_tree_attr",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "setns",
    // Reaching into other processes.
    "ptrace",
    "process_vm_readv",
    "process_vm_writev",
    "pidfd_getfd",
    "kcmp",
    "process_madvise",
    "process_mrelease",
    // Files by their inode number, past every folder above them.
    "open_by_handle_at",
    // Calls that no filter sees.
    "io_uring_setup",
    "io_uring_enter",
    "io_uring_register",
    // The kernel itself.
    "bpf",
    "perf_event_open",
    "userfaultfd",
    "kexec_load",
    "kexec_file_load",
    "init_module",
    "finit_module",
    "delete_module",
    "reboot",
    "swapon",
    "swapoff",
    "acct",
    "quotactl",
    "quotactl_fd",
    "iopl",
    "ioperm",
    "settimeofday",
    "clock_settime",
    "add_key",
    "request_key",
    "keyctl",
];

/// Denied if they are about another process than the calling one: the pid, which is the first argument, is not 0. To
/// the kernel a pid is any process of the same user, inside or outside. A thread that names itself by its own id
/// (`pthread_setaffinity_np` does) cannot be told from that and is denied, too.
const ABOUT_OTHERS: &[&str] = &[
    "prlimit64",
    "sched_setaffinity",
    "sched_setscheduler",
    "sched_setparam",
    "sched_setattr",
    "migrate_pages",
    "move_pages",
    "get_robust_list",
];

/// The same for two calls that first say what the id is of: a user's id means all processes of that user.
const PRIO_USER: u32 = 2;
const IOPRIO_WHO_USER: u32 = 3;

/// Ties a process to another's processor core.
const PR_SCHED_CORE: u32 = 62;

/// Answered as if the kernel did not know it: its arguments lie in memory, where no filter can read them, and every
/// library falls back to `clone`.
pub const UNKNOWN_CALL: &str = "clone3";

impl SandboxPlan {
    /// The calls that are denied.
    pub fn denied_calls(&self) -> Vec<DeniedCall> {
        let mut denied: Vec<_> = ALWAYS.iter().map(|name| DeniedCall { name, when: When::Always }).collect();
        denied.extend([
            DeniedCall { name: "ioctl", when: When::Is(1, TIOCSTI) },
            DeniedCall { name: "ioctl", when: When::Is(1, TIOCLINUX) },
            DeniedCall { name: "clone", when: When::AnyBit(0, NEW_ANY) },
            DeniedCall { name: "unshare", when: When::AnyBit(0, NEW_ANY | NEW_TIME) },
            DeniedCall { name: "setpriority", when: When::Is(0, PRIO_USER) },
            DeniedCall { name: "setpriority", when: When::IsNot(1, 0) },
            DeniedCall { name: "ioprio_set", when: When::Is(0, IOPRIO_WHO_USER) },
            DeniedCall { name: "ioprio_set", when: When::IsNot(1, 0) },
            DeniedCall { name: "prctl", when: When::Is(0, PR_SCHED_CORE) },
        ]);
        denied.extend(ABOUT_OTHERS.iter().map(|name| DeniedCall { name, when: When::IsNot(0, 0) }));
        if self.has_own_network() {
            denied.extend([
                DeniedCall { name: "socket", when: When::NoneOf(0, OWN_FAMILIES) },
                DeniedCall { name: "socket", when: When::IsAndNoneOf(0, AF_INET, 2, OWN_PROTOCOLS) },
                DeniedCall { name: "socket", when: When::IsAndNoneOf(0, AF_INET6, 2, OWN_PROTOCOLS) },
                DeniedCall { name: "socket", when: When::IsAndNoneOf(0, AF_NETLINK, 2, OWN_NETLINK) },
            ]);
        } else if *self.network() == Network::Off {
            denied.push(DeniedCall { name: "socket", when: When::IsNot(0, AF_UNIX) });
        }
        denied
    }
}
