//! Keeps one child alive: starts it, greets it, asks whether it lives, and starts it again when it died.
//!
//! One task per child, from its first start until it is to end for good. What it decides is decided by
//! [`Backoff`](super::backoff::Backoff); here it is carried out. May not touch another child.

use super::backoff::{Action, Input, Standing};
use super::care::Care;
use super::child::Child;
use super::config::{Reach, Start};
use super::converse::{Conversation, Returning};
use super::greet::{self, Greeted};
use super::host::Host;
use super::link::{Failed, Link};
use super::listing::ChildOffer;
use super::pipe;
use super::terms::Terms;
use super::way::Way;
use super::web;
use serde_json::json;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

/// What all children of a household stand on.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// The client, once it is known.
    pub(super) host: watch::Receiver<Option<Host>>,
    pub(super) returning: Arc<Returning>,
    /// Something about a child changed that the lists depend on.
    pub(super) changed: Arc<Notify>,
    pub(super) terms: Arc<Terms>,
}

/// How one life of a child ended.
enum Over {
    /// It was told to.
    Ended,
    /// Nobody used it.
    Rests,
    /// It died, or never came up, and this is why.
    Died(String),
}

/// Keeps a child until it is to end.
pub(super) async fn keep(child: Arc<Child>, ground: Ground) {
    if child.state.borrow().resting && !wanted(&child).await {
        return;
    }
    loop {
        let over = tokio::select! {
            over = life(&child, &ground) => over,
            () = child.ending.cancelled() => Over::Ended,
        };
        let again = match over {
            Over::Ended => false,
            Over::Rests => rest(&child, &ground).await,
            Over::Died(why) => mourn(&child, &ground, why).await,
        };
        if !again {
            return;
        }
    }
}

/// Waits until somebody wants it; false if it is to end.
async fn wanted(child: &Child) -> bool {
    tokio::select! {
        biased;
        () = child.ending.cancelled() => return false,
        () = child.wanted.notified() => {}
    }
    child.state.send_modify(|state| state.resting = false);
    true
}

async fn rest(child: &Child, ground: &Ground) -> bool {
    child.log.remark("nobody used it for a while; it rests until somebody does");
    child.state.send_modify(|state| {
        (state.resting, state.link, state.process) = (true, None, None);
        state.backoff = super::backoff::Backoff::begin();
    });
    ground.changed.notify_one();
    // Whoever asked while it was being ended waits already.
    if child.unused_for() < ground.terms.care.idle_after {
        child.wanted.notify_one();
    }
    wanted(child).await
}

/// It died: waits until it is to be started again; false if it is to end.
async fn mourn(child: &Child, ground: &Ground, why: String) -> bool {
    child.log.remark(&why);
    (ground.terms.tell)(&format!("the server `{}` is down: {why}", child.server().key));
    let mut action = None;
    child.state.send_modify(|state| {
        (state.link, state.process, state.why) = (None, None, Some(why));
        state.settled = true;
        action = state.backoff.on(Input::Down, Instant::now());
    });
    ground.changed.notify_one();
    if action == Some(Action::GiveUp) {
        let sentence = "nobody tries any more; `SIGHUP` to the gateway has it tried again";
        child.log.remark(sentence);
        (ground.terms.tell)(&format!("the server `{}` is given up: {sentence}", child.server().key));
    }
    loop {
        let input = tokio::select! {
            biased;
            () = child.ending.cancelled() => return false,
            () = child.wanted.notified() => Input::Again,
            () = due(child) => Input::Tick,
        };
        let mut start = false;
        child.state.send_modify(|state| {
            start = state.backoff.on(input, Instant::now()) == Some(Action::Start);
            state.restarts += u32::from(start);
        });
        if start {
            return true;
        }
    }
}

/// Waits until time alone changes something about a child.
async fn due(child: &Child) {
    let until = child.state.borrow().backoff.deadline();
    match until {
        Some(until) => tokio::time::sleep_until(until.into()).await,
        None => std::future::pending().await,
    }
}

/// One life, from its start to its end.
async fn life(child: &Arc<Child>, ground: &Ground) -> Over {
    let server = child.server();
    let way = match &server.reach {
        Reach::Command(launch) => {
            let started =
                pipe::start(&ground.terms.engine, launch, &ground.terms.base, Arc::clone(&child.log)).await;
            started.map(|pipe| Way::Pipe(Box::new(pipe)))
        }
        Reach::Address(remote) => web::reach(remote).map(|web| Way::Web(Box::new(web))),
    };
    let mut way = match way {
        Ok(way) => way,
        Err(why) => return Over::Died(why),
    };
    child.state.send_modify(|state| state.process = way.process());
    let Some(host) = client(&mut way, ground).await else {
        return Over::Died(format!("it ended before it was greeted: {}", way.end().await));
    };
    let (link, out) = Link::new();
    let returning = Arc::clone(&ground.returning);
    let terms = Arc::clone(&ground.terms);
    let talk = Conversation { child: Arc::clone(child), link: link.clone(), host, returning, terms };
    let enough = CancellationToken::new();
    // Whatever makes this life end, its child ends with it.
    let _guard = enough.clone().drop_guard();
    let mut held = tokio::spawn(talk.clone().hold(way, out, enough.clone()));
    let over = tokio::select! {
        over = up(&talk, ground) => over,
        ended = &mut held => return Over::Died(how(ended.unwrap_or_default(), child)),
    };
    enough.cancel();
    let _ = held.await;
    over
}

