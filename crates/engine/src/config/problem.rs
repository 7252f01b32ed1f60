//! The problems of a configuration: all of them, each with its place.

use runward_core::error::{Code, Coded};
use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// The file.
    pub file: String,
    /// The line, counted from 1, where there is one.
    pub line: Option<usize>,
    /// What is wrong there.
    pub what: String,
}

impl fmt::Display for ConfigProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

/// A configuration that cannot be used. Nothing starts with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<ConfigProblem>,
}

impl ConfigError {
    /// An error of these problems, in the order of their places.
    pub fn of(problems: Vec<ConfigProblem>) -> Self {
        Self { problems }
    }

    /// Everything that is wrong.
    pub fn problems(&self) -> &[ConfigProblem] {
        &self.problems
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => only.fmt(f),
            many => {
                write!(f, "{} problems in the configuration", many.len())?;
                many.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

impl std::error::Error for ConfigError {}

impl Coded for ConfigError {
    fn code(&self) -> Code {
        Code::ConfigInvalid
    }

    fn hint(&self) -> Option<String> {
        Some("Fix the file; nothing runs with a broken configuration.".to_owned())
    }
}
