//! A journal that is removed under a process that writes it: reported once, on record, refused where it is required.

use crate::place::Place;
use runward_engine::journal::{JournalNeed, JournalReader, JournalRecord, JournalRules, ReadError, Since};
use runward_engine::{Code, Coded, CommandSpec};
use std::fs;
use std::path::Path;

/// A way to take a journal away, given the folder that holds everything.
type Way = (&'static str, fn(&Path));

fn beside(state: &Path, name: &str) {
    let _ = fs::remove_file(state.join("journal").join(name));
}

const WAYS: [Way; 7] = [
    ("the folder is deleted", |state| fs::remove_dir_all(state.join("journal")).unwrap()),
    ("the folder is renamed", |state| fs::rename(state.join("journal"), state.join("elsewhere")).unwrap()),
    ("the database is deleted", |state| fs::remove_file(state.join("journal/journal.db")).unwrap()),
    ("the database and all beside it are deleted", |state| {
        ["journal.db", "journal.db-wal", "journal.db-shm", "head"]
            .iter()
            .for_each(|name| beside(state, name));
    }),
    ("the database is renamed", |state| {
        fs::rename(state.join("journal/journal.db"), state.join("journal/old.db")).unwrap();
    }),
    ("the database is emptied", |state| fs::write(state.join("journal/journal.db"), "").unwrap()),
    ("the database is replaced by an empty file", |state| {
        fs::write(state.join("new"), "").unwrap();
        fs::rename(state.join("new"), state.join("journal/journal.db")).unwrap();
    }),
];

#[expect(clippy::disallowed_methods, reason = "a test makes what stands in the way")]
pub(crate) fn fifo(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn opening(place: &Place) -> Option<(Since, u64, String)> {
    match place.reader().record(1).unwrap()? {
        JournalRecord::Opened(opening) => Some((opening.because, opening.last, opening.hash)),
        _ => None,
    }
}

#[test]
fn whatever_way_it_is_taken_away_the_next_command_is_in_a_new_one_that_says_so() {
    for (name, way) in WAYS {
        let place = Place::new();
        let engine = place.engine();
        for _ in 0..3 {
            place.ran(&engine, CommandSpec::exec("true"));
        }
        let head = place.reader().verify().unwrap().head;
        way(&place.path());
        for word in ["one", "two"] {
            place.ran(&engine, CommandSpec::exec("echo").arg(word));
        }
        assert_eq!(opening(&place), Some((Since::TakenAway, 6, head)), "{name}");
        assert_eq!(place.all().len(), 2, "{name}");
        {
            let told = place.told.lock().unwrap();
            let taken = told.iter().filter(|told| told.starts_with("the journal was taken away: ")).count();
            assert_eq!((taken, told.len()), (1, 1), "{name}: {told:?}");
        }
        let error = place.reader().verify().unwrap_err();
        assert!(error.to_string().contains("taken away after record 6"), "{name}: {error}");
    }
}

#[test]
fn a_head_that_is_taken_away_is_damage_for_good() {
    let changes: [fn(&Path); 3] = [
        |head| fs::remove_file(head).unwrap(),
        |head| fs::rename(head, head.with_file_name("old")).unwrap(),
        |head| fs::write(head, "").unwrap(),
    ];
    for change in changes {
        let place = Place::new();
        let engine = place.engine();
        place.ran(&engine, CommandSpec::exec("true"));
        change(&place.journal_folder().join("head"));
        place.ran(&engine, CommandSpec::exec("true"));
        let error = place.reader().verify().unwrap_err();
        assert!(error.to_string().contains("head"), "{error}");
        assert_eq!(place.all().len(), 2);
    }
}

#[test]
fn an_intake_that_is_taken_away_costs_nothing() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    let changes: [fn(&Path); 3] = [
        |file| fs::remove_file(file).unwrap(),
        |file| fs::write(file, "").unwrap(),
        |file| fs::remove_dir_all(file.parent().unwrap()).unwrap(),
    ];
    for change in changes {
        change(&place.files("intake")[0]);
        let receipt = place.ran(&engine, CommandSpec::exec("true"));
        assert!(receipt.notes.is_empty(), "{receipt:?}");
    }
    engine.journal().unwrap().close();
    assert_eq!(place.reader().verify().unwrap().records, 8);
}

#[test]
fn where_it_is_required_the_command_that_finds_it_gone_is_refused() {
    for (name, way) in WAYS {
        let place = Place::new();
        let engine = place.engine_with(JournalRules { need: JournalNeed::Required, ..place.rules() });
        place.ran(&engine, CommandSpec::exec("true"));
        way(&place.path());
        let touched = place.path().join("touched");
        let error = place.run(&engine, CommandSpec::exec("touch").arg(&touched)).unwrap_err();
        assert_eq!(error.code(), Code::JournalUnavailable, "{name}: {error}");
        assert!(error.to_string().contains("after record 2"), "{name}: {error}");
        assert!(!touched.exists(), "{name}");
        assert_eq!(
            opening(&place).map(|(since, last, _)| (since, last)),
            Some((Since::TakenAway, 2)),
            "{name}"
        );
        place.ran(&engine, CommandSpec::exec("true"));
    }
}

#[test]
fn another_journal_in_its_place_is_damage_and_the_same_one_again_is_none() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    let (ours, aside) = (place.journal_folder(), place.path().join("aside"));
    fs::rename(&ours, &aside).unwrap();
    fs::create_dir(&ours).unwrap();
    for name in ["journal.db", "journal.db-wal", "head"] {
        fs::copy(aside.join(name), ours.join(name)).unwrap();
    }
    place.ran(&engine, CommandSpec::exec("true"));
    assert_eq!(place.reader().verify().unwrap().records, 4, "a copy has everything");
    let other = Place::new();
    let theirs = other.engine();
    (0..5).for_each(|_| drop(other.ran(&theirs, CommandSpec::exec("true"))));
    theirs.journal().unwrap().close();
    fs::rename(&ours, place.path().join("aside-too")).unwrap();
    fs::rename(other.journal_folder(), &ours).unwrap();
    place.ran(&engine, CommandSpec::exec("true"));
    let error = place.reader().verify().unwrap_err();
    assert!(error.to_string().contains("stands where another was"), "{error}");
}

