//! One place where a rule is broken.

use std::fmt;

/// A breach, printed as `path:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Breach {
    /// The file, from the repository's top folder.
    pub(crate) path: String,
    /// The line, counted from one.
    pub(crate) line: usize,
    /// What is wrong, and what to do about it.
    pub(crate) sentence: String,
    /// The rule's name, as an exemption spells it.
    pub(crate) rule: &'static str,
    /// What an exemption names: the file, unless the rule is about something else.
    pub(crate) subject: String,
}

impl Breach {
    /// A breach that an exemption would name by its file.
    pub(crate) fn new(rule: &'static str, path: &str, line: usize, sentence: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, sentence: sentence.into(), rule, subject: path.to_owned() }
    }

    /// The same breach, named otherwise in an exemption.
    pub(crate) fn about(mut self, subject: &str) -> Self {
        self.subject = subject.to_owned();
        self
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {} [{}]", self.path, self.line, self.sentence, self.rule)
    }
}
