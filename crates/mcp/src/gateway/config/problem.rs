//! The problems of a configuration: all of them, each with its place, and an example.
//!
//! May not repeat values: they may be secrets.

use runward_engine::{Code, Coded};
use std::fmt;

/// How a configuration looks.
const EXAMPLE: &str = r#"{"mcpServers": {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "${HOME}/notes"], "env": {"LOG": "${LOG:-info}"}}, "search": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${SEARCH_TOKEN}"}}}}"#;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerListProblem {
    /// Where: a path such as `mcpServers.github.args[2]`, or line and column of what is no JSON.
    pub place: String,
    /// What was expected there.
    pub what: String,
}

impl ServerListProblem {
    pub(super) fn at_line(line: usize, column: usize, what: String) -> Self {
        Self { place: format!("line {line}, column {column}"), what }
    }
}

impl fmt::Display for ServerListProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

/// A configuration that cannot be used. No server is started with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadConfig {
    file: String,
    problems: Vec<ServerListProblem>,
}

impl BadConfig {
    /// An error of these problems in this file.
    pub fn of(file: &str, problems: Vec<ServerListProblem>) -> Self {
        Self { file: file.to_owned(), problems }
    }

    /// Everything that is wrong, in the order of the file.
    pub fn problems(&self) -> &[ServerListProblem] {
        &self.problems
    }
}

impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.problems.as_slice() {
            [only] => write!(f, "{}: {only}", self.file),
            many => {
                write!(f, "{} problems in {}", many.len(), self.file)?;
                many.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
            }
        }
    }
}

impl std::error::Error for BadConfig {}

impl Coded for BadConfig {
    fn code(&self) -> Code {
        Code::GatewayBadConfig
    }

    fn hint(&self) -> Option<String> {
        Some(format!("Write it like this: {EXAMPLE}"))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Roster, ServerReach};
    use super::*;

    #[test]
    fn the_example_is_one() {
        let environment = |name: &str| ["HOME", "SEARCH_TOKEN"].contains(&name).then(|| "x".to_owned());
        let roster = Roster::read("example", EXAMPLE, &environment).unwrap();
        assert!(matches!(roster.servers[0].reach, ServerReach::Command(_)));
        assert!(matches!(roster.servers[1].reach, ServerReach::Address(_)));
    }
}
