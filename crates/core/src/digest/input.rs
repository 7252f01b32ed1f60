//! What an answer is made from, and what comes of it. May not read or shorten anything itself.

use super::results::RunResults;
use crate::redact::Redactor;

/// A stretch of a stream's bytes, and where in the stream it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamPiece<'a> {
    /// The offset of its first byte in the raw stream.
    pub offset: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// What is there of one stream. What lies between two pieces is only in the spool.
#[derive(Debug, Clone, Copy, Default)]
pub struct StreamInput<'a> {
    /// In order, none overlapping another. The first may begin later than the stream.
    pub pieces: &'a [StreamPiece<'a>],
    /// How many bytes the stream has in all; whatever lies behind the last piece is missing too.
    pub total: u64,
    /// Whether it is known not to be text. Bytes that are no UTF-8 make it so anyway.
    pub binary: bool,
}

/// How the command ended, as far as it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandEnding {
    /// With this exit code.
    Exit(i32),
    /// By a signal.
    Signal,
    /// At its time limit.
    TimedOut,
    /// Somebody stopped it.
    Stopped,
    /// It has not.
    Running,
}

/// The keys `answer.*` that matter here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerLimits {
    /// How many characters both streams, the results and the notes may take as they are written.
    pub max_chars: usize,
    /// Whether known formats are looked for.
    pub digest: bool,
    /// From how many characters on harmless lines are left out.
    pub digest_from: usize,
    /// Whether escapes are taken out and overwritten lines are shown as they stood at their end.
    pub plain: bool,
}

impl Default for AnswerLimits {
    fn default() -> Self {
        Self { max_chars: 24_000, digest: true, digest_from: 4_000, plain: true }
    }
}

/// Everything that an answer depends on.
#[derive(Debug, Clone, Copy)]
pub struct AnswerInput<'a> {
    /// What addresses name: the session's or run's id.
    pub id: &'a str,
    /// Standard output.
    pub stdout: StreamInput<'a>,
    /// Standard error.
    pub stderr: StreamInput<'a>,
    /// The words of every simple command that the command comes to.
    pub programs: &'a [Vec<String>],
    /// How it ended.
    pub ending: CommandEnding,
    /// How much may be said.
    pub limits: AnswerLimits,
    /// Masks secrets; nothing is masked without.
    pub redactor: Option<&'a Redactor>,
}

/// What is said of a command's output.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StreamAnswers {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Whether something was left out, folded or cut, so that the id has to be told.
    pub is_partial: bool,
    /// What a known tool counted; only where it explains the ending.
    pub results: Option<RunResults>,
    /// Sentences about the results.
    pub notes: Vec<String>,
}
