//! Everything that a text wants is fetched and put in its place. May not fill templates or run commands.
//!
//! Read [`gather`] first. Files become part of the program and may want more; everything else is data.

mod disk;
mod expand;
mod fetch;
mod glob;
mod provider;
mod search;
mod tree;
mod walk;

use super::road::Road;
use crate::FlowError;
use crate::imports::hosts::Hosts;
use crate::imports::{Assembled, Rank, SourceText, take_apart};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How many imports are fetched at once.
const AT_ONCE: usize = 10;
/// How many imports one prompt may have. Files that import each other twice would otherwise double without end.
const MOST: usize = 1000;
/// The most that one file or address may be.
const LARGEST_BYTES: u64 = 10 * 1024 * 1024;

/// The main file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Main {
    /// Where it lies, unless it lies elsewhere than on this machine.
    pub path: Option<PathBuf>,
    /// The file, as people know it.
    pub shown: String,
    /// The folder that its paths are read from.
    pub folder: PathBuf,
    /// The number of the text's first line in the file.
    pub first_line: usize,
    /// Its body.
    pub text: String,
}

/// The surroundings that imports are read from.
#[derive(Debug)]
pub struct Surroundings<R> {
    /// The folder Runward was called from.
    pub folder: PathBuf,
    /// The home folder, for paths that begin with `~`.
    pub home: Option<PathBuf>,
    /// Hosts that addresses may be on.
    pub hosts: Hosts,
    /// How long to wait before an address is tried again. There is one more try than there are pauses.
    pub pauses: Vec<Duration>,
    /// The road, which a rehearsal does not have.
    pub road: Option<R>,
}

impl<R> Surroundings<R> {
    /// Surroundings with everything as usual: three tries, all hosts, no home folder.
    pub fn new(folder: impl Into<PathBuf>, road: Option<R>) -> Self {
        let pauses = vec![Duration::from_millis(250), Duration::from_secs(1)];
        Self { folder: folder.into(), home: None, hosts: Hosts::default(), pauses, road }
    }
}

/// A text with everything in its place.
#[derive(Debug, Clone)]
pub struct Gathered {
    /// The template: text of the program, with places where data and commands belong.
    pub text: Assembled,
    /// Every import, in the order in which they stand in the text.
    pub imports: Vec<Imported>,
    /// What people should be told.
    pub notes: Vec<String>,
}

/// An import that was put in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// As it is written, with its `@`.
    pub what: String,
    /// The file, address, pattern or provider it came from.
    pub from: String,
    /// How many characters came, without what a file imports itself.
    pub characters: usize,
}

/// Fetches everything that the main file wants, and what files it imports want.
pub async fn gather<R: Road>(main: &Main, surroundings: Arc<Surroundings<R>>) -> Result<Gathered, FlowError> {
    let source =
        SourceText { shown: main.shown.clone(), first_line: main.first_line, text: main.text.clone() };
    let reader = disk::ImportReader { folder: main.folder.clone(), home: surroundings.home.clone() };
    let pieces = take_apart(&Arc::new(source), Rank::Main, &|path| reader.exists(path))?;
    let chain = main.path.iter().map(|path| (disk::real(path), main.shown.clone())).collect();
    let gatherer = Arc::new(expand::Gatherer::new(surroundings));
    let expanded = gatherer.expand(pieces, expand::ImportPlace { reader, chain }).await?;
    Ok(Gathered { text: expanded.text, imports: expanded.imports, notes: expanded.notes })
}
