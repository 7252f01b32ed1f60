//! What bash starts, the policy's parser has found: fixed seeds, and every script that once failed.
#![cfg(target_os = "linux")]

use std::path::Path;
use testkit::oracle::{Effect, Effects, Oracle, OracleVerdict, ScriptGrammar};

/// Holds scripts against bash, and counts those that started something.
fn all_agree(scripts: impl IntoIterator<Item = String>) -> usize {
    agree(Oracle::new(&testkit::binary("runward-recorder")).unwrap(), scripts)
}

fn agree(mut oracle: Oracle, scripts: impl IntoIterator<Item = String>) -> usize {
    let mut telling = 0;
    for script in scripts {
        match oracle.verdict(&script).unwrap() {
            OracleVerdict::Disagrees(why) => panic!("{why}"),
            OracleVerdict::Agrees(started) => telling += usize::from(started > 0),
            OracleVerdict::Opaque | OracleVerdict::NotRun => {}
        }
    }
    telling
}

#[test]
fn the_judge_sees_everything_that_starts() {
    let mut oracle = Oracle::new(&testkit::binary("runward-recorder")).unwrap();
    let script = "pa 'a b' & (pb); nowhere \"$(pc)\"; eval pwn; wait";
    let mut started = oracle.run(script).unwrap();
    started.sort();
    let names: Vec<&[u8]> = started.iter().map(|words| words[0].as_slice()).collect();
    assert_eq!(names, [b"nowhere".as_slice(), b"pa", b"pb", b"pc", b"pwn"]);
    assert_eq!(started[1], [b"pa".to_vec(), b"a b".to_vec()]);
    assert_eq!(oracle.verdict("eval pwn").unwrap(), OracleVerdict::Opaque);
    assert_eq!(oracle.verdict("pa; pb | pc").unwrap(), OracleVerdict::Agrees(3));
}

#[test]
fn heavy_bash_starts_nothing_that_was_not_read() {
    let mut grammar = ScriptGrammar::new(20);
    let telling = all_agree((0..1200).map(|_| grammar.script()));
    assert!(telling > 100, "only {telling} scripts started anything");
}

#[test]
fn heavy_dash_starts_nothing_that_was_not_read() {
    let mut grammar = ScriptGrammar::new(21);
    let dash = Oracle::posix(&testkit::binary("runward-recorder"), "dash").unwrap();
    let telling = agree(dash, (0..1500).map(|_| grammar.script()));
    assert!(telling > 20, "only {telling} scripts started anything");
}

#[test]
fn heavy_what_was_once_found_stays_found() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/reading");
    let files = std::fs::read_dir(corpus).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let scripts: Vec<String> = files.filter_map(|file| String::from_utf8(file).ok()).collect();
    assert!(scripts.len() > 20);
    assert!(all_agree(scripts) > 10);
}

/// What once got through: a shell without a PATH, git without what disarms it, a connection through a variable.
const ESCAPES: &[&str] = &[
    "declare -a PATH; ls",
    "f() { local PATH; ls; }; f",
    "unset PATH; ls",
    "git status",
    "git diff",
    "cd bare; git status",
    "cat < $t",
    "x=$t; cat < $x",
    "echo secret > $u",
    "cat < $(echo $t)",
    "echo $((x))",
];

#[test]
fn heavy_what_once_got_through_would_be_seen_and_is_refused() {
    let Some(mut effects) = Effects::new().unwrap() else { return };
    for script in ESCAPES {
        let unjudged = effects.unjudged(script).unwrap();
        assert!(
            matches!(unjudged, Effect::Escaped(_)),
            "{script}: the folder is not hostile enough: {unjudged:?}"
        );
        let judged = effects.effect(script).unwrap();
        assert!(matches!(judged, Effect::Refused | Effect::Clean), "{script}: {judged:?}");
    }
    assert_eq!(effects.effect("ls; git status | head; cat a1").unwrap(), Effect::Clean);
}

#[test]
fn heavy_nothing_runs_or_connects_that_was_not_allowed() {
    let Some(mut effects) = Effects::new().unwrap() else { return };
    let mut grammar = ScriptGrammar::hostile(22);
    let mut clean = 0;
    for _ in 0..600 {
        match effects.effect(&grammar.script()).unwrap() {
            Effect::Escaped(what) => panic!("{what}"),
            Effect::Clean => clean += 1,
            Effect::Refused | Effect::NotRun => {}
        }
    }
    assert!(clean > 20, "only {clean} scripts were run");
}
