//! Imports are fetched, at most ten at once, and put where they stand. May not know how any kind is fetched.

use super::disk::Reader;
use super::{AT_ONCE, Imported, MOST, Surroundings, disk, fetch, glob, provider};
use crate::imports::{Assembled, Import, Part, Piece, Rank, Seals, Source, take_apart};
use crate::run::road::Road;
use crate::{FlowError, Mark};
use runward::Code;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// Where a text comes from: what its paths are read from, and the files that led to it.
pub(super) struct Place {
    pub(super) reader: Reader,
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
pub(super) struct Fetched {
    pub(super) text: String,
    pub(super) from: String,
    pub(super) notes: Vec<String>,
}

/// A file of the program that was read and taken apart.
struct Loaded {
    pieces: Vec<Piece>,
    place: Place,
    imported: Imported,
}

type Coming = Pin<Box<dyn Future<Output = Result<Expanded, FlowError>> + Send>>;

/// Whoever fetches what one main file wants.
pub(super) struct Gatherer<R> {
    surroundings: Arc<Surroundings<R>>,
    pub(super) seals: Mutex<Seals>,
    slots: Semaphore,
    count: AtomicUsize,
}

impl<R: Road> Gatherer<R> {
    pub(super) fn new(surroundings: Arc<Surroundings<R>>, seals: Seals) -> Self {
        let slots = Semaphore::new(AT_ONCE);
        Self { surroundings, seals: Mutex::new(seals), slots, count: AtomicUsize::new(0) }
    }

    /// Puts together what a text was taken apart into. The first import in the text that failed is the error.
    pub(super) async fn expand(
        self: Arc<Self>,
        pieces: Vec<Piece>,
        place: Place,
    ) -> Result<Expanded, FlowError> {
        let place = Arc::new(place);
        let mut parts: Vec<Option<Result<Expanded, FlowError>>> = Vec::new();
        let mut coming = JoinSet::new();
        for (index, piece) in pieces.into_iter().enumerate() {
            match piece {
                Piece::Text(text) => parts.push(Some(Ok(Expanded { text, ..Expanded::default() }))),
                Piece::Wanted(import, mark) => {
                    parts.push(None);
                    let one = Arc::clone(&self).import(import, mark, Arc::clone(&place));
                    coming.spawn(async move { (index, one.await) });
                }
            }
        }
        while let Some(joined) = coming.join_next().await {
            let (index, result) =
                joined.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
            parts[index] = Some(result);
            if let Some(error) = first_error(&parts) {
                return Err(error);
            }
        }
        Ok(together(parts))
    }

    fn import(self: Arc<Self>, import: Import, mark: Mark, place: Arc<Place>) -> Coming {
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
        part: Part,
        place: Arc<Place>,
    ) -> Result<Expanded, FlowError> {
        let slot = self.slots.acquire().await;
        let gatherer = Arc::clone(&self);
        let loaded = blocking(move || gatherer.load(&path, part, &place)).await?;
        drop(slot);
        let mut expanded = Arc::clone(&self).expand(loaded.pieces, loaded.place).await?;
        expanded.imports.insert(0, loaded.imported);
        Ok(expanded)
    }

    fn load(&self, path: &str, part: Part, place: &Place) -> Result<Loaded, FlowError> {
        let full = place.reader.full(path)?;
        let real = disk::real(&full);
        let shown = disk::shown(&full, &self.surroundings.folder);
        let mut chain = place.chain.clone();
        let again = chain.iter().any(|(before, _)| *before == real);
        chain.push((real, shown.clone()));
        if again {
            return Err(cycle(&chain));
        }
        let whole = place.reader.read(path, &full)?;
        let range = disk::part(path, &whole, &part)?;
        let first_line = 1 + whole[..range.start].matches('\n').count();
        let source = Arc::new(Source { shown: shown.clone(), first_line, text: whole[range].to_owned() });
        let folder = full.parent().map_or_else(PathBuf::new, PathBuf::from);
        let reader = Reader { folder, home: place.reader.home.clone() };
        let mut seals = self.seals.lock().unwrap_or_else(PoisonError::into_inner);
        let pieces = take_apart(&source, Rank::Imported, &mut seals, &|path| reader.exists(path))?;
        let what = Import::File { path: path.to_owned(), part }.to_string();
        let imported = Imported { what, from: shown, characters: source.text.chars().count() };
        Ok(Loaded { pieces, place: Place { reader, chain }, imported })
    }

    /// Everything else is data: it is sealed, and nobody looks into it.
    async fn data<F>(&self, what: String, coming: F) -> Result<Expanded, FlowError>
    where
        F: Future<Output = Result<Fetched, FlowError>> + Send,
    {
        let _slot = self.slots.acquire().await;
        let fetched = coming.await?;
        let imported = Imported { what, from: fetched.from, characters: fetched.text.chars().count() };
        let seal = self.seals.lock().unwrap_or_else(PoisonError::into_inner).seal_data(fetched.text);
        let mut text = Assembled::default();
        text.mark(&seal);
        Ok(Expanded { text, imports: vec![imported], notes: fetched.notes })
    }
}

/// Does what waits for the disk or the network where waiting harms nobody.
pub(in crate::run) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is going away, and so is whoever waits for this.
            Err(_) => std::future::pending().await,
        },
    }
}

/// The first error, once everything before it is there: which one is told does not depend on which came first.
fn first_error(parts: &[Option<Result<Expanded, FlowError>>]) -> Option<FlowError> {
    let stop = parts.iter().find(|part| !matches!(part, Some(Ok(_))))?;
    stop.as_ref()?.as_ref().err().cloned()
}

fn together(parts: Vec<Option<Result<Expanded, FlowError>>>) -> Expanded {
    let mut whole = Expanded::default();
    for part in parts.into_iter().flatten().flatten() {
        whole.text.append(part.text);
        whole.imports.extend(part.imports);
        whole.notes.extend(part.notes);
    }
    whole
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
