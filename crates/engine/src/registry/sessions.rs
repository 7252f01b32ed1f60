//! The sessions of an engine: which owner may find which, how many may run, how long finished ones stay.

use super::entries::SessionEntries;
use super::live::{Birth, Live};
use crate::approve::Approver;
#[cfg(feature = "journal")]
use crate::journal::Recalled;
use crate::{Engine, Error, Request, Session, Started};
use runward_core::plan::Refusal;
use runward_core::record::Signal;
use runward_core::spec::Terminal;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The owner of a session. No other can find it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SessionOwner(String);

impl SessionOwner {
    /// An owner by name. The name must not be guessable by other owners.
    pub fn named(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

/// How many sessions there may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionRules {
    /// Running at the same time.
    pub running: usize,
    /// Finished ones that stay readable.
    pub finished: usize,
    /// How long a finished one stays readable.
    pub keep_for: Duration,
}

impl Default for SessionRules {
    fn default() -> Self {
        Self { running: 64, finished: 256, keep_for: Duration::from_secs(3600) }
    }
}

/// Former sessions with known owners, for reading them from the journal.
const FORMER: usize = 4096;

/// The sessions of one engine. Cheap to clone; the clones are one registry.
#[derive(Debug, Clone)]
pub struct Sessions {
    engine: Engine,
    rules: SessionRules,
    book: Arc<Mutex<SessionEntries>>,
    former: Arc<Mutex<VecDeque<(SessionOwner, String)>>>,
}

/// The result of a request to start a session.
#[derive(Debug)]
pub enum StartedSession {
    /// It runs.
    Running(Live),
    /// It may not run; nothing was started.
    Refused(Refusal),
}

impl Sessions {
    /// An empty registry.
    pub fn new(engine: Engine, rules: SessionRules) -> Self {
        Self { engine, rules, book: Arc::default(), former: Arc::default() }
    }

    /// The same registry, through an engine that asks people in another way.
    #[must_use]
    pub fn asking(&self, approver: impl Approver + 'static) -> Self {
        Self { engine: self.engine.asking(approver), ..self.clone() }
    }

    /// The engine behind it.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Starts a session for its owner.
    pub async fn start(
        &self,
        owner: &SessionOwner,
        request: impl Into<Request>,
        name: Option<String>,
    ) -> Result<StartedSession, Error> {
        let seat = self.seat(owner)?;
        // Its number is bounded here: it takes no turn, which a command would wait for.
        let request = request.into().beside();
        let birth = Birth {
            owner: owner.clone(),
            name,
            command: request.command_line(),
            terminal: request.spec().terminal,
        };
        let session = match self.engine.start(request).await? {
            Started::Running(session) => session,
            Started::Refused(refusal) => return Ok(StartedSession::Refused(refusal)),
        };
        let lost = |_| Error::Internal { what: "a session without an account".to_owned() };
        let live = Live::new(session, birth).map_err(lost)?;
        seat.take(live.clone());
        Ok(StartedSession::Running(live))
    }

    /// A command that was started to be waited for goes on as a session of its owner: `Err` gives it back where there
    /// is no room for one more.
    pub fn adopt(&self, owner: &SessionOwner, session: Session, command: String) -> Result<Live, Session> {
        let Ok(seat) = self.seat(owner) else { return Err(session) };
        let birth = Birth { owner: owner.clone(), name: None, command, terminal: Terminal::Pipes };
        let live = Live::new(session, birth)?;
        seat.take(live.clone());
        Ok(live)
    }

    /// A live session is never evicted: one too many is refused, with the list of the owner's. Those that are about to
    /// start count as well, for a person may be asked about each of them at once.
    fn seat(&self, owner: &SessionOwner) -> Result<Seat, Error> {
        let mut book = self.swept();
        if book.reserve(self.rules.running) {
            return Ok(Seat { book: Arc::clone(&self.book), taken: false });
        }
        let (yours, others): (Vec<_>, Vec<_>) = book.running().partition(|live| live.owner() == owner);
        let redactor = self.engine.redactor();
        let line = |live: &Live| format!("{} {}", live.id(), redactor.mask(live.command_line()));
        let yours = yours.into_iter().map(line).collect();
        Err(Error::Busy { yours, others: others.len(), starting: book.starting() })
    }

    /// The owner's session of that name.
    pub fn find(&self, owner: &SessionOwner, id: &str) -> Result<Live, Error> {
        let book = self.swept();
        let found = book.find(id).filter(|live| live.owner() == owner);
        found.cloned().ok_or_else(|| Error::UnknownSession { id: id.to_owned() })
    }

    /// A session that was the owner's and is no longer kept: what the journal has of it.
    #[cfg(feature = "journal")]
    pub async fn recall(&self, owner: &SessionOwner, id: &str) -> Option<Recalled> {
        let theirs = |(whose, name): &(SessionOwner, String)| whose == owner && name == id;
        if !self.former().iter().any(theirs) {
            return None;
        }
        self.engine.journal()?.recall(id).await.ok().flatten()
    }

    fn former(&self) -> MutexGuard<'_, VecDeque<(SessionOwner, String)>> {
        self.former.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The owner's sessions, oldest first.
    pub fn list(&self, owner: &SessionOwner) -> Vec<Live> {
        self.swept().all().filter(|live| live.owner() == owner).cloned().collect()
    }

    /// All sessions, oldest first: for the owner of the machine.
    pub fn list_all(&self) -> Vec<Live> {
        self.swept().all().cloned().collect()
    }

    /// The owner is gone: ends all its sessions, waits until nothing is left of them, and forgets them.
    pub async fn end_owner(&self, owner: &SessionOwner) {
        let theirs = self.list(owner);
        theirs.iter().filter(|live| live.is_active()).for_each(|live| live.stop(Signal::TERM));
        for live in theirs {
            live.ended().await;
        }
        self.swept().forget(owner);
        self.former().retain(|(whose, _)| whose != owner);
    }

    /// The registry, without what is too old or too much.
    fn swept(&self) -> MutexGuard<'_, SessionEntries> {
        let mut book = self.open();
        let gone = book.sweep(Instant::now(), &self.rules);
        if !gone.is_empty() {
            let mut former = self.former();
            former.extend(gone.iter().map(|live| (live.owner().clone(), live.id())));
            let too_many = former.len().saturating_sub(FORMER);
            former.drain(..too_many);
        }
        book
    }

    /// A panic elsewhere leaves the registry whole: every change to it is a single step.
    fn open(&self) -> MutexGuard<'_, SessionEntries> {
        lock(&self.book)
    }
}

/// Room for one session that is about to start. Dropping it gives it up.
struct Seat {
    book: Arc<Mutex<SessionEntries>>,
    taken: bool,
}

impl Seat {
    /// It runs.
    fn take(mut self, live: Live) {
        self.taken = true;
        lock(&self.book).add(live);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if !self.taken {
            lock(&self.book).give_up();
        }
    }
}

fn lock(book: &Mutex<SessionEntries>) -> MutexGuard<'_, SessionEntries> {
    book.lock().unwrap_or_else(PoisonError::into_inner)
}
