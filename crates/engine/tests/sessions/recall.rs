//! Former sessions, asked for while the thread that keeps the journal is stuck.

use crate::{me, piped, start};
use runward_engine::core::redact::Redactor;
use runward_engine::journal::{Journal, JournalNeed, JournalRules, Keep, Outputs};
use runward_engine::registry::{SessionRules, Sessions};
use runward_engine::{Engine, Policy};
use std::future::ready;
use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A former session in a registry with a journal thread that is stuck until the last value given here is dropped.
async fn former(folder: &Path, write_timeout: Duration) -> (Sessions, String, Sender<()>) {
    let (stuck, is_stuck) = channel();
    let (release, released) = channel();
    let released = Mutex::new(released);
    // Nothing can be made below a file, and reporting that blocks the thread.
    std::fs::write(folder.join("file"), "").unwrap();
    let rules = JournalRules {
        folder: folder.join("file/journal"),
        need: JournalNeed::Wanted,
        write_timeout,
        keep: Keep { days: 30, bytes: 1 << 30 },
        outputs: Outputs::NotKept,
        spool: None,
        tell: Arc::new(move |_| {
            stuck.send(()).unwrap();
            let _ = released.lock().unwrap().recv();
        }),
    };
    let engine = Engine::builder()
        .policy(Policy::allow_everything("a test"))
        .journal(Journal::new(rules, Redactor::default()))
        .build()
        .unwrap();
    let rules = SessionRules { keep_for: Duration::ZERO, ..SessionRules::default() };
    let sessions = Sessions::new(engine, rules);
    let live = start(&sessions, piped("true")).await;
    live.ended().await;
    is_stuck.recv().unwrap();
    assert!(sessions.find(&me(), &live.id()).is_err(), "nobody keeps it any more");
    (sessions, live.id(), release)
}

#[tokio::test]
async fn a_journal_that_does_not_answer_is_given_up_on() {
    let folder = tempfile::tempdir().unwrap();
    let (sessions, id, _release) = former(folder.path(), Duration::from_millis(50)).await;
    assert!(sessions.recall(&me(), &id).await.is_none());
}

#[tokio::test]
async fn others_get_their_turn_while_the_journal_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (sessions, id, release) = former(folder.path(), Duration::from_secs(3600)).await;
    let owner = me();
    tokio::select! {
        biased;
        _ = sessions.recall(&owner, &id) => panic!("the journal is stuck"),
        () = ready(()) => {}
    }
    drop(release);
}
