//! What can be wrong with a markdown agent: a code, a sentence, what to do, and the place in the file.

use crate::Mark;
use runward::{Code, Coded};

/// Something is wrong with a markdown agent, or with what it was given.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FlowError {
    code: Code,
    message: String,
    hint: Option<String>,
    // In a box: an error travels through many results, and most of them are fine.
    mark: Option<Box<Mark>>,
}

impl FlowError {
    /// An error with its sentence: a fragment that names the value, without a full stop.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None, mark: None }
    }

    /// The same, with what to do: whole sentences that begin with a verb.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same, pointing at a place, if there is one. A place that is known already is kept: it is nearer.
    #[must_use]
    pub fn at(mut self, mark: impl Into<Option<Mark>>) -> Self {
        self.mark = self.mark.or_else(|| mark.into().map(Box::new));
        self
    }

    /// The same, its place led to where it was written.
    #[must_use]
    pub fn led_by(mut self, lead: impl Fn(&Mark) -> Mark) -> Self {
        if let Some(mark) = &mut self.mark {
            **mark = lead(mark);
        }
        self
    }

    /// The place in the file.
    pub fn mark(&self) -> Option<&Mark> {
        self.mark.as_deref()
    }
}

impl Coded for FlowError {
    fn code(&self) -> Code {
        self.code
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}
