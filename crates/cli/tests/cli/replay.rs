//! `runward replay ID` at a real terminal.

use crate::runner::Place;
use crate::terminal::Desk;

fn recorded(place: &Place) -> Vec<serde_json::Value> {
    place.run(["log", "--json"]).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A place where `touch made` ran once, and is undone.
fn once() -> (Place, String) {
    let place = Place::new();
    assert_eq!(place.run(["exec", "--", "touch", "made"]).code, 0);
    std::fs::remove_file(place.work().join("made")).unwrap();
    let id = recorded(&place)[0]["id"].as_str().unwrap().to_owned();
    (place, id)
}

#[tokio::test]
async fn replay_shows_the_plan_and_asks_and_n_runs_nothing() {
    for answer in ["n\n", "\n", "\u{4}"] {
        let (place, id) = once();
        let mut desk = Desk::start(&place, &["replay", &id]).await;
        desk.sees("Run it again? [y/N] ").await;
        let program = recorded(&place)[0]["program"].as_str().unwrap().to_owned();
        for part in [program.as_str(), "touch made", "timeout"] {
            assert!(desk.seen.contains(part), "{part}: {}", desk.seen);
        }
        desk.types(answer).await;
        let (code, seen) = desk.ends().await;
        assert_eq!(code, 130, "{answer:?}: {seen}");
        assert!(!place.work().join("made").exists());
        assert_eq!(recorded(&place).len(), 1);
    }
}

#[tokio::test]
async fn replay_runs_it_again_after_y() {
    let (place, id) = once();
    let mut desk = Desk::start(&place, &["replay", &id[..13]]).await;
    desk.sees("Run it again? [y/N] ").await;
    assert!(!place.work().join("made").exists(), "nothing runs before the answer");
    desk.types("y\n").await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0, "{seen}");
    assert!(place.work().join("made").exists());
    let all = recorded(&place);
    assert_eq!((all.len(), &all[1]["argv"]), (2, &all[0]["argv"]));
}
