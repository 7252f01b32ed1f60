//! Commands inside one file run at once: as many as they may, in the order of the text, and none after a failure.

use crate::run_world::World;
use runward_engine::approve::{Approver, Matter, PendingVerdict, Verdict};
use runward_engine::core::plan;
use runward_engine::core::policy::Decision;
use runward_engine::{Coded, CommandSpec, Policy};
use runward_flow::FlowError;
use runward_flow::run::road::{Printed, Road};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// A file with these commands, each on a line of its own, for a program that prints its prompt.
fn file(commands: &[String]) -> World {
    let lines: String = commands.iter().map(|command| format!("!`{command}`\n")).collect();
    World::new(&[("a.echo.md", &format!("---\n---\n{lines}"))])
}

/// Opens a gate that a command reads from, once as many commands as said have begun.
fn gatekeeper(begun: PathBuf, count: usize, gates: Vec<PathBuf>) {
    std::thread::spawn(move || {
        // Both ends: a writer that closes does not end it.
        let begun = std::fs::OpenOptions::new().read(true).write(true).open(begun).unwrap();
        assert_eq!(BufReader::new(begun).lines().take(count).count(), count);
        gates.iter().for_each(|gate| std::fs::write(gate, "go\n").unwrap());
    });
}

#[tokio::test]
async fn ten_commands_of_a_file_run_at_once() {
    // Each waits until all ten have begun: one after the other, none would ever end.
    let wait = |n: usize| format!("echo {n} > begun; read go < gate.{n}; echo $go {n}");
    let world = file(&(1..=10).map(wait).collect::<Vec<_>>());
    world.shell("mkfifo begun; for n in 1 2 3 4 5 6 7 8 9 10; do mkfifo gate.$n; done").await;
    let gates = (1..=10).map(|n| world.path(&format!("gate.{n}"))).collect();
    gatekeeper(world.path("begun"), 10, gates);
    let answers: Vec<String> = (1..=10).map(|n| format!("go {n}")).collect();
    assert_eq!(world.prompt(&["a.echo.md"]).await, answers.join("\n"));
}

#[tokio::test]
async fn a_fence_runs_beside_the_commands() {
    let world = World::new(&[(
        "a.echo.md",
        "---\n---\n!`echo 1 > begun; cat gate.1`\n```\n#!/bin/sh\necho 2 > begun; cat gate.2\n```\n",
    )]);
    world.shell("mkfifo begun gate.1 gate.2").await;
    gatekeeper(world.path("begun"), 2, vec![world.path("gate.1"), world.path("gate.2")]);
    assert_eq!(world.prompt(&["a.echo.md"]).await, "go\ngo");
}

/// A road on which every command waits to be let through.
#[derive(Debug)]
struct Held {
    begun: AtomicUsize,
    running: AtomicUsize,
    most: AtomicUsize,
    passes: Semaphore,
}

impl Held {
    fn new() -> Arc<Self> {
        let zero = || AtomicUsize::new(0);
        Arc::new(Self { begun: zero(), running: zero(), most: zero(), passes: Semaphore::new(0) })
    }

    /// Waits until nobody has anything to do but wait, and tells how many have begun.
    async fn settled(&self) -> usize {
        for _ in 0..1000 {
            tokio::task::yield_now().await;
        }
        self.begun.load(Ordering::SeqCst)
    }
}

impl Road for Held {
    fn hush(&self, _: &str) {}

    async fn run(&self, spec: CommandSpec) -> Result<Printed, FlowError> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        self.passes.acquire().await.unwrap().forget();
        self.running.fetch_sub(1, Ordering::SeqCst);
        Ok(Printed { stdout: format!("{:?}", spec.program), ..Printed::default() })
    }
}

#[tokio::test]
async fn an_eleventh_begins_only_when_one_has_ended() {
    let world = Arc::new(file(&(1..=12).map(|n| format!("echo {n}")).collect::<Vec<_>>()));
    let road = Held::new();
    let (held, asker) = (Arc::clone(&road), Arc::clone(&world));
    let made = tokio::spawn(async move { asker.ready_on(Some(held), &["a.echo.md"]).await.unwrap() });
    until_begun(&road, 10).await;
    assert_eq!(road.settled().await, 10, "the eleventh waits");
    road.passes.add_permits(1);
    assert_eq!(road.settled().await, 11, "for one to end, and not for all");
    road.passes.add_permits(11);
    made.await.unwrap();
    assert_eq!((road.settled().await, road.most.load(Ordering::SeqCst)), (12, 10));
}

