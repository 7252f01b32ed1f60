//! One child server of a household: what is known about it, and whoever waits for it.
//!
//! May not start or end anything: the keeper does.

use super::backoff::{Backoff, Standing};
use super::config::{Reach, Server, Start};
use super::latency::Latency;
use super::link::Link;
use super::listing::ChildOffer;
use super::unavailable::Unavailable;
use runward::control::{Listed, ListedChild, Tail};
use runward::core::render::command_line;
use runward::host::Watcher;
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// A child.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) log: Arc<Tail>,
    pub(super) state: watch::Sender<State>,
    /// Cancelled when it is to end for good.
    pub(super) ending: CancellationToken,
    /// Its lists changed.
    pub(super) relist: Notify,
    /// Somebody wants it.
    pub(super) wanted: Notify,
    used: Mutex<Used>,
}

/// Everything about a child that changes.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub(super) server: Arc<Server>,
    pub(super) backoff: Backoff,
    /// The line to it, while it is up.
    pub(super) link: Option<Link>,
    /// What it offered last.
    pub(super) offer: Option<Arc<ChildOffer>>,
    /// Its process, if it is one of ours.
    pub(super) process: Option<Process>,
    /// How often it was started again.
    pub(super) restarts: u32,
    /// Why it is down, in one sentence.
    pub(super) why: Option<String>,
    /// It is stopped until somebody uses it.
    pub(super) resting: bool,
    /// It has come up, or has failed to, at least once.
    pub(super) settled: bool,
    /// Which resources the client wants to hear about.
    pub(super) subscribed: BTreeSet<String>,
    /// From which level on the client wants to hear.
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

impl Child {
    pub(super) fn new(server: Server, offer: Option<ChildOffer>) -> Arc<Self> {
        // One whose lists are known is started when it is used; until then nothing about it can fail.
        let resting = server.start == Start::WhenUsed && offer.is_some();
        let state = State {
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

    /// Waits until it has come up or failed to.
    pub(super) async fn settled(&self) {
        // The sender is ours, so it cannot be gone.
        let _ = self.state.subscribe().wait_for(|state| state.settled).await;
    }

    /// The line to it. One that rests or is being started is waited for; one that is down is not.
    pub(super) async fn line(&self) -> Result<Link, Unavailable> {
        self.touch();
        let within = self.server().startup_timeout;
        let mut state = self.state.subscribe();
        if state.borrow().resting {
            self.wanted.notify_one();
        }
        let decided = state.wait_for(|state| match state.backoff.standing() {
            Standing::Starting => false,
            // One that is just going to rest, or has just died, is known to be so in a moment.
            Standing::Up { .. } => state.link.as_ref().is_some_and(|link| !link.is_cut()),
            Standing::Waiting { .. } | Standing::Open => true,
        });
        // Its end is noticed at the latest when it is not up in time.
        let _ = tokio::time::timeout(within, decided).await;
        let state = self.state.borrow();
        match &state.link {
            Some(link) => Ok(link.clone()),
            None => Err(self.unavailable(&state)),
        }
    }

    fn unavailable(&self, state: &State) -> Unavailable {
        let key = &state.server.key;
        let why = Unavailable::of(key, &state.backoff, Instant::now());
        let why = why.unwrap_or_else(|| Unavailable::died(key));
        match &state.why {
            Some(sentence) => why.because(sentence),
            None => why,
        }
    }

    /// Somebody uses it.
    pub(super) fn touch(&self) {
        self.used().last = Instant::now();
    }

    /// How long ago somebody used it.
    pub(super) fn unused_for(&self) -> Duration {
        self.used().last.elapsed()
    }

    /// A call took this long.
    pub(super) fn took(&self, time: Duration) {
        let mut used = self.used();
        used.latency.add(time);
        used.last = Instant::now();
    }

    /// How it stands, for a person.
    pub(super) fn listed(&self) -> Listed {
        let state = self.state.borrow().clone();
        let name = match state.backoff.standing() {
            _ if state.resting => "resting",
            Standing::Starting => "starting",
            Standing::Up { .. } => "up",
            Standing::Waiting { .. } => "waiting",
            Standing::Open => "open",
        };
        let (calls, times) = {
            let used = self.used();
            (used.latency.calls(), used.latency.quantiles())
        };
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let process = state.process.as_ref();
        Listed {
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

/// What was configured, as a person would type it; values of variables and headers stay out.
fn command(server: &Server) -> String {
    match &server.reach {
        Reach::Command(launch) => command_line(std::iter::once(&launch.command).chain(&launch.args)),
        Reach::Address(remote) => remote.url.clone(),
    }
}
