//! Recovery after a failure: no record that was safe is lost, and what is on record says how it was.

use crate::place::Place;
use runward_engine::journal::{JournalRecord, JournalRules, RecordState};
use runward_engine::{CommandSpec, Engine};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;
use testkit::until;

/// An engine with a thread that gives up on the database soon.
fn hasty(place: &Place) -> Engine {
    place.engine_with(JournalRules { write_timeout: Duration::from_millis(100), ..place.rules() })
}

fn interrupted(place: &Place) -> u64 {
    place.reader().verify().unwrap().interrupted
}

#[test]
fn what_could_not_be_written_is_written_later_though_nothing_else_comes() {
    let place = Place::new();
    let engine = hasty(&place);
    place.ran(&engine, CommandSpec::exec("true"));
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    let receipt = place.ran(&engine, CommandSpec::exec("true"));
    assert!(receipt.notes.is_empty(), "it is safe: {receipt:?}");
    assert_eq!(place.told.lock().unwrap().len(), 1, "whoever writes gave up");
    assert_eq!(place.reader().count().unwrap(), 2);
    held.execute_batch("ROLLBACK").unwrap();
    testkit::until("it is written", || place.reader().count().unwrap() == 4);
    engine.journal().unwrap().close();
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.missed, verified.interrupted), (0, 0));
    assert_eq!((place.files("alive").len(), place.files("intake").len()), (0, 0));
}

#[test]
fn what_could_not_be_written_before_the_end_is_brought_in_by_the_next() {
    let place = Place::new();
    let engine = hasty(&place);
    place.ran(&engine, CommandSpec::exec("true"));
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    place.ran(&engine, CommandSpec::exec("echo").arg("late"));
    engine.journal().unwrap().close();
    assert_eq!(place.files("intake").len(), 1, "it is not erased");
    drop(engine);
    testkit::until("the mark is given back", || {
        let mark = std::fs::File::open(&place.files("alive")[0]).unwrap();
        mark.try_lock_shared().is_ok()
    });
    held.execute_batch("ROLLBACK").unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let all = place.all();
    let late = all.iter().find(|found| found.summary.line == "echo late").expect("it is there");
    assert_eq!(late.summary.state, RecordState::Ended);
    place.reader().verify().unwrap();
}

#[test]
fn a_command_is_running_while_the_journal_cannot_be_written() {
    let place = Place::new();
    let engine = hasty(&place);
    let session = place.waiting(&engine);
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    place.ran(&engine, CommandSpec::exec("true"));
    assert_eq!(place.told.lock().unwrap().len(), 1, "whoever writes gave up");
    assert_eq!(place.all()[0].summary.state, RecordState::Running);
    held.execute_batch("ROLLBACK").unwrap();
    place.stop(session);
    engine.journal().unwrap().flush();
    assert_eq!(place.reader().verify().unwrap().missed, 0);
}

#[test]
fn a_command_is_running_though_its_journal_was_closed() {
    let place = Place::new();
    let engine = place.engine();
    let session = place.waiting(&engine);
    engine.journal().unwrap().close();
    assert_eq!(place.all()[0].summary.state, RecordState::Running);
    place.stop(session);
    engine.journal().unwrap().close();
    assert_eq!(place.all()[0].summary.state, RecordState::Ended);
}

#[test]
fn what_a_process_without_a_mark_left_on_its_way_is_brought_in_and_interrupted() {
    let place = Place::new();
    place.ran(&place.engine(), CommandSpec::exec("echo").arg("known"));
    let mut first = String::new();
    place.reader().each(|seq, body, _| first.push_str(if seq == 1 { body } else { "" })).unwrap();
    let (known, lost) = (place.all()[0].summary.run.clone(), uuid::Uuid::now_v7().to_string());
    let gone = uuid::Uuid::new_v4().to_string();
    let Ok(JournalRecord::Begin(begin)) = serde_json::from_str(&first) else { panic!("{first}") };
    let line = first.replace(&known, &lost).replace(&*begin.runner.mark, &gone) + "\n";
    std::fs::write(place.journal_folder().join("intake").join(&gone), line).unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert_eq!(interrupted(&place), 1);
    assert!(place.all().iter().any(|found| found.summary.run == lost));
    assert!(!place.journal_folder().join("intake").join(&gone).exists());
}

