//! Steps: how they are read, in which order they run, and what a second run keeps of the first.

use proptest::prelude::*;
use runward_engine::Coded;
use runward_flow::front::Value;
use runward_flow::steps::{
    Finished, RememberedSteps, StepEnding, StepOrder, StepText, StepsProgress, digest, read,
};
use runward_flow::template::{Scope, Template};
use runward_flow::{FlowError, Mark};
use std::num::NonZeroUsize;

fn mark() -> Mark {
    Mark::of("task.claude.md", "_steps:", 3, 0..6)
}

fn step(id: &str, needs: &[&str]) -> StepText {
    let needs = needs.iter().map(|need| (*need).to_owned()).collect();
    StepText {
        id: id.into(),
        run: format!("do {id}"),
        command: None,
        needs,
        when: None,
        retry: 0,
        mark: mark(),
    }
}

fn ran(id: &str, exit_code: i32) -> StepEnding {
    StepEnding::Ran(Finished {
        id: id.into(),
        digest: String::new(),
        stdout: format!("out of {id}"),
        exit_code,
    })
}

fn progress(steps: Vec<StepText>, at_once: usize) -> StepsProgress {
    StepsProgress::new(StepOrder::of(steps).unwrap(), NonZeroUsize::new(at_once).unwrap())
}

#[track_caller]
fn complaint(result: Result<impl std::fmt::Debug, FlowError>) -> String {
    let error = result.unwrap_err();
    assert_eq!((error.code().name(), error.mark().unwrap().line), ("flow.bad-step", 3));
    format!("{error} · {}", Coded::hint(&error).unwrap())
}

fn map(entries: &[(&str, Value)]) -> Value {
    Value::Map(entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect())
}

#[test]
fn steps_are_read_with_needs_as_a_word_or_a_list() {
    let list = Value::List(vec![
        map(&[
            ("id", "fetch".into()),
            ("run", "get".into()),
            ("command", "claude".into()),
            ("retry", Value::Number("2".into())),
        ]),
        map(&[("id", "a".into()), ("run", "x".into()), ("needs", "fetch".into()), ("when", true.into())]),
        map(&[
            ("id", "b".into()),
            ("run", "y".into()),
            ("needs", Value::List(vec!["a".into(), "fetch".into()])),
        ]),
    ]);
    let steps = read(&list, &mark()).unwrap();
    assert_eq!((steps[0].command.as_deref(), steps[0].retry), (Some("claude"), 2));
    assert_eq!(
        (steps[1].needs.as_slice(), steps[1].when.as_deref()),
        (&["fetch".to_owned()][..], Some("true"))
    );
    assert_eq!(steps[2].needs, ["a", "fetch"]);
}

#[test]
fn a_step_that_cannot_be_read_says_why() {
    let one = |entries: &[(&str, Value)]| complaint(read(&Value::List(vec![map(entries)]), &mark()));
    let (id, run) = (("id", Value::text("a")), ("run", Value::text("x")));
    let cases = [
        (
            complaint(read(&"x".into(), &mark())),
            "`_steps` is not a list · Write each step with a dash: `- id: fetch`.",
        ),
        (
            complaint(read(&Value::List(vec!["x".into()]), &mark())),
            "step 1 is not a map · Give it at least `id` and `run`.",
        ),
        (one(std::slice::from_ref(&id)), "step `a` has no text under `run` · Write the step's prompt there."),
        (one(std::slice::from_ref(&run)), "step 1 has no `id` · Give every step a name of its own."),
        (
            one(&[id.clone(), run.clone(), ("need", "b".into())]),
            "step `a` has an unknown key `need` · Write `needs` if that is what is meant.",
        ),
        (
            one(&[id.clone(), run.clone(), ("retry", "11".into())]),
            "`retry` of step `a` cannot be `11` · Write a whole number from 0 to 10.",
        ),
        (
            one(&[id.clone(), run.clone(), ("when", Value::List(vec![]))]),
            "`when` of step `a` is not a text · Write one text there.",
        ),
        (
            one(&[id, run, ("needs", map(&[]))]),
            "`needs` of step `a` names no steps · Write the `id` of a step, or a list of them.",
        ),
    ];
    for (said, wanted) in cases {
        assert_eq!(said, wanted);
    }
}

