//! The seccomp filter: the denied system calls of a plan, as a BPF program for the kernel.
//!
//! The kernel runs it once for every system call number when it is put in force, that is for every command. So numbers
//! are found by binary search: that takes a tenth of the time of a list, which took longer than starting a program.
//! May not know why a call is denied; that is in `runward_core::sandbox`.

use runward_core::sandbox::{DeniedCall, Network, SandboxPlan, UNKNOWN_CALL, When};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Bytes of one instruction.
pub(super) const INSTRUCTION: usize = 8;

/// The program of a plan. There are three, with the network, without, and with one of its own, and each is made once.
pub(super) fn of(plan: &SandboxPlan) -> &'static [u8] {
    static WITH_NETWORK: OnceLock<Vec<u8>> = OnceLock::new();
    static WITHOUT: OnceLock<Vec<u8>> = OnceLock::new();
    static WITH_ITS_OWN: OnceLock<Vec<u8>> = OnceLock::new();
    let made = match plan.network() {
        _ if plan.has_own_network() => &WITH_ITS_OWN,
        Network::Off => &WITHOUT,
        _ => &WITH_NETWORK,
    };
    made.get_or_init(|| bytes(&program(&plan.denied_calls())))
}

const LOAD: u16 = 0x20;
const IF_EQUAL: u16 = 0x15;
const IF_GREATER_OR_EQUAL: u16 = 0x35;
const IF_ANY_BIT: u16 = 0x45;
const RETURN: u16 = 0x06;

const ALLOW: u32 = 0x7fff_0000;
const KILL: u32 = 0x8000_0000;
const ERROR: u32 = 0x0005_0000;

/// Where the numbers stand that are looked at: of the call, of the machine, and of the first argument's lower half.
const CALL: u32 = 0;
const MACHINE_AT: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The bit that marks calls of the other ABI of the same machine (x32), which has numbers of its own.
const OTHER_ABI: u32 = 0x4000_0000;

/// Where to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Go {
    /// So many instructions further than the next.
    On(usize),
    /// To the end that lets the call through.
    Allow,
    /// To the one that denies it.
    Deny,
    /// To the one that does not know it.
    Unknown,
    /// To the one that kills.
    Kill,
}

const NEXT: Go = Go::On(0);

/// One instruction, without the distances of its jumps.
#[derive(Debug, Clone, Copy)]
struct Op {
    code: u16,
    number: u32,
    yes: Go,
    no: Go,
}

fn op(code: u16, number: u32, yes: Go, no: Go) -> Op {
    Op { code, number, yes, no }
}

/// What becomes of one call.
#[derive(Debug, Clone)]
enum SyscallFate {
    Unknown,
    /// Denied if any of these holds; always, if one of them is always.
    Denied(Vec<When>),
}

/// The program: first who calls, then which call.
fn program(denied: &[DeniedCall]) -> Vec<Op> {
    let mut fates: BTreeMap<u32, SyscallFate> = BTreeMap::new();
    for call in denied {
        // A call that this machine does not have needs no denial.
        let Some(number) = number(call.name) else { continue };
        let fate = fates.entry(number).or_insert_with(|| SyscallFate::Denied(Vec::new()));
        if let SyscallFate::Denied(when) = fate {
            when.push(call.when);
        }
    }
    fates.extend(number(UNKNOWN_CALL).map(|number| (number, SyscallFate::Unknown)));
    let fates: Vec<(u32, SyscallFate)> = fates.into_iter().collect();
    let mut program = vec![
        op(LOAD, MACHINE_AT, NEXT, NEXT),
        // A program of another machine: its numbers mean other calls.
        op(IF_EQUAL, MACHINE, NEXT, Go::Kill),
        op(LOAD, CALL, NEXT, NEXT),
        op(IF_GREATER_OR_EQUAL, OTHER_ABI, Go::Unknown, NEXT),
    ];
    program.extend(search(&fates));
    program
}

