//! The chain: every change is found, and dropping in order is none.

use crate::place::Place;
use runward_engine::journal::read::BrokenRecord;
use runward_engine::journal::{JournalRecord, JournalRules, Keep, ReadError};
use runward_engine::{CommandSpec, Engine};

fn five(place: &Place) -> Engine {
    let engine = place.engine();
    for number in 0..5 {
        place.ran(&engine, CommandSpec::exec("echo").arg(number.to_string()));
    }
    engine
}

fn broken(place: &Place) -> BrokenRecord {
    match place.reader().verify() {
        Err(ReadError::Broken(broken)) => broken,
        other => panic!("not broken: {other:?}"),
    }
}

#[test]
fn a_journal_that_nobody_touched_is_whole() {
    let place = Place::new();
    five(&place);
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.records, verified.first, verified.last, verified.missed), (10, 1, 10, 0));
}

#[test]
fn the_first_broken_record_is_named() {
    for (change, seq) in [
        ("UPDATE records SET body = replace(body, '\"3\"', '\"4\"') WHERE seq = 7", 7),
        ("DELETE FROM records WHERE seq = 4", 4),
        ("UPDATE records SET at = at + 1 WHERE seq = 2", 2),
        ("UPDATE records SET hash = zeroblob(32) WHERE seq = 9", 9),
        ("UPDATE commands SET line = 'ls' WHERE seq = 3", 3),
        ("UPDATE commands SET code = 1 WHERE seq = 5", 6),
        ("DELETE FROM commands WHERE seq = 1", 1),
        (
            "DELETE FROM records WHERE seq > 8; UPDATE commands SET end = NULL, state = 0, code = NULL, took = NULL, bytes = NULL WHERE seq > 8; DELETE FROM commands WHERE seq > 8",
            9,
        ),
        ("DELETE FROM records WHERE seq < 3; DELETE FROM commands WHERE seq < 3", 1),
    ] {
        let place = Place::new();
        five(&place);
        place.database().execute_batch(change).unwrap();
        let broken = broken(&place);
        assert_eq!(broken.seq, seq, "{change}: {broken}");
    }
}

#[test]
fn what_was_cut_off_stays_noticed_when_more_is_written() {
    let place = Place::new();
    drop(five(&place));
    place
        .database()
        .execute_batch("DELETE FROM records WHERE seq > 6; DELETE FROM commands WHERE seq > 6")
        .unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    let broken = broken(&place);
    assert!(broken.what.contains("up to record 10"), "{broken}");
}

#[test]
fn commands_from_before_a_clock_that_was_set_back_are_found_by_time() {
    let place = Place::new();
    drop(five(&place));
    let hour = 3_600_000;
    // The first was asked for at noon; then it was nine in the morning, and went on from there.
    rechain(&place.database(), |seq, _| if seq <= 2 { 12 * hour } else { 9 * hour + (seq - 3) * hour / 2 });
    place.reader().verify().unwrap();
    let since = |hours: i64| {
        let since = Some((hours * hour).unsigned_abs());
        let all =
            place.reader().list(&runward_engine::journal::Filter { since, ..Default::default() }).unwrap();
        all.iter().map(|found| found.seq).collect::<Vec<_>>()
    };
    assert_eq!(since(11), [1, 7, 9]);
    assert_eq!(since(12), [1, 9]);
    assert_eq!(since(13), [0; 0]);
    assert_eq!(since(8), [1, 3, 5, 7, 9]);
}

#[test]
fn the_log_of_the_database_counts_as_what_is_kept() {
    let place = Place::new();
    let keep = Keep { days: 30, bytes: 1 << 20 };
    let engine = place.engine_with(JournalRules { keep, ..place.rules() });
    for _ in 0..40 {
        place.ran(&engine, CommandSpec::shell("head -c 200000 /dev/zero"));
    }
    let bytes = |name: &str| std::fs::metadata(place.journal_folder().join(name)).unwrap().len();
    let all = bytes("journal.db") + bytes("journal.db-wal");
    // What one command printed may be over: it is written after the look at how much there is.
    assert!(all < 3 << 20, "{all}");
    place.reader().verify().unwrap();
}

#[test]
fn dropping_in_order_is_sealed_and_breaks_nothing() {
    let place = Place::new();
    drop(five(&place));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    // As if the first six were two months old, chained like that from the start.
    let database = place.database();
    let old = i64::try_from(now).unwrap() - 60 * 86_400_000;
    testkit_rechain(&database, old, 6);
    let rules = JournalRules { keep: Keep { days: 30, bytes: 1 << 30 }, ..place.rules() };
    let engine = place.engine_with(rules);
    place.ran(&engine, CommandSpec::exec("true"));
    let verified = place.reader().verify().unwrap();
    assert_eq!((verified.first, verified.sealed), (7, 6), "{verified:?}");
    assert_eq!(place.all().len(), 3);
    place.ran(&engine, CommandSpec::exec("true"));
    place.reader().verify().unwrap();
    // Moving the beginning on without a seal is found out.
    place.database().execute_batch("UPDATE base SET seq = 7").unwrap();
    assert!(place.reader().verify().is_err());
}

