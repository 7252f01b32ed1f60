//! A server on this machine alone that has a few files: npm's registry and the page of downloads, as far as clients ask.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

/// Files by the path that they are asked for.
pub(super) type ServedFiles = BTreeMap<String, Vec<u8>>;

/// A server that is ended with its owner.
pub(super) struct LoopbackServer {
    address: String,
    asked: Arc<AtomicUsize>,
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LoopbackServer {
    /// Starts it. What it serves may name its address.
    pub(super) fn start(files: impl FnOnce(&str) -> ServedFiles) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("no server on this machine: {error}");
        let listener = TcpListener::bind("127.0.0.1:0").map_err(failed)?;
        let address = format!("127.0.0.1:{}", listener.local_addr().map_err(failed)?.port());
        let files = Arc::new(files(&format!("http://{address}")));
        let (asked, ending) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let (count, end) = (Arc::clone(&asked), Arc::clone(&ending));
        let thread = thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if end.load(Ordering::Acquire) {
                    return;
                }
                count.fetch_add(1, Ordering::AcqRel);
                let files = Arc::clone(&files);
                // A client that went away is its own affair.
                thread::spawn(move || drop(serve(&stream, &files)));
            }
        });
        Ok(Self { address, asked, ending, thread: Some(thread) })
    }

    /// Its address.
    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How often somebody came.
    pub(super) fn asked(&self) -> usize {
        self.asked.load(Ordering::Acquire)
    }
}

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Release);
        // Wakes it; where that fails, it has ended.
        drop(TcpStream::connect(&self.address));
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn serve(stream: &TcpStream, files: &ServedFiles) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        line.clear();
    }
    let path = first.split(' ').nth(1).unwrap_or_default().replace("%2f", "/").replace("%2F", "/");
    let (status, body) = match files.get(&path) {
        Some(body) => ("200 OK", body.as_slice()),
        None => ("404 Not Found", b"{}".as_slice()),
    };
    let mut stream = stream;
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn it_has_its_files_and_nothing_else() {
        let server =
            LoopbackServer::start(|url| ServedFiles::from([("/a/b".to_owned(), url.as_bytes().to_vec())]))
                .unwrap();
        let get = |path: &str| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            write!(stream, "GET {path} HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        assert!(get("/a%2fb").ends_with(&server.url()));
        assert!(get("/c").starts_with("HTTP/1.1 404"));
        assert_eq!(server.asked(), 2);
    }
}
