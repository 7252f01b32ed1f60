//! Keeps one child server alive: starts it, initializes it, pings it, and restarts it when it exited.
//!
//! One task per child, from its first start until it is to end for good. What it decides is decided by
//! [`Backoff`](super::backoff::Backoff); here it is carried out. May not touch another child.

use super::backoff::{ChildNews, ChildStanding, RestartAction};
use super::child::ChildServer;
use super::config::{ServerReach, ServerStart};
use super::converse::{Conversation, Returning};
use super::greet::{self, Greeted};
use super::host::ClientProxy;
use super::keep_alive::KeepAliveTerms;
use super::link::{ChildLink, RequestFailure};
use super::listing::ChildOffer;
use super::pipe;
use super::terms::GatewayTerms;
use super::way::ChildTransport;
use super::web;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// What all child servers of one client share.
#[derive(Debug, Clone)]
pub(super) struct ChildGround {
    /// The client, once it is known.
    pub(super) host: watch::Receiver<Option<ClientProxy>>,
    pub(super) returning: Arc<Returning>,
    /// Something about a child changed that the lists depend on.
    pub(super) changed: Arc<Notify>,
    pub(super) terms: Arc<GatewayTerms>,
}

/// How one life of a child ended.
enum ChildLifeEnd {
    /// It was told to.
    Ended,
    /// It was idle.
    Rests,
    /// It exited, or never started, and this is why.
    Died(String),
}

/// Keeps a child until it is to end.
pub(super) async fn keep(child: Arc<ChildServer>, ground: ChildGround) {
    if child.state.borrow().resting && !wanted(&child).await {
        return;
    }
    loop {
        let over = tokio::select! {
            over = life(&child, &ground) => over,
            () = child.ending.cancelled() => ChildLifeEnd::Ended,
        };
        let again = match over {
            ChildLifeEnd::Ended => false,
            ChildLifeEnd::Rests => rest(&child, &ground).await,
            ChildLifeEnd::Died(why) => restart_later(&child, &ground, why).await,
        };
        if !again {
            return;
        }
    }
}

/// Waits for a call that needs it; false if it is to end.
async fn wanted(child: &ChildServer) -> bool {
    tokio::select! {
        biased;
        () = child.ending.cancelled() => return false,
        () = child.wanted.notified() => {}
    }
    child.state.send_modify(|state| state.resting = false);
    true
}

async fn rest(child: &ChildServer, ground: &ChildGround) -> bool {
    child.log.remark("it was idle for a while and is stopped until the next call");
    child.state.send_modify(|state| {
        (state.resting, state.link, state.process) = (true, None, None);
        state.backoff = super::backoff::Backoff::begin();
    });
    ground.changed.notify_one();
    // A call that came while it was being stopped waits already.
    if child.unused_for() < ground.terms.care.idle_after {
        child.wanted.notify_one();
    }
    wanted(child).await
}

/// It exited: waits until it is to be restarted; false if it is to end.
async fn restart_later(child: &ChildServer, ground: &ChildGround, why: String) -> bool {
    child.log.remark(&why);
    (ground.terms.tell)(&format!("the server `{}` is down: {why}", child.server().key));
    let mut action = None;
    child.state.send_modify(|state| {
        (state.link, state.process, state.why) = (None, None, Some(why));
        state.settled = true;
        action = state.backoff.on(ChildNews::Down, Instant::now());
    });
    ground.changed.notify_one();
    if action == Some(RestartAction::GiveUp) {
        let sentence = "it is not restarted any more; send `SIGHUP` to the gateway to try again";
        child.log.remark(sentence);
        (ground.terms.tell)(&format!("the server `{}` is given up: {sentence}", child.server().key));
    }
    loop {
        let input = tokio::select! {
            biased;
            () = child.ending.cancelled() => return false,
            () = child.wanted.notified() => ChildNews::Again,
            () = due(child) => ChildNews::Tick,
        };
        let mut start = false;
        child.state.send_modify(|state| {
            start = state.backoff.on(input, Instant::now()) == Some(RestartAction::Start);
            state.restarts += u32::from(start);
        });
        if start {
            return true;
        }
    }
}

