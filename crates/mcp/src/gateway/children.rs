//! The children of one client: started together, listed as one, ended with it.
//!
//! They are started at once and initialized when the client is known. A request for the lists is answered from what is
//! remembered of each child; only one that was never seen before is waited for, and not for long. Whatever differs later is
//! notified. May not forward anything.

use super::child::ChildServer;
use super::config::{Roster, Server, ServerReach, ServerStart};
use super::converse::Returning;
use super::diff::Difference;
use super::host::ClientProxy;
use super::keep::{self, ChildGround};
use super::listing::{Changes, ChildOffer, Listing};
use super::mentioned::Mentioned;
use super::names::ToolNaming;
use super::terms::GatewayTerms;
use super::unavailable::Unavailable;
use super::warned::{Warned, Warning};
use runward_engine::control::{ListedSession, Tail};
use runward_engine::core::resolve::{resolution_log_line, resolve_command};
use runward_engine::host::Disk;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// The children of one client.
#[derive(Debug)]
pub(super) struct ChildServers {
    ground: ChildGround,
    host: watch::Sender<Option<ClientProxy>>,
    rooms: Mutex<ClientsChildren>,
    /// Addresses that answers named.
    pub(super) mentioned: Mentioned,
    /// The warnings given to the operator.
    warned: Warned,
    ending: CancellationToken,
}

#[derive(Debug, Default)]
struct ClientsChildren {
    roster: Roster,
    /// In the order of the file.
    children: Vec<Arc<ChildServer>>,
    /// The lists as they are, and what they were made of.
    listing: Arc<Listing>,
    made_of: Vec<Offered>,
    /// The lists that the client knows, by kind: those it has seen, or was notified of. It is not notified of
    /// a kind that it has not asked for.
    known: [Option<Arc<Listing>>; ListingKind::ALL.len()],
}

/// The configuration of a child, and what the child offers. Both are replaced whole when they change.
type Offered = (Arc<Server>, Arc<ChildOffer>);

/// A kind of list, with its own `list_changed` notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListingKind {
    Tools,
    Prompts,
    /// Resources and their templates.
    Resources,
}

impl ListingKind {
    const ALL: [ListingKind; 3] = [ListingKind::Tools, ListingKind::Prompts, ListingKind::Resources];

    /// The notification that lists of this kind changed.
    fn news(self) -> &'static str {
        match self {
            ListingKind::Tools => "notifications/tools/list_changed",
            ListingKind::Prompts => "notifications/prompts/list_changed",
            ListingKind::Resources => "notifications/resources/list_changed",
        }
    }

    fn is_in(self, changes: Changes) -> bool {
        match self {
            ListingKind::Tools => changes.tools,
            ListingKind::Prompts => changes.prompts,
            ListingKind::Resources => changes.resources,
        }
    }
}

impl ChildServers {
    /// Starts every child that is not lazy.
    pub(super) fn open(terms: &Arc<GatewayTerms>, roster: Roster) -> Arc<Self> {
        let host = watch::Sender::new(None);
        let ground = ChildGround {
            host: host.subscribe(),
            returning: Arc::<Returning>::default(),
            changed: Arc::<Notify>::default(),
            terms: Arc::clone(terms),
        };
        let (rooms, mentioned, ending) = (Mutex::default(), Mentioned::default(), CancellationToken::new());
        let warned = Warned::default();
        let opened = Arc::new(Self { ground, host, rooms, mentioned, warned, ending });
        let children = roster.on().map(|server| opened.take_in(server.clone())).collect();
        let mut rooms = opened.rooms();
        (rooms.roster, rooms.children) = (roster, children);
        drop(rooms);
        opened.look_again();
        tokio::spawn(watch_over(Arc::downgrade(&opened), Arc::clone(&opened.ground.changed)));
        opened
    }

    /// One more child.
    fn take_in(&self, server: Server) -> Arc<ChildServer> {
        if let ServerReach::Command(launch) = &server.reach {
            let facts = self.ground.terms.engine.facts();
            let found = resolve_command(&launch.command, facts, &Disk);
            resolution_log_line(&launch.command, &found)
                .into_iter()
                .for_each(|line| (self.ground.terms.tell)(&line));
        }
        let offer = match server.start {
            ServerStart::WhenUsed | ServerStart::AtOnce => self.recall(&server),
            ServerStart::Never | ServerStart::WhenAgreed => None,
        };
        let child = ChildServer::new(server, offer);
        tokio::spawn(keep::keep(Arc::clone(&child), self.ground.clone()));
        child
    }

    /// What a child offered last, under today's filter.
    fn recall(&self, server: &Server) -> Option<ChildOffer> {
        let offer = self.ground.terms.listings.recall(&self.ground.terms.digest(server))?;
        Some(ChildOffer { server: server.key.clone(), filter: server.tools.clone(), ..offer })
    }

