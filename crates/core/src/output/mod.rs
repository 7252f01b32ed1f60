//! The output of a command: kept bytes, and views cut from them.
//!
//! Bytes stay bytes until a view is asked for. Whatever a command prints, what is kept is bounded, and what is not kept
//! is counted to the byte. This is the one module that may turn bytes into text.
//! Read first: [`Capture`].

mod capture;
mod cut;
mod marks;
mod text;
mod utf8;
mod window;

pub use capture::{AppendedAt, Capture, Stream};
pub use cut::{Middle, head, middle};
pub use marks::{Marks, StreamMark, interleave};
pub use text::{Encoding, StreamText, escaped};
pub use utf8::Utf8Stream;
pub use window::{KeptOutput, StreamPart, Window};