#[test]
fn a_clock_that_is_ahead_once_drops_nothing() {
    let place = Place::new();
    drop(five(&place));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    // As seen from two months later, which is what the clock says from here on.
    testkit_rechain(&place.database(), i64::try_from(now).unwrap() - 60 * 86_400_000, 10);
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert_eq!(place.all().len(), 6);
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert_eq!(place.all().len(), 2, "it was right: somebody else wrote by the same clock");
    place.reader().verify().unwrap();
}

#[test]
fn output_of_a_command_that_still_runs_stays_when_its_beginning_is_dropped() {
    let place = Place::new();
    drop(five(&place));
    let runs: Vec<_> = place.all().into_iter().map(|found| found.summary.run).collect();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    testkit_rechain(&place.database(), i64::try_from(now).unwrap() - 60 * 86_400_000, 4);
    let spool = place.path().join("spool");
    std::fs::create_dir_all(&spool).unwrap();
    let [running, over] = [&runs[0], &runs[1]].map(|run| spool.join(format!("{run}.stdout")));
    let held = std::fs::File::create(&running).unwrap();
    held.try_lock().unwrap();
    std::fs::write(&over, "").unwrap();
    place.ran(&place.engine(), CommandSpec::exec("true"));
    assert!(!place.all().iter().any(|found| runs[..2].contains(&found.summary.run)), "both are dropped");
    assert!(running.exists() && !over.exists());
}

#[test]
fn nothing_is_kept_of_a_command_that_ends_after_its_beginning_was_dropped() {
    let place = Place::new();
    let engine = place.engine();
    let mut spec = CommandSpec::shell("echo hi; cat");
    spec.stdin = runward_engine::StdinSpec::Open;
    let started = place.runtime.block_on(engine.start(spec)).unwrap();
    let runward_engine::Started::Running(session) = started else { panic!("{started:?}") };
    engine.journal().unwrap().flush();
    let dropped =
        "INSERT INTO base SELECT 1, seq, hash, at FROM records; DELETE FROM records; DELETE FROM commands";
    place.database().execute_batch(dropped).unwrap();
    place.runtime.block_on(async {
        session.stop();
        session.wait().await.unwrap();
    });
    engine.journal().unwrap().flush();
    let count = |table: &str| -> i64 {
        let text = format!("SELECT count(*) FROM {table}");
        place.database().query_row(&text, [], |row| row.get(0)).unwrap()
    };
    assert_eq!((count("records"), count("outputs")), (1, 0));
}

/// Writes the journal anew with other times for the first records, as only a test may.
fn testkit_rechain(database: &rusqlite::Connection, at: i64, through: i64) {
    rechain(database, |seq, was| if seq <= through { at } else { was });
}

/// Writes the journal anew with other times, as only a test may.
pub(crate) fn rechain(database: &rusqlite::Connection, time: impl Fn(i64, i64) -> i64) {
    let mut all = database.prepare("SELECT seq, body FROM records ORDER BY seq").unwrap();
    let rows: Vec<(i64, String)> =
        all.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    let (mut before, mut last, mut latest) = ([0_u8; 32], 0, 0);
    database.execute("DELETE FROM turns", []).unwrap();
    for (seq, body) in rows {
        let mut record: JournalRecord<'static> = serde_json::from_str(&body).unwrap();
        let at = time(seq, i64::try_from(record.at()).unwrap());
        match &mut record {
            JournalRecord::Begin(begin) => begin.at = at.unsigned_abs(),
            JournalRecord::End(end) => end.at = at.unsigned_abs(),
            JournalRecord::Refused(refused) => refused.at = at.unsigned_abs(),
            other => panic!("{other:?}"),
        }
        let body = serde_json::to_string(&record).unwrap();
        let mut hasher = blake3::Hasher::new();
        hasher.update(&before).update(&seq.to_le_bytes()).update(body.as_bytes());
        before = *hasher.finalize().as_bytes();
        database
            .execute(
                "UPDATE records SET body = ?2, hash = ?3, at = ?4 WHERE seq = ?1",
                (seq, &body, &before[..], at),
            )
            .unwrap();
        database.execute("UPDATE commands SET at = ?2 WHERE seq = ?1", (seq, at)).unwrap();
        if at + 120_000 < latest {
            database.execute("INSERT INTO turns VALUES (?1)", [seq]).unwrap();
            latest = at;
        }
        (last, latest) = (seq, latest.max(at));
    }
    database.execute("UPDATE marks SET last = ?1, latest = ?2", [last, latest]).unwrap();
    let line = format!("{last:020} {}\n", blake3::Hash::from_bytes(before).to_hex());
    let head = std::path::Path::new(database.path().unwrap()).with_file_name("head");
    std::fs::write(head, line.clone() + &line).unwrap();
}
