//! A journal that cannot be written: bounded, reported once, counted; or refused, where it is required.

use crate::place::Place;
use runward_engine::journal::{JournalNeed, JournalRecord, JournalRules, RecordState};
use runward_engine::{Code, Coded, CommandSpec};
use std::time::Duration;

/// Nothing can be made below a file.
fn nowhere(place: &Place) -> std::path::PathBuf {
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    file.join("journal")
}

#[test]
fn without_a_journal_a_command_runs_and_says_so_and_the_operator_is_told_once() {
    let place = Place::new();
    let engine = place.engine_with(JournalRules { folder: nowhere(&place), ..place.rules() });
    for _ in 0..3 {
        let receipt = place.ran(&engine, CommandSpec::exec("true"));
        assert!(
            receipt
                .notes
                .iter()
                .any(|note| note.starts_with("this command began before it was in the journal: ")),
            "{receipt:?}"
        );
    }
    let told = place.told.lock().unwrap();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("commands are not recorded"), "{told:?}");
}

#[test]
fn where_it_is_required_nothing_starts_without_it() {
    let place = Place::new();
    let rules = JournalRules { folder: nowhere(&place), need: JournalNeed::Required, ..place.rules() };
    let engine = place.engine_with(rules);
    let touched = place.path().join("touched");
    let error = place.run(&engine, CommandSpec::exec("touch").arg(&touched)).unwrap_err();
    assert_eq!(error.code(), Code::JournalUnavailable);
    assert!(!touched.exists());
}

#[test]
fn a_process_that_opens_a_journal_that_somebody_holds_loses_nothing() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let rules = JournalRules { write_timeout: Duration::from_millis(100), ..place.rules() };
    let engine = place.engine_with(rules);
    let ran = place.runtime.block_on(engine.run(CommandSpec::exec("echo").arg("early"))).unwrap();
    let runward_engine::Outcome::Ran(receipt) = ran else { panic!("refused") };
    assert!(receipt.notes.is_empty(), "it is safe: {receipt:?}");
    engine.journal().unwrap().close();
    drop(engine);
    testkit::until("the mark is given back", || {
        let held = |mark: &std::path::PathBuf| std::fs::File::open(mark).unwrap().try_lock_shared().is_err();
        !place.files("alive").iter().any(held)
    });
    held.execute_batch("ROLLBACK").unwrap();
    runward_engine::journal::mend(&place.journal_folder());
    let all = place.all();
    let early = all.iter().find(|found| found.summary.line == "echo early").expect("it is there");
    assert_eq!(early.summary.state, RecordState::Ended);
    assert_eq!(place.reader().verify().unwrap().missed, 0);
}

#[test]
fn a_record_that_is_late_refuses_the_command_where_it_is_required() {
    let place = Place::new();
    let required =
        |bound| JournalRules { write_timeout: bound, need: JournalNeed::Required, ..place.rules() };
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let engine = place.engine_with(required(Duration::from_millis(100)));
    let touched = place.path().join("touched");
    let error = place.runtime.block_on(engine.run(CommandSpec::exec("touch").arg(&touched))).unwrap_err();
    assert!([Code::JournalWrite, Code::JournalUnavailable].contains(&error.code()), "{error}");
    assert!(!touched.exists());
}

#[test]
fn a_command_is_written_down_while_it_runs_and_interrupted_if_nobody_ends_it() {
    let place = Place::new();
    let engine = place.engine();
    let session = place.waiting(&engine);
    assert_eq!(place.all()[0].summary.state, RecordState::Running);
    // As if its runner were gone: its mark is there, and not locked.
    let marks = place.files("alive");
    std::fs::remove_file(&marks[0]).unwrap();
    std::fs::write(&marks[0], "").unwrap();
    assert_eq!(place.all()[0].summary.state, RecordState::Interrupted);
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let mut kinds = Vec::new();
    place.reader().each(|seq, _, _| kinds.push(seq)).unwrap();
    let written = kinds
        .iter()
        .any(|seq| matches!(place.reader().record(*seq), Ok(Some(JournalRecord::Interrupted { .. }))));
    assert!(written, "it is on record");
    place.stop(session);
    engine.journal().unwrap().flush();
    assert_eq!(
        place.all()[0].summary.state,
        RecordState::Ended,
        "whoever ends it after all has the last word"
    );
    place.reader().verify().unwrap();
}

#[test]
fn what_a_killed_process_left_on_its_way_is_brought_in_and_interrupted() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("echo").arg("known"));
    let mut first = String::new();
    place
        .reader()
        .each(|seq, body, _| {
            if seq == 1 {
                first = body.to_owned();
            }
        })
        .unwrap();
    let known = place.all()[0].summary.run.clone();
    let (lost, unfinished) = (runward_id(), runward_id());
    let text = [&known, &lost, &unfinished].map(|id| first.replace(&known, id)).join("\n");
    place.left_by_the_dead(&text[..text.len() - 9]);
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    let all = place.all();
    let states: Vec<_> = all.iter().map(|found| (found.summary.run.as_str(), found.summary.state)).collect();
    assert_eq!(states[0], (known.as_str(), RecordState::Ended));
    assert!(
        states.contains(&(lost.as_str(), RecordState::Running))
            || states.contains(&(lost.as_str(), RecordState::Interrupted)),
        "{states:?}"
    );
    assert!(!states.iter().any(|(run, _)| *run == unfinished), "it never started: {states:?}");
    assert!(!place.journal_folder().join("intake/a-mark").exists());
    place.reader().verify().unwrap();
}

#[test]
fn an_end_that_a_killed_process_left_on_its_way_is_the_end() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("echo").arg("known"));
    let mut bodies = Vec::new();
    place.reader().each(|_, body, _| bodies.push(body.to_owned())).unwrap();
    let known = place.all()[0].summary.run.clone();
    let (lost, nobody) = (runward_id(), runward_id());
    let of = |body: &str, id: &str| body.replace(&known, id);
    let lines = [
        bodies[1].clone(),
        of(&bodies[0], &lost),
        of(&bodies[1], &lost),
        of(&bodies[1], &lost),
        of(&bodies[1], &nobody),
    ];
    place.left_by_the_dead(&(lines.join("\n") + "\n"));
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let all = place.all();
    let found = all.iter().find(|found| found.summary.run == lost).unwrap();
    assert_eq!(found.summary.state, RecordState::Ended);
    assert!(!all.iter().any(|found| found.summary.run == nobody), "an end without a beginning is none");
    assert_eq!(place.reader().verify().unwrap().records, 6, "each is there once");
}

fn runward_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

#[test]
fn what_is_on_its_way_is_forgotten_once_it_is_in_the_journal() {
    let place = Place::new();
    let engine = place.engine();
    for _ in 0..3 {
        place.ran(&engine, CommandSpec::exec("true"));
    }
    assert_eq!(place.files("intake").len(), 1, "one for each process that writes");
    engine.journal().unwrap().close();
    assert_eq!(place.files("intake").len(), 0);
    assert_eq!(place.reader().verify().unwrap().records, 6);
}

#[test]
fn records_that_are_lost_at_the_end_are_counted_and_told() {
    let place = Place::new();
    let engine = place.engine_with(JournalRules { folder: nowhere(&place), ..place.rules() });
    for _ in 0..2 {
        place.run(&engine, CommandSpec::exec("true")).unwrap();
    }
    engine.journal().unwrap().close();
    let told = place.told.lock().unwrap();
    assert!(told.last().is_some_and(|told| told.starts_with("4 records of commands could not")), "{told:?}");
}
