//! A disk that hangs blocks the call that needs it, and no other.

use crate::ground::{builder, ms, run_on, script, stdout};
use runward_engine::{Code, Coded, CommandSpec, Engine, Leftovers, SpoolRules, StopCause, Wish};
use std::path::Path;
use std::time::{Duration, Instant};
use testkit::HangingMount;

const WAIT: Duration = Duration::from_millis(300);

/// The mount goes before its folder: a folder that is taken away is looked at.
struct Far {
    mount: HangingMount,
    folder: tempfile::TempDir,
}

impl Far {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mount = HangingMount::new(&folder.path().join("real"), &folder.path().join("far"));
        Self { mount, folder }
    }

    fn at(&self) -> &Path {
        self.mount.at()
    }

    fn real(&self) -> std::path::PathBuf {
        self.folder.path().join("real")
    }
}

fn engine() -> Engine {
    builder().disk_wait(WAIT).build().unwrap()
}

/// More than memory keeps.
fn much() -> CommandSpec {
    let mut spec = script("head -c 5000 /dev/zero");
    spec.limits.keep = Wish::At(1000);
    spec
}

/// What a command that needs the hung disk comes to, while others go on.
async fn fails_alone(engine: &Engine, far: &Far, spec: CommandSpec) {
    let begun = Instant::now();
    let stuck = tokio::spawn({
        let engine = engine.clone();
        async move { engine.run(spec).await }
    });
    tokio::task::yield_now().await;
    let mut others = 0;
    while !stuck.is_finished() {
        assert_eq!(stdout(&run_on(engine, script("echo on")).await), "on\n");
        others += 1;
    }
    assert!(others > 0, "others go on meanwhile");
    let error = stuck.await.unwrap().unwrap_err();
    assert_eq!(error.code(), Code::ResolveUnresponsive, "{error:?}");
    let shown = error.to_string();
    assert!(shown.contains(far.at().to_str().unwrap()) && shown.contains("did not answer"), "{shown}");
    assert!(begun.elapsed() < testkit::LIMIT);
}

#[tokio::test]
async fn a_folder_on_a_disk_that_hangs_fails_with_words_and_others_go_on() {
    let (engine, far) = (engine(), Far::new());
    let spec = script("pwd").cwd(far.at());
    assert!(stdout(&run_on(&engine, spec.clone()).await).contains("far"), "it works while it answers");
    far.mount.hang();
    fails_alone(&engine, &far, spec.clone()).await;
    far.mount.go_on();
    run_on(&engine, spec).await;
}

#[tokio::test]
async fn so_does_a_program_there_and_a_link_and_a_search_path_that_lead_there() {
    let (engine, far) = (engine(), Far::new());
    std::fs::copy("/bin/true", far.real().join("mine")).unwrap();
    let link = far.folder.path().join("link");
    std::os::unix::fs::symlink(far.at().join("mine"), &link).unwrap();
    let program = || CommandSpec::exec(far.at().join("mine")).timeout(testkit::LIMIT);
    let linked = || CommandSpec::exec(&link).timeout(testkit::LIMIT);
    let searched = || {
        let path = format!("{}:/usr/bin:/bin", far.at().display());
        CommandSpec::exec("mine").env("PATH", path).timeout(testkit::LIMIT)
    };
    run_on(&engine, program()).await;
    run_on(&engine, linked()).await;
    far.mount.hang();
    fails_alone(&engine, &far, program()).await;
    fails_alone(&engine, &far, linked()).await;
    if let Err(error) = engine.run(searched()).await {
        assert!([Code::ResolveUnresponsive, Code::ResolveNotFound].contains(&error.code()), "{error:?}");
    }
}

