//! The events of a running command, for its listener.

use bytes::Bytes;
use runward_core::output::Stream;
use runward_core::record::StopCause;

/// Something that happened to a running command.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionEvent {
    /// It printed something.
    Output {
        /// The stream it was printed to.
        stream: Stream,
        /// Where in the stream the bytes begin.
        offset: u64,
        /// Their place in the order of arrival over both streams.
        seq: u64,
        /// The bytes.
        bytes: Bytes,
    },
    /// It is being stopped; output may still follow.
    Stopping {
        /// Who or what stops it: its caller, a limit, the end of this program.
        cause: StopCause,
    },
}