    /// The client is known, so the children are initialized. The first one counts.
    pub(super) fn greet(&self, host: ClientProxy) {
        self.host.send_if_modified(|known| {
            let new = known.is_none();
            if new {
                *known = Some(host);
            }
            new
        });
    }

    /// Whether the client is known.
    pub(super) fn is_greeted(&self) -> bool {
        self.host.borrow().is_some()
    }

    /// The client, if it is known.
    pub(super) fn client(&self) -> Option<ClientProxy> {
        self.host.borrow().clone()
    }

    /// Where progress that the client reports is sent.
    pub(super) fn returning(&self) -> &Returning {
        &self.ground.returning
    }

    /// The lists, once every child has started or failed to; or what there is of them after a while.
    pub(super) async fn listing(&self) -> Arc<Listing> {
        let settled = async {
            for child in self.children() {
                child.settled().await;
            }
        };
        // The client is notified of a late child when it is there.
        let _ = tokio::time::timeout(self.ground.terms.care.patience, settled).await;
        self.look_again()
    }

    /// The lists as far as they are known. Only a child that was never seen before is waited for.
    pub(super) async fn remembered(&self) -> Arc<Listing> {
        let listed = async {
            for child in self.children() {
                child.listed_once().await;
            }
        };
        let _ = tokio::time::timeout(self.ground.terms.care.first_list, listed).await;
        self.look_again()
    }

    /// Why servers are not up, one sentence each; one that is being started for the first time is not down.
    pub(super) fn down(&self) -> Vec<String> {
        let down = |child: &Arc<ChildServer>| child.absent().filter(|_| child.state.borrow().settled);
        self.children().iter().filter_map(down).map(|down| down.to_string()).collect()
    }

    /// The lists for the client, which is notified of changes of that kind from now on. What a child offered last is its
    /// list until it says otherwise; a client that waits for the slowest child begins without any tool.
    pub(super) async fn shown(&self, kind: ListingKind) -> Arc<Listing> {
        let listing = self.remembered().await;
        let mut rooms = self.rooms();
        rooms.known[kind as usize] = Some(Arc::clone(&listing));
        // The race: a change that was noticed between the two lines above found a client that knew no list, or another.
        if !Arc::ptr_eq(&rooms.listing, &listing) {
            self.ground.changed.notify_one();
        }
        listing
    }

    /// The lists, as they were found last.
    pub(super) fn found(&self) -> Arc<Listing> {
        Arc::clone(&self.rooms().listing)
    }

    /// The server that a published name begins with the key of, whether it is up or not.
    fn owner(&self, name: &str) -> Option<Server> {
        let naming = &self.ground.terms.naming;
        let rooms = self.rooms();
        let named = rooms.roster.servers.iter().filter(|server| naming.may_be(name, &server.key));
        named.max_by_key(|server| server.key.len()).cloned()
    }

    /// Why the server with this name cannot be asked; nothing if it is up, or no server's names are like it.
    ///
    /// A server that is being started is waited for, and no other.
    pub(super) async fn absent(&self, name: &str) -> Option<Unavailable> {
        let server = self.owner(name)?;
        match server.start {
            ServerStart::Never => return Some(Unavailable::disabled(&server.key)),
            ServerStart::WhenAgreed => return Some(Unavailable::unagreed(&server.key)),
            ServerStart::AtOnce | ServerStart::WhenUsed => {}
        }
        let child = self.child(&server.key)?;
        let _ = tokio::time::timeout(self.ground.terms.care.patience, child.settled()).await;
        self.look_again();
        child.absent()
    }

    /// Why servers with unknown lists are not up.
    pub(super) fn unlisted(&self) -> Vec<Unavailable> {
        let servers = self.rooms().roster.servers.clone();
        let why = |server: &Server| match server.start {
            ServerStart::Never => None,
            ServerStart::WhenAgreed => Some(Unavailable::unagreed(&server.key)),
            ServerStart::AtOnce | ServerStart::WhenUsed => {
                let child = self.child(&server.key)?;
                child.absent().filter(|_| child.state.borrow().offer.is_none())
            }
        };
        servers.iter().filter_map(why).collect()
    }

    /// Looks a name up: in the lists that were found last, else once every child has started or failed. A lookup for one
    /// server must not wait for another.
    pub(super) async fn sought<T>(&self, find: impl Fn(&Listing) -> Option<T>) -> Option<T> {
        match find(&self.found()) {
            None => find(&*self.listing().await),
            found => found,
        }
    }

    /// Makes the lists again, and gives the kinds that differ from those the client knows.
    fn news(&self) -> Vec<ListingKind> {
        let now = self.look_again();
        let mut rooms = self.rooms();
        let mut differs = |kind: &ListingKind| match &mut rooms.known[*kind as usize] {
            Some(known) if kind.is_in(now.changes_since(known)) => {
                *known = Arc::clone(&now);
                true
            }
            _ => false,
        };
        ListingKind::ALL.into_iter().filter(|kind| differs(kind)).collect()
    }