#[test]
fn a_command_whose_runner_is_gone_without_a_mark_is_interrupted_on_record() {
    let place = Place::new();
    let engine = place.engine();
    let session = place.waiting(&engine);
    place.files("alive").iter().for_each(|mark| std::fs::remove_file(mark).unwrap());
    std::fs::write(place.journal_folder().join("alive/another"), "").unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert_eq!(interrupted(&place), 1);
    place.stop(session);
}

#[test]
fn an_intake_that_cannot_be_read_stays_and_says_nothing_about_its_commands() {
    let place = Place::new();
    let engine = place.engine();
    let session = place.waiting(&engine);
    let mark = place.files("alive").remove(0);
    let intake = place.journal_folder().join("intake").join(mark.file_name().unwrap());
    std::fs::remove_file(&mark).unwrap();
    std::fs::remove_file(&intake).unwrap();
    std::fs::create_dir(&intake).unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert!(intake.exists());
    assert_eq!(interrupted(&place), 0);
    place.stop(session);
}

#[test]
fn a_refusal_and_a_failed_start_are_on_their_way_at_once() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    let broken = place.path().join("broken");
    std::fs::write(&broken, "\x7fELF nonsense").unwrap();
    std::fs::set_permissions(&broken, PermissionsExt::from_mode(0o700)).unwrap();
    // Nothing reaches the database from here on.
    let held = place.database();
    held.execute_batch("BEGIN IMMEDIATE").unwrap();
    for spec in [CommandSpec::exec("no-such-program-here"), CommandSpec::exec(&broken)] {
        place.runtime.block_on(engine.run(spec)).unwrap_err();
    }
    // The thread that appends needs no database for it.
    let on_its_way = || std::fs::read_to_string(&place.files("intake")[0]).unwrap();
    for code in ["resolve.not-found", "spawn.exec-format"] {
        until(&format!("{code} is on its way"), || on_its_way().contains(code));
    }
    held.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn each_outage_is_told_once() {
    let place = Place::new();
    let engine = hasty(&place);
    place.ran(&engine, CommandSpec::exec("true"));
    let held = place.database();
    for outage in 1..=2 {
        held.execute_batch("BEGIN IMMEDIATE").unwrap();
        for _ in 0..2 {
            place.ran(&engine, CommandSpec::exec("true"));
        }
        assert_eq!(place.told.lock().unwrap().len(), outage);
        held.execute_batch("ROLLBACK").unwrap();
        place.ran(&engine, CommandSpec::exec("true"));
    }
    assert!(place.told.lock().unwrap().iter().all(|told| told.starts_with("commands are not recorded")));
}

#[test]
fn looking_back_that_fails_is_told_as_what_it_is_and_tried_again() {
    let place = Place::new();
    let gone = place.engine();
    let session = place.waiting(&gone);
    place.files("alive").iter().for_each(|mark| std::fs::remove_file(mark).unwrap());
    std::fs::write(place.journal_folder().join("alive/another"), "").unwrap();
    let trigger = "CREATE TRIGGER never BEFORE INSERT ON records WHEN new.kind = 'interrupted'
        BEGIN SELECT RAISE(ABORT, 'not now'); END";
    place.database().execute_batch(trigger).unwrap();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    {
        let told = place.told.lock().unwrap();
        assert!(matches!(&told[..], [told] if told.starts_with("commands are recorded, but")), "{told:?}");
    }
    assert_eq!(place.files("intake").len(), 2, "commands start quickly all the same");
    place.database().execute_batch("DROP TRIGGER never").unwrap();
    testkit::until("it is tried again", || {
        place.ran(&engine, CommandSpec::exec("true"));
        interrupted(&place) == 1
    });
    place.stop(session);
}
