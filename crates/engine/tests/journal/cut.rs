//! A journal with a part cut off, or with something in its place that is no file: reported, on record, refused where
//! it is required, and no command waits for it.

use crate::place::Place;
use crate::taken::fifo;
use runward_engine::journal::{JournalNeed, JournalReader, JournalRules};
use runward_engine::{Code, Coded, CommandSpec, Engine};
use std::fs;
use std::path::Path;

/// A way to harm something, by its path.
type Harm = (&'static str, fn(&Path));

fn cut_in_half(path: &Path) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() / 2).unwrap();
}

fn required(place: &Place) -> JournalRules {
    JournalRules { need: JournalNeed::Required, ..place.rules() }
}

/// A command that would leave a trace is refused, and leaves none.
fn refuses(place: &Place, engine: &Engine, name: &str) {
    let touched = place.path().join("touched");
    let error = place.run(engine, CommandSpec::exec("touch").arg(&touched)).unwrap_err();
    assert_eq!(error.code(), Code::JournalUnavailable, "{name}: {error}");
    assert!(!touched.exists(), "{name}");
}

const IN_THE_WAY: [Harm; 3] = [
    ("a file", |state| fs::write(state, "").unwrap()),
    ("a pipe", fifo),
    ("a link to itself", |state| std::os::unix::fs::symlink(state, state).unwrap()),
];

#[test]
fn what_stands_where_the_state_folder_was_is_told_once_and_in_each_receipt() {
    for (name, harm) in IN_THE_WAY {
        let place = Place::new();
        let state = place.path().join("state");
        let engine = place.engine_with(JournalRules { folder: state.join("journal"), ..place.rules() });
        place.ran(&engine, CommandSpec::exec("true"));
        fs::remove_dir_all(&state).unwrap();
        harm(&state);
        for _ in 0..4 {
            let receipt = place.ran(&engine, CommandSpec::exec("true"));
            let noted = |note: &String| note.starts_with("this command began before it was in the journal: ");
            assert!(receipt.notes.iter().any(noted), "{name}: {receipt:?}");
        }
        let told = place.told.lock().unwrap();
        assert!(
            matches!(&told[..], [one] if one.starts_with("commands are not recorded")),
            "{name}: {told:?}"
        );
        assert!(told[0].contains("after record 2"), "{name}: {told:?}");
    }
}

#[test]
fn and_nothing_starts_where_the_journal_is_required() {
    for (name, harm) in IN_THE_WAY {
        let place = Place::new();
        let state = place.path().join("state");
        let engine = place.engine_with(JournalRules { folder: state.join("journal"), ..required(&place) });
        place.ran(&engine, CommandSpec::exec("true"));
        fs::remove_dir_all(&state).unwrap();
        harm(&state);
        for _ in 0..3 {
            refuses(&place, &engine, name);
        }
        assert_eq!(place.told.lock().unwrap().len(), 1, "{name}");
    }
}

#[test]
fn a_database_that_is_cut_is_told_and_nothing_starts_until_it_is_set_aside() {
    let place = Place::new();
    let engine = place.engine_with(required(&place));
    (0..3).for_each(|_| drop(place.ran(&engine, CommandSpec::exec("true"))));
    cut_in_half(&place.journal_folder().join("journal.db"));
    refuses(&place, &engine, "under a server");
    refuses(&place, &place.engine_with(required(&place)), "and by another one");
    {
        let told = place.told.lock().unwrap();
        assert!(told.iter().all(|told| told.contains("runward log --set-aside")), "{told:?}");
        assert_eq!(told.len(), 2, "{told:?}");
    }
    let error = JournalReader::open(&place.journal_folder(), None).unwrap_err();
    assert_eq!(error.code(), Code::JournalUnavailable, "for whoever only looks: {error}");
    runward_engine::journal::set_aside(&place.journal_folder()).unwrap();
    testkit::until("it is written again", || place.run(&engine, CommandSpec::exec("true")).is_ok());
    place.reader().verify().unwrap();
}