/// Why it died: how it ended, and the last thing that it said about that.
fn how(ended: String, child: &Child) -> String {
    match child.log.last_line() {
        Some(line) => format!("{ended}; its last line was: {line}"),
        None => ended,
    }
}

/// Waits until the client is known; nothing if the child ends before that. What it says before it is greeted counts for
/// nothing.
async fn client(way: &mut Way, ground: &Ground) -> Option<Host> {
    let mut host = ground.host.clone();
    loop {
        tokio::select! {
            biased;
            found = host.wait_for(Option::is_some) => return found.ok().and_then(|host| host.clone()),
            said = way.next() => said.map(drop)?,
        }
    }
}

/// Greets, lists, and stays until there is a reason not to.
async fn up(talk: &Conversation, ground: &Ground) -> Over {
    let (child, link) = (&talk.child, &talk.link);
    let server = child.server();
    let within = server.startup_timeout;
    let greeted = match greet::greet(link, &talk.host, within).await {
        Ok(greeted) => greeted,
        Err(why) => return Over::Died(how(why, child)),
    };
    if let Err(why) = relist(talk, ground, &greeted).await {
        return Over::Died(why);
    }
    restore(talk, &greeted);
    child.touch();
    child.state.send_modify(|state| {
        state.backoff.on(Input::Up, Instant::now());
        (state.link, state.settled, state.why) = (Some(link.clone()), true, None);
    });
    ground.changed.notify_one();
    tokio::select! {
        over = idle(child, ground, link) => over,
        () = hung(link, &ground.terms.care) => {
            Over::Died(format!("it did not answer {} pings in a row", ground.terms.care.misses))
        }
        over = follow(talk, ground, &greeted) => over,
    }
}

/// What the client had asked of the child before, asked again.
fn restore(talk: &Conversation, greeted: &Greeted) {
    let state = talk.child.state.borrow().clone();
    let ask = |method: &str, params| {
        // Dropping the question would take it back.
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

/// Looks at the lists again whenever the child says that they changed, and forgets old deaths in time.
async fn follow(talk: &Conversation, ground: &Ground, greeted: &Greeted) -> Over {
    let child = &talk.child;
    loop {
        tokio::select! {
            () = child.relist.notified() => {
                if let Err(why) = relist(talk, ground, greeted).await {
                    return Over::Died(why);
                }
                ground.changed.notify_one();
            }
            () = due(child) => child.state.send_modify(|state| {
                // Time passing starts nothing that is up.
                let _ = state.backoff.on(Input::Tick, Instant::now());
            }),
        }
    }
}

/// Asks for the lists and keeps them.
async fn relist(talk: &Conversation, ground: &Ground, greeted: &Greeted) -> Result<(), String> {
    let child = &talk.child;
    let server = child.server();
    let named = (server.key.as_str(), &server.tools);
    let offer = greet::lists(&talk.link, greeted, named, &child.log, server.startup_timeout).await?;
    keep_offer(ground, child, Arc::new(offer)).await;
    Ok(())
}

async fn keep_offer(ground: &Ground, child: &Child, offer: Arc<ChildOffer>) {
    let server = child.server();
    if server.start == Start::WhenUsed {
        let (terms, offer) = (Arc::clone(&ground.terms), Arc::clone(&offer));
        let remember = move || terms.listings.remember(&terms.digest(&server), &offer);
        // A disk that takes its time holds up this child alone. What is not remembered is asked for again.
        let _ = tokio::task::spawn_blocking(remember).await;
    }
    child.state.send_modify(|state| state.offer = Some(offer));
}

/// Ends once the child does not answer pings any more.
async fn hung(link: &Link, care: &Care) {
    let mut missed = 0;
    while missed < care.misses {
        tokio::time::sleep(care.ping_every).await;
        match link.question("ping", json!({}), care.ping_within).await {
            // Whoever refuses is alive.
            Ok(_) | Err(Failed::Refused(_)) => missed = 0,
            Err(Failed::Late) => missed += 1,
            // Whoever listens to it says so.
            Err(Failed::Gone) => std::future::pending().await,
        }
    }
}

/// Ends once nobody has used a lazy child for long enough.
async fn idle(child: &Child, ground: &Ground, link: &Link) -> Over {
    if child.server().start != Start::WhenUsed {
        std::future::pending::<()>().await;
    }
    loop {
        let left = ground.terms.care.idle_after.saturating_sub(child.unused_for());
        if left.is_zero() && link.waiting() == 0 {
            return Over::Rests;
        }
        tokio::time::sleep(left.max(Duration::from_millis(10))).await;
    }
}

/// Whether a child answers now.
pub(super) fn is_up(child: &Child) -> bool {
    matches!(child.state.borrow().backoff.standing(), Standing::Up { .. })
}
