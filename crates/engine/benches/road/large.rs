//! How long questions to a journal of a million records take, asked as a person asks them.

use runward_engine::journal::{AskedRecord, Filter, JournalReader, JournalRecord};
use rusqlite::{Connection, params};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use testkit::measure::{Amount, Plan, ResultRow, TargetSide, time};

/// Commands, each with two records.
const COMMANDS: u64 = 500_000;

/// Over so many milliseconds.
const OVER: u64 = 30 * 86_400_000;

const SOON: Duration = Duration::from_millis(200);

/// Fills the journal in this folder, in which one command was recorded, as if so many had been. The name of one.
pub(crate) fn fill(folder: &Path, commands: u64) -> String {
    let reader = JournalReader::open(folder, None).expect("readable").expect("a journal");
    let found = reader.list(&Filter::default()).expect("readable").remove(0);
    let whole = reader.whole(&found).expect("readable");
    let (JournalRecord::Begin(mut begin), Some(JournalRecord::End(mut end))) = (whole.first, whole.last)
    else {
        panic!("it ended")
    };
    let mut database = Connection::open(folder.join("journal.db")).expect("a database");
    let filling = database.transaction().expect("a transaction");
    let now = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).expect("a time").as_millis())
        .expect("fits");
    let words =
        ["git status", "cargo test --workspace", "ls -la src", "rg --json pattern crates", "npm run build"];
    let (mut seq, mut hash, mut sample) = (2_u64, [0_u8; 32], String::new());
    let record = "INSERT INTO records VALUES (?1, ?2, ?3, ?4, ?5, ?6, 2)";
    let command = "INSERT INTO commands VALUES (?1, ?2, ?3, 'mcp', ?4, ?5, 1, ?6, 12, 34, ?7, 'm')";
    for number in 0..commands {
        let at = now - OVER + number * (OVER / commands);
        let id = format!("{:08x}-{:04x}-7abc-8def-{number:012x}", at >> 16, at & 0xffff);
        let line = format!("{} # {number}", words[usize::try_from(number).expect("fits") % words.len()]);
        let program = line.split(' ').next().unwrap_or_default();
        (begin.at, begin.id, end.at, end.id) = (at, id.clone(), at, id.clone());
        begin.asked = AskedRecord::Shell(line.clone().into());
        for (kind, body) in [
            ("begin", serde_json::to_string(&JournalRecord::Begin(begin.clone()))),
            ("end", serde_json::to_string(&JournalRecord::End(end.clone()))),
        ] {
            let body = body.expect("a text");
            seq += 1;
            hash = *blake3::Hasher::new()
                .update(&hash)
                .update(&seq.to_le_bytes())
                .update(body.as_bytes())
                .finalize()
                .as_bytes();
            let (seq, at) = (seq.cast_signed(), at.cast_signed());
            filling
                .prepare_cached(record)
                .expect("sql")
                .execute(params![seq, at, kind, id, body, &hash[..]])
                .expect("put");
        }
        let begun = (seq - 1).cast_signed();
        let code = i64::from(number % 50 == 0);
        filling
            .prepare_cached(command)
            .expect("sql")
            .execute(params![begun, at.cast_signed(), id, program, line, code, seq.cast_signed()])
            .expect("put");
        if number == commands / 3 {
            sample = id;
        }
    }
    // As a writer leaves it: it is opened again without a word about damage.
    filling.execute("UPDATE marks SET last = ?1", [seq.cast_signed()]).expect("counted");
    filling.commit().expect("committed");
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(folder.join("head"), format!("{seq:020} {hash}\n").repeat(2)).expect("a head");
    drop(reader);
    // As a writer does now and then: a log of a gigabyte is not realistic.
    database.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("moved");
    sample
}

#[expect(clippy::disallowed_methods, reason = "a benchmark of the binary starts the binary")]
fn ask(state: &Path, args: &[&str]) -> Duration {
    let mut command = Command::new(testkit::binary("runward"));
    command.arg("log").args(args).env("RUNWARD_STATE_DIR", state).stdout(Stdio::null()).stderr(Stdio::null());
    time(|| assert!(command.status().expect("it runs").success(), "{args:?}"))
}

/// `state` is a state folder with a journal in which one command was recorded.
pub(crate) fn rows(plan: &Plan, state: &Path) -> Vec<ResultRow> {
    let id = fill(&state.join("journal"), COMMANDS);
    let questions: [(&str, Vec<&str>); 5] = [
        ("1 000 000 records: log --since 1h", vec!["--since", "1h", "-n", "0"]),
        ("1 000 000 records: log --grep, the newest 50", vec!["--grep", "cargo.*6$"]),
        ("1 000 000 records: log --grep, nothing matches", vec!["--grep", "no such command"]),
        ("1 000 000 records: log ID", vec![&id]),
        ("1 000 000 records: log --failed --program git", vec!["--failed", "--program", "git"]),
    ];
    let row = |(what, args): &(&str, Vec<&str>)| {
        let mut times: Vec<Amount> = (0..10 * plan.rounds).map(|_| Amount::Time(ask(state, args))).collect();
        ResultRow::alone(what, TargetSide::Within(Amount::Time(SOON)), &mut times)
    };
    questions.iter().map(row).collect()
}
