//! A private socket (Unix domain) on this host: only this user can reach it.
//!
//! The folder is closed to others before the socket is made in it, the socket file is closed too, and each caller's
//! user is asked of the kernel: three checks, because a folder may have been opened by hand.

use rustix::fs::{Mode, chmod};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Duration;
use tokio::net::{UnixListener, UnixStream};

/// How long the end of a server waits until its socket's file is removed.
const REMOVING: Duration = Duration::from_millis(500);

/// A connection to another process of the same user.
pub type LocalStream = UnixStream;

/// Listens on a private socket. The file goes with it.
#[derive(Debug)]
pub struct LocalListener {
    socket: UnixListener,
    path: PathBuf,
}

impl LocalListener {
    /// Begins to listen at a path. What a dead process left there is removed; a live server's socket is an error.
    pub fn bind(path: &Path) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            crate::private_folder(folder)?;
        }
        remove_dead(path)?;
        let socket = UnixListener::bind(path)?;
        chmod(path, Mode::RUSR | Mode::WUSR)?;
        Ok(Self { socket, path: path.to_owned() })
    }

    /// The next caller of the same user. Connections of others are closed without an answer.
    pub async fn accept(&self) -> io::Result<LocalStream> {
        loop {
            let (stream, _) = self.socket.accept().await?;
            let caller = stream.peer_cred()?.uid();
            if caller == rustix::process::geteuid().as_raw() {
                return Ok(stream);
            }
        }
    }
}

/// Removes a socket that no process listens on any more.
fn remove_dead(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_socket = match std::fs::symlink_metadata(path) {
        Ok(found) => found.file_type().is_socket(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let refused = |error: &io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    match std::os::unix::net::UnixStream::connect(path) {
        Err(error) if is_socket && refused(&error) => std::fs::remove_file(path),
        Ok(_) => Err(io::ErrorKind::AddrInUse.into()),
        Err(error) => Err(error),
    }
}

impl Drop for LocalListener {
    fn drop(&mut self) {
        let (path, (done, heard)) = (std::mem::take(&mut self.path), sync_channel(1));
        let remove = move || {
            // A file that is gone already needs no removing, and a server that gave up waiting needs no answer.
            let _ = std::fs::remove_file(path);
            let _ = done.send(());
        };
        // The disk may hang, and ending does not wait for it. What stays is removed by the next search for servers.
        if std::thread::Builder::new().name("socket".to_owned()).spawn(remove).is_ok() {
            let _ = heard.recv_timeout(REMOVING);
        }
    }
}

/// Connects to a private socket.
pub async fn connect_local(path: &Path) -> io::Result<LocalStream> {
    UnixStream::connect(path).await
}
