//! The filter of system calls: the list of a plan, as a program for the kernel.
//!
//! May not know why a call is denied; that is in `runward_core::sandbox`.

use runward_core::sandbox::{DeniedCall, Network, SandboxPlan, UNKNOWN_CALL, When};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Bytes of one instruction.
pub(super) const INSTRUCTION: usize = 8;

/// The program of a plan. There are two, with the network and without, and each is made once.
pub(super) fn of(plan: &SandboxPlan) -> &'static [u8] {
    static WITH_NETWORK: OnceLock<Vec<u8>> = OnceLock::new();
    static WITHOUT: OnceLock<Vec<u8>> = OnceLock::new();
    let made = if *plan.network() == Network::Off { &WITHOUT } else { &WITH_NETWORK };
    made.get_or_init(|| bytes(&program(&plan.denied_calls())))
}

fn bytes(program: &[sock_filter]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(program.len() * INSTRUCTION);
    for one in program {
        bytes.extend_from_slice(&one.code.to_ne_bytes());
        bytes.extend_from_slice(&[one.jt, one.jf]);
        bytes.extend_from_slice(&one.k.to_ne_bytes());
    }
    bytes
}

const LOAD: u16 = 0x20;
const JUMP_IF_EQUAL: u16 = 0x15;
const JUMP_IF_GREATER_OR_EQUAL: u16 = 0x35;
const RETURN: u16 = 0x06;

const KILL: u32 = 0x8000_0000;
const ERROR: u32 = 0x0005_0000;

/// The bit that marks calls of the other ABI of the same machine (x32), which has numbers of its own.
const OTHER_ABI: u32 = 0x4000_0000;

/// The program: first who calls, then which call, then the list.
fn program(denied: &[DeniedCall]) -> BpfProgram {
    let op = |code, k, jt, jf| sock_filter { code, jt, jf, k };
    let error = |errno: i32| ERROR | errno.unsigned_abs();
    let unknown = number(UNKNOWN_CALL).and_then(|it| u32::try_from(it).ok()).unwrap_or(u32::MAX);
    let mut program = vec![
        op(LOAD, 4, 0, 0),
        // A program of another machine: its numbers mean other calls.
        op(JUMP_IF_EQUAL, MACHINE, 1, 0),
        op(RETURN, KILL, 0, 0),
        op(LOAD, 0, 0, 0),
        op(JUMP_IF_GREATER_OR_EQUAL, OTHER_ABI, 0, 1),
        op(RETURN, error(libc::ENOSYS), 0, 0),
        op(JUMP_IF_EQUAL, unknown, 0, 1),
        op(RETURN, error(libc::ENOSYS), 0, 0),
    ];
    program.extend(list(denied));
    program
}

fn list(denied: &[DeniedCall]) -> BpfProgram {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in denied {
        // A call that this machine does not have needs no denial.
        if let Some(number) = number(call.name) {
            rules.entry(number).or_default().extend(conditions(call.when));
        }
    }
    let denial = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    SeccompFilter::new(rules, SeccompAction::Allow, denial, TARGET)
        .and_then(TryInto::try_into)
        // Out of a list of our own that every test compiles; if it ever failed, everything would be denied.
        .unwrap_or_else(|_| vec![sock_filter { code: RETURN, jt: 0, jf: 0, k: KILL }])
}

/// The rules of one row, of which any is enough. None means always.
fn conditions(when: When) -> Vec<SeccompRule> {
    let rule = |argument: u8, op: SeccompCmpOp, value: u32| {
        SeccompCondition::new(argument, SeccompCmpArgLen::Dword, op, u64::from(value))
            .and_then(|condition| SeccompRule::new(vec![condition]))
    };
    let rules = match when {
        When::Always => Vec::new(),
        When::Is(argument, value) => vec![rule(argument, SeccompCmpOp::Eq, value)],
        When::IsNot(argument, value) => vec![rule(argument, SeccompCmpOp::Ne, value)],
        When::AnyBit(argument, bits) => (0..32)
            .map(|at| 1_u32 << at)
            .filter(|bit| bits & bit != 0)
            .map(|bit| rule(argument, SeccompCmpOp::MaskedEq(u64::from(bit)), bit))
            .collect(),
    };
    // A rule that cannot be written would leave the call denied altogether: no rule means always.
    rules.into_iter().collect::<Result<_, _>>().unwrap_or_default()
}

#[cfg(target_arch = "x86_64")]
const TARGET: TargetArch = TargetArch::x86_64;
#[cfg(target_arch = "aarch64")]
const TARGET: TargetArch = TargetArch::aarch64;

#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7;

/// The number of a call on this machine.
fn number(name: &str) -> Option<i64> {
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
        unshare => libc::SYS_unshare, socket => libc::SYS_socket,
    }
}

/// Calls that only this kind of machine has.
#[cfg(target_arch = "x86_64")]
fn own(name: &str) -> Option<i64> {
    match name {
        "iopl" => Some(libc::SYS_iopl),
        "ioperm" => Some(libc::SYS_ioperm),
        _ => None,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn own(_: &str) -> Option<i64> {
    None
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;
