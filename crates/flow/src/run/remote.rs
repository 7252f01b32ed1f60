//! Files that lie elsewhere are fetched and kept, with the list of contents that somebody trusted. May not ask a person.
//!
//! Hazard: a text may be read before it is trusted, never expanded. [`AgentShelf::fetch`] gives the text only; whoever makes a
//! [`AgentFile`] of it asks [`AgentShelf::trusted`] first.

use super::keep;
use super::program::AgentFile;
use super::web::{FetchFailure, follow, patiently};
use crate::FlowError;
use crate::remote::{Address, Cached, FetchAnswer, MOST_BYTES, Remote, Trust};
use runward_engine::Code;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Where fetched files are kept, and the list of trusted contents.
#[derive(Debug, Clone)]
pub struct AgentShelf {
    /// The folder; none where there is no place for one: then nothing is remembered.
    folder: Option<PathBuf>,
    /// How long to wait before an address is tried again. There is one more try than there are pauses.
    pub pauses: Vec<Duration>,
}

/// A file that was fetched.
#[derive(Debug, Clone)]
pub struct FetchedAgent {
    /// Where it came from.
    pub remote: Remote,
    /// Its text.
    pub text: Cached,
    /// What people should be told.
    pub notes: Vec<String>,
}

impl FetchedAgent {
    /// Takes it apart. Its imports are read from this folder. It must be trusted before it is expanded.
    pub fn program(&self, folder: &Path) -> Result<AgentFile, FlowError> {
        // An address that ends with a slash has no name of its own.
        let name = if self.remote.name.is_empty() { self.remote.asked.host() } else { &self.remote.name };
        let program = AgentFile::of_text(name, self.text.text(), folder)?;
        Ok(AgentFile { address: Some(self.remote.asked.to_string()), ..program })
    }
}

impl AgentShelf {
    /// The shelf in a state folder, if there is one.
    pub fn new(state: Option<&Path>) -> Self {
        let pauses = vec![Duration::from_millis(250), Duration::from_secs(1)];
        Self { folder: state.map(|state| state.join("flows")), pauses }
    }

    /// Fetches a file, or takes the text that is here already where its server says that it is still right.
    pub async fn fetch(&self, remote: Remote) -> Result<FetchedAgent, FlowError> {
        let entry =
            self.folder.as_ref().map(|folder| folder.join("cache").join(Cached::file_name(&remote.raw)));
        // What cannot be read is not there: it is fetched again.
        let bytes = entry.as_deref().and_then(|entry| keep::read(entry).ok().flatten());
        let known = bytes.and_then(|bytes| Cached::read(&remote.raw, &bytes));
        let text = patiently(&self.pauses, || attempt(&remote.raw, known.as_ref())).await?;
        let mut notes = Vec::new();
        if let Some(entry) = entry.filter(|_| known.as_ref() != Some(&text))
            && let Err(error) = keep::write(&entry, &text.write())
        {
            notes.push(format!("`{}` cannot be kept for the next time: {error}", remote.asked));
        }
        Ok(FetchedAgent { remote, text, notes })
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
    pub fn remember(&self, fetched: &FetchedAgent) -> Result<(), FlowError> {
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

async fn attempt(address: &Address, known: Option<&Cached>) -> Result<Cached, FetchFailure> {
    let (shown, response) = follow(address, known.and_then(Cached::etag), |_| Ok(())).await?;
    let status = response.status().as_u16();
    let etag = response.header("etag").map(str::to_owned);
    let body = response.body(&shown, MOST_BYTES + 1).await?;
    let taken = Cached::take(known.cloned(), address, FetchAnswer { status, etag, body });
    taken.map_err(|error| FetchFailure::of_status(status, error))
}
