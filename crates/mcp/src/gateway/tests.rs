//! What takes time or a second look: children that hang, that rest, that are remembered.

use super::care::{Care, Listings};
use super::child::Child;
use super::config::Roster;
use super::consent::Digest;
use super::host::Host;
use super::household::Household;
use super::link::{Failed, Heard, Progress};
use super::listing::ChildOffer;
use super::names::Naming;
use super::terms::{Gateway, Strictness, Terms};
use rmcp::model::Implementation;
use runward::{Engine, Policy};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Default)]
struct Memory(Mutex<HashMap<String, ChildOffer>>);

impl Listings for Memory {
    fn recall(&self, digest: &Digest) -> Option<ChildOffer> {
        self.0.lock().unwrap().get(digest.as_str()).cloned()
    }

    fn remember(&self, digest: &Digest, offer: &ChildOffer) {
        self.0.lock().unwrap().insert(digest.as_str().to_owned(), offer.clone());
    }
}

const BRIEF: Duration = Duration::from_millis(50);

fn gateway(server: &Value, care: Care, listings: &Arc<Memory>) -> Arc<Gateway> {
    let text = json!({"mcpServers": {"one": server}}).to_string();
    let terms = Terms {
        engine: Engine::builder().policy(Policy::allow_everything("a test")).build().unwrap(),
        base: std::env::temp_dir(),
        naming: Naming::default(),
        care,
        listings: Arc::<Memory>::clone(listings),
        start: Strictness::Degrade,
        name: None,
        tell: Box::new(|_| {}),
        trace: false,
    };
    Gateway::open(terms, Roster::read("servers.json", &text, &|_| None).unwrap())
}

fn scripted() -> Value {
    json!({"command": testkit::binary("scripted-child")})
}

/// The household of a client that cannot be asked anything, and its one child.
fn at_home(gateway: &Gateway) -> (Arc<Household>, Arc<Child>) {
    let household = gateway.household();
    household.greet(Host::silent(Implementation::new("test", "1")));
    let child = household.child("one").unwrap();
    (household, child)
}

async fn call(child: &Child, tool: &str) -> Result<Value, Failed> {
    let link = child.line().await.map_err(|_| Failed::Gone)?;
    let mut asked = link.ask("tools/call", json!({"name": tool, "arguments": {}}), Progress::Unwanted)?;
    loop {
        match asked.next().await {
            None => return Err(Failed::Gone),
            Some(Heard::Progress(_)) => {}
            Some(Heard::Answer(answer)) => return answer.map_err(Failed::Refused),
        }
    }
}

async fn until(child: &Child, holds: impl FnMut(&super::child::State) -> bool) {
    child.state.subscribe().wait_for(holds).await.unwrap();
}

#[tokio::test]
async fn a_child_that_does_not_answer_pings_is_ended_and_started_again() {
    let care = Care { ping_every: BRIEF, ping_within: BRIEF, misses: 2, ..Care::default() };
    let gateway = gateway(&scripted(), care, &Arc::default());
    let (household, child) = at_home(&gateway);
    let first = call(&child, "pid").await.unwrap();
    let hung = tokio::spawn({
        let child = Arc::clone(&child);
        async move { call(&child, "hang").await }
    });
    until(&child, |state| state.why.as_deref().is_some_and(|why| why.contains("2 pings in a row"))).await;
    // Whoever waited for it hears so, unless it was answered before.
    assert!(!matches!(hung.await.unwrap(), Err(Failed::Late)));
    until(&child, |state| state.link.is_some()).await;
    assert_ne!(call(&child, "pid").await.unwrap(), first);
    assert_eq!(child.listed().child.unwrap().restarts, 1);
    household.close();
    gateway.terms().engine.shutdown().await;
}

#[tokio::test]
async fn a_lazy_child_is_listed_from_memory_started_when_used_and_rests_when_idle() {
    let listings = Arc::default();
    let lazy = || {
        let mut lazy = scripted();
        lazy["lazy"] = json!(true);
        lazy
    };
    let care = Care { idle_after: BRIEF, ..Care::default() };
    // Nothing is known yet, so it is started to be asked, and then rests.
    let first = gateway(&lazy(), care, &listings);
    let (household, child) = at_home(&first);
    assert!(household.listing().await.tool("one__echo").is_some());
    until(&child, |state| state.resting).await;
    assert_eq!(child.listed().state, "resting");
    assert!(household.listing().await.tool("one__echo").is_some());
    assert!(call(&child, "pid").await.is_ok(), "it is started when it is used");
    until(&child, |state| state.resting).await;
    household.close();
    first.terms().engine.shutdown().await;

    let second = gateway(&lazy(), care, &listings);
    let (household, child) = at_home(&second);
    assert!(household.listing().await.tool("one__echo").is_some());
    assert_eq!((child.listed().state.as_str(), child.listed().pid), ("resting", 0), "nothing was started");
    assert!(call(&child, "pid").await.is_ok());
    household.close();
    second.terms().engine.shutdown().await;
}

#[tokio::test]
async fn a_lazy_child_does_not_rest_while_it_is_asked_something() {
    let mut lazy = scripted();
    lazy["lazy"] = json!(true);
    let care = Care { idle_after: BRIEF, ..Care::default() };
    let gateway = gateway(&lazy, care, &Arc::default());
    let (household, child) = at_home(&gateway);
    let gate = tempfile::tempdir().unwrap();
    let link = child.line().await.unwrap();
    let params = json!({"name": "wait", "arguments": {"until": gate.path().join("gate")}});
    let mut asked = link.ask("tools/call", params, Progress::Unwanted).unwrap();
    // Long enough for it to have rested, had it been allowed to.
    tokio::time::sleep(4 * BRIEF).await;
    assert!(!child.state.borrow().resting);
    std::fs::write(gate.path().join("gate"), "").unwrap();
    assert!(matches!(asked.next().await, Some(Heard::Answer(Ok(_)))));
    household.close();
    gateway.terms().engine.shutdown().await;
}

#[tokio::test]
async fn what_the_client_asked_of_a_child_is_asked_again_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let mut server = scripted();
    server["args"] = json!(["--record", heard]);
    let gateway = gateway(&server, Care::default(), &Arc::default());
    let (household, child) = at_home(&gateway);
    until(&child, |state| state.link.is_some()).await;
    child.state.send_modify(|state| {
        state.subscribed.insert("test://a".to_owned());
        state.level = Some(json!("debug"));
    });
    assert!(call(&child, "die").await.is_err());
    until(&child, |state| state.restarts == 1 && state.link.is_some()).await;
    // Answered after what was asked before it.
    assert!(call(&child, "pid").await.is_ok());
    let text = std::fs::read_to_string(&heard).unwrap();
    assert!(text.contains("resources/subscribe") && text.contains("logging/setLevel"), "{text}");
    household.close();
    gateway.terms().engine.shutdown().await;
}
