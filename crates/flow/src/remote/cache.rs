//! What is kept of a fetched file: its text, and what its server calls this version. May not read or write a file.
//!
//! One file per address: a line of JSON, then the text as it came. An entry whose text is not the one it was written with is
//! no entry.

use super::{Address, MOST_BYTES, refused};
use crate::FlowError;
use runward_engine::Code;
use serde::{Deserialize, Serialize};

/// A fetched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cached {
    head: Head,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    etag: Option<String>,
    digest: String,
}

/// What a server answered, as far as it matters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchAnswer {
    /// The status.
    pub status: u16,
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its body. A runner reads one byte more than [`MOST_BYTES`] at most.
    pub body: Vec<u8>,
}

impl Cached {
    /// The name of the entry of an address.
    pub fn file_name(address: &Address) -> String {
        blake3::hash(address.to_string().as_bytes()).to_hex().to_string()
    }

    /// Reads an entry. None if it is broken, or is about another address: then there is nothing to go by.
    pub fn read(address: &Address, bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (head, text) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        let fits = head.address == address.to_string() && head.digest == digest(text);
        fits.then(|| Self { head, text: text.to_owned() })
    }

    /// The entry as it is kept.
    pub fn write(&self) -> String {
        // Texts: this has always a JSON.
        serde_json::to_string(&self.head).unwrap_or_default() + "\n" + &self.text
    }

    /// What to send as `If-None-Match`.
    pub fn etag(&self) -> Option<&str> {
        self.head.etag.as_deref()
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The BLAKE3 digest of the text, in hexadecimal. Trust is about it.
    pub fn digest(&self) -> &str {
        &self.head.digest
    }

    /// Takes in what the server answered about an address: a new text, or that the old one is still right.
    pub fn take(known: Option<Self>, address: &Address, answer: FetchAnswer) -> Result<Self, FlowError> {
        let (message, hint) = match (answer.status, known) {
            (200, _) => return Self::new(address, answer),
            (304, Some(known)) => return Ok(known),
            (404 | 410, _) => (format!("there is nothing at `{address}`"), "Look at the address again."),
            (401 | 403, _) => {
                (format!("`{address}` may not be read by everybody"), "Fetch it yourself, and run the file.")
            }
            (status, _) => {
                let hint = "Try again later, or fetch it yourself and run the file.";
                (format!("`{address}` was answered with status {status}"), hint)
            }
        };
        Err(refused(message, hint))
    }

    fn new(address: &Address, answer: FetchAnswer) -> Result<Self, FlowError> {
        if answer.body.len() > MOST_BYTES {
            let message = format!("`{address}` is larger than {} MiB", MOST_BYTES / 1024 / 1024);
            return Err(FlowError::new(Code::FlowBadFile, message).hint("Use a smaller file."));
        }
        let text = String::from_utf8(answer.body).map_err(|_| {
            FlowError::new(Code::FlowBadFile, format!("`{address}` is not text"))
                .hint("Use a markdown file in UTF-8.")
        })?;
        let etag = answer.etag.filter(|etag| !etag.is_empty());
        Ok(Self { head: Head { address: address.to_string(), etag, digest: digest(&text) }, text })
    }
}

fn digest(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}
