//! Every column of every table, every row, every file: changed, removed, doubled or swapped, it is noticed.
//!
//! The columns are read from the tables themselves, so one that is added later is tried too.

use crate::chain::rechain;
use crate::place::Place;
use runward_engine::journal::{JournalReader, JournalRules, Keep, ReadError};
use runward_engine::{CommandSpec, Policy, StdinSpec};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::{Path, PathBuf};

/// A journal with everything in it: output, a terminal's moments, the spool, a refusal, a clock that was set back, a
/// beginning that was dropped.
fn full() -> Place {
    let place = Place::new();
    let engine = place.engine_of(place.rules(), Policy::allow_everything("a test"));
    for number in 0..4 {
        place.ran(&engine, CommandSpec::shell(format!("echo {number}; echo err >&2; exit {number}")));
    }
    let mut typed = CommandSpec::exec("echo").arg("on a terminal");
    typed.terminal = runward_engine::Terminal::Pty { rows: 24, cols: 80 };
    place.ran(&engine, typed);
    let mut long = CommandSpec::shell("head -c 3000 /dev/zero; head -c 3000 /dev/zero >&2");
    long.limits.keep = runward_engine::Wish::At(1000);
    place.ran(&engine, long);
    assert!(place.run(&engine, CommandSpec::exec("no-such-program-here")).is_err());
    engine.journal().unwrap().close();
    drop(engine);
    let day = 86_400_000;
    rechain(&place.database(), |seq, at| {
        if seq <= 2 {
            at - 60 * day
        } else if seq <= 4 {
            at + day
        } else {
            at
        }
    });
    let rules = JournalRules { keep: Keep { days: 30, bytes: 1 << 30 }, ..place.rules() };
    let engine = place.engine_with(rules);
    let mut waiting = CommandSpec::exec("cat");
    waiting.stdin = StdinSpec::Null;
    place.ran(&engine, waiting);
    engine.journal().unwrap().close();
    place
}

