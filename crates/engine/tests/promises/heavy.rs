//! Many commands, one after another and at once: nothing grows, nothing is left.

use crate::ground::{builder, containments, engine, part, run_on};
use runward_engine::{CommandSpec, Wish};

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Zombies below this process, at any depth: the steward and the wardens are ours to keep clean too.
fn zombies() -> usize {
    let mut parents = std::collections::HashMap::new();
    let mut dead = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let rest: Vec<_> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        parents.insert(pid, rest[1].parse::<u32>().unwrap_or(0));
        if rest[0] == "Z" {
            dead.push(pid);
        }
    }
    let ours = |pid: &u32| {
        std::iter::successors(Some(*pid), |pid| parents.get(pid).copied().filter(|parent| *parent > 1))
            .any(|pid| pid == std::process::id())
    };
    dead.iter().filter(|pid| ours(pid)).count()
}

/// promise: P14
#[tokio::test]
async fn ten_thousand_commands_leave_descriptors_memory_and_zombies_flat() {
    let engine = engine();
    let spec = || CommandSpec::exec(testkit::still());
    for _ in 0..200 {
        run_on(&engine, spec()).await;
    }
    let (fds, memory) = (descriptors(), resident_kib());
    for _ in 0..10_000 {
        run_on(&engine, spec()).await;
    }
    assert_eq!(descriptors(), fds);
    testkit::until("everything is reaped", || zombies() == 0);
    let grown = resident_kib().saturating_sub(memory);
    assert!(grown < 2048, "memory grew by {grown} KiB");
}

/// promise: P14
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_at_once_all_end() {
    for containment in containments() {
        let engine = builder().containment(containment).build().unwrap();
        let all: Vec<_> = (0..200)
            .map(|n: u32| {
                let engine = engine.clone();
                tokio::spawn(
                    async move { run_on(&engine, CommandSpec::exec("echo").arg(n.to_string())).await },
                )
            })
            .collect();
        for (n, task) in all.into_iter().enumerate() {
            assert_eq!(task.await.unwrap().stdout.kept.bytes(), format!("{n}\n").into_bytes());
        }
        testkit::until("every warden too many is reaped", || zombies() == 0);
    }
}

/// promise: P08
#[tokio::test]
async fn a_gigabyte_of_output_changes_nothing_in_memory() {
    let engine = engine();
    let mut spec = part(["spew", "1000000000"]).timeout(testkit::LIMIT * 2);
    spec.limits.keep = Wish::At(100_000);
    let before = resident_kib();
    let receipt = run_on(&engine, spec).await;
    assert_eq!(receipt.stdout.kept.total, 1_000_000_000);
    let grown = resident_kib().saturating_sub(before);
    assert!(grown < 4096, "memory grew by {grown} KiB");
}

/// promise: P02
#[tokio::test]
async fn a_tree_of_a_thousand_processes_ends_whole() {
    let mark = testkit::TreeMark::new();
    for containment in containments() {
        let engine = builder().containment(containment).build().unwrap();
        let mut session = crate::ground::start_on(&engine, part(["bush", "1000", mark.text()])).await;
        assert!(session.next_event().await.is_some());
        session.stop();
        let receipt = session.wait().await.unwrap();
        assert_eq!(mark.carriers(), [0; 0], "{receipt:?}");
    }
}