/// Waits until time alone changes something about a child.
async fn due(child: &ChildServer) {
    let until = child.state.borrow().backoff.deadline();
    match until {
        Some(until) => tokio::time::sleep_until(until.into()).await,
        None => std::future::pending().await,
    }
}

/// One run, from its start to its end.
async fn life(child: &Arc<ChildServer>, ground: &ChildGround) -> ChildLifeEnd {
    let server = child.server();
    let way = match &server.reach {
        ServerReach::Command(launch) => {
            let started = pipe::start(&ground.terms, launch, Arc::clone(&child.log)).await;
            started.map(|pipe| ChildTransport::Pipe(Box::new(pipe)))
        }
        ServerReach::Address(remote) => {
            web::reach(remote, ground.terms.message_bytes).map(|web| ChildTransport::Web(Box::new(web)))
        }
    };
    let mut way = match way {
        Ok(way) => way,
        Err(why) => return ChildLifeEnd::Died(why),
    };
    child.state.send_modify(|state| state.process = way.process());
    let Some(host) = client(&mut way, ground).await else {
        return ChildLifeEnd::Died(format!("it ended before it answered `initialize`: {}", way.end().await));
    };
    let (link, out) = ChildLink::new();
    let returning = Arc::clone(&ground.returning);
    let terms = Arc::clone(&ground.terms);
    let talk = Conversation { child: Arc::clone(child), link: link.clone(), host, returning, terms };
    let enough = CancellationToken::new();
    // Whatever ends this run, its child ends with it.
    let _guard = enough.clone().drop_guard();
    let mut held = tokio::spawn(talk.clone().hold(way, out, enough.clone()));
    let over = tokio::select! {
        over = up(&talk, ground) => over,
        ended = &mut held => return ChildLifeEnd::Died(how(ended.unwrap_or_default(), child)),
    };
    enough.cancel();
    let _ = held.await;
    over
}

/// Why it exited: how it ended, and the last line of its log.
fn how(ended: String, child: &ChildServer) -> String {
    match child.log.last_line() {
        Some(line) => format!("{ended}; its last line was: {line}"),
        None => ended,
    }
}

/// Waits until the client is known; nothing if the child ends before that. Messages before `initialize` are
/// ignored.
async fn client(way: &mut ChildTransport, ground: &ChildGround) -> Option<ClientProxy> {
    let mut host = ground.host.clone();
    loop {
        tokio::select! {
            biased;
            found = host.wait_for(Option::is_some) => return found.ok().and_then(|host| host.clone()),
            said = way.next() => said.map(drop)?,
        }
    }
}

/// Initializes, lists, and stays until there is a reason not to.
async fn up(talk: &Conversation, ground: &ChildGround) -> ChildLifeEnd {
    let (child, link) = (&talk.child, &talk.link);
    let server = child.server();
    let within = server.startup_timeout;
    let greeted = match greet::greet(link, &talk.host, within).await {
        Ok(greeted) => greeted,
        Err(why) => return ChildLifeEnd::Died(how(why, child)),
    };
    if let Err(why) = relist(talk, ground, &greeted).await {
        return ChildLifeEnd::Died(why);
    }
    restore(talk, &greeted);
    child.touch();
    child.state.send_modify(|state| {
        state.backoff.on(ChildNews::Up, Instant::now());
        (state.link, state.settled, state.why) = (Some(link.clone()), true, None);
    });
    ground.changed.notify_one();
    tokio::select! {
        over = idle(child, ground, link) => over,
        () = hung(link, &ground.terms.care) => {
            ChildLifeEnd::Died(format!("it did not answer {} pings in a row", ground.terms.care.misses))
        }
        over = follow(talk, ground, &greeted) => over,
    }
}

