//! No captured byte is lost unnoticed, and memory does not grow with what is printed.

use crate::ground::{builder, engine, part, run, run_on, script, start_on, stdout};
use runward_engine::core::output::Stream;
use runward_engine::{CommandSpec, Leftovers, Receipt, SessionEvent, SpoolRules, Streams, Wish};

fn keeping(spec: CommandSpec, bytes: u64) -> CommandSpec {
    let mut spec = spec;
    spec.limits.keep = Wish::At(bytes);
    spec
}

/// promise: P06
#[tokio::test]
async fn binary_output_comes_back_byte_for_byte() {
    let receipt = run(script(r"printf '\000\377\302\n\200x'")).await;
    assert_eq!(receipt.stdout.kept.bytes(), b"\0\xff\xc2\n\x80x");
    let view = serde_json::to_value(receipt.view()).unwrap();
    assert_eq!(view["stdout_encoding"], "binary");
    assert_eq!(view["stdout"], "\0\\xff\\xc2\n\\x80x");
}

/// promise: P06
#[tokio::test]
async fn what_is_not_kept_is_counted_to_the_byte() {
    let receipt = run(keeping(part(["spew", "1000003"]), 1000)).await;
    assert_eq!(receipt.stdout.kept.total, 1_000_003);
    assert_eq!(receipt.stdout.kept.missing(), 999_003);
    let view = serde_json::to_value(receipt.view()).unwrap();
    assert_eq!(view["stdout_bytes"], 1_000_003);
    assert_eq!(view["stdout_truncated"], true);
    assert!(view["stdout"].as_str().unwrap().contains("\n[999003 bytes not shown]\n"));
}

fn spooling(folder: &std::path::Path) -> runward_engine::Engine {
    builder().spool(SpoolRules { folder: folder.to_owned(), total: 1 << 30 }).build().unwrap()
}

/// promise: P06
#[tokio::test]
async fn the_spool_holds_everything_that_memory_does_not() {
    let dir = tempfile::tempdir().unwrap();
    let receipt = run_on(&spooling(dir.path()), keeping(script("seq 1 100000; seq 1 50000 >&2"), 1000)).await;
    for (summary, last) in [(&receipt.stdout, 100_000), (&receipt.stderr, 50_000)] {
        let file = summary.spool.as_ref().expect("a spool file");
        let expected: String = (1..=last).map(|n| format!("{n}\n")).collect();
        assert_eq!(std::fs::read_to_string(file).unwrap(), expected);
    }
}

/// promise: P06
#[tokio::test]
async fn little_output_never_touches_the_disk() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("spool");
    run_on(&spooling(&folder), script("echo little")).await;
    assert!(!folder.exists());
}

/// promise: P06
#[tokio::test]
async fn a_spool_that_is_full_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut defaults = runward_engine::Defaults::default();
    defaults.limits.spool = 5000;
    let rules = SpoolRules { folder: dir.path().to_owned(), total: 1 << 30 };
    let engine = builder().defaults(defaults).spool(rules).build().unwrap();
    let receipt = run_on(&engine, keeping(part(["spew", "100000"]), 1000)).await;
    assert_eq!(std::fs::metadata(receipt.stdout.spool.as_ref().unwrap()).unwrap().len(), 5000);
    assert_eq!(receipt.stdout.kept.total, 100_000);
    assert!(receipt.notes.iter().any(|note| note.contains("only the beginning")), "{:?}", receipt.notes);
}

/// promise: P06
#[tokio::test]
async fn a_spool_that_cannot_be_written_is_told_and_costs_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("in-the-way");
    std::fs::write(&file, "a file where a folder should be").unwrap();
    let receipt = run_on(&spooling(&file), keeping(part(["spew", "10000"]), 1000)).await;
    assert_eq!(receipt.stdout.kept.total, 10_000);
    assert!(receipt.notes.iter().any(|note| note.contains("could not be written")), "{:?}", receipt.notes);
}

