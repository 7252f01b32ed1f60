//! Starting the command: everything between the request and the first instruction of the program.
//!
//! The child shares this process' memory and runs on a stack of its own until it executes; meanwhile this
//! process stands still. So nothing is copied, and an error is simply left in memory.
//!
//! The order matters: a session of its own before the terminal, the terminal before the descriptors are moved, the
//! directory by descriptor (it is the very one that was judged) or by the sandbox, which finds it again inside, limits
//! late so that they do not hit our own steps, and signals unblocked last so that none arrives half way.

use crate::sys::{self, MOST_FDS};
use crate::walls::{Confinement, ConfinementRow};
use crate::wire::{self, LaunchHead, Step};
use core::ptr::{addr_of, addr_of_mut};

/// What the child reads. Filled before the call, errors left in it after.
struct LaunchOrder {
    head: LaunchHead,
    base: usize,
    fds: [i32; MOST_FDS],
    /// `cgroup.procs` of the cgroup that the child has to enter by itself, or -1.
    procs: i32,
    /// Whether the child ran at all.
    began: bool,
    failed: Option<(Step, i32, u32)>,
}

static mut ORDER: LaunchOrder = LaunchOrder {
    head: LaunchHead {
        flags: 0,
        grace_ms: 0,
        limit_count: 0,
        wall_count: 0,
        program: 0,
        argv: 0,
        envp: 0,
        limits: 0,
        walls: 0,
        namespaces: 0,
        names: 0,
        name_count: 0,
    },
    base: 0,
    fds: [-1; MOST_FDS],
    procs: -1,
    began: false,
    failed: None,
};

static mut WALLS: Confinement = Confinement::new();

const STACK: usize = 16 * 1024;

static mut CHILD_STACK: [u128; STACK / 16] = [0; STACK / 16];

/// Why a launch failed: the step and the kernel's error.
pub struct LaunchFailure {
    pub step: u32,
    pub errno: u32,
    /// Which row of the sandbox's table.
    pub row: u32,
}

/// A launch that failed before it began: names that must not appear cannot be watched.
pub fn unwatched(errno: isize) -> LaunchFailure {
    LaunchFailure { step: Step::Names as u32, errno: (-errno) as u32, row: 0 }
}

/// Starts what the body of a `LAUNCH` says. The body must stay where it is until this returns.
pub fn launch(body: &mut [u8], fds: &[i32; MOST_FDS]) -> Result<i32, LaunchFailure> {
    let base = body.as_mut_ptr() as usize;
    // SAFETY: Runward sends a whole head at the beginning of an aligned body, and offsets that lie in it.
    let head = unsafe { *(base as *const LaunchHead) };
    relocate(base, head.argv);
    relocate(base, head.envp);
    // SAFETY: one thread; the child of an earlier launch has executed or exited, so nothing else reads this.
    unsafe {
        *addr_of_mut!(ORDER) = LaunchOrder { head, base, fds: *fds, procs: -1, began: false, failed: None }
    };
    let cgroup = (head.flags & wire::CGROUP != 0).then_some(fds[4]);
    let pid = match (spawn(head.namespaces, cgroup), cgroup) {
        (pid, Some(cgroup)) if pid > 0 && !began() => spawn_again(head.namespaces, cgroup, pid as i32),
        (pid, _) => pid,
    };
    // SAFETY: as above; the child no longer runs in this memory once the call has returned.
    let failed = unsafe { (*addr_of!(ORDER)).failed };
    match failed {
        _ if pid < 0 => Err(LaunchFailure { step: Step::Clone as u32, errno: (-pid) as u32, row: 0 }),
        Some((step, errno, row)) => Err(LaunchFailure { step: step as u32, errno: errno as u32, row }),
        None => Ok(pid as i32),
    }
}

/// Turns a table of offsets into a table of pointers.
fn relocate(base: usize, table: u64) {
    let mut at = (base + table as usize) as *mut usize;
    // SAFETY: the table lies in the body, is aligned, and ends with 0.
    unsafe {
        while *at != 0 {
            *at += base;
            at = at.add(1);
        }
    }
}

const CLONE_VM: u64 = 0x100;
const CLONE_VFORK: u64 = 0x4000;
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

fn spawn(namespaces: u64, cgroup: Option<i32>) -> isize {
    let stack = addr_of!(CHILD_STACK) as usize;
    let flags = CLONE_VM | CLONE_VFORK | namespaces;
    let Some(cgroup) = cgroup else {
        let flags = flags as usize | sys::SIGCHLD as usize;
        // SAFETY: the child gets a stack that nothing else uses while this process stands still.
        return unsafe { crate::entry::warden_spawn(sys::CLONE, flags, stack + STACK) };
    };
    let flags = flags | CLONE_INTO_CGROUP;
    let arguments: [u64; 11] =
        [flags, 0, 0, 0, sys::SIGCHLD as u64, stack as u64, STACK as u64, 0, 0, 0, cgroup as u64];
    // SAFETY: as above; the arguments are the kernel's `clone_args` in its third size.
    unsafe { crate::entry::warden_spawn(sys::CLONE3, arguments.as_ptr() as usize, size_of_val(&arguments)) }
}

