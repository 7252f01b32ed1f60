//! Numbers that nobody can guess.

use crate::FlowError;
use runward::Code;

/// A number drawn for one run.
pub(super) fn nonce() -> Result<u128, FlowError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| FlowError::new(Code::Internal, format!("no number could be drawn: {error}")))?;
    Ok(u128::from_le_bytes(bytes))
}
