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

/// Writes to standard output, and fails where nobody can read it. The library's own writer takes a stream that was closed
/// for one that takes everything: by the time `main` begins it leads to `/dev/null`, and what cannot be written to counts
/// as written.
pub fn say_to_somebody(bytes: &[u8]) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::io::Write;
        let stream = rustix::io::dup(std::io::stdout())?;
        if leads_nowhere(&stream) {
            return Err(std::io::Error::other("standard output is closed"));
        }
        std::fs::File::from(stream).write_all(bytes)
    }
    #[cfg(not(unix))]
    {
        use std::io::Write;
        let mut stream = std::io::stdout().lock();
        stream.write_all(bytes).and_then(|()| stream.flush())
    }
}

/// Whether it is the device that forgets everything.
#[cfg(unix)]
fn leads_nowhere(stream: &std::os::fd::OwnedFd) -> bool {
    use rustix::fs::{FileType, fstat, stat};
    let device = |found: &rustix::fs::Stat| {
        (FileType::from_raw_mode(found.st_mode) == FileType::CharacterDevice).then_some(found.st_rdev)
    };
    match (fstat(stream), stat("/dev/null")) {
        (Ok(ours), Ok(null)) => device(&ours).is_some() && device(&ours) == device(&null),
        _ => false,
    }
}
