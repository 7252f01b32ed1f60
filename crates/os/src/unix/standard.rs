//! This process' own standard input and output, which a server speaks through.
//!
//! Whether a read blocks is a property of what a file descriptor leads to, and others hold the same: setting it would
//! change a shell's terminal, or the client's own end. So a pipe is opened once more, which gives a description of our
//! own that never blocks; a socket is asked each time not to block; for everything else (files, terminals) there is a
//! thread. May not set a flag that another process can notice.

use crate::carrier::{CarriedInput, CarriedOutput};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use rustix::fs::{FileType, OFlags, fcntl_getfl, fstat};
use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::{RecvFlags, SendFlags, SocketType, recv, send, sockopt};
use rustix::stdio::{stdin, stdout};
use std::io::{self, Read, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::unix::AsyncFd;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};

/// More than a request usually has.
const A_LITTLE: usize = 4096;

/// An end that tells when it is ready, and never blocks.
#[derive(Debug)]
enum ReadyEnd {
    Pipe(OwnedFd),
    Socket(OwnedFd),
}

impl AsRawFd for ReadyEnd {
    fn as_raw_fd(&self) -> RawFd {
        match self {
            ReadyEnd::Pipe(fd) | ReadyEnd::Socket(fd) => fd.as_raw_fd(),
        }
    }
}

impl ReadyEnd {
    /// The same end without blocking, where there is a way to have that.
    fn of(fd: BorrowedFd<'_>, access: OFlags) -> Option<Self> {
        let never_waits = fcntl_getfl(fd).is_ok_and(|flags| flags.contains(OFlags::NONBLOCK));
        let again = || fcntl_dupfd_cloexec(fd, 3).ok();
        match FileType::from_raw_mode(fstat(fd).ok()?.st_mode) {
            FileType::Fifo if never_waits => again().map(ReadyEnd::Pipe),
            FileType::Fifo => opened_again(fd, access).map(ReadyEnd::Pipe),
            FileType::Socket if sockopt::socket_type(fd) == Ok(SocketType::STREAM) => {
                again().map(ReadyEnd::Socket)
            }
            _ => None,
        }
    }

    fn read(&self, buffer: &mut [u8]) -> Result<usize, Errno> {
        match self {
            ReadyEnd::Pipe(fd) => rustix::io::read(fd, buffer),
            ReadyEnd::Socket(fd) => recv(fd, buffer, RecvFlags::DONTWAIT).map(|(len, _)| len),
        }
    }

    fn write(&self, bytes: &[u8]) -> Result<usize, Errno> {
        match self {
            ReadyEnd::Pipe(fd) => rustix::io::write(fd, bytes),
            ReadyEnd::Socket(fd) => send(fd, bytes, SendFlags::DONTWAIT),
        }
    }
}

/// A pipe, opened once more, so that only we do not wait. Not to be had without `/proc`, or where the pipe is another
/// user's.
#[cfg(target_os = "linux")]
fn opened_again(fd: BorrowedFd<'_>, access: OFlags) -> Option<OwnedFd> {
    use rustix::fs::{Mode, open};
    let path = format!("/proc/self/fd/{}", fd.as_raw_fd());
    let flags = access | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let opened = open(path, flags, Mode::empty()).ok()?;
    let (ours, theirs) = (fstat(&opened).ok()?, fstat(fd).ok()?);
    ((ours.st_dev, ours.st_ino) == (theirs.st_dev, theirs.st_ino)).then_some(opened)
}

/// There is no way to open a pipe once more here.
#[cfg(not(target_os = "linux"))]
fn opened_again(_: BorrowedFd<'_>, _: OFlags) -> Option<OwnedFd> {
    None
}

/// Standard input and output, to be used once.
pub fn standard_streams() -> io::Result<(StandardInput, StandardOutput)> {
    let from = match ReadyEnd::of(stdin(), OFlags::RDONLY) {
        Some(end) => Source::Prompt(Arc::new(Spring::new(end)?)),
        None => Source::Carried(CarriedInput::new(Patient(stdin()))?),
    };
    let to = match ReadyEnd::of(stdout(), OFlags::WRONLY) {
        Some(end) => Sink::Prompt { to: Arc::new(end), room: None },
        None => Sink::Carried(CarriedOutput::new(Patient(stdout()))?),
    };
    Ok((StandardInput(from), StandardOutput(to)))
}

/// A descriptor that is waited for, whatever flags others have set.
struct Patient<'a>(BorrowedFd<'a>);

