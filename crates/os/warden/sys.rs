//! System calls, as thin as they come. May not decide. Errors are negative numbers, as the kernel returns them.

use core::ptr::null;

#[cfg(target_arch = "x86_64")]
pub mod number {
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const LSEEK: usize = 8;
    pub const MMAP: usize = 9;
    pub const MUNMAP: usize = 11;
    pub const RT_SIGACTION: usize = 13;
    pub const RT_SIGPROCMASK: usize = 14;
    pub const IOCTL: usize = 16;
    pub const GETPID: usize = 39;
    pub const SENDMSG: usize = 46;
    pub const RECVMSG: usize = 47;
    pub const CLONE: usize = 56;
    pub const EXECVE: usize = 59;
    pub const WAIT4: usize = 61;
    pub const KILL: usize = 62;
    pub const FCNTL: usize = 72;
    pub const FCHDIR: usize = 81;
    pub const SETSID: usize = 112;
    pub const PRCTL: usize = 157;
    pub const MOUNT: usize = 165;
    pub const GETDENTS64: usize = 217;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const PPOLL: usize = 271;
    pub const SIGNALFD4: usize = 289;
    pub const DUP3: usize = 292;
    pub const PRLIMIT64: usize = 302;
}

#[cfg(target_arch = "aarch64")]
pub mod number {
    pub const DUP3: usize = 24;
    pub const FCNTL: usize = 25;
    pub const IOCTL: usize = 29;
    pub const MOUNT: usize = 40;
    pub const FCHDIR: usize = 50;
    pub const OPENAT: usize = 56;
    pub const CLOSE: usize = 57;
    pub const GETDENTS64: usize = 61;
    pub const LSEEK: usize = 62;
    pub const READ: usize = 63;
    pub const WRITE: usize = 64;
    pub const PPOLL: usize = 73;
    pub const SIGNALFD4: usize = 74;
    pub const EXIT_GROUP: usize = 94;
    pub const KILL: usize = 129;
    pub const RT_SIGACTION: usize = 134;
    pub const RT_SIGPROCMASK: usize = 135;
    pub const SETSID: usize = 157;
    pub const PRCTL: usize = 167;
    pub const GETPID: usize = 172;
    pub const SENDMSG: usize = 211;
    pub const RECVMSG: usize = 212;
    pub const MUNMAP: usize = 215;
    pub const CLONE: usize = 220;
    pub const EXECVE: usize = 221;
    pub const MMAP: usize = 222;
    pub const WAIT4: usize = 260;
    pub const PRLIMIT64: usize = 261;
}

/// Numbers that are the same on every architecture.
const PIDFD_SEND_SIGNAL: usize = 424;
const PIDFD_OPEN: usize = 434;
const CLOSE_RANGE: usize = 436;
pub const CLONE3: usize = 435;
pub const CLONE: usize = number::CLONE;

const EPERM: isize = -1;
pub const EINTR: isize = -4;
pub const ECHILD: isize = -10;
const ENOSYS: isize = -38;
pub const SIGKILL: i32 = 9;
pub const SIGTERM: i32 = 15;
pub const SIGCHLD: i32 = 17;
pub const SIGCONT: i32 = 18;
const SIGIO: i32 = 29;
pub const POLLIN: i16 = 1;

type Args = [usize; 6];

#[cfg(target_arch = "x86_64")]
pub fn call(number: usize, args: Args) -> isize {
    let result: isize;
    // SAFETY: the wrappers below pass what the kernel's interface asks for; the kernel keeps every register
    // but the three named here.
    unsafe {
        core::arch::asm!(
            "syscall", inlateout("rax") number as isize => result,
            in("rdi") args[0], in("rsi") args[1], in("rdx") args[2],
            in("r10") args[3], in("r8") args[4], in("r9") args[5],
            lateout("rcx") _, lateout("r11") _,
        );
    }
    result
}

#[cfg(target_arch = "aarch64")]
pub fn call(number: usize, args: Args) -> isize {
    let result: isize;
    // SAFETY: the wrappers below pass what the kernel's interface asks for; the kernel keeps every register
    // but the result's.
    unsafe {
        core::arch::asm!(
            "svc #0", in("x8") number, inlateout("x0") args[0] as isize => result,
            in("x1") args[1], in("x2") args[2], in("x3") args[3], in("x4") args[4], in("x5") args[5],
        );
    }
    result
}

pub fn exit(code: i32) -> ! {
    loop {
        call(number::EXIT_GROUP, [code as usize, 0, 0, 0, 0, 0]);
    }
}

pub fn read(fd: i32, into: &mut [u8]) -> isize {
    call(number::READ, [fd as usize, into.as_mut_ptr() as usize, into.len(), 0, 0, 0])
}

