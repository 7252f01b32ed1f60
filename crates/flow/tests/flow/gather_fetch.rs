//! Addresses, against a server on this machine.

use crate::gather_world::{Fake, Server, World, answer, prompt};
use runward_engine::Coded;
use runward_flow::FlowError;
use runward_flow::imports::hosts::Hosts;
use runward_flow::run::gather::Surroundings;
use std::net::TcpListener;
use std::time::Duration;

/// Surroundings that try again at once.
fn hasty(world: &World) -> Surroundings<Fake> {
    let mut surroundings = world.surroundings();
    surroundings.pauses = vec![Duration::ZERO; 2];
    surroundings
}

async fn fetch(text: &str) -> Result<String, FlowError> {
    let world = World::new(&[]);
    world.gather_in(text, hasty(&world)).await.map(|gathered| prompt(&gathered))
}

#[tokio::test]
async fn what_lies_at_an_address_is_data() {
    let server = Server::answering(&[answer("200 OK", "", b"{{ x }} @./none !`no` \xc3\xbc")]);
    let world = World::new(&[]);
    let gathered = world.gather_in(&format!("a @{}, b", server.url("/p?q=1")), hasty(&world)).await.unwrap();
    assert!(!gathered.text.text().contains("{{"));
    assert_eq!(prompt(&gathered), "a {{ x }} @./none !`no` ü, b");
    assert_eq!(
        (gathered.imports[0].from.as_str(), gathered.imports[0].characters),
        (server.url("/p?q=1").as_str(), 23)
    );
    assert_eq!(server.asked(), ["/p?q=1"]);
}

#[tokio::test]
async fn an_address_is_tried_three_times() {
    let busy = answer("503 Busy", "", b"");
    let server = Server::answering(&[busy.clone(), busy.clone(), answer("200 OK", "", b"at last")]);
    assert_eq!(fetch(&format!("@{}", server.url("/"))).await.unwrap(), "at last");
    let server = Server::answering(&[busy.clone(), busy.clone(), busy, answer("200 OK", "", b"too late")]);
    let error = fetch(&format!("x @{}", server.url("/a"))).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.fetch");
    assert_eq!(
        error.to_string(),
        format!("`{}` could not be read: the host answered 503 Service Unavailable", server.url("/a"))
    );
    assert_eq!(error.mark().unwrap().place(), "main.md:1:3");
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn what_is_not_there_is_not_tried_again() {
    let server = Server::answering(&[answer("404 Not Found", "", b""), answer("200 OK", "", b"never")]);
    let error = fetch(&format!("@{}", server.url("/"))).await.unwrap_err();
    assert!(error.to_string().ends_with("the host answered 404 Not Found"), "{error}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn nobody_there_is_an_error() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let error = fetch(&format!("@http://{address}/")).await.unwrap_err();
    assert_eq!(error.code().name(), "flow.fetch");
}

#[tokio::test]
async fn redirects_are_followed_where_the_first_address_could_have_led() {
    let server = Server::answering(&[
        answer("302 Found", "Location: /two\r\n", b""),
        answer("301 Moved", "Location: three\r\n", b""),
        answer("200 OK", "", b"here"),
    ]);
    assert_eq!(fetch(&format!("@{}", server.url("/one"))).await.unwrap(), "here");
    assert_eq!(server.asked(), ["/one", "/two", "/three"]);
    let server = Server::answering(&[answer("302 Found", "Location: http://example.com/x\r\n", b"")]);
    let error = fetch(&format!("@{}", server.url("/"))).await.unwrap_err();
    assert_eq!(error.to_string(), "`http://example.com/x` would be fetched without encryption");
}

#[tokio::test]
async fn redirects_without_end_are_an_error() {
    let server = Server::answering(&vec![answer("302 Found", "Location: /again\r\n", b""); 10]);
    let error = fetch(&format!("@{}", server.url("/"))).await.unwrap_err();
    assert!(error.to_string().ends_with("without end"), "{error}");
    assert_eq!(server.asked().len(), 6);
}

#[tokio::test]
async fn hosts_are_asked_only_if_they_may_be() {
    let world = World::new(&[]);
    let server = Server::answering(&[answer("200 OK", "", b"never")]);
    for (allow, block, reason) in [
        (vec!["good.org".to_owned()], vec![], "is on a host that is not allowed, `127.0.0.1`"),
        (vec![], vec!["127.0.0.1".to_owned()], "is on a blocked host, `127.0.0.1`"),
    ] {
        let mut surroundings = hasty(&world);
        surroundings.hosts = Hosts { allow, block };
        let error = world.gather_in(&format!("@{}", server.url("/")), surroundings).await.unwrap_err();
        assert_eq!(
            (error.code().name(), error.to_string()),
            ("flow.fetch", format!("`{}` {reason}", server.url("/")))
        );
    }
    assert!(fetch("@http://example.com/").await.unwrap_err().to_string().contains("without encryption"));
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn an_answer_has_the_limits_of_a_file() {
    let server = Server::answering(&[answer("200 OK", "", &vec![b'x'; 10 * 1024 * 1024 + 1])]);
    assert_eq!(
        fetch(&format!("@{}", server.url("/"))).await.unwrap_err().code().name(),
        "flow.import-too-large"
    );
    let server = Server::answering(&[answer("200 OK", "", b"a\0")]);
    assert_eq!(
        fetch(&format!("@{}", server.url("/"))).await.unwrap_err().code().name(),
        "flow.import-binary"
    );
}