#[test]
fn batches_hold_what_may_run_at_once() {
    let order =
        StepOrder::of(vec![step("last", &["a", "b"]), step("a", &[]), step("b", &["a"]), step("c", &[])])
            .unwrap();
    let batches: Vec<Vec<&str>> =
        order.batches().iter().map(|batch| batch.iter().map(|step| step.id.as_str()).collect()).collect();
    assert_eq!(batches, [vec!["a", "c"], vec!["b"], vec!["last"]]);
    assert!(StepOrder::of(Vec::new()).unwrap().batches().is_empty());
}

#[test]
fn what_cannot_be_put_in_order_says_why() {
    let cases = [
        (
            vec![step("fetch", &[]), step("b", &["fecth"])],
            "step `b` needs `fecth`, which is no step · Write `fetch` if that is what is meant.",
        ),
        (
            vec![step("a", &[]), step("a", &[])],
            "two steps are named `a` · Give every step a name of its own: a letter first, then letters, digits, `_` and `-`.",
        ),
        (
            vec![step("", &[])],
            "the `id` of step 1 is empty · Give every step a name of its own: a letter first, then letters, digits, `_` and `-`.",
        ),
        (
            vec![step("a b", &[])],
            "`a b` cannot be the `id` of a step · Give every step a name of its own: a letter first, then letters, digits, `_` and `-`.",
        ),
        (vec![step("a", &["a"])], "steps wait for each other: a → a · Remove one of these from `needs`."),
        (
            vec![step("x", &["a"]), step("a", &["b"]), step("b", &["c"]), step("c", &["a"])],
            "steps wait for each other: a → b → c → a · Remove one of these from `needs`.",
        ),
    ];
    for (steps, wanted) in cases {
        assert_eq!(complaint(StepOrder::of(steps)), wanted);
    }
}

#[test]
fn after_a_failure_its_batch_ends_and_later_batches_are_skipped() {
    let mut progress =
        progress(vec![step("a", &[]), step("b", &[]), step("c", &["b"]), step("d", &["c"])], 1);
    let turn = progress.ready().pop().unwrap();
    assert_eq!(progress.step(&turn).id, "a");
    progress.ended(turn, ran("a", 3));
    let turn = progress.ready().pop().unwrap();
    assert_eq!(progress.step(&turn).id, "b");
    progress.ended(turn, ran("b", 0));
    assert!(progress.ready().is_empty());
    assert!(progress.is_over());
    let error = progress.failure().unwrap();
    assert_eq!(
        (error.code().name(), error.to_string().as_str()),
        ("flow.step-failed", "a step failed: `a` (exit code 3); 2 more skipped")
    );
}

#[test]
fn a_failed_step_is_tried_again_as_often_as_it_says() {
    let mut progress = progress(vec![StepText { retry: 2, ..step("a", &[]) }, step("b", &["a"])], 4);
    for attempt in 1..=3 {
        let turn = progress.ready().pop().unwrap();
        assert_eq!((progress.step(&turn).id.as_str(), turn.attempt()), ("a", attempt));
        progress.ended(turn, ran("a", if attempt == 3 { 0 } else { 1 }));
    }
    assert_eq!(progress.failure(), None);
    let turn = progress.ready().pop().unwrap();
    assert_eq!(progress.step(&turn).id, "b");
    progress.ended(turn, ran("b", 0));
    assert!(progress.is_over());
}

#[test]
fn an_unwanted_step_stops_nobody_and_reads_as_empty() {
    let mut progress = progress(vec![step("a", &[]), step("b", &["a"])], 4);
    let turn = progress.ready().pop().unwrap();
    progress.ended(turn, StepEnding::NotWanted);
    assert_eq!(progress.ready().len(), 1);
    let mut scope = Scope::new();
    scope.set("steps", progress.read_by_templates());
    let text = "[{{ steps.a.stdout }}]{{ steps.a.skipped }}{% if steps.b %}b{% endif %}";
    assert_eq!(Template::parse("a.md", 1, text).unwrap().fill(&scope).unwrap(), "[]true");
}