/// Files are read beside the runtime's own thread, so yielding alone does not bring a file there.
async fn until_begun(road: &Held, count: usize) {
    while road.begun.load(Ordering::SeqCst) < count {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn how_many_run_at_once_can_be_configured() {
    let world = Arc::new(
        file(&(1..=5).map(|n| format!("echo {n}")).collect::<Vec<_>>())
            .config("[flows]\ncommands_at_once = 2"),
    );
    let road = Held::new();
    let (held, asker) = (Arc::clone(&road), Arc::clone(&world));
    let made = tokio::spawn(async move { asker.ready_on(Some(held), &["a.echo.md"]).await.unwrap() });
    until_begun(&road, 2).await;
    assert_eq!(road.settled().await, 2);
    road.passes.add_permits(5);
    made.await.unwrap();
    assert_eq!(road.most.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_texts_of_steps_that_run_at_once_share_the_limit() {
    let inline: String = (1..=10).map(|n| format!("!`echo {n}`")).collect();
    let steps: String =
        ["a", "b", "c"].iter().map(|id| format!("  - {{id: {id}, run: '{inline}'}}\n")).collect();
    let world = Arc::new(World::new(&[("a.echo.md", &format!("---\n_steps:\n{steps}---\n"))]));
    let road = Held::new();
    let (held, asker) = (Arc::clone(&road), Arc::clone(&world));
    let made = tokio::spawn(async move { asker.ready_on(Some(held), &["a.echo.md"]).await.unwrap() });
    until_begun(&road, 10).await;
    assert_eq!(road.settled().await, 10);
    road.passes.add_permits(100);
    made.await.unwrap();
    assert_eq!((road.settled().await, road.most.load(Ordering::SeqCst)), (33, 10));
}

#[tokio::test]
async fn answers_stand_in_the_order_of_the_text_whichever_comes_first() {
    let world =
        World::new(&[("a.echo.md", "---\n---\na !`read x < gate; echo $x` b !`echo two | tee gate` c")]);
    world.shell("mkfifo gate").await;
    assert_eq!(world.prompt(&["a.echo.md"]).await, "a two b two c");
}

#[tokio::test]
async fn the_first_failure_of_the_text_is_told_whichever_comes_first() {
    // The first fails because the second has failed already.
    for _ in 0..5 {
        let world = file(&["read x < gate; exit 1".into(), "echo x > gate; exit 2".into(), "exit 3".into()]);
        world.shell("mkfifo gate").await;
        let error = world.error(&["a.echo.md"]).await;
        assert!(error.to_string().contains("`read x < gate; exit 1` failed with exit code 1"), "{error}");
        assert_eq!(error.mark().unwrap().place(), "a.echo.md:3:1");
    }
}

#[tokio::test]
async fn what_runs_beside_a_failure_is_ended_and_nothing_more_begins() {
    let sleeper = |n: usize| format!("echo $$ > pid.{n}; echo {n} > begun; exec sleep 1000");
    let mut commands = vec!["read go < gate; exit 9".to_owned()];
    commands.extend((2..=10).map(sleeper));
    commands.push("touch eleven".to_owned());
    let world = file(&commands);
    world.shell("mkfifo begun gate").await;
    gatekeeper(world.path("begun"), 9, vec![world.path("gate")]);
    let error = world.error(&["a.echo.md"]).await;
    assert!(error.to_string().contains("failed with exit code 9"), "{error}");
    // All of them were ended before the error was told. A zombie is none.
    world.shell("for n in 2 3 4 5 6 7 8 9 10; do case $(ps -o stat= -p $(cat pid.$n)) in ''|Z*) ;; *) exit 1;; esac; done").await;
    assert!(!world.has("eleven"));
}

/// Somebody who says yes, and remembers what was asked while another question was open.
#[derive(Debug, Default)]
struct Person {
    open: AtomicUsize,
    asked: Mutex<Vec<String>>,
    at_once: AtomicUsize,
}

#[derive(Debug, Clone, Default)]
struct Desk(Arc<Person>);

impl Approver for Desk {
    fn ask<'a>(&'a self, matter: &'a Matter<'a>) -> PendingVerdict<'a> {
        Box::pin(async move {
            let open = self.0.open.fetch_add(1, Ordering::SeqCst) + 1;
            self.0.at_once.fetch_max(open, Ordering::SeqCst);
            self.0.asked.lock().unwrap().push(format!("{:?}", matter.draft.command()));
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            self.0.open.fetch_sub(1, Ordering::SeqCst);
            Verdict::Once(plan::Person::named("a test"))
        })
    }
}

#[tokio::test]
async fn questions_are_put_one_after_the_other_in_the_order_of_the_text() {
    let words = ["alpha", "beta", "gamma", "delta"];
    let world = file(&words.map(|word| format!("tee {word} < /dev/null; echo {word}")))
        .policy(Policy::default().with(Decision::Ask, ["tee"]).with(Decision::Allow, ["sh", "echo"]));
    let desk = Desk::default();
    let prompt = world.asking(desk.clone()).prompt(&["a.echo.md"]).await;
    assert_eq!(prompt, words.join("\n"));
    let asked = desk.0.asked.lock().unwrap();
    let order: Vec<_> = words.iter().map(|word| asked.iter().position(|text| text.contains(word))).collect();
    assert_eq!(order, [Some(0), Some(1), Some(2), Some(3)]);
    assert_eq!(desk.0.at_once.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn a_refusal_among_them_is_told_as_ever() {
    let world = file(&["echo fine".into(), "tee x".into(), "echo fine".into()])
        .policy(Policy::allow_everything("a test").with(Decision::Deny, ["tee"]));
    let error = world.error(&["a.echo.md"]).await;
    assert_eq!((error.code().name(), error.mark().unwrap().line), ("policy.denied", 4));
}
