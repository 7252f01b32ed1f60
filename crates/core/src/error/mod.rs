//! Errors as an interface: one table of stable codes, a sentence, and what to do about it.
//!
//! May not: build an error without a code. Read first: [`Code`].

mod code;
mod coded;

pub use code::{Code, CodeRow, Fixer, TABLE};
pub use coded::{Coded, ErrorView, chain};
