//! A journal of an older version is upgraded: its records are verified by the format they were written in.

use crate::place::Place;
use runward_engine::CommandSpec;
use runward_engine::journal::{JournalRecord, ReadError, Since};
use rusqlite::Connection;

/// The last record of the older journal, and its head.
const HEAD: &str = "00000000000000000007 b421b321ca23fc3953e015b8dd19b85c3992a32735f49a62bcf8dd1b2cf3453e\n";

fn older(place: &Place) -> Connection {
    std::fs::create_dir_all(place.journal_folder()).unwrap();
    let database = place.database();
    let _: String = database.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0)).unwrap();
    database.execute_batch(include_str!("older.sql")).unwrap();
    database.pragma_update(None, "user_version", 1).unwrap();
    std::fs::write(place.journal_folder().join("head"), HEAD).unwrap();
    database
}

#[test]
fn an_older_journal_is_verified_and_shown_before_anybody_takes_it_over() {
    let place = Place::new();
    older(&place);
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.older), (7, Some(7)));
    assert_eq!(place.all().len(), 4);
}

#[test]
fn records_with_one_word_for_what_was_typed_and_what_stood_in_a_file_are_shown_in_words_of_today() {
    let place = Place::new();
    older(&place);
    let mut bodies = String::new();
    place.reader().each(|_, body, _| bodies.push_str(body)).unwrap();
    assert_eq!(bodies.matches("\"hand\":\"person\"").count(), 4, "{bodies}");
    for found in place.all() {
        match place.reader().whole(&found).unwrap().first {
            JournalRecord::Begin(begin) => assert_eq!(begin.asker.hand, "typed"),
            JournalRecord::Refused(refused) => assert_eq!(refused.asker.hand, "typed"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn from_the_record_that_says_so_the_newer_rules_hold() {
    let place = Place::new();
    older(&place);
    place.ran(&place.engine(), CommandSpec::exec("echo").arg("newer"));
    let reader = place.reader();
    let verified = reader.verify().unwrap();
    assert_eq!((verified.records, verified.older), (10, Some(7)));
    let Ok(Some(JournalRecord::Opened(opening))) = reader.record(8) else { panic!("{:?}", reader.record(8)) };
    assert_eq!((opening.because, opening.last, opening.rules), (Since::OlderRules, 7, 2));
    assert!(HEAD.contains(&opening.hash));
    // What is kept from before is not covered, and what is kept since is.
    place.database().execute("UPDATE outputs SET stdout = x'00' WHERE seq = 1", []).unwrap();
    place.reader().verify().unwrap();
    place.database().execute("UPDATE outputs SET stdout = x'00' WHERE seq > 8", []).unwrap();
    assert!(matches!(place.reader().verify(), Err(ReadError::Broken(broken)) if broken.seq == 10));
}

#[test]
fn looking_takes_it_over_too() {
    let place = Place::new();
    older(&place);
    runward_engine::journal::mend(&place.journal_folder());
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.older), (8, Some(7)));
}

#[test]
fn a_head_that_lags_behind_is_whole_by_older_rules_and_anything_else_is_damage_for_good() {
    let lagging = "00000000000000000004 17fdbbf2ee57962a2b884f0cb3625ce0be5ea6379faaa19c97b433664d8ffe58\n";
    let ahead = HEAD.replace("007 ", "009 ");
    for (head, whole) in [(lagging, true), (HEAD, true), ("", false), ("nonsense\n", false), (&ahead, false)]
    {
        let place = Place::new();
        older(&place);
        std::fs::write(place.journal_folder().join("head"), head).unwrap();
        assert_eq!(place.reader().verify().is_ok(), whole, "{head:?} before");
        place.ran(&place.engine(), CommandSpec::exec("true"));
        assert_eq!(place.reader().verify().is_ok(), whole, "{head:?} after");
    }
}

#[test]
fn an_older_process_that_still_writes_cannot() {
    let place = Place::new();
    let theirs = older(&place);
    place.ran(&place.engine(), CommandSpec::exec("true"));
    theirs.execute("INSERT INTO records VALUES (11, 1, 'gap', NULL, '{}', x'00')", []).unwrap_err();
}