/// promise: P06
#[tokio::test]
async fn the_oldest_finished_output_makes_room() {
    let dir = tempfile::tempdir().unwrap();
    let mut defaults = runward_engine::Defaults::default();
    defaults.limits.spool = 10_000;
    let rules = SpoolRules { folder: dir.path().to_owned(), total: 25_000 };
    let engine = builder().defaults(defaults).spool(rules).build().unwrap();
    let mut files = Vec::new();
    for _ in 0..4 {
        let receipt = run_on(&engine, keeping(part(["spew", "10000"]), 1000)).await;
        files.push(receipt.stdout.spool.unwrap());
    }
    assert!(!files[0].exists(), "the oldest is gone");
    assert!(files[3].exists(), "the newest is there");
}

/// promise: P08
#[tokio::test]
async fn a_grandchild_that_holds_the_pipe_does_not_hold_the_answer() {
    let begun = std::time::Instant::now();
    let receipt = run(script("sleep 300 & echo done")).await;
    assert_eq!(stdout(&receipt), "done\n");
    assert_eq!(receipt.end.leftovers, Leftovers::Killed { count: 1 });
    assert!(begun.elapsed() < std::time::Duration::from_secs(10), "took {:?}", begun.elapsed());
}

/// promise: P06
#[tokio::test]
async fn a_listener_hears_every_byte_in_order() {
    let mut session = start_on(&engine(), part(["spew", "3000000"])).await;
    let mut heard = 0;
    while let Some(event) = session.next_event().await {
        let SessionEvent::Output { stream, offset, bytes, .. } = event else { panic!("{event:?}") };
        assert_eq!((stream, offset), (Stream::Stdout, heard));
        heard += bytes.len() as u64;
    }
    assert_eq!(heard, 3_000_000);
    assert_eq!(session.wait().await.unwrap().stdout.kept.total, 3_000_000);
}