#[test]
fn a_head_or_a_log_that_is_harmed_refuses_one_command_and_is_on_record() {
    let all: [(&str, Harm); 6] = [
        ("head", ("emptied", |path| fs::write(path, "").unwrap())),
        ("head", ("cut in half", cut_in_half)),
        ("head", ("garbage", |path| fs::write(path, "garbage\n".repeat(30)).unwrap())),
        ("journal.db-wal", ("emptied", |path| fs::write(path, "").unwrap())),
        ("journal.db-wal", ("deleted", |path| fs::remove_file(path).unwrap())),
        (
            "journal.db-wal",
            ("replaced", |path| {
                fs::remove_file(path).unwrap();
                fs::write(path, "").unwrap();
            }),
        ),
    ];
    for (part, (how, harm)) in all {
        let (place, name) = (Place::new(), format!("{part} {how}"));
        let engine = place.engine_with(required(&place));
        (0..3).for_each(|_| drop(place.ran(&engine, CommandSpec::exec("true"))));
        harm(&place.journal_folder().join(part));
        refuses(&place, &engine, &name);
        let told = place.told.lock().unwrap().clone();
        assert!(matches!(&told[..], [one] if one.starts_with("the journal ")), "{name}: {told:?}");
        place.ran(&engine, CommandSpec::exec("true"));
        assert_eq!(place.reader().verify().unwrap_err().code(), Code::JournalBroken, "{name}");
    }
}

#[test]
fn a_log_that_becomes_short_in_order_is_no_harm() {
    let place = Place::new();
    let engine = place.engine_with(required(&place));
    for _ in 0..3 {
        place.ran(&engine, CommandSpec::exec("true"));
        place.database().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    }
    place.ran(&engine, CommandSpec::exec("true"));
    assert_eq!(place.reader().verify().unwrap().records, 8);
    assert!(place.told.lock().unwrap().is_empty());
}

#[test]
fn half_a_head_is_damage_for_whoever_only_looks() {
    let place = Place::new();
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    engine.journal().unwrap().close();
    let head = place.journal_folder().join("head");
    let whole = fs::read(&head).unwrap();
    for len in 0..whole.len() {
        fs::write(&head, &whole[..len]).unwrap();
        assert_eq!(place.reader().verify().unwrap_err().code(), Code::JournalBroken, "{len} bytes");
    }
    fs::write(&head, &whole).unwrap();
    place.reader().verify().unwrap();
}

#[test]
fn nobody_waits_for_a_pipe_that_stands_in_place_of_a_file() {
    let replace = |path: &Path| {
        let _ = fs::remove_file(path);
        fifo(path);
    };
    for part in ["head", "journal.db"] {
        let place = Place::new();
        let engine = place.engine_with(required(&place));
        place.ran(&engine, CommandSpec::exec("true"));
        replace(&place.journal_folder().join(part));
        refuses(&place, &engine, part);
        let looked = JournalReader::open(&place.journal_folder(), None);
        let error = looked.and_then(|reader| reader.expect("a journal").verify()).unwrap_err();
        assert_eq!(error.code(), Code::JournalUnavailable, "{part}: {error}");
        assert!(error.to_string().contains("is not a file"), "{part}: {error}");
    }
    let place = Place::new();
    place.left_by_the_dead("");
    for folder in ["alive", "intake"] {
        replace(&place.journal_folder().join(folder).join("a-mark"));
        replace(&place.journal_folder().join(folder).join("another"));
    }
    fs::create_dir_all(place.path().join("spool")).unwrap();
    replace(&place.path().join("spool/some.stdout"));
    let engine = place.engine();
    place.ran(&engine, CommandSpec::exec("true"));
    runward_engine::journal::mend(&place.journal_folder());
    place.reader().verify().unwrap();
}
