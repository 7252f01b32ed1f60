//! The registry: which owner may find a session, how many there may be, and how they end.

use crate::{me, piped, sessions, sessions_with, start};
use runward_engine::registry::{SessionOwner, SessionRules};
use runward_engine::{Coded, CommandSpec, Signal, StopCause};
use std::time::Duration;
use testkit::TreeMark;

#[tokio::test]
async fn a_session_is_its_owners_alone() {
    let sessions = sessions();
    let live = start(&sessions, piped("sleep 300")).await;
    assert!(sessions.find(&me(), &live.id()).is_ok());
    let error = sessions.find(&SessionOwner::named("somebody else"), &live.id()).unwrap_err();
    assert_eq!(error.to_string(), format!("Session not found: {}", live.id()));
    assert_eq!(error.code().name(), "session.unknown");
    assert!(sessions.list(&SessionOwner::named("somebody else")).is_empty());
    assert!(sessions.find(&me(), &live.id().to_uppercase()).is_err(), "a name has one spelling");
}

#[tokio::test]
async fn one_too_many_is_refused_with_the_list_and_none_is_evicted() {
    let sessions = sessions_with(SessionRules { running: 2, ..SessionRules::default() });
    let one = start(&sessions, piped("sleep 300 # one")).await;
    let two = start(&sessions, piped("sleep 300 # two")).await;
    let error = sessions.start(&me(), piped("true"), None).await.unwrap_err();
    assert_eq!(error.code().name(), "engine.busy");
    let hint = error.hint().unwrap();
    assert!(hint.contains(&one.id()) && hint.contains("sleep 300 # two"), "{hint}");
    two.stop(Signal::TERM);
    two.ended().await;
    start(&sessions, piped("true")).await;
    assert!(one.is_active());
}

#[tokio::test]
async fn whoever_is_refused_sees_its_own_sessions_masked_and_those_of_others_counted() {
    let sessions = sessions_with(SessionRules { running: 2, ..SessionRules::default() });
    let mine = start(&sessions, piped("sleep 300; API_TOKEN=very-secret")).await;
    let other = SessionOwner::named("somebody else");
    sessions.start(&other, piped("sleep 300 # theirs"), None).await.unwrap();
    let theirs = sessions.list(&other)[0].id();
    let error = sessions.start(&me(), piped("true"), None).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 sessions are running or about to start, the most allowed: 1 of yours, 1 of others, 0 about to start"
    );
    let shown = format!("Stop one of yours first: {} sleep 300; API_TOKEN=[redacted].", mine.id());
    assert_eq!(error.hint().unwrap(), shown);
    let error = sessions.start(&SessionOwner::named("a third"), piped("true"), None).await.unwrap_err();
    let said = format!("{error} {}", error.hint().unwrap());
    assert!(said.contains("0 of yours, 2 of others") && said.contains("Wait until"), "{said}");
    assert!(!said.contains(&mine.id()) && !said.contains(&theirs) && !said.contains("sleep"), "{said}");
}

#[tokio::test]
async fn those_that_start_at_once_are_counted_too() {
    let sessions = sessions_with(SessionRules { running: 2, ..SessionRules::default() });
    let owner = me();
    let starts: [_; 3] = std::array::from_fn(|_| sessions.start(&owner, piped("sleep 300"), None));
    let [one, two, three] = starts;
    let (one, two, three) = tokio::join!(one, two, three);
    let refused: Vec<_> = [one, two, three]
        .into_iter()
        .filter_map(|started| started.err().map(|error| error.to_string()))
        .collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].starts_with("2 sessions are running or about to start"), "{refused:?}");
    assert_eq!(sessions.list(&owner).len(), 2);
    sessions.start(&owner, CommandSpec::exec("no-such-program"), None).await.unwrap_err();
    sessions.end_owner(&owner).await;
    start(&sessions, piped("true")).await;
    start(&sessions, piped("true")).await;
}

#[tokio::test]
async fn finished_ones_stay_for_a_while_and_only_so_many() {
    let sessions = sessions_with(SessionRules { finished: 2, ..SessionRules::default() });
    let mut ids = Vec::new();
    for n in 0..4 {
        let live = start(&sessions, piped(&format!("echo {n}"))).await;
        live.ended().await;
        ids.push(live.id());
    }
    assert!(sessions.find(&me(), &ids[0]).is_err());
    assert!(sessions.find(&me(), &ids[3]).is_ok());
    let short = sessions_with(SessionRules { keep_for: Duration::ZERO, ..SessionRules::default() });
    let live = start(&short, piped("true")).await;
    live.ended().await;
    assert!(short.find(&me(), &live.id()).is_err());
}

#[tokio::test]
async fn stopping_names_its_signal_and_the_ladder_follows() {
    let sessions = sessions();
    let live =
        start(&sessions, piped("trap 'echo int; exit 9' INT; echo ready; while :; do sleep 0.02; done"))
            .await;
    let ready = runward_engine::registry::Until::Output(
        runward_engine::registry::OutputPattern::new("ready").unwrap(),
    );
    live.wait(&ready, testkit::LIMIT).await;
    live.stop(Signal::INT);
    let receipt = live.ended().await;
    assert_eq!(receipt.end.exit_code(), 9);
    assert_eq!(receipt.end.stopped, Some(StopCause::Caller));
    live.stop(Signal::TERM);
    assert_eq!(live.ended().await.end.exit_code(), 9, "stopping what has ended changes nothing");
}

#[tokio::test]
async fn an_owner_that_goes_takes_its_sessions_along() {
    let sessions = sessions();
    let mark = TreeMark::new();
    for _ in 0..3 {
        start(&sessions, piped(&format!("setsid sleep {0} & sleep {0}", mark.text()))).await;
    }
    testkit::until("all are there", || mark.carriers().len() >= 6);
    sessions.end_owner(&me()).await;
    assert_eq!(mark.carriers(), [0; 0]);
    assert!(sessions.list(&me()).is_empty());
}

#[tokio::test]
async fn a_name_and_a_command_line_are_remembered() {
    let sessions = sessions();
    sessions.start(&me(), piped("sleep 300"), Some("nap".to_owned())).await.unwrap();
    let all = sessions.list(&me());
    assert_eq!(all[0].name(), Some("nap"));
    assert_eq!(all[0].command_line(), "sleep 300");
    assert!(all[0].pid() > 1);
}