/// The whole place, to be put back after each change.
struct Copy {
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Copy {
    fn of(place: &Place) -> Self {
        let log = "PRAGMA wal_checkpoint(TRUNCATE)";
        place.database().query_row(log, [], |_| Ok(())).unwrap();
        let all = ["journal/journal.db", "journal/head"].map(|name| place.path().join(name));
        let spool = place.path().join("spool").read_dir().unwrap().map(|entry| entry.unwrap().path());
        let files = all.into_iter().chain(spool).map(|path| (path.clone(), std::fs::read(&path).unwrap()));
        Self { files: files.collect() }
    }

    fn put_back(&self, place: &Place) {
        for beside in ["journal.db-wal", "journal.db-shm"] {
            let _ = std::fs::remove_file(place.journal_folder().join(beside));
        }
        self.files.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
    }
}

fn verified(place: &Place) -> Result<(), ReadError> {
    let spool = place.path().join("spool");
    let reader = JournalReader::open(&place.journal_folder(), Some(&spool))?.expect("a journal");
    reader.verify().map(drop)
}

/// It is noticed, in one sentence that names a record.
#[track_caller]
fn noticed(place: &Place, change: &str) {
    match verified(place) {
        Err(error @ (ReadError::Broken(_) | ReadError::TakenAway { .. })) => {
            let text = error.to_string();
            assert!(text.contains("record ") && !text.contains('\n'), "{change}: {text}");
        }
        other => panic!("{change}: {other:?}"),
    }
}

struct Table {
    name: String,
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

fn tables(database: &Connection) -> Vec<Table> {
    let mut all = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").unwrap();
    let names: Vec<String> = all.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let read = |name: String| {
        let mut all = database.prepare(&format!("SELECT * FROM {name}")).unwrap();
        let columns: Vec<String> = all.column_names().map(str::to_owned).collect();
        let row = |row: &rusqlite::Row<'_>| (0..columns.len()).map(|at| row.get(at)).collect();
        let rows = all.query_map([], row).unwrap().map(Result::unwrap).collect();
        Table { name, columns, rows }
    };
    names.into_iter().map(read).collect()
}

/// Other values than this one.
fn others(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![Value::Integer(7), Value::Text("x".to_owned()), Value::Blob(Vec::new())],
        Value::Integer(number) => {
            [number + 1, number + 1000, -number, 0, number ^ 1].map(Value::Integer).to_vec()
        }
        Value::Real(_) => panic!("no column holds such"),
        Value::Text(text) => [text.clone() + "x", String::new()].map(Value::Text).to_vec(),
        Value::Blob(bytes) => {
            let other: Vec<u8> = bytes.iter().map(|byte| byte ^ 1).collect();
            vec![Value::Blob(other), Value::Blob(Vec::new()), Value::Text("x".to_owned())]
        }
    }
    .into_iter()
    .chain([Value::Null])
    .filter(|other| other != value)
    .collect()
}

/// Whether the change could be made: some are against what the tables allow.
fn change(place: &Place, text: &str, values: &[Value]) -> bool {
    let database = place.database();
    database.pragma_update(None, "ignore_check_constraints", true).unwrap();
    database.execute(text, rusqlite::params_from_iter(values)).is_ok_and(|count| count > 0)
}

#[test]
fn every_column_of_every_table_is_covered() {
    let place = full();
    let copy = Copy::of(&place);
    verified(&place).unwrap();
    let (all, mut made) = (tables(&place.database()), 0);
    assert!(all.iter().all(|table| !table.rows.is_empty()), "every table is tried");
    for table in &all {
        let key = &table.columns[0];
        // The first, the last, and one between them.
        let few = (table.rows.len() / 2).max(1);
        for (column, row) in table
            .columns
            .iter()
            .enumerate()
            .flat_map(|(at, _)| table.rows.iter().step_by(few).map(move |row| (at, row)))
        {
            for other in others(&row[column]) {
                copy.put_back(&place);
                let text =
                    format!("UPDATE {} SET {} = ?1 WHERE {key} = ?2", table.name, table.columns[column]);
                if change(&place, &text, &[other.clone(), row[0].clone()]) {
                    made += 1;
                    noticed(&place, &format!("{text}: {:?} to {other:?}", row[column]));
                }
            }
        }
    }
    assert!(made > 150, "{made}");
}

#[test]
fn rows_that_are_taken_out_doubled_or_swapped_are_noticed() {
    let place = full();
    let copy = Copy::of(&place);
    let all = tables(&place.database());
    for Table { name, columns, rows } in &all {
        let key = &columns[0];
        for (at, row) in rows.iter().enumerate() {
            copy.put_back(&place);
            let text = format!("DELETE FROM {name} WHERE {key} = ?1");
            assert!(change(&place, &text, &row[..1]));
            noticed(&place, &format!("{text} {:?}", row[0]));
            for more in [1, 1000] {
                copy.put_back(&place);
                let marks: Vec<String> = (1..=columns.len()).map(|at| format!("?{at}")).collect();
                let text = format!("INSERT INTO {name} VALUES ({})", marks.join(", "));
                let Value::Integer(number) = row[0] else { panic!("{row:?}") };
                let mut doubled = row.clone();
                doubled[0] = Value::Integer(number + more);
                if change(&place, &text, &doubled) {
                    noticed(&place, &format!("{text} {doubled:?}"));
                }
            }
            let Some(next) = rows.get(at + 1).filter(|next| next[1..] != row[1..]) else { continue };
            copy.put_back(&place);
            for (one, other) in [(row, next), (next, row)] {
                let set: Vec<String> =
                    (1..columns.len()).map(|at| format!("{} = ?{}", columns[at], at + 1)).collect();
                let text = format!("UPDATE {name} SET {} WHERE {key} = ?1", set.join(", "));
                let values: Vec<Value> = one[..1].iter().chain(&other[1..]).cloned().collect();
                assert!(change(&place, &text, &values));
            }
            noticed(&place, &format!("{name}: {:?} and {:?} swapped", row[0], next[0]));
        }
    }
}

#[test]
fn files_of_the_spool_that_are_changed_or_taken_away_are_noticed() {
    let place = full();
    let copy = Copy::of(&place);
    let spooled: Vec<PathBuf> =
        place.path().join("spool").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(spooled.len(), 2);
    let changes: [fn(&Path); 4] = [
        |path| std::fs::remove_file(path).unwrap(),
        |path| std::fs::write(path, "").unwrap(),
        |path| std::fs::write(path, vec![1; 3000]).unwrap(),
        |path| std::fs::write(path, vec![0; 3001]).unwrap(),
    ];
    for (path, change) in spooled.iter().flat_map(|path| changes.iter().map(move |change| (path, change))) {
        change(path);
        noticed(&place, &path.display().to_string());
        copy.put_back(&place);
        verified(&place).unwrap();
    }
}

#[test]
fn a_head_that_is_missing_empty_garbage_older_or_newer_is_noticed_and_stays_so() {
    let place = full();
    let copy = Copy::of(&place);
    let head = place.journal_folder().join("head");
    let text = std::fs::read_to_string(&head).unwrap();
    let last: u64 = text[..20].parse().unwrap();
    let hash = |seq: u64| -> String {
        let text = "SELECT lower(hex(hash)) FROM records WHERE seq = ?1";
        place.database().query_row(text, [seq.cast_signed()], |row| row.get(0)).unwrap()
    };
    let older = format!("{:020} {}\n", last - 2, hash(last - 2)).repeat(2);
    let changes = [
        None,
        Some(String::new()),
        Some("nonsense".to_owned()),
        Some(text.repeat(2)),
        Some(older.clone()),
        Some(text.replace(&format!("{last:020}"), &format!("{:020}", last + 3))),
    ];
    for change in changes {
        copy.put_back(&place);
        match &change {
            None => std::fs::remove_file(&head).unwrap(),
            Some(text) => std::fs::write(&head, text).unwrap(),
        }
        noticed(&place, &format!("{change:?}"));
        place.ran(&place.engine(), CommandSpec::exec("true"));
        noticed(&place, &format!("{change:?}, and more was written"));
    }
    // The newest rows go, and the head with them, or says what is left.
    let cut = format!(
        "DELETE FROM records WHERE seq > {0}; DELETE FROM commands WHERE seq > {0}; DELETE FROM outputs WHERE seq > {0};
         UPDATE commands SET state = 0, code = NULL, took = NULL, bytes = NULL, end = NULL WHERE end > {0}",
        last - 2
    );
    for change in [None, Some(""), Some(older.as_str())] {
        copy.put_back(&place);
        place.database().execute_batch(&cut).unwrap();
        match change {
            None => std::fs::remove_file(&head).unwrap(),
            Some(text) => std::fs::write(&head, text).unwrap(),
        }
        noticed(&place, &format!("cut, and {change:?}"));
        place.ran(&place.engine(), CommandSpec::exec("true"));
        noticed(&place, &format!("cut, and {change:?}, and more was written"));
    }
}

#[test]
fn a_version_that_is_not_its_own_is_noticed() {
    let place = full();
    let copy = Copy::of(&place);
    for version in [0, 1, 3] {
        copy.put_back(&place);
        place.database().pragma_update(None, "user_version", version).unwrap();
        verified(&place).unwrap_err();
    }
}

#[test]
fn output_that_was_changed_is_not_shown() {
    let place = full();
    let copy = Copy::of(&place);
    for (set, shown) in [("code = code", true), ("runner = 'x'", true)] {
        copy.put_back(&place);
        place.database().execute(&format!("UPDATE commands SET {set}"), []).unwrap();
        let found = &place.all()[1];
        assert_eq!(place.reader().output(found, runward_engine::Stream::Stdout).is_ok(), shown, "{set}");
    }
    for set in ["stdout = x'41'", "stderr = x'41'", "stdout = NULL"] {
        copy.put_back(&place);
        place.database().execute(&format!("UPDATE outputs SET {set}"), []).unwrap();
        let found = &place.all()[1];
        let error = place.reader().output(found, runward_engine::Stream::Stdout).unwrap_err();
        assert!(matches!(error, ReadError::Broken(_)), "{set}: {error}");
    }
    copy.put_back(&place);
    for name in ["stdout", "stderr"] {
        copy.put_back(&place);
        let found = place.all().into_iter().find(|found| found.summary.line.contains("3000")).unwrap();
        std::fs::write(place.path().join(format!("spool/{}.{name}", found.summary.run)), "forged").unwrap();
        let stream =
            if name == "stdout" { runward_engine::Stream::Stdout } else { runward_engine::Stream::Stderr };
        assert!(matches!(place.reader().output(&found, stream), Err(ReadError::Broken(_))), "{name}");
    }
}

#[test]
fn what_the_spool_removes_to_make_room_is_on_record() {
    let place = Place::new();
    let engine = runward_engine::Engine::builder()
        .policy(Policy::allow_everything("a test"))
        .journal(runward_engine::journal::Journal::new(place.rules(), Default::default()))
        .spool(runward_engine::SpoolRules { folder: place.path().join("spool"), total: 10_000 })
        .build()
        .unwrap();
    for _ in 0..4 {
        let mut long = CommandSpec::shell("head -c 4000 /dev/zero");
        long.limits.keep = runward_engine::Wish::At(1000);
        long.limits.spool = runward_engine::Wish::At(4000);
        place.ran(&engine, long);
    }
    assert!(place.path().join("spool").read_dir().unwrap().count() < 4, "some had to go");
    place.reader().verify().unwrap();
}