/// Finds the number among those of the list, by binary search.
fn search(fates: &[(u32, SyscallFate)]) -> Vec<Op> {
    match fates {
        [] => vec![op(IF_EQUAL, 0, Go::Allow, Go::Allow)],
        [(number, fate)] => match fate {
            SyscallFate::Unknown => vec![op(IF_EQUAL, *number, Go::Unknown, Go::Allow)],
            SyscallFate::Denied(when) if when.contains(&When::Always) => {
                vec![op(IF_EQUAL, *number, Go::Deny, Go::Allow)]
            }
            SyscallFate::Denied(when) => {
                let mut ops = vec![op(IF_EQUAL, *number, NEXT, Go::Allow)];
                ops.extend(conditions(when));
                ops
            }
        },
        _ => {
            let (below, above) = fates.split_at(fates.len() / 2);
            let first = above[0].0;
            let (below, above) = (search(below), search(above));
            let mut ops = vec![op(IF_GREATER_OR_EQUAL, first, Go::On(below.len()), NEXT)];
            ops.extend(below);
            ops.extend(above);
            ops
        }
    }
}

fn conditions(when: &[When]) -> Vec<Op> {
    let mut ops = Vec::new();
    for (index, one) in when.iter().enumerate() {
        let otherwise = if index + 1 == when.len() { Go::Allow } else { NEXT };
        let (argument, test) = match *one {
            When::Always => (0, vec![op(IF_ANY_BIT, 0, Go::Deny, Go::Deny)]),
            When::Is(argument, value) => (argument, vec![op(IF_EQUAL, value, Go::Deny, otherwise)]),
            When::IsNot(argument, value) => (argument, vec![op(IF_EQUAL, value, otherwise, Go::Deny)]),
            When::AnyBit(argument, bits) => (argument, vec![op(IF_ANY_BIT, bits, Go::Deny, otherwise)]),
            When::NoneOf(argument, values) => (argument, none_of(values, otherwise)),
            When::IsAndNoneOf(argument, value, other, values) => {
                let rest = none_of(values, otherwise);
                let past = if otherwise == NEXT { Go::On(rest.len() + 1) } else { otherwise };
                let mut test = vec![op(IF_EQUAL, value, NEXT, past), load(other)];
                test.extend(rest);
                (argument, test)
            }
        };
        ops.push(load(argument));
        ops.extend(test);
    }
    ops
}

fn load(argument: u8) -> Op {
    op(LOAD, ARGUMENTS + 8 * u32::from(argument), NEXT, NEXT)
}

/// Denies what is none of these.
fn none_of(values: &[u32], otherwise: Go) -> Vec<Op> {
    let compare = |(index, value): (usize, &u32)| {
        let left = values.len() - index - 1;
        let found = if otherwise == NEXT { Go::On(left) } else { otherwise };
        op(IF_EQUAL, *value, found, if left == 0 { Go::Deny } else { NEXT })
    };
    values.iter().enumerate().map(compare).collect()
}

/// The ends, in their order behind the program.
const ENDS: [(Go, u32); 4] = [
    (Go::Allow, ALLOW),
    (Go::Deny, ERROR | libc::EPERM.unsigned_abs()),
    (Go::Unknown, ERROR | libc::ENOSYS.unsigned_abs()),
    (Go::Kill, KILL),
];

/// The program as the kernel reads it, with its ends.
fn bytes(program: &[Op]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity((program.len() + ENDS.len()) * INSTRUCTION);
    let mut write = |code: u16, jumps: [u8; 2], number: u32| {
        bytes.extend_from_slice(&code.to_ne_bytes());
        bytes.extend_from_slice(&jumps);
        bytes.extend_from_slice(&number.to_ne_bytes());
    };
    for (at, op) in program.iter().enumerate() {
        let distance = |go: Go| {
            let ends = ENDS.iter().position(|(end, _)| *end == go).map(|end| program.len() + end - at - 1);
            let distance = if let Go::On(further) = go { Some(further) } else { ends };
            // A jump reaches 255 instructions; the tests compile every program there is.
            u8::try_from(distance.unwrap_or(usize::MAX)).expect("a program of our own that is short enough")
        };
        write(op.code, [distance(op.yes), distance(op.no)], op.number);
    }
    ENDS.iter().for_each(|(_, answer)| write(RETURN, [0, 0], *answer));
    bytes
}

