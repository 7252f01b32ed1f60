//! The open connections: how many there may be, which of them are idle, and which is closed when there is no room.
//!
//! A connection is idle while no request of it is being answered: one that is silent, one with a request that has not come
//! whole, one that waits for its client's next request. The one that never showed the token goes first, then the one
//! that was idle for longest. A stream of events, or a call that runs long, is an answer in progress and stays. May not
//! look at requests.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio_util::sync::CancellationToken;

/// All connections of one server.
#[derive(Debug)]
pub(super) struct Connections {
    most: usize,
    book: Mutex<Book>,
}

#[derive(Debug, Default)]
struct Book {
    all: HashMap<u64, Entry>,
    /// Counts what happens, so that it has an order.
    now: u64,
}

#[derive(Debug)]
struct Entry {
    /// Requests that are being answered.
    answering: usize,
    /// Whether it has shown the token.
    trusted: bool,
    /// When it last did anything.
    last: u64,
    end: CancellationToken,
}

/// One connection, in the table until this is dropped.
#[derive(Debug)]
pub(super) struct Place {
    name: u64,
    end: CancellationToken,
    book: Arc<Connections>,
}

/// An answer in progress. Its connection is not idle while this lives.
#[derive(Debug)]
pub(super) struct Answering(Arc<Place>);

impl Connections {
    /// So many at the same time, and at least one.
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most: most.max(1), book: Mutex::default() })
    }

    /// Nothing panics while it is held; if something did, each entry would still be whole.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for another connection. If there is none, an idle one ends; none is left if every one is being answered.
    pub(super) fn enter(self: &Arc<Self>) -> Option<Arc<Place>> {
        let mut book = self.book();
        if book.all.len() >= self.most && !book.end_idle() {
            return None;
        }
        let (name, end) = (book.tick(), CancellationToken::new());
        book.all.insert(name, Entry { answering: 0, trusted: false, last: name, end: end.clone() });
        drop(book);
        Some(Arc::new(Place { name, end, book: Arc::clone(self) }))
    }

    /// Ends the connection that is needed least. False if none is idle.
    pub(super) fn end_idle(&self) -> bool {
        self.book().end_idle()
    }
}

impl Book {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    fn end_idle(&mut self) -> bool {
        let idle = self.all.iter().filter(|(_, entry)| entry.answering == 0);
        let first = idle.min_by_key(|(_, entry)| (entry.trusted, entry.last)).map(|(name, _)| *name);
        let ended = first.and_then(|name| self.all.remove(&name));
        ended.inspect(|entry| entry.end.cancel()).is_some()
    }
}

impl Place {
    /// Waits until the connection has to end.
    pub(super) async fn ended(&self) {
        self.end.cancelled().await;
    }

    /// A request of it is being answered from now on.
    pub(super) fn answering(self: &Arc<Self>) -> Answering {
        self.change(|entry| entry.answering += 1);
        Answering(Arc::clone(self))
    }

    /// It has shown the token.
    pub(super) fn trust(&self) {
        self.change(|entry| entry.trusted = true);
    }

    /// One that was ended is not in the table any more.
    fn change(&self, change: impl FnOnce(&mut Entry)) {
        let mut book = self.book.book();
        let now = book.tick();
        if let Some(entry) = book.all.get_mut(&self.name) {
            entry.last = now;
            change(entry);
        }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(|entry| entry.answering = entry.answering.saturating_sub(1));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.book.book().all.remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_over(place: &Place) -> bool {
        place.end.is_cancelled()
    }

    #[test]
    fn the_one_that_was_idle_for_longest_makes_room() {
        let all = Connections::new(2);
        let (one, two) = (all.enter().unwrap(), all.enter().unwrap());
        drop(one.answering());
        let three = all.enter().unwrap();
        assert_eq!([is_over(&one), is_over(&two), is_over(&three)], [false, true, false]);
        drop(three);
        assert!(all.enter().is_some() && !is_over(&one));
    }

    #[test]
    fn whoever_never_showed_the_token_goes_first() {
        let all = Connections::new(2);
        let (trusted, silent) = (all.enter().unwrap(), all.enter().unwrap());
        trusted.trust();
        drop(silent.answering());
        let _third = all.enter().unwrap();
        assert_eq!([is_over(&trusted), is_over(&silent)], [false, true]);
    }

    #[test]
    fn an_answer_in_progress_is_never_cut() {
        let all = Connections::new(1);
        let place = all.enter().unwrap();
        let (one, other) = (place.answering(), place.answering());
        drop(one);
        assert!(all.enter().is_none() && !all.end_idle());
        drop(other);
        assert!(all.enter().is_some() && is_over(&place));
    }

    #[test]
    fn nobody_stays_in_the_book() {
        let all = Connections::new(8);
        let places: Vec<_> = (0..20).map(|_| all.enter().unwrap()).collect();
        assert_eq!(all.book().all.len(), 8);
        drop(places);
        assert_eq!(all.book().all.len(), 0);
    }
}
