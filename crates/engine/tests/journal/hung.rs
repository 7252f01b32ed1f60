//! A disk that hangs: a file system in a process that is stopped. Commands wait their bound, and nothing is lost.

use crate::place::Place;
use runward::journal::{JournalRules, Need};
use runward::{Code, Coded, CommandSpec, Outcome};
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// A file system that can be stopped.
struct Mount {
    process: Child,
    at: std::path::PathBuf,
}

#[expect(clippy::disallowed_methods, reason = "a test needs a file system of its own")]
fn program(name: &str) -> Command {
    Command::new(name)
}

impl Mount {
    fn new(place: &Place) -> Self {
        let (real, at) = (place.path().join("real"), place.path().join("journal"));
        [&real, &at].iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
        let process = program("bindfs").arg("-f").args([&real, &at]).spawn().expect("bindfs");
        let mounted = || std::fs::read_to_string("/proc/mounts").unwrap().contains(at.to_str().unwrap());
        testkit::until("it is mounted", mounted);
        Self { process, at }
    }

    fn signal(&self, name: &str) {
        let sent = program("kill").args([name, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        self.signal("-CONT");
        let _ = program("fusermount3").arg("-uz").arg::<&Path>(&self.at).status();
        let _ = self.process.wait();
    }
}

const BOUND: Duration = Duration::from_millis(300);

#[test]
#[ignore = "needs bindfs and /dev/fuse"]
fn a_command_waits_its_bound_and_no_longer_whatever_the_disk_does() {
    let place = Place::new();
    let mount = Mount::new(&place);
    let engine = place.engine_with(JournalRules { write_timeout: BOUND, ..place.rules() });
    place.ran(&engine, CommandSpec::exec("true"));
    mount.signal("-STOP");
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
    mount.signal("-CONT");
    engine.journal().unwrap().flush();
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.missed), (8, 0));
    drop(engine);
}

#[test]
#[ignore = "needs bindfs and /dev/fuse"]
fn where_it_is_required_a_command_on_a_disk_that_hangs_is_refused_after_its_bound() {
    let place = Place::new();
    let mount = Mount::new(&place);
    let rules = JournalRules { write_timeout: BOUND, need: Need::Required, ..place.rules() };
    let engine = place.engine_with(rules);
    place.ran(&engine, CommandSpec::exec("true"));
    mount.signal("-STOP");
    let error = place.runtime.block_on(engine.run(CommandSpec::exec("true"))).unwrap_err();
    assert_eq!(error.code(), Code::JournalWrite);
    mount.signal("-CONT");
    engine.journal().unwrap().flush();
}
