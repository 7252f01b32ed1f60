//! Files that lie elsewhere are fetched and kept, with the list of contents that somebody trusted. May not ask a person.
//!
//! Hazard: a text may be read before it is trusted, never expanded. [`Shelf::fetch`] gives the text only; whoever makes a
//! [`Program`] of it asks [`Shelf::trusted`] first.

use super::keep;
use super::program::Program;
use super::web::{Deadline, Failure, Get, failed, patiently};
use crate::FlowError;
use crate::remote::{Address, Answer, Cached, MOST_BYTES, MOST_HOPS, Remote, Trust};
use runward::Code;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Where fetched files are kept, and the list of trusted contents.
#[derive(Debug, Clone)]
pub struct Shelf {
    /// The folder; none where there is no place for one: then nothing is remembered.
    folder: Option<PathBuf>,
    /// How long to wait before an address is tried again. There is one more try than there are pauses.
    pub pauses: Vec<Duration>,
}

/// A file that was fetched.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// Where it came from.
    pub remote: Remote,
    /// Its text.
    pub text: Cached,
    /// What people should be told.
    pub notes: Vec<String>,
}

impl Fetched {
    /// Takes it apart. Its imports are read from this folder. It must be trusted before it is expanded.
    pub fn program(&self, folder: &Path) -> Result<Program, FlowError> {
        // An address that ends with a slash has no name of its own.
        let name = if self.remote.name.is_empty() { self.remote.asked.host() } else { &self.remote.name };
        let program = Program::of_text(name, self.text.text(), folder)?;
        Ok(Program { address: Some(self.remote.asked.to_string()), ..program })
    }
}

impl Shelf {
    /// The shelf in a state folder, if there is one.
    pub fn new(state: Option<&Path>) -> Self {
        let pauses = vec![Duration::from_millis(250), Duration::from_secs(1)];
        Self { folder: state.map(|state| state.join("flows")), pauses }
    }

    /// Fetches a file, or takes the text that is here already where its server says that it is still right.
    pub async fn fetch(&self, remote: Remote) -> Result<Fetched, FlowError> {
        let entry =
            self.folder.as_ref().map(|folder| folder.join("cache").join(Cached::file_name(&remote.raw)));
        // What cannot be read is not there: it is fetched again.
        let bytes = entry.as_deref().and_then(|entry| keep::read(entry).ok().flatten());
        let known = bytes.and_then(|bytes| Cached::read(&remote.raw, &bytes));
        let (asked, held) = (remote.raw.clone(), known.clone());
        let text = patiently(&self.pauses, move || attempt(&asked, held.as_ref())).await?;
        let mut notes = Vec::new();
        if let Some(entry) = entry.filter(|_| known.as_ref() != Some(&text))
            && let Err(error) = keep::write(&entry, &text.write())
        {
            notes.push(format!("`{}` cannot be kept for the next time: {error}", remote.asked));
        }
        Ok(Fetched { remote, text, notes })
    }

    /// The contents that somebody trusted. A list that cannot be read is an error: it trusts nothing.
    pub fn trusted(&self) -> Result<Trust, FlowError> {
        let Some(file) = self.list() else { return Ok(Trust::default()) };
        let read = || -> io::Result<String> {
            let bytes = keep::read(&file)?.unwrap_or_default();
            String::from_utf8(bytes).map_err(io::Error::other)
        };
        Trust::read(&read().map_err(|error| broken(&file, &error))?)
    }

    /// Remembers that somebody trusts this content.
    #[expect(clippy::disallowed_methods, reason = "`run` has a clock")]
    pub fn remember(&self, fetched: &Fetched) -> Result<(), FlowError> {
        let Some(file) = self.list() else { return Ok(()) };
        let put = || -> io::Result<()> {
            let _held = keep::hold(&file)?;
            let before = keep::read(&file)?.unwrap_or_default();
            let mut text = String::from_utf8(before).map_err(io::Error::other)?;
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text += &Trust::default().remember(&fetched.remote, &fetched.text, SystemTime::now());
            keep::write(&file, &text)
        };
        put().map_err(|error| broken(&file, &error))
    }

    fn list(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join("trusted.jsonl"))
    }
}

fn broken(file: &Path, error: &io::Error) -> FlowError {
    let message = format!("the list of trusted files `{}` cannot be used: {error}", file.display());
    FlowError::new(Code::FlowUntrusted, message)
        .hint("Mend or remove it; every file in it is then asked about again.")
}

/// One try: from hop to hop, each of which keeps the rules of the first.
fn attempt(address: &Address, known: Option<&Cached>) -> Result<Cached, Failure> {
    let deadline = Deadline::begin();
    let mut current = address.clone();
    for _ in 0..=MOST_HOPS {
        let shown = current.to_string();
        let etag = known.and_then(Cached::etag);
        let mut response = Get { address: &shown, local: current.is_loopback(), etag }.ask(&deadline)?;
        if let Some(target) = response.leads_to() {
            current = current.follow(target).map_err(Failure::Final)?;
            continue;
        }
        let status = response.status().as_u16();
        let tag = response.header("etag").map(str::to_owned);
        let body = response.body(MOST_BYTES as u64 + 1);
        let body = body.map_err(|error| Failure::Passing(failed(&shown, &error.to_string())))?;
        let taken = Cached::take(known.cloned(), address, Answer { status, etag: tag, body });
        return taken.map_err(|error| Failure::of_status(status, error));
    }
    let address = address.to_string();
    Err(Failure::Final(failed(&address, "it leads from one address to the next without end")))
}
