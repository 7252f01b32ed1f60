//! A terminal with `cat` behind it, used with bare system calls.

use super::process;
use std::io;
use std::path::Path;

/// A program that answers every line with the same line, on a terminal that does not echo by itself.
#[derive(Debug)]
pub struct Parrot {
    ours: i32,
}

impl Parrot {
    /// Starts it. It ends when this program does.
    pub fn start() -> io::Result<Self> {
        let (mut ours, mut theirs) = (0, 0);
        // SAFETY: room for two descriptors; no name, no settings and no size are asked for.
        let opened = unsafe {
            libc::openpty(
                &mut ours,
                &mut theirs,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
            )
        };
        if opened < 0 {
            return Err(io::Error::last_os_error());
        }
        silence(theirs)?;
        process::keep(ours)?;
        process::spawn(Path::new("/bin/cat"), &[], [theirs, theirs, theirs])?;
        process::close(theirs);
        Ok(Self { ours })
    }

    /// Types a line.
    pub fn say(&self, line: &str) -> io::Result<()> {
        let typed = format!("{line}\n");
        // SAFETY: as many bytes as there are.
        if unsafe { libc::write(self.ours, typed.as_ptr().cast(), typed.len()) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(())
    }

    /// Waits for a line and gives it.
    pub fn hear(&self) -> io::Result<String> {
        let mut heard = Vec::new();
        let mut buffer = [0_u8; 4096];
        while !heard.ends_with(b"\n") {
            // SAFETY: as many bytes as there is room for.
            let got = unsafe { libc::read(self.ours, buffer.as_mut_ptr().cast(), buffer.len()) };
            let len = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
            heard.extend_from_slice(&buffer[..len]);
        }
        String::from_utf8(heard).map_err(io::Error::other)
    }
}

/// Takes the terminal's own echo away.
fn silence(terminal: i32) -> io::Result<()> {
    let mut settings = std::mem::MaybeUninit::uninit();
    // SAFETY: room for the settings, which are changed only once the kernel has filled them in.
    #[expect(clippy::multiple_unsafe_ops_per_block, reason = "one sequence of one interface")]
    let done = unsafe {
        if libc::tcgetattr(terminal, settings.as_mut_ptr()) < 0 {
            return Err(io::Error::last_os_error());
        }
        let mut settings: libc::termios = settings.assume_init();
        settings.c_lflag &= !libc::ECHO;
        libc::tcsetattr(terminal, libc::TCSANOW, &settings)
    };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