pub fn write(fd: i32, from: &[u8]) -> isize {
    call(number::WRITE, [fd as usize, from.as_ptr() as usize, from.len(), 0, 0, 0])
}

pub fn close(fd: i32) {
    call(number::CLOSE, [fd as usize, 0, 0, 0, 0, 0]);
}

/// Closes every descriptor from `first` on. Below zero where the kernel does not know how, or this host forbids it.
pub fn close_from(first: i32) -> isize {
    call(CLOSE_RANGE, [first as usize, u32::MAX as usize, 0, 0, 0, 0])
}

/// Opens a path that ends in NUL, relative to a directory.
pub fn open_at(dir: i32, path: &[u8], flags: i32) -> i32 {
    call(number::OPENAT, [dir as usize, path.as_ptr() as usize, flags as usize, 0, 0, 0]) as i32
}

pub const O_RDONLY: i32 = 0;
pub const O_RDWR: i32 = 2;
pub const O_WRONLY: i32 = 1;
pub const O_CLOEXEC: i32 = 0o2_000_000;
pub const AT_FDCWD: i32 = -100;

pub fn entries(dir: i32, into: &mut [u8]) -> isize {
    call(number::GETDENTS64, [dir as usize, into.as_mut_ptr() as usize, into.len(), 0, 0, 0])
}

/// Back to the beginning of a directory.
pub fn rewind(dir: i32) -> bool {
    call(number::LSEEK, [dir as usize, 0, 0, 0, 0, 0]) >= 0
}

pub fn dup_to(from: i32, to: i32, flags: i32) -> isize {
    call(number::DUP3, [from as usize, to as usize, flags as usize, 0, 0, 0])
}

pub fn own_pid() -> i32 {
    call(number::GETPID, [0; 6]) as i32
}

pub fn new_session() -> isize {
    call(number::SETSID, [0; 6])
}

pub fn change_dir(dir: i32) -> isize {
    call(number::FCHDIR, [dir as usize, 0, 0, 0, 0, 0])
}

/// Makes a terminal the controlling one of this session.
pub fn take_terminal(fd: i32) -> isize {
    const TIOCSCTTY: usize = 0x540e;
    call(number::IOCTL, [fd as usize, TIOCSCTTY, 0, 0, 0, 0])
}

pub fn prctl(option: usize, value: usize) -> isize {
    call(number::PRCTL, [option, value, 0, 0, 0, 0])
}

/// Become the parent of every orphaned descendant (subreaper).
pub fn become_subreaper() -> isize {
    const PR_SET_CHILD_SUBREAPER: usize = 36;
    prctl(PR_SET_CHILD_SUBREAPER, 1)
}

/// Get killed when the parent dies.
pub fn die_with_parent() {
    const PR_SET_PDEATHSIG: usize = 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL as usize);
}

/// Lowers only the soft value of a resource limit.
pub fn soft_limit(resource: u32, soft: u64, hard: u64) -> isize {
    let pair = [soft, hard];
    call(number::PRLIMIT64, [0, resource as usize, pair.as_ptr() as usize, 0, 0, 0])
}

pub fn kill(pid: i32, signal: i32) -> isize {
    call(number::KILL, [pid as usize, signal as usize, 0, 0, 0, 0])
}

/// Whether a signal asks a process to end. What is stopped cannot hear it, so it is also told to go on.
pub fn asks_to_end(signal: i32) -> bool {
    const HANGUP_INTERRUPT_QUIT: [i32; 3] = [1, 2, 3];
    signal == SIGTERM || HANGUP_INTERRUPT_QUIT.contains(&signal)
}

/// A descriptor of a process, or an error.
pub fn open_pid(pid: i32) -> i32 {
    call(PIDFD_OPEN, [pid as usize, 0, 0, 0, 0, 0]) as i32
}

pub fn kill_fd(pidfd: i32, signal: i32) -> isize {
    call(PIDFD_SEND_SIGNAL, [pidfd as usize, signal as usize, 0, 0, 0, 0])
}

/// Reaps one child that has ended: its pid, 0 if none has, or an error.
pub fn reap(status: &mut i32) -> isize {
    const WNOHANG: usize = 1;
    const WALL: usize = 0x4000_0000;
    call(number::WAIT4, [usize::MAX, status as *mut i32 as usize, WNOHANG | WALL, 0, 0, 0])
}

/// Waits until this child has ended, and reaps it.
pub fn reap_this(pid: i32, status: &mut i32) -> isize {
    const WALL: usize = 0x4000_0000;
    call(number::WAIT4, [pid as usize, status as *mut i32 as usize, WALL, 0, 0, 0])
}

