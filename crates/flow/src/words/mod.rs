//! What stands after the file on the command line: ours, the file's variables, and what is passed on. May not ask
//! anybody.
//!
//! Words are taken in two goes, because which names are variables is known only when the file has been read:
//! [`take_ours`] first, then [`take_variables`].

mod ours;
mod variables;

pub(crate) use ours::switch_like;
pub use ours::{OwnOptions, Switch, take_ours};
pub use variables::{Given, Listening, Variable, VariableFrom, missing, take_variables};
pub(crate) use variables::{names_of_places, plain, typed_so};

#[cfg(test)]
mod tests;
