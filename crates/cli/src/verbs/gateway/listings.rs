//! What lazy servers offered last, kept in the state folder so that they need not be started to be listed.
//!
//! A file that cannot be read or written is as good as none: the server is then started to be asked.

use runward::host::{private_file, private_folder};
use runward_mcp::gateway::Listings;
use runward_mcp::gateway::consent::Digest;
use runward_mcp::gateway::listing::ChildOffer;
use std::io::Write;
use std::path::PathBuf;

/// Files in a folder, one for each exact server.
#[derive(Debug)]
pub(super) struct StateListings {
    pub(super) folder: PathBuf,
}

impl StateListings {
    fn file(&self, digest: &Digest) -> PathBuf {
        self.folder.join(format!("{}.json", digest.as_str()))
    }
}

impl Listings for StateListings {
    fn recall(&self, digest: &Digest) -> Option<ChildOffer> {
        serde_json::from_slice(&std::fs::read(self.file(digest)).ok()?).ok()
    }

    fn remember(&self, digest: &Digest, offer: &ChildOffer) {
        let written = || {
            private_folder(&self.folder)?;
            let (whole, part) = (self.file(digest), self.folder.join(format!("{}.part", std::process::id())));
            private_file(&part)?.write_all(&serde_json::to_vec(offer)?)?;
            std::fs::rename(part, whole)
        };
        // Without it the server is started to be asked, next time too.
        let _: std::io::Result<()> = written();
    }
}
