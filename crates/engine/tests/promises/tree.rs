//! When a command ends, for whatever reason, nothing of its tree is left.

use crate::ground::{builder, containments, engine, ms, part, run_on, script, start_on, stdout};
use runward_engine::core::facts::Containment;
use runward_engine::{
    CommandSpec, EndedBy, Engine, Leftovers, Outcome, Receipt, Session, SessionEvent, Signal, StopCause,
};
use testkit::TreeMark;

/// Runs a script with every containment that this host has; after each, nothing may carry the mark.
async fn leaves_nothing(spec: impl Fn(&TreeMark) -> CommandSpec, check: impl Fn(&Receipt)) {
    for containment in containments() {
        let engine = builder().containment(containment).build().unwrap();
        let mark = TreeMark::new();
        let receipt = run_on(&engine, spec(&mark)).await;
        assert_eq!(mark.carriers(), [0; 0], "left behind with {containment:?}: {receipt:?}");
        assert_eq!(receipt.containment, containment);
        check(&receipt);
    }
}

fn timed_out(receipt: &Receipt) {
    assert_eq!(receipt.end.stopped, Some(StopCause::Timeout), "{receipt:?}");
    assert_eq!(receipt.end.exit_code(), 124);
}

async fn nothing_survives_a_timeout(text: &str) {
    let spec = |mark: &TreeMark| CommandSpec::shell(text.replace("MARK", mark.text())).timeout(ms(300));
    leaves_nothing(spec, timed_out).await;
}

/// promise: P02
#[tokio::test]
async fn background_children() {
    nothing_survives_a_timeout("sleep MARK & sleep MARK & wait").await;
}

/// promise: P02
#[tokio::test]
async fn children_in_a_session_of_their_own() {
    nothing_survives_a_timeout("setsid sleep MARK & sleep MARK").await;
}

/// promise: P02
#[tokio::test]
async fn children_under_job_control() {
    nothing_survives_a_timeout("set -m; sleep MARK & sleep MARK").await;
}

/// promise: P02
#[tokio::test]
async fn children_that_ignore_the_hangup() {
    nothing_survives_a_timeout("nohup sleep MARK >/dev/null 2>&1 & sleep MARK").await;
}

/// promise: P02
#[tokio::test]
async fn children_that_ignore_being_asked() {
    nothing_survives_a_timeout("trap '' TERM INT HUP; sleep MARK & sleep MARK").await;
}

/// promise: P02
#[tokio::test]
async fn python_daemons() {
    nothing_survives_a_timeout(
        "python3 -c 'import os,time\nif os.fork()==0:\n os.setsid()\n if os.fork()==0: time.sleep(300)\n os._exit(0)' MARK; sleep MARK",
    )
    .await;
}

/// promise: P02
#[tokio::test]
async fn everything_at_once() {
    nothing_survives_a_timeout(
        "setsid sleep MARK & (sleep MARK &) ; (setsid nohup sleep MARK >/dev/null 2>&1 &); trap '' TERM; sleep MARK",
    )
    .await;
}

/// promise: P02
#[tokio::test]
async fn a_tree_that_grows_when_it_is_asked_to_end() {
    let spec = |mark: &TreeMark| part(["phoenix", mark.text()]).timeout(ms(200));
    leaves_nothing(spec, timed_out).await;
}

/// promise: P02
#[tokio::test]
async fn a_process_that_is_always_another_one() {
    let spec = |mark: &TreeMark| part(["chain", mark.text()]).timeout(ms(200));
    leaves_nothing(spec, |_| {}).await;
}

/// promise: P02
#[tokio::test]
async fn a_tree_that_doubles() {
    let spec = |mark: &TreeMark| part(["fork-bomb", "256", mark.text()]).timeout(ms(200));
    leaves_nothing(spec, timed_out).await;
}

/// promise: P02
#[tokio::test]
async fn a_daemon_left_by_a_command_that_ended() {
    let spec = |mark: &TreeMark| part(["daemon", mark.text()]).timeout(testkit::LIMIT);
    leaves_nothing(spec, |receipt| {
        assert_eq!(receipt.end.how, EndedBy::Exited(0));
        assert_eq!(receipt.end.leftovers, Leftovers::Killed { count: 1 });
    })
    .await;
}

/// promise: P05
#[tokio::test]
async fn what_outlived_the_command_is_counted() {
    let spec = |mark: &TreeMark| {
        script(&format!("for i in 1 2 3; do setsid sleep {} & done; echo done", mark.text()))
    };
    leaves_nothing(spec, |receipt| {
        assert_eq!(stdout(receipt), "done\n");
        assert_eq!(receipt.end.leftovers, Leftovers::Killed { count: 3 });
        assert_eq!(receipt.notes, ["3 processes outlived the command and were killed"]);
    })
    .await;
}

