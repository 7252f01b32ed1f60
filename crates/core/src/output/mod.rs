//! Keep bytes and cut views.
//!
//! Bytes stay bytes until a view is asked for. Whatever a command prints, what is kept is bounded, and what
//! is not kept is counted to the byte. This is the one room that may turn bytes into text.
//! Read first: [`Capture`].

mod capture;
mod cut;
mod marks;
mod text;
mod utf8;
mod window;

pub use capture::{Capture, Place, Stream};
pub use cut::{Middle, head, middle};
pub use marks::{Mark, Marks, interleave};
pub use text::{Encoding, Text, escaped};
pub use utf8::Utf8Stream;
pub use window::{Kept, Part, Window};
