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
    &["init"],
    &["mcp"],
    &["gateway"],
    &["gateway", "import"],
    &["gateway", "consent"],
    &["hook"],
    &["hook", "test"],
    &["hook", "install"],
    &["config"],
    &["config", "show"],
    &["config", "get"],
    &["config", "path"],
    &["config", "edit"],
    &["policy"],
    &["policy", "list"],
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
    &["help"],
    &["version"],
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
fn without_arguments_there_is_a_page_to_start_from() {
    let said = run::<&str>([]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    insta::assert_snapshot!(said.stdout);
}

#[test]
fn help_is_a_verb_too() {
    for verb in [&[][..], &["exec"], &["policy", "check"]] {
        let (said, flag) = (run(["help"].iter().chain(verb)), run(verb.iter().chain(&["--help"])));
        assert_eq!((said.code, said.stdout, said.stderr), (0, flag.stdout, String::new()), "{verb:?}");
    }
    let unknown = run(["help", "policy", "nothing"]);
    assert_eq!(unknown.code, 125);
    assert!(unknown.stderr.contains("there is no verb `policy nothing`"), "{}", unknown.stderr);
}

#[test]
fn no_line_of_help_is_broken_by_a_usual_terminal() {
    for verb in VERBS {
        let said = run(verb.iter().chain(&["--help"])).stdout;
        let long: Vec<&str> = said.lines().filter(|line| line.chars().count() > 100).collect();
        assert!(long.is_empty(), "{verb:?}: {long:?}");
    }
    let front = run(["--help"]).stdout;
    let examples = front.split("Examples:").nth(1).unwrap();
    assert!(examples.lines().take(9).all(|line| line.chars().count() <= 80), "{examples}");
}

#[test]
fn the_version_is_told() {
    for typed in ["--version", "-V", "-v", "version"] {
        let said = run([typed]);
        let version = format!("runward {}\n", env!("CARGO_PKG_VERSION"));
        assert_eq!((said.code, said.stdout), (0, version), "{typed}");
    }
}

#[test]
fn what_this_binary_is_is_told_when_asked() {
    let said = run(["--version", "--verbose"]);
    let names: Vec<_> = said.stdout.lines().filter_map(|line| line.split(": ").next()).collect();
    let version = format!("runward {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(names, [version.as_str(), "commit", "profile", "target", "channel"], "{}", said.stdout);
    assert!(
        said.stdout.contains("profile: dev\n") && said.stdout.ends_with("channel: source\n"),
        "{}",
        said.stdout
    );
    assert_eq!(run(["-V", "--verbose"]).stdout, said.stdout);
}

#[test]
fn whether_there_is_a_newer_version_is_not_made_up() {
    let said = run(["--version", "--check"]);
    assert_eq!((said.code, said.stdout.as_str()), (125, ""));
    assert!(said.stderr.contains("cannot be asked yet"), "{}", said.stderr);
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
