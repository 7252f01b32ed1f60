//! The children of one client: started together, listed as one, ended with it.
//!
//! They are started at once and greeted when the client is known. Whoever looks at the lists first waits a while for
//! those that are still being started; what changes later is told. May not forward anything.

use super::child::Child;
use super::config::{Reach, Roster, Server, Start};
use super::converse::Returning;
use super::diff::Difference;
use super::host::Host;
use super::keep::{self, Ground};
use super::listing::{Changes, ChildOffer, Listing};
use super::mentioned::Mentioned;
use super::names::Naming;
use super::terms::Terms;
use runward::control::{Listed, Tail};
use runward::core::resolve::{resolution_log_line, resolve_command};
use runward::host::Disk;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// The children of one client.
#[derive(Debug)]
pub(super) struct Household {
    ground: Ground,
    host: watch::Sender<Option<Host>>,
    rooms: Mutex<Rooms>,
    /// Addresses that answers named.
    pub(super) mentioned: Mentioned,
    ending: CancellationToken,
}

#[derive(Debug, Default)]
struct Rooms {
    roster: Roster,
    /// In the order of the file.
    children: Vec<Arc<Child>>,
    /// The lists as they are, and what they were made of.
    listing: Arc<Listing>,
    made_of: Vec<Offered>,
    /// The lists that the client knows, by kind: those it has seen, or was told that they changed. Nothing is to be
    /// told of a kind that it has not looked at.
    known: [Option<Arc<Listing>>; Kind::ALL.len()],
}

/// What the configuration says of a child, and what the child offers. Both are replaced whole when they change.
type Offered = (Arc<Server>, Arc<ChildOffer>);

/// A kind of list, which has its own news.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tools,
    Prompts,
    /// Resources and their templates.
    Resources,
}

impl Kind {
    const ALL: [Kind; 3] = [Kind::Tools, Kind::Prompts, Kind::Resources];

    /// The news that lists of this kind changed.
    fn news(self) -> &'static str {
        match self {
            Kind::Tools => "notifications/tools/list_changed",
            Kind::Prompts => "notifications/prompts/list_changed",
            Kind::Resources => "notifications/resources/list_changed",
        }
    }

    fn is_in(self, changes: Changes) -> bool {
        match self {
            Kind::Tools => changes.tools,
            Kind::Prompts => changes.prompts,
            Kind::Resources => changes.resources,
        }
    }
}

impl Household {
    /// Starts every child that is not to wait.
    pub(super) fn open(terms: &Arc<Terms>, roster: Roster) -> Arc<Self> {
        let host = watch::Sender::new(None);
        let ground = Ground {
            host: host.subscribe(),
            returning: Arc::<Returning>::default(),
            changed: Arc::<Notify>::default(),
            terms: Arc::clone(terms),
        };
        let (rooms, mentioned, ending) = (Mutex::default(), Mentioned::default(), CancellationToken::new());
        let household = Arc::new(Self { ground, host, rooms, mentioned, ending });
        let children = roster.on().map(|server| household.take_in(server.clone())).collect();
        let mut rooms = household.rooms();
        (rooms.roster, rooms.children) = (roster, children);
        drop(rooms);
        household.look_again();
        tokio::spawn(watch_over(Arc::downgrade(&household), Arc::clone(&household.ground.changed)));
        household
    }

    /// One more child.
    fn take_in(&self, server: Server) -> Arc<Child> {
        if let Reach::Command(launch) = &server.reach {
            let facts = self.ground.terms.engine.facts();
            let found = resolve_command(&launch.command, facts, &Disk);
            resolution_log_line(&launch.command, &found)
                .into_iter()
                .for_each(|line| (self.ground.terms.tell)(&line));
        }
        let offer = match server.start {
            Start::WhenUsed => self.recall(&server),
            Start::AtOnce | Start::Never => None,
        };
        let child = Child::new(server, offer);
        tokio::spawn(keep::keep(Arc::clone(&child), self.ground.clone()));
        child
    }

    /// What a lazy child offered last, under today's filter.
    fn recall(&self, server: &Server) -> Option<ChildOffer> {
        let offer = self.ground.terms.listings.recall(&self.ground.terms.digest(server))?;
        Some(ChildOffer { server: server.key.clone(), filter: server.tools.clone(), ..offer })
    }

