//! What takes time: children that hang, that are idle, that are remembered.

use super::child::ChildServer;
use super::children::ChildServers;
use super::config::Roster;
use super::consent::ConsentDigest;
use super::host::ClientProxy;
use super::keep_alive::{KeepAliveTerms, RememberedListings};
use super::link::{AskerMessage, ProgressWish, RequestFailure};
use super::listing::ChildOffer;
use super::names::ToolNaming;
use super::terms::{Gateway, GatewayTerms, OfferedTools, Strictness};
use rmcp::model::Implementation;
use runward_engine::{Engine, Policy};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Debug, Default)]
struct Memory(Mutex<HashMap<String, ChildOffer>>);

impl RememberedListings for Memory {
    fn recall(&self, digest: &ConsentDigest) -> Option<ChildOffer> {
        self.0.lock().unwrap().get(digest.as_str()).cloned()
    }

    fn remember(&self, digest: &ConsentDigest, offer: &ChildOffer) {
        self.0.lock().unwrap().insert(digest.as_str().to_owned(), offer.clone());
    }
}

const BRIEF: Duration = Duration::from_millis(50);

fn gateway(server: &Value, care: KeepAliveTerms, listings: &Arc<Memory>) -> Arc<Gateway> {
    let text = json!({"mcpServers": {"one": server}}).to_string();
    let terms = GatewayTerms {
        engine: Engine::builder().policy(Policy::allow_everything("a test")).build().unwrap(),
        base: std::env::temp_dir(),
        naming: ToolNaming::default(),
        care,
        message_bytes: 1 << 20,
        listings: Arc::<Memory>::clone(listings),
        start: Strictness::Degrade,
        offered: OfferedTools::Listed,
        name: None,
        tell: Box::new(|_| {}),
        trace: false,
    };
    Gateway::open(terms, Roster::read("servers.json", &text, &|_| None).unwrap())
}

fn scripted() -> Value {
    json!({"command": testkit::binary("scripted-child")})
}

/// The children of a client that cannot be asked anything, and its one child.
fn at_home(gateway: &Gateway) -> (Arc<ChildServers>, Arc<ChildServer>) {
    let children = gateway.children();
    children.greet(ClientProxy::silent(Implementation::new("test", "1")));
    let child = children.child("one").unwrap();
    (children, child)
}

async fn call(child: &ChildServer, tool: &str) -> Result<Value, RequestFailure> {
    let link = child.line().await.map_err(|_| RequestFailure::Gone)?;
    let mut asked =
        link.ask("tools/call", json!({"name": tool, "arguments": {}}), ProgressWish::Unwanted).await?;
    loop {
        match asked.next().await {
            None => return Err(RequestFailure::Gone),
            Some(AskerMessage::Progress(..)) => {}
            Some(AskerMessage::Answer(answer)) => return answer.map_err(RequestFailure::Refused),
            Some(AskerMessage::Useless(why)) => return Err(RequestFailure::Useless(why)),
        }
    }
}

async fn until(child: &ChildServer, holds: impl FnMut(&super::child::ChildState) -> bool) {
    child.state.subscribe().wait_for(holds).await.unwrap();
}

#[tokio::test]
async fn a_child_that_does_not_answer_pings_is_ended_and_started_again() {
    let care =
        KeepAliveTerms { ping_every: BRIEF, ping_within: BRIEF, misses: 2, ..KeepAliveTerms::default() };
    let gateway = gateway(&scripted(), care, &Arc::default());
    let (children, child) = at_home(&gateway);
    let first = call(&child, "pid").await.unwrap();
    let hung = tokio::spawn({
        let child = Arc::clone(&child);
        async move { call(&child, "hang").await }
    });
    until(&child, |state| state.why.as_deref().is_some_and(|why| why.contains("2 pings in a row"))).await;
    // The caller that waited for it is told so, unless it was answered before.
    assert!(!matches!(hung.await.unwrap(), Err(RequestFailure::Late)));
    until(&child, |state| state.link.is_some()).await;
    assert_ne!(call(&child, "pid").await.unwrap(), first);
    assert_eq!(child.listed().child.unwrap().restarts, 1);
    children.close();
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
    let care = KeepAliveTerms { idle_after: BRIEF, ..KeepAliveTerms::default() };
    // Nothing is known yet, so it is started to be asked, and then stopped.
    let first = gateway(&lazy(), care, &listings);
    let (children, child) = at_home(&first);
    assert!(children.listing().await.tool("one__echo").is_some());
    until(&child, |state| state.resting).await;
    assert_eq!(child.listed().state, "resting");
    assert!(children.listing().await.tool("one__echo").is_some());
    assert!(call(&child, "pid").await.is_ok(), "it is started when it is used");
    until(&child, |state| state.resting).await;
    children.close();
    first.terms().engine.shutdown().await;

    let second = gateway(&lazy(), care, &listings);
    let (children, child) = at_home(&second);
    assert!(children.listing().await.tool("one__echo").is_some());
    assert_eq!((child.listed().state.as_str(), child.listed().pid), ("resting", 0), "nothing was started");
    assert!(call(&child, "pid").await.is_ok());
    children.close();
    second.terms().engine.shutdown().await;
}

#[tokio::test]
async fn a_lazy_child_does_not_rest_while_it_is_asked_something() {
    let mut lazy = scripted();
    lazy["lazy"] = json!(true);
    let care = KeepAliveTerms { idle_after: BRIEF, ..KeepAliveTerms::default() };
    let gateway = gateway(&lazy, care, &Arc::default());
    let (children, child) = at_home(&gateway);
    let gate = tempfile::tempdir().unwrap();
    let link = child.line().await.unwrap();
    let params = json!({"name": "wait", "arguments": {"until": gate.path().join("gate")}});
    let mut asked = link.ask("tools/call", params, ProgressWish::Unwanted).await.unwrap();
    // Long enough for it to have been stopped, had it been allowed to.
    tokio::time::sleep(4 * BRIEF).await;
    assert!(!child.state.borrow().resting);
    std::fs::write(gate.path().join("gate"), "").unwrap();
    assert!(matches!(asked.next().await, Some(AskerMessage::Answer(Ok(_)))));
    children.close();
    gateway.terms().engine.shutdown().await;
}

#[tokio::test]
async fn what_the_client_asked_of_a_child_is_asked_again_when_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let mut server = scripted();
    server["args"] = json!(["--record", heard]);
    let gateway = gateway(&server, KeepAliveTerms::default(), &Arc::default());
    let (children, child) = at_home(&gateway);
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
    children.close();
    gateway.terms().engine.shutdown().await;
}