impl Patient<'_> {
    fn until<T>(
        &self,
        flags: PollFlags,
        mut act: impl FnMut(BorrowedFd<'_>) -> Result<T, Errno>,
    ) -> io::Result<T> {
        loop {
            match act(self.0) {
                Err(Errno::AGAIN) => drop(poll(&mut [PollFd::new(&self.0, flags)], None)),
                done => return Ok(done?),
            }
        }
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.until(PollFlags::IN, |fd| rustix::io::read(fd, &mut *buffer))
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.until(PollFlags::OUT, |fd| rustix::io::write(fd, bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard input.
#[derive(Debug)]
pub struct StandardInput(Source);

#[derive(Debug)]
enum Source {
    Prompt(Arc<Spring>),
    Carried(CarriedInput),
}

/// An end that is read.
#[derive(Debug)]
struct Spring {
    from: AsyncFd<ReadyEnd>,
    /// Whether it must be read before readiness is waited for: at first, and after readiness was taken and not used.
    untold: AtomicBool,
}

impl Spring {
    fn new(end: ReadyEnd) -> io::Result<Self> {
        // SAFETY: its descriptor is owned, stays the same one while it lives, and the `AsyncFd` owns it.
        let from = unsafe { AsyncFd::register_with_interest(end, Interest::READABLE) }?;
        Ok(Self { from, untold: AtomicBool::new(true) })
    }

    fn poll_read(&self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            // An end of a named pipe that was closed before we opened it says nothing by itself.
            if self.untold.load(Ordering::Acquire) {
                match self.from.get_ref().read(buffer) {
                    Err(Errno::AGAIN) => self.untold.store(false, Ordering::Release),
                    Err(Errno::INTR) => {}
                    read => return Poll::Ready(Ok(read?)),
                }
                continue;
            }
            drop(ready!(self.from.poll_read_ready(cx))?);
            let mut last = None;
            let read = self.from.try_io(Interest::READABLE, |end| match end.read(buffer)? {
                // Less than was asked for is all there was, and what comes now is a new event. An end stays known.
                len if 0 < len && len < buffer.len().min(A_LITTLE) => {
                    last = Some(len);
                    Err(io::ErrorKind::WouldBlock.into())
                }
                len => Ok(len),
            });
            match (read, last) {
                (_, Some(len)) => return Poll::Ready(Ok(len)),
                (Err(error), _) if error.kind() == io::ErrorKind::WouldBlock => {}
                (Err(error), _) if error.kind() == io::ErrorKind::Interrupted => {}
                (read, _) => return Poll::Ready(read),
            }
        }
    }

    /// Waits until the other end is closed, however much is left to read.
    async fn closed(&self) -> io::Result<()> {
        loop {
            let mut word = self.from.ready(Interest::READABLE).await?;
            if word.ready().is_read_closed() {
                return Ok(());
            }
            // First this: a reader meanwhile must not wait for an event that we took.
            self.untold.store(true, Ordering::Release);
            word.clear_ready();
        }
    }
}

impl StandardInput {
    /// What hears that the other end was closed.
    pub fn hangup(&self) -> InputHangup {
        InputHangup(match &self.0 {
            Source::Prompt(spring) => Some(Arc::clone(spring)),
            Source::Carried(_) => None,
        })
    }
}

impl AsyncRead for StandardInput {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Source::Prompt(spring) => {
                let len = ready!(spring.poll_read(cx, buf.initialize_unfilled()))?;
                buf.advance(len);
                Poll::Ready(Ok(()))
            }
            Source::Carried(carried) => Pin::new(carried).poll_read(cx, buf),
        }
    }
}

/// Hears that standard input was closed at its other end while it is not read.
#[derive(Debug)]
pub struct InputHangup(Option<Arc<Spring>>);

impl InputHangup {
    /// Waits for it. What only a thread can read does not tell before everything was read: then this waits for ever.
    pub async fn heard(&self) {
        if let Some(spring) = &self.0
            && spring.closed().await.is_ok()
        {
            return;
        }
        std::future::pending::<()>().await;
    }
}

/// Standard output.
#[derive(Debug)]
pub struct StandardOutput(Sink);

#[derive(Debug)]
enum Sink {
    Prompt {
        to: Arc<ReadyEnd>,
        /// Where room is waited for, while there is none: a writer that watches for it all the time is woken by each
        /// read at the other end.
        room: Option<AsyncFd<Arc<ReadyEnd>>>,
    },
    Carried(CarriedOutput),
}

/// Writes what there is room for, and waits where there is none.
fn poll_write(
    to: &Arc<ReadyEnd>,
    room: &mut Option<AsyncFd<Arc<ReadyEnd>>>,
    cx: &mut Context<'_>,
    bytes: &[u8],
) -> Poll<io::Result<usize>> {
    loop {
        let written = match room {
            None => to.write(bytes).map_err(io::Error::from),
            Some(room) => {
                drop(ready!(room.poll_write_ready(cx))?);
                room.try_io(Interest::WRITABLE, |end| Ok(end.write(bytes)?))
            }
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && room.is_some() => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                // SAFETY: its descriptor is owned, stays the same one while it lives, and the `AsyncFd` holds it.
                *room = Some(unsafe { AsyncFd::register_with_interest(Arc::clone(to), Interest::WRITABLE) }?);
            }
            written => return Poll::Ready(written),
        }
    }
}