#[tokio::test]
async fn many_calls_on_a_disk_that_hangs_cost_a_bounded_number_of_threads() {
    let (engine, far) = (engine(), Far::new());
    run_on(&engine, script("true").cwd(far.at())).await;
    far.mount.hang();
    let all: Vec<_> = (0..60)
        .map(|_| {
            let (engine, spec) = (engine.clone(), script("true").cwd(far.at()));
            tokio::spawn(async move { engine.run(spec).await })
        })
        .collect();
    for one in all {
        assert_eq!(one.await.unwrap().unwrap_err().code(), Code::ResolveUnresponsive);
    }
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    assert!(threads() < 16 + 10, "{}", threads());
    let begun = Instant::now();
    let error = engine.run(script("true").cwd(far.at())).await.unwrap_err();
    assert_eq!(error.code(), Code::ResolveUnresponsive);
    assert!(error.to_string().ends_with("did not answer before"), "{error}");
    assert!(begun.elapsed() < WAIT, "all are stuck: it fails at once");
    far.mount.go_on();
    let begun = Instant::now();
    while engine.run(script("true").cwd(far.at())).await.is_err() {
        assert!(begun.elapsed() < testkit::LIMIT, "it is well again");
        tokio::task::yield_now().await;
    }
}

/// promise: P06
#[tokio::test]
async fn a_command_whose_spool_hangs_is_ended_at_its_limit_and_its_receipt_tells() {
    let far = Far::new();
    let rules = SpoolRules { folder: far.at().join("spool"), total: 1 << 30 };
    let engine = builder().disk_wait(WAIT).spool(rules).build().unwrap();
    let mut spec = script("while :; do head -c 200000 /dev/zero; done").timeout(ms(1500));
    spec.limits.keep = Wish::At(1000);
    let warm = run_on(&engine, much()).await;
    assert!(warm.stdout.spool.is_some(), "{:?}", warm.notes);
    far.mount.hang();
    let begun = Instant::now();
    let (hung, other) = tokio::join!(run_on(&engine, spec.clone()), run_on(&engine, script("echo on")));
    assert_eq!(stdout(&other), "on\n");
    assert_eq!(hung.end.stopped, Some(StopCause::Timeout));
    assert_ne!(hung.end.leftovers, Leftovers::Unknown);
    assert!(begun.elapsed() < ms(1500) + WAIT * 20, "{:?}", begun.elapsed());
    assert_eq!(hung.stdout.spool, None);
    assert!(hung.stdout.kept.total > 1000 && hung.stdout.kept.bytes().len() == 1000);
    let told = |receipt: &runward_engine::Receipt| {
        receipt.notes.iter().any(|n| n.contains("did not answer within 300ms"))
    };
    assert!(told(&hung), "{:?}", hung.notes);
    // It is known by now: the next one is not held up at all.
    let quick = run_on(&engine, much()).await;
    assert!(told(&quick) && quick.stdout.spool.is_none(), "{:?}", quick.notes);
    far.mount.go_on();
    // There is a spool again, and what was given up is taken away.
    let begun = Instant::now();
    let well = loop {
        let receipt = run_on(&engine, much()).await;
        if let Some(file) = receipt.stdout.spool {
            break file;
        }
        assert!(begun.elapsed() < testkit::LIMIT, "it is well again: {:?}", receipt.notes);
    };
    assert_eq!(std::fs::metadata(well).unwrap().len(), 5000);
    testkit::until("nothing is left of it", || {
        std::fs::read_dir(far.real().join("spool")).is_ok_and(|all| all.count() == 2)
    });
}

#[tokio::test]
async fn the_end_of_the_engine_does_not_wait_for_a_spool_that_hangs() {
    let far = Far::new();
    let rules = SpoolRules { folder: far.at().join("spool"), total: 1 << 30 };
    let engine = builder().disk_wait(Duration::from_secs(60)).spool(rules).build().unwrap();
    let mut spec = script("head -c 5000 /dev/zero; sleep 600");
    spec.limits.keep = Wish::At(1000);
    far.mount.hang();
    let mut session = crate::ground::start_on(&engine, spec).await;
    session.stop_listening();
    session.ledger().unwrap().until(|standing| (standing.stdout == 5000).then_some(())).await;
    let begun = Instant::now();
    engine.shutdown().await;
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
}
