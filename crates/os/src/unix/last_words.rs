//! The last message of a process that is aborted (SIGABRT): an allocation that failed, a stack that overflowed.
//!
//! The standard library aborts the process without a message of ours. Here SIGABRT is caught for the last words and an
//! exit code that says "Runward itself failed". The hazard: a signal handler may do next to nothing, so the words are
//! made ready before, and it only writes them. May not be used for anything that could be an error instead.

use super::own::soft_limit;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The exit code of a failure of our own.
const FAILED: i32 = 125;

/// Less stack than this is used up by reading the command line alone.
const STACK: u64 = 512 * 1024;

/// Less address space than this beside the program itself is used up by threads and buffers before anything is served, and
/// then in the middle of something.
const ROOM: u64 = 16 << 20;

static WORDS: AtomicPtr<String> = AtomicPtr::new(std::ptr::null_mut());

/// Lets this process end with a message where it would be aborted. To be called first of all; an error is the message
/// to print instead of going on, where even that cannot work.
pub fn prepare_last_words() -> Result<(), String> {
    // SAFETY: zeroed memory is an action that says nothing; everything that matters is set below.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = last as *const () as libc::sighandler_t;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
    // SAFETY: the handler does only what a handler may.
    unsafe { libc::sigaction(libc::SIGABRT, &raw const action, std::ptr::null_mut()) };
    // Only now: there may be no memory for these either. Kept for as long as the process lives.
    WORDS.store(Box::into_raw(Box::new(words())), Ordering::Release);
    enough_stack().and_then(|()| enough_room())
}

fn enough_stack() -> Result<(), String> {
    match soft_limit(libc::RLIMIT_STACK) {
        Some(here) if here < STACK => Err(format!(
            "{} KiB of stack are too few: `ulimit -s` is {} here, and {} are needed",
            here >> 10,
            here >> 10,
            STACK >> 10
        )),
        _ => Ok(()),
    }
}

fn enough_room() -> Result<(), String> {
    let Some(here) = soft_limit(libc::RLIMIT_AS) else { return Ok(()) };
    let needed = mapped().unwrap_or_default() + ROOM;
    if here >= needed {
        return Ok(());
    }
    Err(format!(
        "{} MiB of address space are too few: `ulimit -v` is {} here, and {} are needed to start",
        here >> 20,
        here >> 10,
        needed >> 10
    ))
}

/// The address space that this process has used so far; unknown without `/proc`.
fn mapped() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let size = text.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kibibytes: u64 = size.trim().trim_end_matches(" kB").parse().ok()?;
    Some(kibibytes << 10)
}

const WITHOUT_LIMITS: &str = "runward: it had to end at once, for want of memory or by a fault of its own [internal]\n\
    hint: Free memory and try again; if there was enough, report what was printed before.\n";

fn words() -> String {
    let limits = [("-v", libc::RLIMIT_AS), ("-d", libc::RLIMIT_DATA)];
    let set: Vec<String> = limits
        .into_iter()
        .filter_map(|(option, resource)| {
            Some(format!("`ulimit {option}` is {}", soft_limit(resource)? >> 10))
        })
        .collect();
    if set.is_empty() {
        return WITHOUT_LIMITS.to_owned();
    }
    format!(
        "runward: the memory that it may have is used up: {} here [spawn.resources]\n\
        hint: Raise the limit: 256 MiB (`ulimit -v 262144`) are enough for one command.\n",
        set.join(", ")
    )
}

extern "C" fn last(_: libc::c_int, from: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the kernel passes one that is whole, or none.
    let from = unsafe { from.as_ref() };
    // SAFETY: it is about a signal that a process sent, so it tells its pid.
    let by = from.map(|from| unsafe { from.si_pid() });
    if by != Some(std::process::id().cast_signed()) {
        // Another process wants this one to end so. The action is the usual one again by now.
        // SAFETY: sends a signal to this process alone.
        unsafe { libc::raise(libc::SIGABRT) };
        return;
    }
    let words = WORDS.load(Ordering::Acquire);
    // SAFETY: what is stored there is whole and never freed.
    let words = unsafe { words.as_ref() }.map_or(WITHOUT_LIMITS, String::as_str);
    // SAFETY: the bytes are there, and writing is allowed here.
    unsafe { libc::write(2, words.as_ptr().cast(), words.len()) };
    // SAFETY: ending is allowed here.
    unsafe { libc::_exit(FAILED) };
}