/// promise: P05
#[tokio::test]
async fn what_ends_by_itself_in_time_is_not_counted() {
    let spec = |_: &TreeMark| script("echo to > >(cat)");
    leaves_nothing(spec, |receipt| {
        assert_eq!(stdout(receipt), "to\n");
        assert_eq!(receipt.end.leftovers, Leftovers::None);
    })
    .await;
}

async fn ready(engine: &Engine, spec: CommandSpec) -> Session {
    let mut session = start_on(engine, spec).await;
    match session.next_event().await {
        Some(SessionEvent::Output { bytes, .. }) if bytes.starts_with(b"ready") => session,
        other => panic!("not ready: {other:?}"),
    }
}

/// promise: P02
#[tokio::test]
async fn stopping_ends_the_tree() {
    let mark = TreeMark::new();
    let session = ready(&engine(), part(["bush", "5", mark.text()])).await;
    session.stop();
    let receipt = session.wait().await.unwrap();
    assert_eq!(receipt.end.stopped, Some(StopCause::Caller));
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal::TERM));
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P02
#[tokio::test]
async fn stopping_twice_kills_at_once() {
    let mark = TreeMark::new();
    let mut defaults = runward_engine::Defaults::default();
    // Longer than any test may take: waiting for it would be noticed.
    defaults.limits.kill_grace = testkit::LIMIT * 4;
    let engine = builder().defaults(defaults).build().unwrap();
    let session = ready(&engine, part(["trapper", mark.text()])).await;
    session.stop();
    session.stop();
    let receipt = session.wait().await.unwrap();
    assert_eq!(receipt.end.how, EndedBy::Signaled(Signal::KILL));
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P02
#[tokio::test]
async fn dropping_the_session_ends_the_tree() {
    let mark = TreeMark::new();
    let engine = engine();
    drop(ready(&engine, part(["bush", "5", mark.text()])).await);
    engine.shutdown().await;
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P02
#[tokio::test]
async fn dropping_the_future_of_a_run_ends_the_tree() {
    let mark = TreeMark::new();
    let engine = engine();
    let run = engine.run(part(["bush", "3", mark.text()]));
    let started = tokio::time::timeout(testkit::LIMIT, async {
        while mark.carriers().len() < 4 {
            tokio::time::sleep(ms(2)).await;
        }
    });
    tokio::select! {
        _ = run => panic!("it sleeps for ever"),
        started = started => started.unwrap(),
    }
    engine.shutdown().await;
    assert_eq!(mark.carriers(), [0; 0]);
}

/// promise: P02
#[tokio::test]
async fn shutdown_ends_every_tree_and_says_why() {
    let mark = TreeMark::new();
    let engine = engine();
    let one = ready(&engine, part(["bush", "2", mark.text()])).await;
    let two = ready(&engine, part(["sleeper", mark.text()])).await;
    engine.shutdown().await;
    assert_eq!(mark.carriers(), [0; 0]);
    for session in [one, two] {
        assert_eq!(session.wait().await.unwrap().end.stopped, Some(StopCause::Shutdown));
    }
}

/// promise: P02
#[test]
fn a_runtime_that_goes_away_takes_the_tree_with_it() {
    let mark = TreeMark::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let engine = engine();
    let session = runtime.block_on(ready(&engine, part(["bush", "4", mark.text()])));
    drop(runtime);
    drop(session);
    testkit::until("the tree is gone", || mark.carriers().is_empty());
}

/// promise: P02
#[tokio::test]
async fn killing_its_warden_does_not_set_a_command_free() {
    let mark = TreeMark::new();
    let engine = engine();
    // Quick as it is, it may have killed its warden before that could say that it began.
    if let Ok(Outcome::Ran(receipt)) = engine.run(part(["assassin", mark.text()])).await {
        assert_eq!(receipt.end.how, EndedBy::Unknown);
        assert_eq!(receipt.end.leftovers, Leftovers::Unknown);
    }
    testkit::until("the steward killed what was handed up to it", || mark.carriers().is_empty());
    let next = run_on(&engine, script("echo still here")).await;
    assert_eq!(stdout(&next), "still here\n");
}

/// This process' steward and its wardens, by the name they go under.
fn keepers() -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |pid: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
    };
    let named = |pid: &u32| {
        std::fs::read(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.starts_with(b"runward-warden"))
    };
    let own = std::process::id();
    let ours = |pid: &u32| parent(*pid) == Some(own) || parent(*pid).and_then(parent) == Some(own);
    pids.filter(named).filter(ours).collect()
}

