//! What Runward needs of a host to run one command, beside what this host allows. Words for errors; nothing decides by it.

use super::own::soft_limit;
use std::io;

/// Descriptors open at once: its own streams, what it waits by, the journal, and those of the command.
const FILES: u64 = 32;

/// Processes and threads at once: itself, the journal's two, its output's writer, steward, warden, command.
const PROCESSES: u64 = 8;

/// The largest file that must be written: the warden's program, in memory.
const FILE_BYTES: u64 = 128 * 1024;

/// Which limit stands in the way where an error says that something ran out, and what is needed of it.
pub(crate) fn missing(error: &io::Error) -> Option<String> {
    Some(match error.raw_os_error()? {
        libc::EMFILE => {
            let here = soft_limit(libc::RLIMIT_NOFILE)?;
            format!("`ulimit -n` is {here} here, and one command needs {FILES} open files")
        }
        libc::EAGAIN => match soft_limit(libc::RLIMIT_NPROC) {
            Some(here) if here < 4 * PROCESSES => {
                format!("`ulimit -u` is {here} here, and one command needs {PROCESSES} processes and threads")
            }
            _ => format!(
                "this user or this container (`pids.max`) has as many processes as it may, and one command needs {PROCESSES}"
            ),
        },
        libc::EFBIG => {
            let here = soft_limit(libc::RLIMIT_FSIZE)?;
            format!("files may not grow beyond {here} bytes here (`ulimit -f`), and {FILE_BYTES} are needed")
        }
        libc::ENOMEM => match soft_limit(libc::RLIMIT_AS).or_else(|| soft_limit(libc::RLIMIT_DATA)) {
            Some(here) => {
                format!("this process may have {} MiB of memory (`ulimit -v`, `ulimit -d`)", here >> 20)
            }
            None => "this host has no memory to give".to_owned(),
        },
        libc::ENOSPC => "a disk or a table of the kernel is full".to_owned(),
        libc::ENFILE => "the whole host has as many files open as it may".to_owned(),
        _ => return None,
    })
}
