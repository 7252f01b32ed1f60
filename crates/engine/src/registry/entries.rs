//! The entries of the registry: found by name, counted, and dropped when they are too old, at a cost that does not
//! grow with how many there are.
//!
//! A session that ends puts its own name on a list, so there is no polling. May not start or stop anything.

use super::live::Live;
use super::sessions::{SessionOwner, SessionRules};
use crate::session::EndedList;
use runward_core::plan::RunId;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::PoisonError;
use std::time::Instant;

/// Sessions by name and by age. A name says nothing about the time, so that none can be guessed from another.
#[derive(Debug, Default)]
pub(super) struct SessionEntries {
    /// Each with its place in `ages`.
    all: HashMap<RunId, (u64, Live)>,
    ages: BTreeMap<u64, RunId>,
    next_age: u64,
    /// Those that have ended, and when, in that order.
    finished: VecDeque<(Instant, RunId)>,
    /// Those that have ended and were not moved yet.
    over: EndedList,
    /// Those that are about to start.
    starting: usize,
}

impl SessionEntries {
    /// Keeps room for one that is about to start, if there is any.
    pub(super) fn reserve(&mut self, most: usize) -> bool {
        let running = self.all.len() - self.finished.len();
        let room = running + self.starting < most;
        self.starting += usize::from(room);
        room
    }

    /// It did not start.
    pub(super) fn give_up(&mut self) {
        self.starting -= 1;
    }

    /// It did.
    pub(super) fn add(&mut self, live: Live) {
        self.starting -= 1;
        live.tell_when_over(&self.over);
        let age = self.next_age;
        self.next_age += 1;
        self.ages.insert(age, live.run());
        self.all.insert(live.run(), (age, live));
    }

    fn remove(&mut self, id: &RunId) -> Option<Live> {
        let (age, live) = self.all.remove(id)?;
        self.ages.remove(&age);
        Some(live)
    }

    pub(super) fn find(&self, id: &str) -> Option<&Live> {
        let name = RunId(uuid::Uuid::try_parse(id).ok()?);
        // One name has several spellings; ours is the only one that was given out.
        self.all.get(&name).map(|(_, live)| live).filter(|live| live.id() == id)
    }

    /// Oldest first.
    pub(super) fn all(&self) -> impl Iterator<Item = &Live> {
        self.ages.values().filter_map(|id| self.all.get(id)).map(|(_, live)| live)
    }

    /// Those that have not ended, oldest first.
    pub(super) fn running(&self) -> impl Iterator<Item = &Live> {
        let over: HashSet<RunId> = self.finished.iter().map(|(_, id)| *id).collect();
        self.all().filter(move |live| !over.contains(&live.run()))
    }

    /// How many are about to start.
    pub(super) fn starting(&self) -> usize {
        self.starting
    }

    /// Drops what is too old or too much.
    pub(super) fn sweep(&mut self, now: Instant, rules: &SessionRules) -> Vec<Live> {
        let over = std::mem::take(&mut *self.over.lock().unwrap_or_else(PoisonError::into_inner));
        self.finished.extend(over.into_iter().filter(|id| self.all.contains_key(id)).map(|id| (now, id)));
        let mut gone = Vec::new();
        while let Some((since, id)) = self.finished.front().copied() {
            if self.finished.len() <= rules.finished && now.duration_since(since) < rules.keep_for {
                break;
            }
            gone.extend(self.remove(&id));
            self.finished.pop_front();
        }
        gone
    }

    /// Removes everything of an owner with only ended sessions.
    pub(super) fn forget(&mut self, owner: &SessionOwner) {
        self.all.retain(|_, (_, live)| live.owner() != owner);
        self.ages.retain(|_, id| self.all.contains_key(id));
        self.finished.retain(|(_, id)| self.all.contains_key(id));
    }
}