/// promise: P02
#[tokio::test]
async fn keepers_murdered_at_rest_are_replaced() {
    let engine = engine();
    for _ in 0..3 {
        let (one, two) = tokio::join!(run_on(&engine, script("echo 1")), run_on(&engine, script("echo 2")));
        assert_eq!((stdout(&one).as_str(), stdout(&two).as_str()), ("1\n", "2\n"));
        let keepers = keepers();
        assert!(keepers.len() >= 2, "{keepers:?}");
        let pids: Vec<String> = keepers.iter().map(u32::to_string).collect();
        // From elsewhere: the command that does it lives below another engine's keepers.
        let killer = crate::ground::engine();
        run_on(&killer, CommandSpec::exec("kill").arg("-9").args(pids)).await;
    }
}

/// promise: P02
#[tokio::test]
async fn an_engine_that_is_dropped_leaves_no_keepers() {
    let before = keepers().len();
    let engine = engine();
    run_on(&engine, script("true")).await;
    assert!(keepers().len() > before);
    drop(engine);
    assert_eq!(keepers().len(), before);
}

/// promise: P02
#[tokio::test]
async fn in_a_pid_namespace_a_command_cannot_reach_its_warden() {
    if !containments().contains(&Containment::PidNamespace) {
        // Only a privileged user can make one without changing who the command is.
        return;
    }
    let engine = builder().containment(Containment::PidNamespace).build().unwrap();
    let receipt =
        run_on(&engine, script("kill -9 $PPID; kill -9 1; ps -e -o pid= | wc -l; echo alive")).await;
    assert!(stdout(&receipt).ends_with("alive\n"), "{receipt:?}");
    assert_eq!(receipt.end.how, EndedBy::Exited(0));
    let seen: u32 = stdout(&receipt).lines().next().unwrap().trim().parse().unwrap();
    assert!(seen < 10, "it sees {seen} processes");
    // The number in the receipt is the one that people outside know it by.
    assert!(receipt.pid > 10, "{}", receipt.pid);
}

/// promise: P02
#[tokio::test]
async fn stopping_its_warden_does_not_set_a_command_free() {
    for containment in containments() {
        let engine = builder().containment(containment).build().unwrap();
        let mark = TreeMark::new();
        let text = format!("kill -STOP $PPID; exec sleep {}", mark.text());
        // It may be quick enough to stop its warden before that could say that it began.
        drop(engine.run(CommandSpec::shell(text).timeout(ms(500))).await);
        testkit::until("the steward ended what the warden left", || mark.carriers().is_empty());
    }
}

/// promise: P02
#[tokio::test]
async fn stopping_both_keepers_does_not_set_a_command_free() {
    let engine = builder().containment(Containment::Subreaper).build().unwrap();
    let mark = TreeMark::new();
    let text = format!(
        "steward=$(cut -d' ' -f4 /proc/$PPID/stat); kill -STOP $steward $PPID; exec sleep {}",
        mark.text()
    );
    drop(engine.run(CommandSpec::shell(text).timeout(ms(500))).await);
    testkit::until("the steward was woken and acted", || mark.carriers().is_empty());
}

/// promise: P02
#[tokio::test]
async fn killing_its_warden_does_not_set_a_restless_command_free() {
    for containment in [Containment::Cgroup, Containment::Subreaper] {
        if !containments().contains(&containment) {
            continue;
        }
        for _ in 0..5 {
            let engine = builder().containment(containment).build().unwrap();
            let mark = TreeMark::new();
            drop(engine.run(part(["restless-assassin", mark.text()])).await);
            testkit::until("nobody hops any more", || mark.carriers().is_empty());
        }
    }
}

/// promise: P07
#[tokio::test]
async fn a_command_that_stopped_itself_still_hears_that_it_should_end() {
    let text = "trap 'echo heard; exit 3' TERM; kill -STOP $$; sleep 300 & wait";
    let receipt = crate::ground::run(CommandSpec::shell(text).timeout(ms(300))).await;
    assert_eq!((stdout(&receipt).as_str(), receipt.end.how), ("heard\n", EndedBy::Exited(3)));
}

/// promise: P07
#[tokio::test]
async fn shutting_down_does_not_wait_for_a_listener_that_does_not_listen() {
    let engine = engine();
    let session = start_on(&engine, script("yes")).await;
    tokio::time::timeout(testkit::LIMIT, engine.shutdown()).await.expect("it ends");
    drop(session);
}
