//! A pseudo-terminal: our side and the command's side.

use rustix::pty::{OpenptFlags, grantpt, openpt, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

/// Both sides of a terminal of this size.
pub(crate) fn open(rows: u16, cols: u16) -> io::Result<(OwnedFd, OwnedFd)> {
    let ours = master()?;
    grantpt(&ours)?;
    unlockpt(&ours)?;
    resize(&ours, rows, cols)?;
    let theirs = peer(&ours)?;
    Ok((ours, theirs))
}

#[cfg(target_os = "linux")]
fn master() -> io::Result<OwnedFd> {
    Ok(openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?)
}

#[cfg(not(target_os = "linux"))]
fn master() -> io::Result<OwnedFd> {
    let _nobody_forks = super::forking();
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    rustix::io::fcntl_setfd(&ours, rustix::io::FdFlags::CLOEXEC)?;
    Ok(ours)
}

#[cfg(target_os = "linux")]
fn peer(ours: &OwnedFd) -> io::Result<OwnedFd> {
    // By descriptor, not by name: in another mount namespace the name could mean another terminal.
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    Ok(rustix::pty::ioctl_tiocgptpeer(ours, flags)?)
}

#[cfg(not(target_os = "linux"))]
fn peer(ours: &OwnedFd) -> io::Result<OwnedFd> {
    use rustix::fs::{Mode, OFlags, open};
    let name = rustix::pty::ptsname(ours, Vec::new())?;
    Ok(open(name, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Tells the terminal its size; the command hears of it through SIGWINCH.
pub(crate) fn resize(ours: impl AsFd, rows: u16, cols: u16) -> io::Result<()> {
    Ok(tcsetwinsize(ours, Winsize { ws_row: rows, ws_col: cols, ws_xpixel: 0, ws_ypixel: 0 })?)
}