/// What the client had subscribed to before, sent again.
fn restore(talk: &Conversation, greeted: &Greeted) {
    let state = talk.child.state.borrow().clone();
    let ask = |method: &str, params| {
        // Dropping the request would cancel it.
        let (link, method) = (talk.link.clone(), method.to_owned());
        tokio::spawn(async move { drop(link.question(&method, params, Duration::from_secs(30)).await) });
    };
    if let (Some(level), true) = (state.level, greeted.has("logging")) {
        ask("logging/setLevel", json!({ "level": level }));
    }
    for uri in state.subscribed {
        ask("resources/subscribe", json!({ "uri": uri }));
    }
}

/// Lists again whenever the child says that its lists changed, and forgets old exits in time.
async fn follow(talk: &Conversation, ground: &ChildGround, greeted: &Greeted) -> ChildLifeEnd {
    let child = &talk.child;
    loop {
        tokio::select! {
            () = child.relist.notified() => {
                if let Err(why) = relist(talk, ground, greeted).await {
                    return ChildLifeEnd::Died(why);
                }
                ground.changed.notify_one();
            }
            () = due(child) => child.state.send_modify(|state| {
                // Time passing starts nothing that is up.
                let _ = state.backoff.on(ChildNews::Tick, Instant::now());
            }),
        }
    }
}

/// Asks for the lists and keeps them.
async fn relist(talk: &Conversation, ground: &ChildGround, greeted: &Greeted) -> Result<(), String> {
    let child = &talk.child;
    let server = child.server();
    let named = (server.key.as_str(), &server.tools);
    let offer = greet::lists(&talk.link, greeted, named, &child.log, server.startup_timeout).await?;
    keep_offer(ground, child, Arc::new(offer)).await;
    Ok(())
}

async fn keep_offer(ground: &ChildGround, child: &ChildServer, offer: Arc<ChildOffer>) {
    let server = child.server();
    let mut is_known = false;
    child.state.send_modify(|state| {
        is_known = state.offer.as_ref().is_some_and(|known| known.lists_the_same(&offer));
        state.offer = Some(Arc::clone(&offer));
    });
    if is_known {
        return;
    }
    let terms = Arc::clone(&ground.terms);
    let remember = move || terms.listings.remember(&terms.digest(&server), &offer);
    // A slow disk blocks this child alone. What is not remembered is asked for again.
    let _ = runward_engine::host::aside(remember).await;
}

/// Ends once the child does not answer pings any more.
async fn hung(link: &ChildLink, care: &KeepAliveTerms) {
    let mut missed = 0;
    while missed < care.misses {
        tokio::time::sleep(care.ping_every).await;
        match link.question("ping", json!({}), care.ping_within).await {
            // An error is an answer: it is alive.
            Ok(_) | Err(RequestFailure::Refused(_) | RequestFailure::Useless(_) | RequestFailure::Busy) => {
                missed = 0;
            }
            // Its answer is queued behind what the client has not taken.
            Err(RequestFailure::Late) if link.is_held_up() => missed = 0,
            Err(RequestFailure::Late) => missed += 1,
            // The task that reads it reports this.
            Err(RequestFailure::Gone) => std::future::pending().await,
        }
    }
}

/// Ends once a lazy child was idle for long enough.
async fn idle(child: &ChildServer, ground: &ChildGround, link: &ChildLink) -> ChildLifeEnd {
    if child.server().start != ServerStart::WhenUsed {
        std::future::pending::<()>().await;
    }
    loop {
        let left = ground.terms.care.idle_after.saturating_sub(child.unused_for());
        if left.is_zero() && link.waiting() == 0 {
            return ChildLifeEnd::Rests;
        }
        tokio::time::sleep(left.max(Duration::from_millis(10))).await;
    }
}

/// Whether a child answers now.
pub(super) fn is_up(child: &ChildServer) -> bool {
    matches!(child.state.borrow().backoff.standing(), ChildStanding::Up { .. })
}
