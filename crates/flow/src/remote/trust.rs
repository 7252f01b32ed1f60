//! Which texts somebody has trusted, by their content. May not ask anybody, and may not read or write a file.
//!
//! One line of JSON per trusted content. What cannot be read is an error: a broken list trusts nothing.

use super::{Cached, Remote};
use crate::FlowError;
use crate::events::timestamp;
use runward_engine::Code;
use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// The contents that somebody has trusted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trust {
    entries: Vec<TrustEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrustEntry {
    digest: String,
    address: String,
    at: String,
}

/// Whether `--trust` was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustLeave {
    /// It was: this once.
    Once,
    /// It was not.
    NotGiven,
}

/// Whether there is somebody to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrustPerson {
    /// On a terminal.
    There,
    /// Nobody is.
    Away,
}

/// What is to be done about a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustVerdict {
    /// It may be expanded and run. Nothing is to be remembered.
    Run,
    /// Somebody has to be asked; if they agree, [`Trust::remember`] it.
    Ask,
}

impl Trust {
    /// Reads the list.
    pub fn read(text: &str) -> Result<Self, FlowError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let entries = lines.map(|(at, line)| entry(line).ok_or(at + 1)).collect::<Result<_, _>>();
        entries.map(|entries| Self { entries }).map_err(|line| {
            let message = format!("line {line} of the list of trusted files cannot be read");
            FlowError::new(Code::FlowUntrusted, message)
                .hint("Remove the line, or the whole list; every file in it is then asked about again.")
        })
    }

    /// Whether somebody has trusted this content.
    pub fn knows(&self, digest: &str) -> bool {
        self.entries.iter().any(|entry| entry.digest == digest)
    }

    /// What to do about a file that lies elsewhere, before anything in it is expanded.
    pub fn rule(
        &self,
        remote: &Remote,
        text: &Cached,
        leave: TrustLeave,
        person: TrustPerson,
    ) -> Result<TrustVerdict, FlowError> {
        if leave == TrustLeave::Once || self.knows(text.digest()) {
            return Ok(TrustVerdict::Run);
        }
        match person {
            TrustPerson::There => Ok(TrustVerdict::Ask),
            TrustPerson::Away => Err(untrusted(remote, text)),
        }
    }

    /// Remembers a content, and gives the line to add to the list.
    pub fn remember(&mut self, remote: &Remote, text: &Cached, at: SystemTime) -> String {
        let (digest, address) = (text.digest().to_owned(), remote.asked.to_string());
        let entry = TrustEntry { digest, address, at: timestamp(at) };
        // Texts: this has always a JSON.
        let line = serde_json::to_string(&entry).unwrap_or_default() + "\n";
        self.entries.push(entry);
        line
    }
}

/// The error for a file that nobody trusts: nobody was there to ask, or who was asked said no.
pub(super) fn untrusted(remote: &Remote, text: &Cached) -> FlowError {
    let message = format!("nobody has trusted `{}` with the content blake3:{}", remote.asked, text.digest());
    FlowError::new(Code::FlowUntrusted, message)
        .hint("Run it on a terminal and agree, or give `--trust` to run it this once.")
}

fn entry(line: &str) -> Option<TrustEntry> {
    let entry: TrustEntry = serde_json::from_str(line).ok()?;
    let is_digest = entry.digest.len() == 64
        && entry.digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    is_digest.then_some(entry)
}