    /// The lists as they are now, made again only if a child offers something else. A duplicate is reported once.
    fn look_again(&self) -> Arc<Listing> {
        let mut rooms = self.rooms();
        let made_of = offered(&rooms.children);
        if same(&made_of, &rooms.made_of) {
            return Arc::clone(&rooms.listing);
        }
        let now = Arc::new(listing_of(&made_of, &self.ground.terms.naming));
        rooms.listing = Arc::clone(&now);
        rooms.made_of = made_of;
        drop(rooms);
        for clash in now.clashes() {
            match self.warned.of(clash) {
                Warning::First => (self.ground.terms.tell)(&clash.to_string()),
                Warning::Last => (self.ground.terms.tell)("further duplicates are not listed here"),
                Warning::Known => {}
            }
        }
        now
    }

    /// Why children are not up, one sentence each, once all have started or failed to.
    pub(super) async fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for child in self.children() {
            child.settled().await;
            if let Some(why) = child.state.borrow().why.clone() {
                failures.push(format!("the server `{}` did not start: {why}", child.server().key));
            }
        }
        failures
    }

    /// Another configuration is in force: only what changed is touched.
    pub(super) fn change(&self, new: &Roster) {
        let mut rooms = self.rooms();
        let difference = Difference::between(&rooms.roster, new);
        let gone = |key: &String| difference.stop.contains(key) || difference.restart.contains(key);
        rooms
            .children
            .iter()
            .filter(|child| gone(&child.server().key))
            .for_each(|child| child.ending.cancel());
        let children = new.on().map(|server| {
            let kept =
                rooms.children.iter().find(|child| child.server().key == server.key && !gone(&server.key));
            match kept {
                Some(child) => {
                    child.state.send_modify(|state| state.server = Arc::new(server.clone()));
                    // A child that was given up is tried again.
                    if !keep::is_up(child) && !child.state.borrow().resting {
                        child.wanted.notify_one();
                    }
                    Arc::clone(child)
                }
                None => self.take_in(server.clone()),
            }
        });
        let children = children.collect();
        (rooms.roster, rooms.children) = (new.clone(), children);
        drop(rooms);
        self.ground.changed.notify_one();
    }

    /// Every child, in the order of the file.
    pub(super) fn children(&self) -> Vec<Arc<ChildServer>> {
        self.rooms().children.clone()
    }

    /// The child of this key.
    pub(super) fn child(&self, key: &str) -> Option<Arc<ChildServer>> {
        self.children().into_iter().find(|child| child.server().key == key)
    }

    /// The state of each child.
    pub(super) fn listed(&self) -> Vec<ListedSession> {
        self.children().iter().map(|child| child.listed()).collect()
    }

    /// The log of a child.
    pub(super) fn log(&self, key: &str) -> Option<Arc<Tail>> {
        self.child(key).map(|child| Arc::clone(&child.log))
    }

    /// Ends every child for good.
    pub(super) fn close(&self) {
        self.ending.cancel();
        self.children().iter().for_each(|child| child.ending.cancel());
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn rooms(&self) -> MutexGuard<'_, ClientsChildren> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ChildServers {
    fn drop(&mut self) {
        self.close();
    }
}

fn offered(children: &[Arc<ChildServer>]) -> Vec<Offered> {
    let offered = |child: &Arc<ChildServer>| {
        let state = child.state.borrow();
        Some((Arc::clone(&state.server), Arc::clone(state.offer.as_ref()?)))
    };
    children.iter().filter_map(offered).collect()
}

/// Whether both are the same.
fn same(one: &[Offered], other: &[Offered]) -> bool {
    let both = |((a, b), (c, d)): (&Offered, &Offered)| Arc::ptr_eq(a, c) && Arc::ptr_eq(b, d);
    one.len() == other.len() && one.iter().zip(other).all(both)
}

fn listing_of(made_of: &[Offered], naming: &ToolNaming) -> Listing {
    let shown =
        |(server, offer): &Offered| ChildOffer { filter: server.tools.clone(), ..ChildOffer::clone(offer) };
    Listing::of(&made_of.iter().map(shown).collect::<Vec<_>>(), naming)
}

/// Notifies the client whenever the lists differ from those it knows.
async fn watch_over(children: Weak<ChildServers>, changed: Arc<Notify>) {
    let ending = match children.upgrade() {
        Some(children) => children.ending.clone(),
        None => return,
    };
    loop {
        tokio::select! {
            () = ending.cancelled() => return,
            () = changed.notified() => {}
        }
        let Some(children) = children.upgrade() else { return };
        let news = children.news();
        let Some(host) = children.client() else { continue };
        for kind in news {
            host.tell(kind.news(), None).await;
        }
    }
}