/// The same, and tells of a child that was stopped, too.
pub fn reap_or_stopped(status: &mut i32) -> isize {
    const WNOHANG_UNTRACED: usize = 1 | 2;
    const WALL: usize = 0x4000_0000;
    call(number::WAIT4, [usize::MAX, status as *mut i32 as usize, WNOHANG_UNTRACED | WALL, 0, 0, 0])
}

/// Whether a status says that a child was stopped, not that it ended.
pub fn is_stopped(status: i32) -> bool {
    status & 0xff == 0x7f
}

/// A copy of this process: 0 in the copy, its pid in the original.
pub fn fork() -> isize {
    call(number::CLONE, [SIGCHLD as usize, 0, 0, 0, 0, 0])
}

/// A copy of this process that is the first of a pid namespace, with a view of mounts of its own.
pub fn fork_apart() -> isize {
    const CLONE_NEWNS: usize = 0x0002_0000;
    const CLONE_NEWPID: usize = 0x2000_0000;
    call(number::CLONE, [SIGCHLD as usize | CLONE_NEWNS | CLONE_NEWPID, 0, 0, 0, 0, 0])
}

/// Shows this pid namespace in /proc, to this process and what it starts alone.
pub fn mount_own_proc() -> isize {
    const MS_NOSUID_NODEV_NOEXEC: usize = 2 | 4 | 8;
    const MS_PRIVATE_REC: usize = 1 << 18 | 1 << 14;
    let at = |text: &[u8]| text.as_ptr() as usize;
    let private = call(number::MOUNT, [0, at(b"/\0"), 0, MS_PRIVATE_REC, 0, 0]);
    let proc = [at(b"proc\0"), at(b"/proc\0"), at(b"proc\0"), MS_NOSUID_NODEV_NOEXEC, 0, 0];
    if private < 0 { private } else { call(number::MOUNT, proc) }
}

const ALL_SIGNALS: u64 = u64::MAX;

fn mask(how: usize, set: u64) -> isize {
    call(number::RT_SIGPROCMASK, [how, &set as *const u64 as usize, 0, 8, 0, 0])
}

/// Lets no signal through; `SIGCHLD` is read from a descriptor instead.
pub fn block_signals() -> isize {
    const SIG_SETMASK: usize = 2;
    mask(SIG_SETMASK, ALL_SIGNALS)
}

/// Lets every signal through.
pub fn unblock_signals() {
    const SIG_SETMASK: usize = 2;
    mask(SIG_SETMASK, 0);
}

/// Sets every signal back to what it does by default. What was ignored would stay ignored in a command.
pub fn default_signals() {
    let default = [0_usize; 4];
    for signal in 1..=64_usize {
        call(number::RT_SIGACTION, [signal, default.as_ptr() as usize, 0, 8, 0, 0]);
    }
}

/// A descriptor that becomes readable when a child ends; below zero where the call for it is forbidden. Then children are
/// looked after every [`UNTOLD_MS`].
pub fn child_signals() -> i32 {
    signals(SIGCHLD)
}

/// A descriptor that becomes readable when something changed in a folder that is watched.
pub fn folder_signals() -> i32 {
    signals(SIGIO)
}

fn signals(signal: i32) -> i32 {
    const SFD_NONBLOCK: usize = 0o4000;
    let set = 1_u64 << (signal - 1);
    let flags = SFD_NONBLOCK | O_CLOEXEC as usize;
    call(number::SIGNALFD4, [usize::MAX, &set as *const u64 as usize, 8, flags, 0, 0]) as i32
}

#[repr(C)]
pub struct Poll {
    pub fd: i32,
    pub events: i16,
    pub found: i16,
}

/// How long to wait before looking after children when the kernel does not tell of their end.
pub const UNTOLD_MS: u64 = 5;

/// Waits until a descriptor is ready or the time is over; `None` waits for ever. An error means that this host forbids it.
pub fn wait(fds: &mut [Poll], millis: Option<u64>) -> isize {
    let time = millis.map(|ms| [ms / 1000, ms % 1000 * 1_000_000]);
    let at = time.as_ref().map_or(null(), |time| time.as_ptr());
    match call(number::PPOLL, [fds.as_mut_ptr() as usize, fds.len(), at as usize, 0, 8, 0]) {
        EPERM | ENOSYS => wait_by_older_call(fds, millis),
        EINTR => 0,
        done => done,
    }
}

#[cfg(target_arch = "x86_64")]
fn wait_by_older_call(fds: &mut [Poll], millis: Option<u64>) -> isize {
    const POLL: usize = 7;
    let most = millis.map_or(usize::MAX, |ms| ms.min(i32::MAX as u64) as usize);
    match call(POLL, [fds.as_mut_ptr() as usize, fds.len(), most, 0, 0, 0]) {
        EINTR => 0,
        done => done,
    }
}

