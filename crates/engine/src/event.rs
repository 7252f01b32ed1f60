//! What a listener hears while a command runs.

use bytes::Bytes;
use runward_core::output::Stream;
use runward_core::record::StopCause;

/// Something that happened to a running command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// It printed something.
    Output {
        /// Where.
        stream: Stream,
        /// Where in the stream the bytes begin.
        offset: u64,
        /// Their place in the order of arrival over both streams.
        seq: u64,
        /// The bytes.
        bytes: Bytes,
    },
    /// It is being made to end.
    Stopping {
        /// Why.
        cause: StopCause,
    },
}