    /// The client is known, so the children are greeted. The first one counts.
    pub(super) fn greet(&self, host: Host) {
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
    pub(super) fn client(&self) -> Option<Host> {
        self.host.borrow().clone()
    }

    /// Who hears of progress that the client tells of.
    pub(super) fn returning(&self) -> &Returning {
        &self.ground.returning
    }

    /// The lists, once every child has come up or failed to; or what there is of them after a while.
    pub(super) async fn listing(&self) -> Arc<Listing> {
        let settled = async {
            for child in self.children() {
                child.settled().await;
            }
        };
        // Whoever is late is told of when it is there.
        let _ = tokio::time::timeout(self.ground.terms.care.patience, settled).await;
        self.look_again()
    }

    /// The same for the client, who hears of changes of that kind from now on.
    pub(super) async fn shown(&self, kind: Kind) -> Arc<Listing> {
        let listing = self.listing().await;
        self.rooms().known[kind as usize] = Some(Arc::clone(&listing));
        listing
    }

    /// The lists, as they were found last.
    pub(super) fn found(&self) -> Arc<Listing> {
        Arc::clone(&self.rooms().listing)
    }

    /// What is sought in the lists: in those that were found last, else once every child has settled. Who is asked about
    /// must not wait for who is not.
    pub(super) async fn sought<T>(&self, find: impl Fn(&Listing) -> Option<T>) -> Option<T> {
        match find(&self.found()) {
            None => find(&*self.listing().await),
            found => found,
        }
    }

    /// Looks at the lists again, and says of which kinds the client knows others.
    fn news(&self) -> Vec<Kind> {
        let now = self.look_again();
        let mut rooms = self.rooms();
        let mut differs = |kind: &Kind| match &mut rooms.known[*kind as usize] {
            Some(known) if kind.is_in(now.changes_since(known)) => {
                *known = Arc::clone(&now);
                true
            }
            _ => false,
        };
        Kind::ALL.into_iter().filter(|kind| differs(kind)).collect()
    }

    /// The lists as they are now, made anew only if a child offers something else. What is newly claimed twice is told.
    fn look_again(&self) -> Arc<Listing> {
        let mut rooms = self.rooms();
        let made_of = offered(&rooms.children);
        if same(&made_of, &rooms.made_of) {
            return Arc::clone(&rooms.listing);
        }
        let now = Arc::new(listing_of(&made_of, &self.ground.terms.naming));
        let before = std::mem::replace(&mut rooms.listing, Arc::clone(&now));
        rooms.made_of = made_of;
        drop(rooms);
        let new = now.clashes().iter().filter(|clash| !before.clashes().contains(clash));
        new.for_each(|clash| (self.ground.terms.tell)(&clash.to_string()));
        now
    }

    /// Why children are not up, one sentence each, once all have come up or failed to.
    pub(super) async fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for child in self.children() {
            child.settled().await;
            if let Some(why) = child.state.borrow().why.clone() {
                failures.push(format!("the server `{}` did not come up: {why}", child.server().key));
            }
        }
        failures
    }

    /// Another configuration holds: only what changed is touched.
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
                    // Whoever was given up is tried again.
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
    pub(super) fn children(&self) -> Vec<Arc<Child>> {
        self.rooms().children.clone()
    }

    /// The child of this key.
    pub(super) fn child(&self, key: &str) -> Option<Arc<Child>> {
        self.children().into_iter().find(|child| child.server().key == key)
    }

    /// How each child stands.
    pub(super) fn listed(&self) -> Vec<Listed> {
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
    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Household {
    fn drop(&mut self) {
        self.close();
    }
}

fn offered(children: &[Arc<Child>]) -> Vec<Offered> {
    let offered = |child: &Arc<Child>| {
        let state = child.state.borrow();
        Some((Arc::clone(&state.server), Arc::clone(state.offer.as_ref()?)))
    };
    children.iter().filter_map(offered).collect()
}

/// Whether both are the very same.
fn same(one: &[Offered], other: &[Offered]) -> bool {
    let both = |((a, b), (c, d)): (&Offered, &Offered)| Arc::ptr_eq(a, c) && Arc::ptr_eq(b, d);
    one.len() == other.len() && one.iter().zip(other).all(both)
}

fn listing_of(made_of: &[Offered], naming: &Naming) -> Listing {
    let shown =
        |(server, offer): &Offered| ChildOffer { filter: server.tools.clone(), ..ChildOffer::clone(offer) };
    Listing::of(&made_of.iter().map(shown).collect::<Vec<_>>(), naming)
}

/// Tells the client whenever the lists are others than those it knows.
async fn watch_over(household: Weak<Household>, changed: Arc<Notify>) {
    let ending = match household.upgrade() {
        Some(household) => household.ending.clone(),
        None => return,
    };
    loop {
        tokio::select! {
            () = ending.cancelled() => return,
            () = changed.notified() => {}
        }
        let Some(household) = household.upgrade() else { return };
        let news = household.news();
        let Some(host) = household.client() else { continue };
        for kind in news {
            host.tell(kind.news(), None).await;
        }
    }
}