#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7;
/// Elsewhere there is no warden that could put a filter up.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const MACHINE: u32 = 0;

/// The number of a call on this machine.
fn number(name: &str) -> Option<u32> {
    known(name).and_then(|number| u32::try_from(number).ok())
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn known(_: &str) -> Option<libc::c_long> {
    None
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn known(name: &str) -> Option<libc::c_long> {
    macro_rules! numbers {
        ($($call:ident => $number:expr),* $(,)?) => {
            match name { $(stringify!($call) => Some($number),)* _ => own(name) }
        };
    }
    numbers! {
        mount => libc::SYS_mount, umount2 => libc::SYS_umount2, pivot_root => libc::SYS_pivot_root,
        open_tree => libc::SYS_open_tree, open_tree_attr => 467, move_mount => libc::SYS_move_mount,
        fsopen => libc::SYS_fsopen, fsconfig => libc::SYS_fsconfig, fsmount => libc::SYS_fsmount,
        fspick => libc::SYS_fspick, mount_setattr => libc::SYS_mount_setattr, setns => libc::SYS_setns,
        ptrace => libc::SYS_ptrace, process_vm_readv => libc::SYS_process_vm_readv,
        process_vm_writev => libc::SYS_process_vm_writev, pidfd_getfd => libc::SYS_pidfd_getfd,
        kcmp => libc::SYS_kcmp, open_by_handle_at => libc::SYS_open_by_handle_at,
        io_uring_setup => libc::SYS_io_uring_setup, io_uring_enter => libc::SYS_io_uring_enter,
        io_uring_register => libc::SYS_io_uring_register, bpf => libc::SYS_bpf,
        perf_event_open => libc::SYS_perf_event_open, userfaultfd => libc::SYS_userfaultfd,
        kexec_load => libc::SYS_kexec_load, kexec_file_load => libc::SYS_kexec_file_load,
        init_module => libc::SYS_init_module, finit_module => libc::SYS_finit_module,
        delete_module => libc::SYS_delete_module, reboot => libc::SYS_reboot, swapon => libc::SYS_swapon,
        swapoff => libc::SYS_swapoff, acct => libc::SYS_acct, quotactl => libc::SYS_quotactl,
        quotactl_fd => 443, settimeofday => libc::SYS_settimeofday, clock_settime => libc::SYS_clock_settime,
        add_key => libc::SYS_add_key, request_key => libc::SYS_request_key, keyctl => libc::SYS_keyctl,
        ioctl => libc::SYS_ioctl, clone => libc::SYS_clone, clone3 => libc::SYS_clone3,
        unshare => libc::SYS_unshare, socket => libc::SYS_socket, process_madvise => 440,
        process_mrelease => 448, prlimit64 => libc::SYS_prlimit64, setpriority => libc::SYS_setpriority,
        sched_setaffinity => libc::SYS_sched_setaffinity, sched_setscheduler => libc::SYS_sched_setscheduler,
        sched_setparam => libc::SYS_sched_setparam, sched_setattr => libc::SYS_sched_setattr,
        migrate_pages => libc::SYS_migrate_pages, move_pages => libc::SYS_move_pages,
        get_robust_list => libc::SYS_get_robust_list, ioprio_set => libc::SYS_ioprio_set,
        prctl => libc::SYS_prctl,
    }
}

/// Calls that only this kind of machine has.
#[cfg(target_arch = "x86_64")]
fn own(name: &str) -> Option<libc::c_long> {
    match name {
        "iopl" => Some(libc::SYS_iopl),
        "ioperm" => Some(libc::SYS_ioperm),
        _ => None,
    }
}

#[cfg(target_arch = "aarch64")]
fn own(_: &str) -> Option<libc::c_long> {
    None
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
