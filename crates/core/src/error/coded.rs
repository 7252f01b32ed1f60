//! What every error of Runward has: a stable code, a message, a hint. A message may not include its source.

use super::Code;
use serde::Serialize;
use std::error::Error;

/// An error with a stable code and something to do about it.
pub trait Coded: Error {
    /// The stable code.
    fn code(&self) -> Code;

    /// What to do: full sentences that begin with a verb, or nothing.
    fn hint(&self) -> Option<String> {
        None
    }
}

/// An error as the outside sees it: `{"code", "message", "hint"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorView {
    /// The stable code.
    pub code: Code,
    /// One sentence on what was wrong with which value.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ErrorView {
    /// The view of any coded error. The message is the error's own sentence, followed by its causes.
    pub fn of(error: &dyn Coded) -> Self {
        Self { code: error.code(), message: chain(error), hint: error.hint() }
    }
}

/// The one place that prints an error together with what caused it.
pub fn chain(error: &(impl Error + ?Sized)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text.push_str(": ");
        text.push_str(&cause.to_string());
        source = cause.source();
    }
    text
}