#[test]
fn what_is_gone_or_cannot_be_read_is_told_apart_from_what_is_empty() {
    let opened = |place: &Place| JournalReader::open(&place.journal_folder(), None);
    let place = Place::new();
    assert!(opened(&place).unwrap().is_none(), "there was never one");
    let full = || {
        let place = Place::new();
        let engine = place.engine();
        place.ran(&engine, CommandSpec::exec("true"));
        engine.journal().unwrap().close();
        place
    };
    let gone: [fn(&Path); 2] = [
        |folder| fs::remove_file(folder.join("journal.db")).unwrap(),
        |folder| fs::write(folder.join("journal.db"), "").unwrap(),
    ];
    for change in gone {
        let place = full();
        change(&place.journal_folder());
        let error = opened(&place).unwrap_err();
        assert!(matches!(error, ReadError::TakenAway { last: 2 }), "{error}");
        assert_eq!(error.code(), Code::JournalTakenAway);
        fs::write(place.journal_folder().join("head"), "garbage").unwrap();
        assert_eq!(opened(&place).unwrap_err().code(), Code::JournalBroken);
    }
    let in_the_way: [fn(&Path); 6] = [
        |folder| {
            fs::remove_dir_all(folder).unwrap();
            fs::write(folder, "a file").unwrap();
        },
        |folder| {
            fs::remove_dir_all(folder).unwrap();
            std::os::unix::fs::symlink(folder, folder).unwrap();
        },
        |folder| {
            fs::remove_file(folder.join("journal.db")).unwrap();
            fs::create_dir(folder.join("journal.db")).unwrap();
        },
        |folder| {
            fs::remove_file(folder.join("journal.db")).unwrap();
            fifo(&folder.join("journal.db"));
        },
        |folder| {
            fs::remove_file(folder.join("journal.db-wal")).unwrap();
            fs::write(folder.join("journal.db"), "no database, but as long as one").unwrap();
        },
        |folder| {
            fs::remove_file(folder.join("journal.db")).unwrap();
            fs::remove_file(folder.join("head")).unwrap();
            fifo(&folder.join("head"));
        },
    ];
    for change in in_the_way {
        let place = full();
        change(&place.journal_folder());
        let error = opened(&place).unwrap_err();
        assert_eq!(error.code(), Code::JournalUnavailable, "{error}");
        assert!(error.to_string().starts_with("the journal cannot be read: "), "{error}");
    }
}

#[test]
fn a_damaged_journal_is_set_aside_kept_and_named_by_the_new_one() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    engine.journal().unwrap().close();
    let head = fs::read_to_string(place.journal_folder().join("head")).unwrap();
    for name in ["journal.db-wal", "journal.db-shm"] {
        let _ = fs::remove_file(place.journal_folder().join(name));
    }
    fs::write(place.journal_folder().join("journal.db"), "no database, but as long as one ").unwrap();
    // What comes meanwhile is on its way.
    place.ran(&engine, CommandSpec::exec("echo").arg("meanwhile"));
    {
        let told = place.told.lock().unwrap();
        assert!(matches!(&told[..], [told] if told.contains("runward log --set-aside")), "{told:?}");
    }
    let aside = runward_engine::journal::set_aside(&place.journal_folder()).unwrap();
    assert!(fs::read(aside.join("journal.db")).unwrap().starts_with(b"no database"), "it is kept");
    let Ok(Some(JournalRecord::Opened(opening))) = place.reader().record(1) else { panic!("no opening") };
    assert_eq!(
        (opening.because, opening.last, opening.kept_in.as_deref()),
        (Since::SetAside, 2, aside.to_str())
    );
    assert!(head.contains(&opening.hash));
    place.ran(&engine, CommandSpec::exec("echo").arg("after"));
    testkit::until("what came meanwhile is there", || place.all().len() == 2);
    let verified = place.reader().verify().unwrap();
    assert_eq!(verified.set_aside.as_deref(), aside.to_str());
    runward_engine::journal::set_aside(&place.path().join("nothing")).unwrap_err();
}

#[test]
fn a_journal_that_is_set_aside_while_it_is_written_loses_nothing_and_is_not_taken_away() {
    let place = Place::new();
    let engine = place.engine();
    for round in 0..5 {
        place.ran(&engine, CommandSpec::exec("echo").arg(round.to_string()));
        runward_engine::journal::set_aside(&place.journal_folder()).unwrap();
    }
    place.ran(&engine, CommandSpec::exec("true"));
    engine.journal().unwrap().close();
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, place.all().len()), (3, 1));
    let kept = place.path().read_dir().unwrap().flatten();
    let kept = kept
        .filter(|entry| entry.file_name().to_str().is_some_and(|name| name.contains("set-aside")))
        .count();
    assert_eq!(kept, 5);
}
