//! One process, started and read with bare system calls.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Captured {
    /// Bytes read from both streams.
    pub bytes: u64,
    /// The wait status.
    pub status: i32,
}

unsafe extern "C" {
    static environ: *const *mut libc::c_char;
}

/// Starts a program with stdin from /dev/null and two pipes, reads them to their end, and waits.
pub fn captured(program: &Path, args: &[&str]) -> io::Result<Captured> {
    let (out, out_to) = pipe()?;
    let (err, err_to) = pipe()?;
    let pid = spawn(program, args, [NULL, out_to, err_to]);
    close(out_to);
    close(err_to);
    let bytes = read_both(out, err);
    close(out);
    close(err);
    let mut status = 0;
    // SAFETY: waits for the child that was just started, into a place of the right type.
    unsafe { libc::waitpid(pid?, &mut status, 0) };
    Ok(Captured { bytes, status })
}

/// Stands for `/dev/null`, which the child opens by itself.
const NULL: i32 = -1;

fn pipe() -> io::Result<(i32, i32)> {
    let mut ends = [0; 2];
    // SAFETY: room for two descriptors.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((ends[0], ends[1]))
}

pub(super) fn close(fd: i32) {
    // SAFETY: a descriptor of ours that is not used again.
    unsafe { libc::close(fd) };
}

/// Keeps a descriptor from whatever is started.
pub(super) fn keep(fd: i32) -> io::Result<()> {
    // SAFETY: a descriptor of ours, and a flag that this call takes.
    if unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) } < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Starts a program with these three descriptors.
pub(super) fn spawn(program: &Path, args: &[&str], [stdin, out, err]: [i32; 3]) -> io::Result<i32> {
    let words: Vec<CString> = std::iter::once(program.as_os_str().as_bytes())
        .chain(args.iter().map(|arg| arg.as_bytes()))
        .map(|word| CString::new(word).expect("no NUL"))
        .collect();
    let mut argv: Vec<*mut libc::c_char> = words.iter().map(|word| word.as_ptr().cast_mut()).collect();
    argv.push(std::ptr::null_mut());
    let mut actions = std::mem::MaybeUninit::uninit();
    let mut pid = 0;
    // SAFETY: the actions are initialised before use and destroyed after; strings outlive the call; `environ`
    // is not changed while this runs, benchmarks have no other use for it.
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "one sequence of one interface")]
    let failed = unsafe {
        let actions = actions.as_mut_ptr();
        libc::posix_spawn_file_actions_init(actions);
        if stdin == NULL {
            libc::posix_spawn_file_actions_addopen(actions, 0, c"/dev/null".as_ptr(), libc::O_RDONLY, 0);
        } else {
            libc::posix_spawn_file_actions_adddup2(actions, stdin, 0);
        }
        libc::posix_spawn_file_actions_adddup2(actions, out, 1);
        libc::posix_spawn_file_actions_adddup2(actions, err, 2);
        let failed = libc::posix_spawn(&mut pid, words[0].as_ptr(), actions, null(), argv.as_ptr(), environ);
        libc::posix_spawn_file_actions_destroy(actions);
        failed
    };
    if failed == 0 { Ok(pid) } else { Err(io::Error::from_raw_os_error(failed)) }
}

fn read_both(out: i32, err: i32) -> u64 {
    let mut buffer = vec![0_u8; 64 * 1024];
    let mut bytes = 0;
    let mut fds = [out, err].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    while fds.iter().any(|poll| poll.fd >= 0) {
        // SAFETY: two descriptors, as many as it is told.
        unsafe { libc::poll(fds.as_mut_ptr(), 2, -1) };
        for poll in fds.iter_mut().filter(|poll| poll.fd >= 0 && poll.revents != 0) {
            // SAFETY: the buffer is as long as it is told.
            let got = unsafe { libc::read(poll.fd, buffer.as_mut_ptr().cast(), buffer.len()) };
            match u64::try_from(got) {
                Ok(len) if len > 0 => bytes += len,
                _ => poll.fd = -1,
            }
        }
    }
    bytes
}
