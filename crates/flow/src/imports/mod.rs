//! What a text wants put into it: files, patterns, addresses, what providers say, what commands print. May not fetch any of it.
//!
//! Read [`ProgramPiece`] first: [`take_apart`] turns a text of the program into pieces. When everything is fetched they are one
//! [`Assembled`] text, in which data and commands have their places without being text.

mod blocks;
mod code;
mod embedded;
pub mod hosts;
pub mod lines;
mod mask;
mod reading;
mod scan;
pub mod symbol;
pub mod tokens;
mod written;

pub use embedded::{EmbeddedCommand, EmbeddedKind};
pub use scan::take_apart;
pub use written::{Assembled, AssembledPart, Inset, SourceText};

use crate::Mark;
use std::fmt;

/// What a text of the program is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// The main file's body: fences run in no other.
    Main,
    /// A file that is imported directly.
    Imported,
}

/// A piece of a program's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramPiece {
    /// Text, in which inline commands and executable fences have their borders.
    Text(Assembled),
    /// Something that belongs here, and where it was asked for.
    Wanted(Import, Mark),
}

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// A file, which becomes part of the program.
    File {
        /// The path as it is written.
        path: String,
        /// How much of it.
        part: FilePart,
    },
    /// All files that a pattern matches, as data.
    Glob {
        /// The pattern as it is written.
        pattern: String,
    },
    /// What lies at an address, as data.
    Url {
        /// The address as it is written.
        address: String,
    },
    /// What a provider says, as data.
    Provider(Provider),
}

/// How much of a file is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilePart {
    /// All of it.
    Whole,
    /// From one line to another, counted from 1, both included.
    Lines(usize, usize),
    /// One declaration.
    Symbol(String),
}

/// Somebody who knows about the surroundings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provider {
    /// Changes that are not staged.
    GitDiff,
    /// Changes that are staged.
    GitStaged,
    /// Which files changed.
    GitStatus,
    /// The last commits.
    GitLog(u32),
    /// The files of the folder.
    Tree,
    /// Lines that match a regular expression.
    Search(String),
}

impl fmt::Display for Import {
    /// As it is written, with its `@`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, part: FilePart::Whole } => write!(f, "@{path}"),
            Self::File { path, part: FilePart::Lines(from, to) } => write!(f, "@{path}:{from}-{to}"),
            Self::File { path, part: FilePart::Symbol(name) } => write!(f, "@{path}#{name}"),
            Self::Glob { pattern } => write!(f, "@{pattern}"),
            Self::Url { address } => write!(f, "@{address}"),
            Self::Provider(provider) => write!(f, "@{provider}"),
        }
    }
}

/// Providers that are known by a name alone.
const NAMED_PROVIDERS: &[(&str, Provider)] = &[
    ("git:diff", Provider::GitDiff),
    ("git:staged", Provider::GitStaged),
    ("git:status", Provider::GitStatus),
    ("tree", Provider::Tree),
];

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GitLog(count) => write!(f, "git:log({count})"),
            Self::Search(pattern) => write!(f, "rg:{pattern}"),
            named => NAMED_PROVIDERS
                .iter()
                .filter(|(_, one)| one == named)
                .try_for_each(|(name, _)| f.write_str(name)),
        }
    }
}