/// promise: P06
#[tokio::test]
async fn a_slow_listener_loses_nothing_even_after_the_end() {
    let mut session = start_on(&engine(), part(["spew", "300000"])).await;
    let mut heard = 0;
    while let Some(event) = session.next_event().await {
        if let SessionEvent::Output { bytes, .. } = event {
            heard += bytes.len();
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    assert_eq!(heard, 300_000);
}

/// promise: P06
#[tokio::test]
async fn joined_streams_keep_the_order_of_writing() {
    let mut spec = part(["interleave", "500"]);
    spec.streams = Streams::Joined;
    let expected: String = (0..500).map(|n| format!("o{n}\ne{n}\n")).collect();
    let receipt = run(spec).await;
    assert_eq!(stdout(&receipt), expected);
    assert!(receipt.stderr.is_empty());
}

fn joined(receipt: &Receipt) -> Vec<u8> {
    receipt.interleaved().into_iter().flat_map(|(_, bytes)| bytes.to_vec()).collect()
}

/// promise: P06
#[tokio::test]
async fn the_order_of_arrival_can_be_shown_for_streams_kept_apart() {
    // Each line waits for its predecessor to be heard, so the order of arrival is the order of writing.
    let mut spec = script("echo one; read x; echo two >&2; read x; echo three");
    spec.stdin = runward_engine::StdinSpec::Open;
    let mut session = start_on(&engine(), spec).await;
    let input = session.input();
    let mut lines = 0;
    while let Some(event) = session.next_event().await {
        assert!(matches!(event, SessionEvent::Output { .. }));
        lines += 1;
        if lines < 3 {
            input.write(*b"\n").await.unwrap();
        }
    }
    let receipt = session.wait().await.unwrap();
    assert_eq!(joined(&receipt), b"one\ntwo\nthree\n");
    assert_eq!(receipt.order.len(), 3);
}

/// promise: P06
#[tokio::test]
async fn what_is_in_the_pipe_when_a_command_dies_is_kept() {
    // Half a pipe full, then gone: nothing is closed in an orderly way.
    let receipt = run(script("head -c 60000 /dev/zero; kill -9 $$")).await;
    assert_eq!(receipt.stdout.kept.total, 60_000);
}

/// promise: P06
#[tokio::test]
async fn each_command_has_streams_of_its_own_however_soon_it_follows() {
    let engine = engine();
    for turn in 0..50 {
        let receipt = run_on(&engine, script(&format!("printf out{turn}; printf err{turn} >&2"))).await;
        let printed = [&receipt.stdout, &receipt.stderr].map(|stream| stream.kept.bytes());
        assert_eq!(printed, [format!("out{turn}").into_bytes(), format!("err{turn}").into_bytes()]);
    }
}

/// promise: P06
#[tokio::test]
async fn a_command_that_closes_its_outputs_early_ends_as_any_other() {
    let receipt = run(script("exec >&- 2>&-; exit 3")).await;
    assert_eq!((receipt.end.exit_code(), receipt.end.leftovers), (3, Leftovers::None));
    assert!(receipt.notes.is_empty(), "{:?}", receipt.notes);
    let printed = run(script("echo before; exec >&- 2>&-; exit 4")).await;
    assert_eq!((printed.end.exit_code(), stdout(&printed).as_str()), (4, "before\n"));
}

/// promise: P06
#[tokio::test]
async fn a_running_command_can_be_read_at_any_offset() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = keeping(script("seq 1 20000; read x; echo over"), 1000);
    spec.stdin = runward_engine::StdinSpec::Open;
    let mut session = start_on(&spooling(dir.path()), spec).await;
    session.stop_listening();
    let expected: String = (1..=20_000).map(|n| format!("{n}\n")).collect();
    let ledger = session.ledger().expect("a session has one");
    ledger.until(|standing| (standing.stdout == expected.len() as u64).then_some(())).await;
    let read_all = || {
        let (mut all, mut at) = (Vec::new(), 0);
        loop {
            let part = ledger.read(Stream::Stdout, at, 777);
            assert_eq!(part.offset, at, "something is missing");
            if part.bytes.is_empty() {
                return String::from_utf8(all).unwrap();
            }
            at = part.next();
            all.extend(part.bytes);
        }
    };
    assert_eq!(read_all(), expected);
    session.input().write(*b"\n").await.unwrap();
    let receipt = ledger.until(|standing| standing.receipt.clone()).await;
    assert_eq!(receipt.end.exit_code(), 0);
    assert_eq!(read_all(), expected + "over\n");
}

/// promise: P06
#[tokio::test]
async fn without_a_spool_a_reader_is_told_where_the_gap_ends() {
    let session = start_on(&engine(), keeping(part(["spew", "10000"]), 1000)).await;
    let ledger = session.ledger().expect("a session has one");
    session.wait().await.unwrap();
    assert_eq!(ledger.standing().stdout, 10_000);
    assert_eq!(ledger.read(Stream::Stdout, 0, 9999).bytes.len(), 500);
    assert_eq!(ledger.read(Stream::Stdout, 600, 9999).offset, 9500);
}

/// promise: P06
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_that_run_at_once_share_the_spool_and_say_when_it_is_full() {
    let dir = tempfile::tempdir().unwrap();
    let mut defaults = runward_engine::Defaults::default();
    defaults.limits.spool = 10_000;
    let rules = SpoolRules { folder: dir.path().to_owned(), total: 25_000 };
    let engine = builder().defaults(defaults).spool(rules).build().unwrap();
    let mut spec = keeping(script("head -c 50000 /dev/zero; read x"), 1000);
    spec.stdin = runward_engine::StdinSpec::Open;
    let mut all = Vec::new();
    for _ in 0..5 {
        let mut session = start_on(&engine, spec.clone()).await;
        session.stop_listening();
        session.ledger().unwrap().until(|standing| (standing.stdout == 50_000).then_some(())).await;
        all.push(session);
    }
    let on_disk = || -> u64 {
        std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().metadata().unwrap().len()).sum()
    };
    assert!(on_disk() <= 25_000, "{}", on_disk());
    let mut full = 0;
    for session in all {
        session.input().close().await.unwrap();
        let receipt = session.wait().await.unwrap();
        assert_eq!(receipt.stdout.kept.total, 50_000);
        full += usize::from(receipt.notes.iter().any(|note| note.contains("the spool is full")));
    }
    assert_eq!(full, 3);
}

