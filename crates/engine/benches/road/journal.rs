//! What writing a command down adds to it, and how long questions to a large journal take.

use crate::large;
use crate::spawn::{engine, one_thread, ours};
use runward_engine::core::redact::Redactor;
use runward_engine::journal::{Journal, JournalNeed, JournalRules, Keep, Outputs};
use runward_engine::{Engine, Policy};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use testkit::measure::{Plan, ResultRow, TargetSide, in_turns};

fn rules(folder: &Path) -> JournalRules {
    JournalRules {
        folder: folder.to_owned(),
        need: JournalNeed::Wanted,
        write_timeout: Duration::from_millis(500),
        keep: Keep { days: 90, bytes: 1 << 40 },
        outputs: Outputs::Kept,
        spool: None,
        tell: Arc::new(|sentence| eprintln!("{sentence}")),
    }
}

pub(crate) fn recorded(folder: &Path) -> Engine {
    Engine::builder()
        .policy(Policy::allow_everything("a benchmark"))
        .journal(Journal::new(rules(folder), Redactor::default()))
        .build()
        .expect("an engine")
}

pub(crate) fn rows(plan: &Plan) -> Vec<ResultRow> {
    let folder = tempfile::tempdir().expect("a folder");
    let (runtime, off, on) = (one_thread(), engine(), recorded(&folder.path().join("journal")));
    let (still, truth) = (testkit::still(), PathBuf::from("/bin/true"));
    for _ in 0..50 {
        ours(&runtime, &off, &still);
        ours(&runtime, &on, &still);
    }
    let turns = 2000 * plan.rounds;
    let mut rows = vec![
        in_turns(
            "/bin/true, journal on against off",
            TargetSide::AtMost(1.05),
            turns,
            || ours(&runtime, &off, &truth),
            || ours(&runtime, &on, &truth),
        ),
        in_turns(
            "static program, journal on against off",
            TargetSide::ToKnow,
            turns,
            || ours(&runtime, &off, &still),
            || ours(&runtime, &on, &still),
        ),
    ];
    rows.extend(questions(plan));
    rows
}

fn questions(plan: &Plan) -> Vec<ResultRow> {
    let state = tempfile::tempdir().expect("a folder");
    let (runtime, engine) = (one_thread(), recorded(&state.path().join("journal")));
    ours(&runtime, &engine, &PathBuf::from("/bin/true"));
    engine.journal().expect("it has one").close();
    large::rows(plan, state.path())
}
