//! What bash starts, the reading of policy has told: fixed seeds, and every script that once told us something.
#![cfg(target_os = "linux")]

use std::path::Path;
use testkit::oracle::{Grammar, Oracle, Verdict};

fn oracle() -> Oracle {
    Oracle::new(&testkit::binary("runward-recorder")).unwrap()
}

/// Holds scripts against bash, and counts those that started something.
fn all_agree(scripts: impl IntoIterator<Item = String>) -> usize {
    let mut oracle = oracle();
    let mut telling = 0;
    for script in scripts {
        match oracle.verdict(&script).unwrap() {
            Verdict::Disagrees(why) => panic!("{why}"),
            Verdict::Agrees(started) => telling += usize::from(started > 0),
            Verdict::Opaque | Verdict::NotRun => {}
        }
    }
    telling
}

#[test]
fn heavy_bash_starts_nothing_that_was_not_read() {
    let mut grammar = Grammar::new(20);
    let telling = all_agree((0..6000).map(|_| grammar.script()));
    assert!(telling > 500, "only {telling} scripts started anything");
}

#[test]
fn heavy_what_was_once_found_stays_found() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/reading");
    let files = std::fs::read_dir(corpus).unwrap().map(|file| std::fs::read(file.unwrap().path()).unwrap());
    let scripts: Vec<String> = files.filter_map(|file| String::from_utf8(file).ok()).collect();
    assert!(scripts.len() > 20);
    assert!(all_agree(scripts) > 10);
}