impl AsyncWrite for StandardOutput {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match &mut self.0 {
            Sink::Prompt { to, room } => poll_write(to, room, cx, bytes),
            Sink::Carried(carried) => Pin::new(carried).poll_write(cx, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.0 {
            Sink::Prompt { room, .. } => {
                *room = None;
                Poll::Ready(Ok(()))
            }
            Sink::Carried(carried) => Pin::new(carried).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;
    use std::os::unix::net::UnixStream;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    fn flags(fd: impl AsFd) -> OFlags {
        fcntl_getfl(fd).unwrap()
    }

    fn input(fd: impl AsFd) -> StandardInput {
        let end = ReadyEnd::of(fd.as_fd(), OFlags::RDONLY).unwrap();
        StandardInput(Source::Prompt(Arc::new(Spring::new(end).unwrap())))
    }

    fn output(fd: impl AsFd) -> StandardOutput {
        let end = ReadyEnd::of(fd.as_fd(), OFlags::WRONLY).unwrap();
        StandardOutput(Sink::Prompt { to: Arc::new(end), room: None })
    }

    /// More than a pipe or a socket holds at once.
    fn much() -> Vec<u8> {
        (0..500_000_u32).flat_map(u32::to_le_bytes).collect()
    }

    async fn carries(from: impl AsFd, to: impl AsFd + Into<OwnedFd>) {
        let before = (flags(&from), flags(&to));
        let (mut input, mut output, all) = (input(&from), output(&to), much());
        let sent = async {
            output.write_all(&all).await.unwrap();
            output.flush().await.unwrap();
        };
        let mut got = vec![0; all.len()];
        let ((), read) = tokio::join!(sent, input.read_exact(&mut got));
        read.unwrap();
        assert!(got == all);
        assert_eq!((flags(&from), flags(&to)), before, "nobody else notices");
        output.write_all(b"last").await.unwrap();
        drop((output, to));
        got.clear();
        input.read_to_end(&mut got).await.unwrap();
        assert_eq!(got, b"last");
    }

    #[tokio::test]
    async fn pipes_and_sockets_carry_every_byte_and_keep_their_flags() {
        let (from, to) = UnixStream::pair().unwrap();
        carries(from, to).await;
        if cfg!(target_os = "linux") {
            let (from, to) = std::io::pipe().unwrap();
            carries(from, to).await;
        }
    }

    #[tokio::test]
    async fn files_are_left_to_a_thread() {
        let file = tempfile::tempfile().unwrap();
        assert!(ReadyEnd::of(file.as_fd(), OFlags::RDONLY).is_none());
        let (datagrams, _other) = std::os::unix::net::UnixDatagram::pair().unwrap();
        assert!(ReadyEnd::of(datagrams.as_fd(), OFlags::RDONLY).is_none());
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_named_pipe_that_was_closed_before_it_was_opened_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, 0o600.into(), 0).unwrap();
        let both = std::fs::File::options().read(true).write(true).open(&path).unwrap();
        let from = std::fs::File::open(&path).unwrap();
        (&both).write_all(b"all").unwrap();
        drop(both);
        let mut got = Vec::new();
        input(from).read_to_end(&mut got).await.unwrap();
        assert_eq!(got, b"all");
    }

    #[tokio::test]
    async fn an_end_is_heard_behind_what_nobody_reads_and_nothing_of_that_is_lost() {
        let (from, mut to) = UnixStream::pair().unwrap();
        let mut input = input(&from);
        let hangup = input.hangup();
        to.write_all(b"one").unwrap();
        let mut got = [0; 3];
        input.read_exact(&mut got).await.unwrap();
        let heard = tokio::spawn(async move { hangup.heard().await });
        to.write_all(b"two").unwrap();
        // Whatever event was taken meanwhile, it is read.
        tokio::task::yield_now().await;
        input.read_exact(&mut got).await.unwrap();
        assert_eq!(&got, b"two");
        to.write_all(b"three").unwrap();
        tokio::task::yield_now().await;
        assert!(!heard.is_finished());
        drop(to);
        heard.await.unwrap();
        let mut rest = Vec::new();
        input.read_to_end(&mut rest).await.unwrap();
        assert_eq!(rest, b"three");
    }
}
