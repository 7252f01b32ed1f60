//! Whether a command gets pipes or a pseudo-terminal (pty).

use serde::Serialize;

/// What stands behind the command's standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Terminal {
    /// Pipes: stdout and stderr apart.
    #[default]
    Pipes,
    /// A pseudo-terminal of this size; everything comes out of one stream.
    Pty {
        /// Lines.
        rows: u16,
        /// Characters in a line.
        cols: u16,
    },
}