fn began() -> bool {
    // SAFETY: the child no longer runs in this memory once the call that made it has returned.
    unsafe { (*addr_of!(ORDER)).began }
}

/// Starts a child that enters the cgroup by itself, in the place of one that was killed before its first instruction.
///
/// Hazard: a process that is born into a cgroup is killed by Linux (seen on 6.18) if that cgroup and its parent's own
/// were not told to kill equally often (`cgroup.kill`), however long ago: below a cgroup that was emptied once and is
/// used again, every command would be dead on arrival. A process that is moved into a cgroup is spared.
fn spawn_again(namespaces: u64, cgroup: i32, stillborn: i32) -> isize {
    sys::reap_this(stillborn, &mut 0);
    // Opened here: inside its namespaces the child may not be allowed to.
    let procs = sys::open_at(cgroup, b"cgroup.procs\0", sys::O_WRONLY | sys::O_CLOEXEC);
    if procs < 0 {
        return procs as isize;
    }
    // SAFETY: one thread, and no child at this moment.
    unsafe { (*addr_of_mut!(ORDER)).procs = procs };
    let pid = spawn(namespaces, None);
    sys::close(procs);
    pid
}

#[unsafe(no_mangle)]
extern "C" fn warden_child() -> ! {
    // SAFETY: the parent stands still until this child executes or exits.
    let order = unsafe { &mut *addr_of_mut!(ORDER) };
    order.began = true;
    if let Err(failed) = prepare(order) {
        order.failed = Some(failed);
        sys::exit(127);
    }
    let at = |offset: u64| order.base + offset as usize;
    // SAFETY: program and tables lie in the body and end as the kernel wants; `launch` made them pointers.
    let error = unsafe {
        sys::execute(
            at(order.head.program) as *const u8,
            at(order.head.argv) as *const *const u8,
            at(order.head.envp) as *const *const u8,
        )
    };
    order.failed = Some((Step::Execute, -error as i32, 0));
    sys::exit(127)
}

fn prepare(order: &LaunchOrder) -> Result<(), (Step, i32, u32)> {
    let [stdin, stdout, stderr, directory, ..] = order.fds;
    if order.procs >= 0 {
        ok(Step::Clone, sys::write(order.procs, b"0"))?;
    }
    ok(Step::Session, sys::new_session())?;
    if order.head.flags & wire::TERMINAL != 0 {
        ok(Step::Terminal, sys::take_terminal(stdin))?;
    }
    if order.head.wall_count == 0 {
        ok(Step::Directory, sys::change_dir(directory))?;
    }
    for (to, from) in [stdin, stdout, stderr].into_iter().enumerate() {
        ok(Step::Descriptors, sys::dup_to(from, to as i32, 0))?;
    }
    sys::die_with_parent();
    walls(order, directory)?;
    limits(order)?;
    sys::unblock_signals();
    Ok(())
}

/// The Landlock ruleset, if one came.
pub fn rules(head: &LaunchHead, fds: &[i32; MOST_FDS]) -> Option<i32> {
    let cgroup = head.flags & wire::CGROUP != 0;
    (head.flags & wire::RULES != 0).then(|| fds[4 + usize::from(cgroup)])
}

/// The socket over which those of the command's network are handed out, if one came.
pub fn hand(head: &LaunchHead, fds: &[i32; MOST_FDS]) -> Option<i32> {
    let before = [wire::CGROUP, wire::RULES].iter().filter(|flag| head.flags & **flag != 0).count();
    (head.flags & wire::HAND != 0).then(|| fds[4 + before])
}

fn walls(order: &LaunchOrder, directory: i32) -> Result<(), (Step, i32, u32)> {
    if order.head.wall_count == 0 {
        return Ok(());
    }
    let at = (order.base + order.head.walls as usize) as *const ConfinementRow;
    // SAFETY: Runward sends as many rows as it says, aligned.
    let rows = unsafe { core::slice::from_raw_parts(at, order.head.wall_count as usize) };
    // SAFETY: only the one child that is being started uses it.
    let walls = unsafe { &mut *addr_of_mut!(WALLS) };
    let rules = rules(&order.head, &order.fds).unwrap_or(-1);
    let hand = hand(&order.head, &order.fds).unwrap_or(-1);
    walls.put_up([directory, rules, hand], order.base, rows).map_err(|(row, errno)| (Step::Walls, errno, row))
}

fn limits(order: &LaunchOrder) -> Result<(), (Step, i32, u32)> {
    let triples = (order.base + order.head.limits as usize) as *const [u64; 3];
    for at in 0..order.head.limit_count as usize {
        // SAFETY: Runward sends as many triples as it says, aligned.
        let [resource, soft, hard] = unsafe { *triples.add(at) };
        ok(Step::Limits, sys::soft_limit(resource as u32, soft, hard))?;
    }
    Ok(())
}

fn ok(step: Step, result: isize) -> Result<(), (Step, i32, u32)> {
    if result < 0 { Err((step, -result as i32, 0)) } else { Ok(()) }
}
