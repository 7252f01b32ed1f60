//! What a file of the spool holds, as the journal covers it.

use serde::{Deserialize, Serialize};

/// What a file of the spool holds: not all of a stream, where the spool's limit was reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpoolPiece {
    /// Its bytes.
    pub bytes: u64,
    /// Their blake3 digest.
    pub digest: String,
}
