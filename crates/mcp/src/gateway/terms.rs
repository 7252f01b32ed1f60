//! The gateway of one server: its configuration, and a set of child servers for each client.
//!
//! A child sees one client only, because it is told that client's capabilities. So each connection has
//! children of its own; stateless requests share a set that asks no client. May not read files.

use super::children::ChildServers;
use super::config::{Roster, Server};
use super::consent::ConsentDigest;
use super::keep_alive::{KeepAliveTerms, RememberedListings};
use super::names::ToolNaming;
use runward_engine::Engine;
use runward_engine::control::{Children, ListedSession, Tail};
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Reports something to the operator, in one sentence.
pub type TellGatewayOperator = Box<dyn Fn(&str) + Send + Sync>;

/// The terms for every child of a gateway.
pub struct GatewayTerms {
    /// The engine that starts the children.
    pub engine: Engine,
    /// The folder that relative ones are resolved against.
    pub base: PathBuf,
    /// How published names are made.
    pub naming: ToolNaming,
    /// How children are supervised.
    pub care: KeepAliveTerms,
    /// The longest message of a child, in bytes: `gateway.message_bytes`.
    pub message_bytes: usize,
    /// What children offered last.
    pub listings: Arc<dyn RememberedListings>,
    /// What happens when a child does not start.
    pub start: Strictness,
    /// How clients come to the children's tools.
    pub offered: OfferedTools,
    /// The name of the gateway.
    pub name: Option<String>,
    /// Reports to the operator.
    pub tell: TellGatewayOperator,
    /// Whether every message is logged.
    pub trace: bool,
}

impl GatewayTerms {
    /// What a server is, in the folder that it is meant from.
    pub(super) fn digest(&self, server: &Server) -> ConsentDigest {
        ConsentDigest::of(server, &self.base.to_string_lossy(), "")
    }
}

impl fmt::Debug for GatewayTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terms").field("base", &self.base).field("start", &self.start).finish_non_exhaustive()
    }
}

/// What happens when a child does not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// The others serve.
    #[default]
    Degrade,
    /// The gateway ends.
    FailFast,
}

/// How clients come to the tools of children.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OfferedTools {
    /// All of them are listed.
    #[default]
    Listed,
    /// `find_tool` finds them, and `call_tool` calls them.
    BySearch,
}

/// A gateway.
#[derive(Debug)]
pub struct Gateway {
    terms: Arc<GatewayTerms>,
    rooms: Mutex<StartRooms>,
    /// A child did not start where all must.
    failed: AtomicBool,
}

#[derive(Debug)]
struct StartRooms {
    roster: Roster,
    /// Started, and without a client yet.
    spare: Option<Arc<ChildServers>>,
    /// For stateless requests.
    common: Option<Arc<ChildServers>>,
    all: Vec<Weak<ChildServers>>,
}

impl Gateway {
    /// Starts the children of the first client. Needs a tokio runtime.
    pub fn open(terms: GatewayTerms, roster: Roster) -> Arc<Self> {
        let terms = Arc::new(terms);
        let spare = ChildServers::open(&terms, roster.clone());
        let all = vec![Arc::downgrade(&spare)];
        let rooms = Mutex::new(StartRooms { roster, spare: Some(spare), common: None, all });
        Arc::new(Self { terms, rooms, failed: AtomicBool::new(false) })
    }

    /// The children of a new client.
    pub(super) fn children(&self) -> Arc<ChildServers> {
        let mut rooms = self.rooms();
        match rooms.spare.take() {
            Some(spare) => spare,
            None => self.another(&mut rooms),
        }
    }

    /// The children that stateless requests share.
    pub(super) fn common(&self) -> Arc<ChildServers> {
        let mut rooms = self.rooms();
        if rooms.common.is_none() {
            let spare = rooms.spare.take();
            rooms.common = Some(spare.unwrap_or_else(|| self.another(&mut rooms)));
        }
        rooms.common.clone().unwrap_or_else(|| self.another(&mut rooms))
    }

    fn another(&self, rooms: &mut StartRooms) -> Arc<ChildServers> {
        let children = ChildServers::open(&self.terms, rooms.roster.clone());
        rooms.all.retain(|children| children.strong_count() > 0);
        rooms.all.push(Arc::downgrade(&children));
        children
    }

    /// The terms for every child.
    pub(super) fn terms(&self) -> &GatewayTerms {
        &self.terms
    }

    /// Puts another configuration in force: only servers that changed are touched.
    pub fn change(&self, roster: Roster) {
        let all = self.all_children();
        all.iter().for_each(|children| children.change(&roster));
        self.rooms().roster = roster;
    }

    /// Children did not start where all must, and this is why.
    pub(super) fn fail(&self, why: &[String]) {
        why.iter().for_each(|sentence| (self.terms.tell)(sentence));
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether a child did not start where all must.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Ends every child.
    pub fn close(&self) {
        self.all_children().iter().for_each(|children| children.close());
    }

    fn all_children(&self) -> Vec<Arc<ChildServers>> {
        self.rooms().all.iter().filter_map(Weak::upgrade).collect()
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn rooms(&self) -> MutexGuard<'_, StartRooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Children for Gateway {
    fn list(&self) -> Vec<ListedSession> {
        self.all_children().iter().flat_map(|children| children.listed()).collect()
    }

    fn printed(&self, name: &str) -> Vec<Arc<Tail>> {
        self.all_children().iter().filter_map(|children| children.log(name)).collect()
    }
}