/// This machine never had an older one.
#[cfg(target_arch = "aarch64")]
fn wait_by_older_call(_: &mut [Poll], _: Option<u64>) -> isize {
    EPERM
}

/// Milliseconds of a clock that never goes back.
pub fn clock() -> u64 {
    #[cfg(target_arch = "x86_64")]
    const CLOCK_GETTIME: usize = 228;
    #[cfg(target_arch = "aarch64")]
    const CLOCK_GETTIME: usize = 113;
    const CLOCK_MONOTONIC: usize = 1;
    let mut time = [0_u64; 2];
    call(CLOCK_GETTIME, [CLOCK_MONOTONIC, time.as_mut_ptr() as usize, 0, 0, 0, 0]);
    time[0] * 1000 + time[1] / 1_000_000
}

/// Fresh, zeroed memory.
pub fn map(len: usize) -> isize {
    const PROT_READ_WRITE: usize = 3;
    const MAP_PRIVATE_ANONYMOUS: usize = 0x22;
    call(number::MMAP, [0, len, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, usize::MAX, 0])
}

pub fn unmap(at: usize, len: usize) {
    call(number::MUNMAP, [at, len, 0, 0, 0, 0]);
}

/// # Safety
/// The three must be what the kernel's `execve` takes.
pub unsafe fn execute(path: *const u8, argv: *const *const u8, envp: *const *const u8) -> isize {
    call(number::EXECVE, [path as usize, argv as usize, envp as usize, 0, 0, 0])
}

#[repr(C)]
struct IoSlice {
    at: *mut u8,
    len: usize,
}

#[repr(C)]
struct Message {
    name: usize,
    name_len: u32,
    pieces: *mut IoSlice,
    piece_count: usize,
    control: *mut u8,
    control_len: usize,
    flags: i32,
}

/// The most descriptors that come with one message.
pub const MOST_FDS: usize = 32;

/// Receives bytes and the descriptors that came with them, closed on exec. Unused places are -1.
pub fn receive(socket: i32, into: &mut [u8], fds: &mut [i32; MOST_FDS]) -> isize {
    const MSG_CMSG_CLOEXEC: usize = 0x4000_0000;
    // A control message: its length, level and type, then the descriptors.
    let mut control = [0_u64; 2 + MOST_FDS / 2];
    let mut piece = IoSlice { at: into.as_mut_ptr(), len: into.len() };
    let mut message = Message {
        name: 0,
        name_len: 0,
        pieces: &mut piece,
        piece_count: 1,
        control: control.as_mut_ptr().cast(),
        control_len: size_of_val(&control),
        flags: 0,
    };
    *fds = [-1; MOST_FDS];
    let got = call(
        number::RECVMSG,
        [socket as usize, &mut message as *mut Message as usize, MSG_CMSG_CLOEXEC, 0, 0, 0],
    );
    if got > 0 && message.control_len >= 16 {
        let count = (control[0] as usize).saturating_sub(16) / 4;
        for (at, fd) in fds.iter_mut().enumerate().take(count) {
            *fd = (control[2 + at / 2] >> (32 * (at % 2))) as u32 as i32;
        }
    }
    got
}

/// Sends bytes with one descriptor, or with none where it is no descriptor.
pub fn send_with(socket: i32, bytes: &[u8], fd: i32) {
    let one = [fd];
    send_all_with(socket, bytes, if fd < 0 { &[] } else { &one });
}

/// The most descriptors that are sent with one message; the kernel takes 253.
pub const MOST_SENT: usize = 64;

/// Sends bytes with so many descriptors, at most [`MOST_SENT`].
pub fn send_all_with(socket: i32, bytes: &[u8], fds: &[i32]) -> isize {
    const SCM_RIGHTS_OF_SOCKET: u64 = 1 | 1 << 32;
    const MSG_NOSIGNAL: usize = 0x4000;
    const HEAD: usize = 16;
    let mut control = [0_u64; 2 + MOST_SENT / 2];
    let len = HEAD + 4 * fds.len();
    control[0] = len as u64;
    control[1] = SCM_RIGHTS_OF_SOCKET;
    for (at, fd) in fds.iter().enumerate().take(MOST_SENT) {
        control[2 + at / 2] |= u64::from(*fd as u32) << (32 * (at % 2));
    }
    let mut piece = IoSlice { at: bytes.as_ptr().cast_mut(), len: bytes.len() };
    let message = Message {
        name: 0,
        name_len: 0,
        pieces: &mut piece,
        piece_count: 1,
        control: control.as_mut_ptr().cast(),
        control_len: if fds.is_empty() { 0 } else { len.next_multiple_of(8) },
        flags: 0,
    };
    call(number::SENDMSG, [socket as usize, &message as *const Message as usize, MSG_NOSIGNAL, 0, 0, 0])
}
