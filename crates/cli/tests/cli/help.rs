//! Help, manual, completions: all from one source, all there for every verb.

use crate::runner::{Place, run};

const VERBS: &[&[&str]] = &[
    &["exec"],
    &["code"],
    &["run"],
    &["flows"],
    &["explain"],
    &["explain", "exec"],
    &["explain", "code"],
    &["explain", "run"],
    &["resolve"],
    &["doctor"],
    &["mcp"],
    &["gateway"],
    &["gateway", "import"],
    &["gateway", "consent"],
    &["hook"],
    &["hook", "test"],
    &["hook", "install"],
    &["config"],
    &["config", "show"],
    &["policy"],
    &["policy", "check"],
    &["policy", "test"],
    &["policy", "suggest"],
    &["log"],
    &["replay"],
    &["ps"],
    &["logs"],
    &["attach"],
    &["wait"],
    &["kill"],
    &["approvals"],
    &["approve"],
    &["decline"],
    &["completions"],
    &["man"],
];

#[test]
fn every_verb_helps_with_examples() {
    for verb in VERBS {
        let said = run(verb.iter().chain(&["--help"]));
        assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{verb:?}");
        assert!(said.stdout.contains("Examples:\n  runward "), "{verb:?}: {}", said.stdout);
        insta::assert_snapshot!(format!("help_{}", verb.join("_")), said.stdout);
    }
}

#[test]
fn the_front_page() {
    let said = run(["--help"]);
    assert_eq!(said.code, 0);
    insta::assert_snapshot!(said.stdout);
}

#[test]
fn without_arguments_the_help_goes_to_stderr() {
    let said = run::<&str>([]);
    assert_eq!((said.code, said.stdout.as_str()), (125, ""));
    assert_eq!(said.stderr, run(["--help"]).stdout);
}

#[test]
fn the_version_is_told() {
    assert_eq!(run(["--version"]).stdout, format!("runward {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn completions_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = run(["completions", shell]);
        assert_eq!(said.code, 0, "{shell}");
        assert!(said.stdout.contains("idle-timeout"), "{shell}");
    }
    assert_eq!(run(["completions", "tcsh"]).code, 125);
}

#[test]
fn one_page_of_the_manual_per_verb() {
    let place = Place::new();
    assert_eq!(place.run(["man", "pages"]).code, 0);
    let mut pages: Vec<String> = std::fs::read_dir(place.work().join("pages"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    let mut wanted: Vec<String> = VERBS.iter().map(|verb| format!("runward-{}.1", verb.join("-"))).collect();
    wanted.push("runward.1".to_owned());
    wanted.sort();
    assert_eq!(pages, wanted);
}

#[test]
fn the_reference_page_has_every_verb() {
    let said = run(["help-markdown"]);
    for verb in VERBS {
        assert!(said.stdout.contains(&format!("`runward {}`\n", verb.join(" "))), "{verb:?}");
    }
}
