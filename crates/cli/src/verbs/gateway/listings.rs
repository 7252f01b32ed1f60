//! The last listings of servers, kept in the state folder so that they need not be started to be listed.
//!
//! A file that cannot be read or written is as good as none: the server is then started to be asked.

use crate::private;
use runward_mcp::gateway::RememberedListings;
use runward_mcp::gateway::consent::ConsentDigest;
use runward_mcp::gateway::listing::ChildOffer;
use std::io;
use std::path::PathBuf;

/// Files in a folder, one for each exact server.
#[derive(Debug)]
pub(super) struct StateListings {
    pub(super) folder: PathBuf,
}

impl StateListings {
    fn file(&self, digest: &ConsentDigest) -> PathBuf {
        self.folder.join(format!("{}.json", digest.as_str()))
    }
}

impl RememberedListings for StateListings {
    fn recall(&self, digest: &ConsentDigest) -> Option<ChildOffer> {
        serde_json::from_slice(&std::fs::read(self.file(digest)).ok()?).ok()
    }

    fn remember(&self, digest: &ConsentDigest, offer: &ChildOffer) {
        // Without it the server is started to be asked, next time too.
        let _ = serde_json::to_string(offer)
            .map_err(io::Error::from)
            .and_then(|text| private::replace(&self.file(digest), &text));
    }
}
