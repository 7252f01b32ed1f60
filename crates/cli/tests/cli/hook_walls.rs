//! What is wrapped runs under Runward: in its sandbox, and with everything it starts ended.

use crate::hook::{in_shell, wrapped};
use crate::runner::Place;
use testkit::{TreeMark, until};

const SANDBOXED: &str = "policy.allow = [\"*\"]\nsandbox.mode = \"workspace-write\"\n";

/// A judge sees one command where a script is run; what the script does meets the sandbox.
#[test]
fn what_a_script_does_out_of_a_judges_sight_meets_the_sandbox() {
    let place = Place::aside();
    place.owner(SANDBOXED);
    let outside = place.home().join("outside");
    place.file("t.sh", &format!("echo inside > made; echo lost > '{}'\n", outside.display()));
    for (at, text) in [
        "bash t.sh",
        "env bash t.sh",
        "echo t.sh | xargs bash",
        "eval 'bash t.sh'",
        "shopt -s expand_aliases\nalias x='bash t.sh'\nx",
        "bash <<'E'\n. ./t.sh\nE",
        "echo YmFzaCB0LnNo | base64 -d | sh",
    ]
    .into_iter()
    .enumerate()
    {
        let _ = std::fs::remove_file(place.work().join("made"));
        let line = wrapped(&place, "claude-code", text, &format!("c{at}"));
        let (_, told) = in_shell(&place, &line, &place.work());
        assert!(place.work().join("made").exists(), "{text} did not run: {told}");
        assert!(!outside.exists(), "{text}: {told}");
        assert!(told.contains("outside"), "{text}: {told}");
    }
}

#[test]
fn what_is_wrapped_answers_at_once_and_leaves_nothing() {
    let place = Place::new();
    place.owner("policy.allow = [\"*\"]");
    let mark = TreeMark::new();
    let mark_text = mark.text();
    for text in [
        format!("sleep {mark_text} & echo hi"),
        format!("setsid sleep {mark_text} >/dev/null 2>&1 & echo hi"),
        format!("(nohup sleep {mark_text} &) ; echo hi"),
    ] {
        let line = wrapped(&place, "codex", &text, "c1");
        let begun = std::time::Instant::now();
        let (code, told) = in_shell(&place, &line, &place.work());
        assert!(code == 0 && told.contains("hi\n"), "{text}: {told}");
        assert!(begun.elapsed() < testkit::LIMIT, "{text}");
        until("nothing is left", || mark.carriers().is_empty());
    }
}
