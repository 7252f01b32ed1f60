//! Open questions, for whoever answers them from elsewhere: over the private socket, or on a page.
//!
//! Each is answered once, by an id that nobody can guess, and is gone when its call is. May not decide how long one
//! stays open: whoever asks does.

use super::{Approver, Asked, Exhibit, Matter, Silence, Verdict};
use crate::Error;
use runward_core::plan::Person;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// As many questions may be open at once.
pub const ROOM: usize = 64;

/// The open questions of one engine. Cheap to clone; the clones are one queue.
#[derive(Debug, Clone, Default)]
pub struct Queue(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    open: Mutex<Vec<Entry>>,
    attendants: AtomicUsize,
}

#[derive(Debug)]
struct Entry {
    id: String,
    exhibit: Exhibit,
    asked: Instant,
    limit: Duration,
    reply: oneshot::Sender<Verdict>,
}

/// An open question, as it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// Its id.
    pub id: String,
    /// How long it has been waiting.
    pub age_ms: u64,
    /// How long it still waits.
    pub left_ms: u64,
    /// The server that asks.
    pub server: u32,
    /// What it is about.
    #[serde(flatten)]
    pub exhibit: Exhibit,
}

/// What can be said to a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// This once.
    Once,
    /// Whenever the very same is asked.
    Always,
    /// No.
    No,
}

impl Choice {
    /// The same, said by somebody.
    pub fn by(self, person: Person) -> Verdict {
        match self {
            Choice::Once => Verdict::Once(person),
            Choice::Always => Verdict::Always(person),
            Choice::No => Verdict::No(person),
        }
    }
}

/// Somebody could answer, for as long as this is held.
#[derive(Debug)]
pub struct Attendance(Queue);

impl Drop for Attendance {
    fn drop(&mut self) {
        self.0.0.attendants.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Queue {
    /// From now on, until what this gives is dropped, somebody could answer.
    #[must_use]
    pub fn attend(&self) -> Attendance {
        self.0.attendants.fetch_add(1, Ordering::Relaxed);
        Attendance(self.clone())
    }

    /// Whether anybody could answer.
    pub fn is_attended(&self) -> bool {
        self.0.attendants.load(Ordering::Relaxed) > 0
    }

    /// Every open question, oldest first.
    pub fn list(&self) -> Vec<Open> {
        self.entries().iter().map(Entry::view).collect()
    }

    /// Answers a question, once. The id must be whole.
    pub fn answer(&self, id: &str, choice: Choice, person: Person) -> Result<Open, Error> {
        let unknown = || Error::UnknownQuestion { id: id.to_owned() };
        let mut entries = self.entries();
        let at = entries.iter().position(|entry| entry.id == id).ok_or_else(unknown)?;
        if choice == Choice::Always && entries[at].exhibit.always.is_none() {
            return Err(Error::NoAlways);
        }
        let entry = entries.remove(at);
        let view = entry.view();
        // Whoever asked may be gone by now.
        entry.reply.send(choice.by(person)).map(|()| view).map_err(|_| unknown())
    }

    /// Puts a question; none where there is no room.
    fn put(&self, matter: &Matter<'_>) -> Option<Waiting> {
        let mut entries = self.entries();
        if entries.len() >= ROOM {
            return None;
        }
        let (reply, verdict) = oneshot::channel();
        let id = uuid::Uuid::new_v4().to_string();
        let exhibit = Exhibit::of(matter);
        entries.push(Entry { id: id.clone(), exhibit, asked: Instant::now(), limit: matter.limit, reply });
        Some(Waiting { queue: self.clone(), id, verdict })
    }

    /// A panic elsewhere leaves the queue as it was: every change to it is a single step.
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for Queue {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> Asked<'a> {
        Box::pin(async move {
            let Some(mut waiting) = self.put(matter) else {
                return Verdict::Unanswered(Silence::TooMany);
            };
            (&mut waiting.verdict).await.unwrap_or(Verdict::Unanswered(Silence::Nobody))
        })
    }
}

/// A question that waits. Dropping it takes the question back.
struct Waiting {
    queue: Queue,
    id: String,
    verdict: oneshot::Receiver<Verdict>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.queue.entries().retain(|entry| entry.id != self.id);
    }
}

impl Entry {
    fn view(&self) -> Open {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let age = self.asked.elapsed();
        Open {
            id: self.id.clone(),
            age_ms: millis(age),
            left_ms: millis(self.limit.saturating_sub(age)),
            server: std::process::id(),
            exhibit: self.exhibit.clone(),
        }
    }
}
