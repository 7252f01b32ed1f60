//! Imports are fetched, at most ten at once, and put where they stand. May not know how any kind is fetched.

use super::disk::ImportReader;
use super::{AT_ONCE, Imported, MOST, Surroundings, disk, fetch, glob, provider};
use crate::imports::{Assembled, FilePart, Import, Inset, ProgramPiece, Rank, SourceText, take_apart};
use crate::run::at_once::in_order;
use crate::run::program::shown;
use crate::run::road::{Road, called_off};
use crate::{FlowError, Mark};
use runward_engine::Code;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::Semaphore;

/// Where a text comes from: what its paths are read from, and the files that led to it.
pub(super) struct ImportPlace {
    pub(super) reader: ImportReader,
    /// Real paths, each with the name that people know.
    pub(super) chain: Vec<(PathBuf, String)>,
}

/// A text with everything in its place, and what was put there.
#[derive(Default)]
pub(super) struct Expanded {
    pub(super) text: Assembled,
    pub(super) imports: Vec<Imported>,
    pub(super) notes: Vec<String>,
}

/// Data that was fetched for an import.
pub(super) struct FetchedImport {
    pub(super) text: String,
    pub(super) from: String,
    pub(super) notes: Vec<String>,
}

/// A file of the program that was read and taken apart.
struct Loaded {
    pieces: Vec<ProgramPiece>,
    place: ImportPlace,
    imported: Imported,
}

type Coming = Pin<Box<dyn Future<Output = Result<Expanded, FlowError>> + Send>>;

/// Whoever fetches what one main file wants.
pub(super) struct Gatherer<R> {
    surroundings: Arc<Surroundings<R>>,
    slots: Semaphore,
    count: AtomicUsize,
}

impl<R: Road> Gatherer<R> {
    pub(super) fn new(surroundings: Arc<Surroundings<R>>) -> Self {
        Self { surroundings, slots: Semaphore::new(AT_ONCE), count: AtomicUsize::new(0) }
    }

    /// Puts together what a text was taken apart into. The first import in the text that failed is the error.
    pub(super) async fn expand(
        self: Arc<Self>,
        pieces: Vec<ProgramPiece>,
        place: ImportPlace,
    ) -> Result<Expanded, FlowError> {
        let place = Arc::new(place);
        let parts = in_order(pieces, |piece, halt| {
            let (gatherer, place) = (Arc::clone(&self), Arc::clone(&place));
            async move {
                match piece {
                    ProgramPiece::Text(text) => Ok(Expanded { text, ..Expanded::default() }),
                    ProgramPiece::Wanted(import, mark) => tokio::select! {
                        biased;
                        fetched = gatherer.import(import, mark, place) => fetched,
                        () = halt.called() => Err(called_off()),
                    },
                }
            }
        });
        let mut whole = Expanded::default();
        for part in parts.await? {
            whole.text.append(part.text);
            whole.imports.extend(part.imports);
            whole.notes.extend(part.notes);
        }
        Ok(whole)
    }

    fn import(self: Arc<Self>, import: Import, mark: Mark, place: Arc<ImportPlace>) -> Coming {
        Box::pin(async move {
            if self.count.fetch_add(1, Ordering::Relaxed) >= MOST {
                return Err(too_many().at(mark));
            }
            let what = import.to_string();
            let surroundings = &self.surroundings;
            let result = match import {
                Import::File { path, part } => Arc::clone(&self).file(path, part, place).await,
                Import::Url { address } => self.data(what, fetch::read(&address, surroundings)).await,
                Import::Provider(provider) => self.data(what, provider::ask(provider, surroundings)).await,
                Import::Glob { pattern } => {
                    let reader = place.reader.clone();
                    self.data(what, blocking(move || glob::read(&pattern, &reader))).await
                }
            };
            result.map_err(|error| error.at(mark))
        })
    }

    /// A file is part of the program: what it wants is fetched too.
    async fn file(
        self: Arc<Self>,
        path: String,
        part: FilePart,
        place: Arc<ImportPlace>,
    ) -> Result<Expanded, FlowError> {
        let slot = self.slots.acquire().await;
        let gatherer = Arc::clone(&self);
        let loaded = blocking(move || gatherer.load(&path, part, &place)).await?;
        drop(slot);
        let mut expanded = Arc::clone(&self).expand(loaded.pieces, loaded.place).await?;
        expanded.imports.insert(0, loaded.imported);
        Ok(expanded)
    }

    fn load(&self, path: &str, part: FilePart, place: &ImportPlace) -> Result<Loaded, FlowError> {
        let full = place.reader.full(path)?;
        let real = disk::real(&full);
        let shown = shown(&full, &self.surroundings.folder);
        let mut chain = place.chain.clone();
        let again = chain.iter().any(|(before, _)| *before == real);
        chain.push((real, shown.clone()));
        if again {
            return Err(cycle(&chain));
        }
        let whole = place.reader.read(path, &full)?;
        let range = disk::part(path, &whole, &part)?;
        let first_line = 1 + whole[..range.start].matches('\n').count();
        let source = Arc::new(SourceText { shown: shown.clone(), first_line, text: whole[range].to_owned() });
        let folder = full.parent().map_or_else(PathBuf::new, PathBuf::from);
        let reader = ImportReader { folder, home: place.reader.home.clone() };
        let pieces = take_apart(&source, Rank::Imported, &|path| reader.exists(path))?;
        let what = Import::File { path: path.to_owned(), part }.to_string();
        let imported = Imported { what, from: shown, characters: source.text.chars().count() };
        Ok(Loaded { pieces, place: ImportPlace { reader, chain }, imported })
    }

    /// Everything else is data: it has a place in the text, and is never looked into.
    async fn data<F>(&self, what: String, coming: F) -> Result<Expanded, FlowError>
    where
        F: Future<Output = Result<FetchedImport, FlowError>> + Send,
    {
        let _slot = self.slots.acquire().await;
        let fetched = coming.await?;
        let imported = Imported { what, from: fetched.from, characters: fetched.text.chars().count() };
        let mut text = Assembled::default();
        text.insert(Inset::Data(fetched.text.into()));
        Ok(Expanded { text, imports: vec![imported], notes: fetched.notes })
    }
}

/// Does what waits for the disk or the network where waiting harms nobody.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    // A panic is the caller's, as if the work had been done in place.
    let work = move || std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    match runward_engine::host::aside(work).await {
        Some(Ok(done)) => done,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        // The process is going away, and so is whoever waits for this.
        None => std::future::pending().await,
    }
}

fn too_many() -> FlowError {
    let message = format!("there are more than {MOST} imports");
    FlowError::new(Code::FlowImportTooLarge, message).hint("Import files once, or use a pattern.")
}

fn cycle(chain: &[(PathBuf, String)]) -> FlowError {
    let names: Vec<String> = chain.iter().map(|(_, shown)| format!("`{shown}`")).collect();
    let message = format!("an import leads back to itself: {}", names.join(" → "));
    FlowError::new(Code::FlowImportCycle, message).hint("Remove one import of this circle.")
}