/// promise: P06
#[tokio::test]
async fn what_may_be_written_is_not_counted_before_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let mut defaults = runward_engine::Defaults::default();
    defaults.limits.spool = 10_000;
    // Room for what forty commands print, not for what forty might.
    let rules = SpoolRules { folder: dir.path().to_owned(), total: 100_000 };
    let engine = builder().defaults(defaults).spool(rules).build().unwrap();
    let mut spec = keeping(script("head -c 2000 /dev/zero; read x"), 1000);
    spec.stdin = runward_engine::StdinSpec::Open;
    let mut all = Vec::new();
    for _ in 0..40 {
        let mut session = start_on(&engine, spec.clone()).await;
        session.stop_listening();
        session.ledger().unwrap().until(|standing| (standing.stdout == 2000).then_some(())).await;
        all.push(session);
    }
    for session in all {
        session.input().close().await.unwrap();
        let receipt = session.wait().await.unwrap();
        assert!(receipt.notes.is_empty(), "{:?}", receipt.notes);
        assert_eq!(std::fs::metadata(receipt.stdout.spool.unwrap()).unwrap().len(), 2000);
    }
}

/// promise: P06
#[tokio::test]
async fn a_spool_that_gets_full_while_a_command_prints_takes_the_finished_first_and_then_ends() {
    let dir = tempfile::tempdir().unwrap();
    let rules = SpoolRules { folder: dir.path().to_owned(), total: 300_000 };
    let engine = builder().spool(rules).build().unwrap();
    let finished = run_on(&engine, keeping(part(["spew", "100000"]), 1000)).await;
    let receipt = run_on(&engine, keeping(part(["spew", "1000000"]), 1000)).await;
    assert!(!finished.stdout.spool.unwrap().exists(), "what is over made room");
    let len = std::fs::metadata(receipt.stdout.spool.as_ref().unwrap()).unwrap().len();
    assert_eq!(len, 300_000, "all the room there is");
    assert!(receipt.notes.iter().any(|note| note.contains("the spool is full")), "{:?}", receipt.notes);
}

#[tokio::test]
async fn output_that_is_cut_where_there_is_no_spool_says_so() {
    let cut = run(keeping(part(["spew", "5000"]), 1000)).await;
    let note = "3.9 KiB of the output are lost: there is no spool, because none was set up";
    assert_eq!(cut.notes, [note]);
    let whole = run(keeping(part(["spew", "500"]), 1000)).await;
    assert!(whole.notes.is_empty(), "{:?}", whole.notes);
    let seen = builder().without_spool(runward_engine::NoSpool::Unneeded).build().unwrap();
    let unneeded = run_on(&seen, keeping(part(["spew", "5000"]), 1000)).await;
    assert!(unneeded.notes.is_empty(), "{:?}", unneeded.notes);
}

#[tokio::test]
async fn what_every_receipt_has_to_say_is_in_every_receipt() {
    let engine = builder().note("there is no home").build().unwrap();
    for _ in 0..2 {
        assert_eq!(run_on(&engine, script("true")).await.notes, ["there is no home"]);
    }
}

/// promise: P07
#[tokio::test]
async fn somebody_outside_the_tree_who_writes_for_ever_does_not_hold_the_answer() {
    let mut spec = script("echo $$; read x");
    spec.stdin = runward_engine::StdinSpec::Open;
    let mut session = start_on(&engine(), spec).await;
    let Some(SessionEvent::Output { bytes, .. }) = session.next_event().await else { panic!("no pid") };
    session.stop_listening();
    let pid = String::from_utf8(bytes.to_vec()).unwrap().trim().to_owned();
    // From another engine's tree: it writes into this command's pipe and is not below it.
    let outsider = start_on(&engine(), script(&format!("exec cat /dev/zero > /proc/{pid}/fd/1"))).await;
    let ledger = session.ledger().unwrap();
    ledger.until(|standing| (standing.stdout > 1_000_000).then_some(())).await;
    session.stop();
    let receipt = tokio::time::timeout(testkit::LIMIT, session.wait()).await.expect("an answer").unwrap();
    assert!(receipt.end.stopped.is_some());
    drop(outsider);
}
