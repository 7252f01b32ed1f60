//! One child server: what is known about it, and the calls that wait for it.
//!
//! May not start or end anything: the keeper does.

use super::backoff::{Backoff, ChildStanding};
use super::config::{Server, ServerReach, ServerStart};
use super::latency::Latency;
use super::link::ChildLink;
use super::listing::ChildOffer;
use super::unavailable::Unavailable;
use runward_engine::control::{ListedChild, ListedSession, Tail};
use runward_engine::core::render::command_line;
use runward_engine::host::Watcher;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// A child.
#[derive(Debug)]
pub(super) struct ChildServer {
    pub(super) log: Arc<Tail>,
    pub(super) state: watch::Sender<ChildState>,
    /// Cancelled when it is to end for good.
    pub(super) ending: CancellationToken,
    /// Its lists changed.
    pub(super) relist: Notify,
    /// A call needs it.
    pub(super) wanted: Notify,
    used: Mutex<Used>,
}

/// Everything about a child that changes.
#[derive(Debug, Clone)]
pub(super) struct ChildState {
    pub(super) server: Arc<Server>,
    pub(super) backoff: Backoff,
    /// The link to it, while it is up.
    pub(super) link: Option<ChildLink>,
    /// What it offered last.
    pub(super) offer: Option<Arc<ChildOffer>>,
    /// Its process, if it is one of ours.
    pub(super) process: Option<Process>,
    /// How often it was restarted.
    pub(super) restarts: u32,
    /// Why it is down, in one sentence.
    pub(super) why: Option<String>,
    /// It is stopped until the next call.
    pub(super) resting: bool,
    /// It has started, or has failed to, at least once.
    pub(super) settled: bool,
    /// The resources that the client subscribed to.
    pub(super) subscribed: BTreeSet<String>,
    /// The log level of the client.
    pub(super) level: Option<Value>,
}

/// A process of ours.
#[derive(Debug, Clone)]
pub(super) struct Process {
    pub(super) pid: u32,
    pub(super) watcher: Watcher,
    pub(super) since: Instant,
}

#[derive(Debug)]
struct Used {
    latency: Latency,
    last: Instant,
}

impl ChildServer {
    pub(super) fn new(server: Server, offer: Option<ChildOffer>) -> Arc<Self> {
        // A lazy child with known lists is started when it is used; until then nothing about it can fail.
        let resting = server.start == ServerStart::WhenUsed && offer.is_some();
        let state = ChildState {
            server: Arc::new(server),
            backoff: Backoff::begin(),
            link: None,
            offer: offer.map(Arc::new),
            process: None,
            restarts: 0,
            why: None,
            resting,
            settled: resting,
            subscribed: BTreeSet::new(),
            level: None,
        };
        Arc::new(Self {
            log: Arc::default(),
            state: watch::Sender::new(state),
            ending: CancellationToken::new(),
            relist: Notify::new(),
            wanted: Notify::new(),
            used: Mutex::new(Used { latency: Latency::default(), last: Instant::now() }),
        })
    }

    /// What the configuration says about it.
    pub(super) fn server(&self) -> Arc<Server> {
        Arc::clone(&self.state.borrow().server)
    }

    /// Waits until it has started or failed to.
    pub(super) async fn settled(&self) {
        // The sender is ours, so it cannot be gone.
        let _ = self.state.subscribe().wait_for(|state| state.settled).await;
    }

    /// Waits until its lists are known, from its own words or from memory, or it has failed to start.
    pub(super) async fn listed_once(&self) {
        let _ = self.state.subscribe().wait_for(|state| state.settled || state.offer.is_some()).await;
    }

    /// The link to it. An idle one or one that is being started is waited for; one that is down is not.
    pub(super) async fn line(&self) -> Result<ChildLink, Unavailable> {
        self.touch();
        let within = self.server().startup_timeout;
        let mut state = self.state.subscribe();
        if state.borrow().resting {
            self.wanted.notify_one();
        }
        let decided = state.wait_for(|state| match state.backoff.standing() {
            ChildStanding::Starting => false,
            // One that is just going idle, or has just exited, is known to be so in a moment.
            ChildStanding::Up { .. } => state.link.as_ref().is_some_and(|link| !link.is_cut()),
            ChildStanding::Waiting { .. } | ChildStanding::Open => true,
        });
        // Its end is noticed at the latest when it is not up in time.
        let _ = tokio::time::timeout(within, decided).await;
        let state = self.state.borrow();
        match &state.link {
            Some(link) => Ok(link.clone()),
            None => Err(self.unavailable(&state)),
        }
    }

    /// Why it cannot be asked now; nothing if it can, or is started when it is asked.
    pub(super) fn absent(&self) -> Option<Unavailable> {
        let state = self.state.borrow();
        let up = matches!(state.backoff.standing(), ChildStanding::Up { .. }) && state.link.is_some();
        (!up && !state.resting).then(|| self.unavailable(&state))
    }

    fn unavailable(&self, state: &ChildState) -> Unavailable {
        let key = &state.server.key;
        let why = Unavailable::of(key, &state.backoff, Instant::now());
        let why = why.unwrap_or_else(|| Unavailable::died(key));
        match &state.why {
            Some(sentence) => why.because(sentence),
            None => why,
        }
    }

    /// A call uses it.
    pub(super) fn touch(&self) {
        self.used().last = Instant::now();
    }

    /// How long ago it was used.
    pub(super) fn unused_for(&self) -> Duration {
        self.used().last.elapsed()
    }

    /// A call took this long.
    pub(super) fn took(&self, time: Duration) {
        let mut used = self.used();
        used.latency.add(time);
        used.last = Instant::now();
    }

    /// Its state, for a person.
    pub(super) fn listed(&self) -> ListedSession {
        let state = self.state.borrow().clone();
        let name = match state.backoff.standing() {
            _ if state.resting => "resting",
            ChildStanding::Starting => "starting",
            ChildStanding::Up { .. } => "up",
            ChildStanding::Waiting { .. } => "waiting",
            ChildStanding::Open => "open",
        };
        let (calls, times) = {
            let used = self.used();
            (used.latency.calls(), used.latency.quantiles())
        };
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let process = state.process.as_ref();
        ListedSession {
            id: state.server.key.clone(),
            name: Some(state.server.key.clone()),
            command: command(&state.server),
            pid: process.map_or(0, |process| process.pid),
            state: name.to_owned(),
            age_ms: process.map_or(0, |process| micros(process.since.elapsed()) / 1000),
            exit_code: None,
            bytes: self.log.total(),
            server: std::process::id(),
            child: Some(Box::new(ListedChild {
                memory: process.and_then(|process| process.watcher.memory()),
                restarts: state.restarts,
                calls,
                p50_us: times.map(|times| micros(times.p50)),
                p99_us: times.map(|times| micros(times.p99)),
                why: state.why,
            })),
        }
    }

    /// Every change is one step, so that a panic elsewhere leaves it whole.
    fn used(&self) -> MutexGuard<'_, Used> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Its configuration, as a person would type it; values of variables and headers stay out.
fn command(server: &Server) -> String {
    match &server.reach {
        ServerReach::Command(launch) => command_line(std::iter::once(&launch.command).chain(&launch.args)),
        ServerReach::Address(remote) => remote.url.clone(),
    }
}
