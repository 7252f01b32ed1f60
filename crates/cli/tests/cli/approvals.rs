//! `approvals`, `approve` and `decline` against a server that this test plays.

use crate::runner::{Place, Said};
use runward::registry::{SessionRules, Sessions};
use runward::{Caller, CommandSpec, Decision, Door, Engine, Outcome, Policy, Request};
use std::io::{BufRead, BufReader};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

/// A server that asks about `echo`, in the place that the binary looks in.
struct Server {
    place: Place,
    engine: Engine,
    runtime: Runtime,
}

impl Server {
    fn new() -> Self {
        let place = Place::new();
        let policy = Policy::default().with(Decision::Ask, ["echo"]);
        let engine = Engine::builder().policy(policy).build().unwrap();
        let engine = engine.asking(engine.questions().clone());
        let runtime = place.serves(Sessions::new(engine.clone(), SessionRules::default()));
        Self { place, engine, runtime }
    }

    /// A call that waits for a person, and its question's id.
    fn asks(&self, word: &str) -> (JoinHandle<Outcome>, String) {
        let before: Vec<String> = self.ids();
        let (engine, spec) = (self.engine.clone(), CommandSpec::exec("echo").arg(word));
        let request = Request::by(Caller::tool(Door::Mcp, "execute_command"), spec);
        let call = self.runtime.spawn(async move { engine.run(request).await.unwrap() });
        testkit::until("the question is open", || self.ids().len() > before.len());
        let id = self.ids().into_iter().find(|id| !before.contains(id)).unwrap();
        (call, id)
    }

    fn ids(&self) -> Vec<String> {
        self.engine.questions().list().into_iter().map(|question| question.id).collect()
    }

    fn run(&self, args: &[&str]) -> Said {
        self.place.run(args)
    }
}

#[test]
fn without_a_server_there_is_nothing_to_answer() {
    let said = Place::new().run(["approvals"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "no open questions\n"));
    let said = Place::new().run(["approve", "nope"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("no question with the id nope is open [approval.unknown]"), "{said:?}");
}

#[test]
fn a_question_is_shown_and_approved_by_what_is_shown_of_its_id() {
    let server = Server::new();
    let (call, id) = server.asks("hi\u{202e}");
    let said = server.run(&["approvals"]);
    assert!(
        said.stdout.starts_with(&format!("question {}\ncommand  echo $'hi\\u202e'\n", &id[28..])),
        "{said:?}"
    );
    assert!(
        said.stdout.contains("\nsandbox  none\n") && said.stdout.contains("mcp (execute_command)"),
        "{said:?}"
    );
    let said = server.run(&["approvals", "--json"]);
    assert!(said.stdout.contains(&format!("\"id\":\"{id}\"")), "{said:?}");
    let said = server.run(&["approve", &id[28..]]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "approved: echo $'hi\\u202e'\n"));
    assert!(matches!(server.runtime.block_on(call).unwrap(), Outcome::Ran(_)));
    assert_eq!(server.run(&["approve", &id]).code, 125);
}

#[test]
fn a_question_is_declined() {
    let server = Server::new();
    let (call, id) = server.asks("hi");
    assert_eq!(server.run(&["decline", &id]).stdout, "declined: echo hi\n");
    let Outcome::Refused(refusal) = server.runtime.block_on(call).unwrap() else { panic!("ran") };
    assert_eq!(refusal.view().code.name(), "policy.declined");
}

#[test]
fn always_that_is_not_on_offer_is_told_and_leaves_the_question_open() {
    let server = Server::new();
    let (_call, id) = server.asks("hi");
    let said = server.run(&["approve", "--always", &id]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("\"always\" is not possible"), "{said:?}");
    assert_eq!(server.ids(), [id]);
}

#[test]
fn an_id_that_means_two_questions_means_none() {
    let server = Server::new();
    let mut open = vec![server.asks("one")];
    // Sixteen beginnings: of seventeen ids two share theirs.
    open.extend((0..16).map(|at| server.asks(&at.to_string())));
    let first = |id: &String| id[..1].to_owned();
    let ids = server.ids();
    let shared =
        ids.iter().find(|id| ids.iter().filter(|other| first(other) == first(id)).count() > 1).unwrap();
    let said = server.run(&["approve", &first(shared)]);
    assert!(said.stderr.contains("open questions may be meant by"), "{said:?}");
    assert!(said.stderr.contains(shared.as_str()) || said.stderr.contains('…'), "the candidates: {said:?}");
    assert_eq!(server.ids().len(), 17);
    // What the list shows means one of them, and the beginning still does.
    let listed = server.run(&["approvals"]);
    let shown: Vec<&str> = listed.stdout.lines().filter_map(|line| line.strip_prefix("question ")).collect();
    for (short, id) in shown.iter().zip(&ids) {
        assert_eq!(ids.iter().filter(|other| other.ends_with(short)).count(), 1, "{short}");
        assert!(id.ends_with(short));
    }
    assert_eq!(server.run(&["decline", shown[2]]).code, 0);
    assert_eq!(server.run(&["decline", &ids[3][..20]]).code, 0);
    assert_eq!(server.ids().len(), 15);
}

#[test]
fn watching_shows_each_question_as_it_comes() {
    let server = Server::new();
    let mut watcher = server.place.start(["approvals", "--watch", "--json"]);
    let mut lines = BufReader::new(watcher.stdout.take().unwrap()).lines();
    for word in ["one", "two"] {
        let (_call, id) = server.asks(word);
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains(&id) && line.contains(&format!("\"command\":\"echo {word}\"")), "{line}");
    }
    watcher.kill().unwrap();
    watcher.wait().unwrap();
}