#[test]
fn a_step_is_wanted_when_its_condition_becomes_true_and_nothing_else() {
    assert!(StepText::is_wanted(" true\n"));
    for other in ["", "false", "1", "True", "true true"] {
        assert!(!StepText::is_wanted(other), "{other}");
    }
}

#[test]
fn only_a_step_that_ended_well_and_is_the_same_is_kept() {
    let digest = digest(&["claude", "--print"], "do it");
    let good = Finished { id: "a".into(), digest: digest.clone(), stdout: "out\n".into(), exit_code: 0 };
    let bad = Finished { id: "b".into(), exit_code: 1, ..good.clone() };
    let record = good.line() + &bad.line() + "{\"id\":\"c\",\"dig";
    let remembered = RememberedSteps::read(&record).unwrap();
    assert_eq!(remembered.find("a", &digest), Some(&good));
    assert_eq!(remembered.find("a", &self::digest(&["claude"], "--printdo it")), None);
    assert_eq!(remembered.find("b", &digest), None);
    assert_eq!(remembered.find("c", &digest), None);
    let later = RememberedSteps::read(&(good.line() + &Finished { exit_code: 1, ..good }.line())).unwrap();
    assert_eq!(later.find("a", &digest), None);
}

#[test]
fn a_broken_record_is_an_error() {
    let error = RememberedSteps::read("{}\n{}\n").unwrap_err();
    assert_eq!(error.code().name(), "flow.bad-step");
    assert!(error.to_string().starts_with("line 1 of the record of finished steps cannot be read: "));
}

/// Steps of which each needs some of those before it, in some order of the file.
fn dags() -> impl Strategy<Value = Vec<StepText>> {
    let needs =
        prop::collection::vec((prop::collection::vec(any::<prop::sample::Index>(), 0..4), 0_u32..3), 1..20);
    let steps = needs.prop_map(|needs| {
        let id = |number: usize| format!("s{number}");
        let steps = needs.iter().enumerate().map(|(at, (indexes, retry))| {
            let needs = indexes.iter().filter(|_| at > 0).map(|index| id(index.index(at))).collect();
            StepText { needs, retry: *retry, ..step(&id(at), &[]) }
        });
        steps.collect::<Vec<_>>()
    });
    steps.prop_shuffle()
}

proptest! {
    #[test]
    fn every_step_runs_once_after_its_needs_and_nothing_after_a_failed_one(
        steps in dags(),
        at_once in 1_usize..5,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 200),
        fails in prop::collection::vec(prop::bool::weighted(0.1), 200),
    ) {
        let mut progress = progress(steps.clone(), at_once);
        let (mut running, mut well, mut bad) = (Vec::new(), Vec::<String>::new(), Vec::<String>::new());
        let mut chances = picks.iter().zip(fails);
        loop {
            for turn in progress.ready() {
                let step = progress.step(&turn).clone();
                prop_assert!(!well.contains(&step.id) && !bad.contains(&step.id));
                prop_assert!(step.needs.iter().all(|need| well.contains(need)));
                running.push(turn);
            }
            prop_assert!(running.len() <= at_once);
            if running.is_empty() {
                break;
            }
            let (pick, fails) = chances.next().unwrap();
            let turn = running.swap_remove(pick.index(running.len()));
            let step = progress.step(&turn).clone();
            let last = turn.attempt() == step.retry + 1;
            progress.ended(turn, ran(&step.id, i32::from(fails)));
            if !fails {
                well.push(step.id);
            } else if last {
                bad.push(step.id);
            }
        }
        prop_assert!(progress.is_over());
        prop_assert_eq!(progress.failure().is_some(), !bad.is_empty());
        prop_assert!(!bad.is_empty() || well.len() == steps.len());
        for step in &steps {
            if step.needs.iter().any(|need| bad.contains(need)) {
                prop_assert!(!well.contains(&step.id) && !bad.contains(&step.id));
            }
        }
    }
}
