//! The last step before this process exits: its standard output is closed, so that the reader sees the end.
//!
//! Hazard: a thread that waits for a disk which does not answer may be beyond any signal. Then the process ends but for
//! that thread, and every file descriptor stays open; the reader of our output would wait for the disk.
//! May not end anything itself.

/// Puts `/dev/null` in place of the standard streams. Where that cannot be done, the end of the process closes them.
pub fn let_go_of_streams() {
    use std::io::Write;
    // A reader that is gone was reported before.
    let _ = std::io::stdout().flush();
    #[cfg(unix)]
    if let Ok(nothing) = std::fs::OpenOptions::new().read(true).write(true).open("/dev/null") {
        use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
        let _ = dup2_stdin(&nothing);
        let _ = dup2_stdout(&nothing);
        let _ = dup2_stderr(&nothing);
    }
}
