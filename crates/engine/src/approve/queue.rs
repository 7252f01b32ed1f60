//! The queue of open questions, for answers from elsewhere: over the private socket, or on a page.
//!
//! Each is answered once, by an id that cannot be guessed, and is gone when its call is. May not decide how long one
//! stays open: the caller does.

use super::{Approver, Exhibit, Matter, PendingVerdict, Silence, Verdict};
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
pub struct QuestionQueue(Arc<QueueInner>);

#[derive(Debug, Default)]
struct QueueInner {
    open: Mutex<Vec<QuestionEntry>>,
    attendants: AtomicUsize,
}

#[derive(Debug)]
struct QuestionEntry {
    id: String,
    exhibit: Exhibit,
    asked: Instant,
    limit: Duration,
    reply: oneshot::Sender<Verdict>,
}

/// An open question, as it stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
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
pub enum ApprovalChoice {
    /// This once.
    Once,
    /// Whenever the very same is asked.
    Always,
    /// No.
    No,
}

impl ApprovalChoice {
    /// The same, said by this person.
    pub fn by(self, person: Person) -> Verdict {
        match self {
            ApprovalChoice::Once => Verdict::Once(person),
            ApprovalChoice::Always => Verdict::Always(person),
            ApprovalChoice::No => Verdict::No(person),
        }
    }
}

/// A person could answer, for as long as this is held.
#[derive(Debug)]
pub struct Attendance(QuestionQueue);

impl Drop for Attendance {
    fn drop(&mut self) {
        // The last one: no person could answer any more, so open questions end.
        if self.0.0.attendants.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.0.entries().clear();
        }
    }
}

impl QuestionQueue {
    /// From now on, until the result is dropped, a person could answer.
    #[must_use]
    pub fn attend(&self) -> Attendance {
        self.0.attendants.fetch_add(1, Ordering::Relaxed);
        Attendance(self.clone())
    }

    /// Whether a person could answer.
    pub fn is_attended(&self) -> bool {
        self.0.attendants.load(Ordering::Relaxed) > 0
    }

    /// Every open question, oldest first.
    pub fn list(&self) -> Vec<OpenQuestion> {
        self.entries().iter().map(QuestionEntry::view).collect()
    }

    /// Answers a question, once. The id must be whole.
    pub fn answer(&self, id: &str, choice: ApprovalChoice, person: Person) -> Result<OpenQuestion, Error> {
        let unknown = || Error::UnknownQuestion { id: id.to_owned() };
        let mut entries = self.entries();
        let at = entries.iter().position(|entry| entry.id == id).ok_or_else(unknown)?;
        if choice == ApprovalChoice::Always && entries[at].exhibit.always.is_none() {
            return Err(Error::NoAlways);
        }
        let entry = entries.remove(at);
        let view = entry.view();
        // The caller may be gone by now.
        entry.reply.send(choice.by(person)).map(|()| view).map_err(|_| unknown())
    }

    /// Puts a question; none where there is no room.
    fn put(&self, matter: &Matter<'_>) -> Option<WaitingQuestion> {
        let mut entries = self.entries();
        if entries.len() >= ROOM {
            return None;
        }
        let (reply, verdict) = oneshot::channel();
        let id = uuid::Uuid::new_v4().to_string();
        let exhibit = Exhibit::of(matter);
        entries.push(QuestionEntry {
            id: id.clone(),
            exhibit,
            asked: Instant::now(),
            limit: matter.limit,
            reply,
        });
        Some(WaitingQuestion { queue: self.clone(), id, verdict })
    }

    /// A panic elsewhere leaves the queue whole: every change to it is a single step.
    fn entries(&self) -> MutexGuard<'_, Vec<QuestionEntry>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Approver for QuestionQueue {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        Box::pin(async move {
            let Some(mut waiting) = self.put(matter) else {
                return Verdict::Unanswered(Silence::TooMany);
            };
            (&mut waiting.verdict).await.unwrap_or(Verdict::Unanswered(Silence::Nobody))
        })
    }
}

/// A question that waits. Dropping it withdraws the question.
struct WaitingQuestion {
    queue: QuestionQueue,
    id: String,
    verdict: oneshot::Receiver<Verdict>,
}

impl Drop for WaitingQuestion {
    fn drop(&mut self) {
        self.queue.entries().retain(|entry| entry.id != self.id);
    }
}

impl QuestionEntry {
    fn view(&self) -> OpenQuestion {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let age = self.asked.elapsed();
        OpenQuestion {
            id: self.id.clone(),
            age_ms: millis(age),
            left_ms: millis(self.limit.saturating_sub(age)),
            server: std::process::id(),
            exhibit: self.exhibit.clone(),
        }
    }
}
