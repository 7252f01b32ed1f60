//! A disk that hangs: a file system in a process that is stopped. Commands wait their bound, and nothing is lost.

use crate::place::Place;
use runward_engine::journal::{JournalNeed, JournalRules};
use runward_engine::{Code, Coded, CommandSpec, Outcome};
use std::time::{Duration, Instant};
use testkit::HangingMount;

fn mounted(place: &Place) -> HangingMount {
    HangingMount::new(&place.path().join("real"), &place.path().join("journal"))
}

const BOUND: Duration = Duration::from_millis(300);

#[test]
fn a_command_waits_its_bound_and_no_longer_whatever_the_disk_does() {
    let place = Place::new();
    let mount = mounted(&place);
    let engine = place.engine_with(JournalRules { write_timeout: BOUND, ..place.rules() });
    place.ran(&engine, CommandSpec::exec("true"));
    mount.hang();
    for _ in 0..3 {
        let begun = Instant::now();
        let ran = place.runtime.block_on(engine.run(CommandSpec::exec("true"))).unwrap();
        let Outcome::Ran(receipt) = ran else { panic!("refused") };
        assert!(begun.elapsed() >= BOUND && begun.elapsed() < BOUND * 10, "{:?}", begun.elapsed());
        assert!(
            receipt.notes.iter().any(|note| note.contains("before it was in the journal")),
            "{receipt:?}"
        );
    }
    let begun = Instant::now();
    engine.journal().unwrap().close();
    assert!(begun.elapsed() < BOUND * 10, "{:?}", begun.elapsed());
    assert!(place.told.lock().unwrap().iter().any(|told| told.contains("records of commands could not")));
    mount.go_on();
    engine.journal().unwrap().flush();
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.missed), (8, 0));
    drop(engine);
}

#[test]
fn where_it_is_required_a_command_on_a_disk_that_hangs_is_refused_after_its_bound() {
    let place = Place::new();
    let mount = mounted(&place);
    let rules = JournalRules { write_timeout: BOUND, need: JournalNeed::Required, ..place.rules() };
    let engine = place.engine_with(rules);
    place.ran(&engine, CommandSpec::exec("true"));
    mount.hang();
    let error = place.runtime.block_on(engine.run(CommandSpec::exec("true"))).unwrap_err();
    assert_eq!(error.code(), Code::JournalWrite);
    mount.go_on();
    engine.journal().unwrap().flush();
}
