//! The gateway of one server: its configuration, and a household for each client.
//!
//! A child sees one client only, because what it may ask of a client is what that client can do. So each connection has
//! children of its own; requests that stand for themselves share a household that asks nobody. May not read files.

use super::care::{Care, Listings};
use super::config::{Roster, Server};
use super::consent::Digest;
use super::household::Household;
use super::names::Naming;
use runward::Engine;
use runward::control::{Children, Listed, Tail};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Tells the operator something, in one sentence.
pub type Tell = Box<dyn Fn(&str) + Send + Sync>;

/// What holds for every child of a gateway.
pub struct Terms {
    /// Walks the children along the road.
    pub engine: Engine,
    /// The folder that relative ones are meant from.
    pub base: PathBuf,
    /// What things are called outside.
    pub naming: Naming,
    /// How children are looked after.
    pub care: Care,
    /// What lazy children offered.
    pub listings: Arc<dyn Listings>,
    /// What happens when a child does not come up.
    pub start: Strictness,
    /// What the gateway calls itself.
    pub name: Option<String>,
    /// Tells the operator.
    pub tell: Tell,
    /// Whether the operator is told of every message.
    pub trace: bool,
}

impl Terms {
    /// What a server is, in the folder that it is meant from.
    pub(super) fn digest(&self, server: &Server) -> Digest {
        Digest::of(server, &self.base.to_string_lossy(), "")
    }
}

impl fmt::Debug for Terms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms").field("base", &self.base).field("start", &self.start).finish_non_exhaustive()
    }
}

/// What happens when a child does not come up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The others serve.
    #[default]
    Degrade,
    /// Nobody does.
    FailFast,
}

/// A gateway.
#[derive(Debug)]
pub struct Gateway {
    terms: Arc<Terms>,
    rooms: Mutex<Rooms>,
    /// A child did not come up where all must.
    failed: AtomicBool,
}

#[derive(Debug)]
struct Rooms {
    roster: Roster,
    /// Started, and nobody's yet.
    spare: Option<Arc<Household>>,
    /// For requests that stand for themselves.
    common: Option<Arc<Household>>,
    all: Vec<Weak<Household>>,
}

impl Gateway {
    /// Starts the children of the first client. Needs a tokio runtime.
    pub fn open(terms: Terms, roster: Roster) -> Arc<Self> {
        let terms = Arc::new(terms);
        let spare = Household::open(&terms, roster.clone());
        let all = vec![Arc::downgrade(&spare)];
        let rooms = Mutex::new(Rooms { roster, spare: Some(spare), common: None, all });
        Arc::new(Self { terms, rooms, failed: AtomicBool::new(false) })
    }

    /// The household of a new client.
    pub(super) fn household(&self) -> Arc<Household> {
        let mut rooms = self.rooms();
        match rooms.spare.take() {
            Some(spare) => spare,
            None => self.another(&mut rooms),
        }
    }

    /// The household that requests share which stand for themselves.
    pub(super) fn common(&self) -> Arc<Household> {
        let mut rooms = self.rooms();
        if rooms.common.is_none() {
            let spare = rooms.spare.take();
            rooms.common = Some(spare.unwrap_or_else(|| self.another(&mut rooms)));
        }
        rooms.common.clone().unwrap_or_else(|| self.another(&mut rooms))
    }

    fn another(&self, rooms: &mut Rooms) -> Arc<Household> {
        let household = Household::open(&self.terms, rooms.roster.clone());
        rooms.all.retain(|household| household.strong_count() > 0);
        rooms.all.push(Arc::downgrade(&household));
        household
    }

    /// What holds for every child.
    pub(super) fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Puts another configuration in force: only servers that changed are touched.
    pub fn change(&self, roster: Roster) {
        let households = self.households();
        households.iter().for_each(|household| household.change(&roster));
        self.rooms().roster = roster;
    }

    /// Children did not come up where all must, and this is why.
    pub(super) fn fail(&self, why: &[String]) {
        why.iter().for_each(|sentence| (self.terms.tell)(sentence));
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether a child did not come up where all must.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Ends every child.
    pub fn close(&self) {
        self.households().iter().for_each(|household| household.close());
    }

    fn households(&self) -> Vec<Arc<Household>> {
        self.rooms().all.iter().filter_map(Weak::upgrade).collect()
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Children for Gateway {
    fn list(&self) -> Vec<Listed> {
        self.households().iter().flat_map(|household| household.listed()).collect()
    }

    fn printed(&self, name: &str) -> Vec<Arc<Tail>> {
        self.households().iter().filter_map(|household| household.log(name)).collect()
    }
}
