//! The rules of words after the file.

use super::*;
use crate::front::{Front, Value, read};
use crate::inputs;
use proptest::prelude::*;
use runward_engine::{Code, Coded};
use std::collections::BTreeSet;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn front(yaml: &str) -> Front {
    read("a.md", &format!("---\n{yaml}\n---\n")).unwrap_or_else(|error| panic!("{error}\n{yaml}")).front
}

fn given_by(line: &[String], yaml: &str, reads: &str) -> Given {
    let front = front(yaml);
    let inputs = inputs::read(&front).unwrap();
    let reads: BTreeSet<String> = words(reads).into_iter().collect();
    take_variables(line, &Listening { front: &front, inputs: &inputs, reads: &reads }).unwrap()
}

/// Variables but for those by number, and what is passed on.
fn given(line: &str, yaml: &str, reads: &str) -> String {
    let given = given_by(&words(line), yaml, reads);
    let shown: Vec<String> = given
        .variables
        .iter()
        .filter(|variable| variable.name != "_args" && variable.name[1..].parse::<u8>().is_err())
        .map(|variable| format!("{}={:?}", variable.name, variable.value))
        .collect();
    format!("{} | {}", shown.join(" "), given.rest.join(" "))
}

#[test]
fn our_options_are_taken_wherever_they_stand() {
    let (ours, left) =
        take_ours(&words("src --dry-run --x 1 -c codex --json --events --trust --resume --interactive end"))
            .unwrap();
    assert_eq!(ours.command.as_deref(), Some("codex"));
    assert_eq!(ours.switches.len(), 6);
    assert!(ours.has(Switch::DryRun) && ours.has(Switch::Resume));
    assert_eq!(left, words("src --x 1 end"));
    let (ours, _) = take_ours(&words("--command a --command=b")).unwrap();
    assert_eq!(ours.command.as_deref(), Some("b"));
    assert!(take_ours(&words("--_i")).unwrap().0.has(Switch::Interactive));
}

#[test]
fn two_dashes_end_our_options() {
    let (ours, left) = take_ours(&words("--json -- --json -c x -- y")).unwrap();
    assert_eq!((ours.switches.len(), ours.command), (1, None));
    assert_eq!(left, words("--json -c x -- y"));
    assert_eq!(
        take_ours(&words("--jsonl --json=1 -cx --commander")).unwrap().1.len(),
        4,
        "only ours are ours"
    );
}

#[test]
fn a_command_without_a_name_is_refused() {
    for line in ["--command", "x -c"] {
        assert_eq!(take_ours(&words(line)).unwrap_err().code(), Code::FlowBadArgument);
    }
}

#[test]
fn words_reach_the_variables_they_are_for() {
    let cases = [
        ("a b c", "args: [x, y]", "", "x=Text(\"a\") y=Text(\"b\") | c"),
        ("a", "args: [x, y]", "", "x=Text(\"a\") | "),
        ("a", "args: x", "", "x=Text(\"a\") | "),
        ("--name v w", "$name: d", "", "name=Text(\"v\") | w"),
        ("--name=v=w", "$name: d", "", "name=Text(\"v=w\") | "),
        ("--name=", "$name: d", "", "name=Text(\"\") | "),
        ("--name", "$name: d", "", "name=Bool(true) | "),
        ("--name --other", "$name: d", "", "name=Bool(true) | --other"),
        ("--target-dir v", "$target_dir: d", "", "target_dir=Text(\"v\") | "),
        ("--target_dir v", "$target-dir: d", "", "target-dir=Text(\"v\") | "),
        ("", "$name: d\n_other: e", "", "name=Text(\"d\") _other=Text(\"e\") | "),
        ("", "$name: \"\"\n_other:", "", " | "),
        ("--_name v", "_name: d", "", "_name=Text(\"v\") | "),
        ("--name v", "_name: d", "", "_name=Text(\"d\") | --name v"),
        ("--_new-one v", "", "", "_new_one=Text(\"v\") | "),
        ("---name v", "_name: d", "", "_name=Text(\"d\") | ---name v"),
        ("--name a --name b", "$name: d", "", "name=Text(\"b\") | "),
        ("--n -5", "$n: 1", "", "n=Number(\"-5\") | "),
        ("--n x", "$n: 1", "", "n=Text(\"x\") | "),
        ("--n 5", "$n: d", "", "n=Text(\"5\") | "),
        ("--deep src", "$deep: false\nargs: [dir]", "", "deep=Bool(true) dir=Text(\"src\") | "),
        ("--deep false", "$deep: true", "", "deep=Bool(false) | "),
        ("--deep=false", "$deep: true", "", "deep=Bool(false) | "),
        ("--model opus src", "", "", " | --model opus src"),
        ("--topic v", "", "topic", "topic=Text(\"v\") | "),
        ("", "topic: front", "topic", "topic=Text(\"front\") | "),
        ("--y v a", "args: [x, y]", "", "y=Text(\"v\") x=Text(\"a\") | "),
        (
            "--yes --count 3",
            "_inputs: {yes: {type: confirm}, count: {type: number}}",
            "",
            "yes=Bool(true) count=Number(\"3\") | ",
        ),
        ("", "_inputs: {_who: {type: text, default: World}}", "", "_who=Text(\"World\") | "),
        ("a -- b --name v", "$name: d\nargs: [x, y]", "", "x=Text(\"a\") name=Text(\"d\") | -- b --name v"),
        ("- -x", "args: [x]", "", "x=Text(\"-\") | -x"),
        ("", "_env: {A: 1}\n_steps: []\n_subcommand: x\n$1: prompt", "", " | "),
        ("", "_env: dev", "", "_env=Text(\"dev\") | "),
    ];
    for (line, yaml, reads, expected) in cases {
        assert_eq!(given(line, yaml, reads), expected, "{line:?} with {yaml:?}");
    }
}

#[test]
fn words_have_numbers_and_are_taken_when_a_template_reads_them() {
    let given = given_by(&words("a --flag b"), "args: [x]", "");
    let text = |name: &str| given.get(name).map(ToString::to_string);
    assert_eq!(text("_1").as_deref(), Some("a"));
    assert_eq!(text("_2").as_deref(), Some("b"));
    assert_eq!(text("_args").as_deref(), Some("1. a\n2. b"));
    assert_eq!(given.rest, words("--flag b"), "nobody reads `_2`");
    assert_eq!(given_by(&words("a b c"), "", "_2").rest, words("a c"));
    assert!(given_by(&words("a b c"), "", "_args").rest.is_empty());
    assert_eq!(given_by(&[], "", "_args").get("_args"), None);
    assert_eq!(given.variables[0].from, VariableFrom::Place(1));
}

#[test]
fn settings_may_be_given_like_variables() {
    let given = given_by(&words("--_cwd /x --_subcommand exec"), "_cwd: /y", "");
    assert_eq!(given.settings.get("_cwd"), Some(&Value::text("/x")));
    assert_eq!(given.settings.get("_subcommand"), Some(&Value::text("exec")));
    assert!(given.variables.is_empty());
}

#[test]
fn names_that_are_none_are_refused() {
    for yaml in ["args: [1]", "args: {a: b}", "args: [\"\"]", "args: true"] {
        let front = front(yaml);
        let who = Listening { front: &front, inputs: &[], reads: &BTreeSet::new() };
        let error = take_variables(&[], &who).unwrap_err();
        assert_eq!((error.code(), error.mark().unwrap().line), (Code::FlowBadFrontMatter, 2));
    }
}

#[test]
fn all_missing_variables_are_one_error() {
    let error = missing(&["topic"]);
    assert_eq!(error.to_string(), "Missing required template variable: topic");
    assert_eq!(error.code(), Code::FlowMissingVariable);
    assert_eq!(missing(&["a", "_b"]).to_string(), "Missing required template variable: a, _b");
    assert_eq!(
        Coded::hint(&missing(&["a", "_b"])).as_deref(),
        Some("Give a value with `--a VALUE`, `--_b VALUE`.")
    );
}

proptest! {
    #[test]
    fn words_that_nobody_takes_are_passed_on_as_they_are(line in prop::collection::vec("[a-z=-]{0,6}", 0..8)) {
        let line: Vec<String> = line.into_iter().filter(|word| word != "--").collect();
        prop_assert_eq!(given_by(&line, "model: x", "").rest, line);
    }

    #[test]
    fn a_value_comes_back_whatever_it_is(value in "[ -~é]{0,9}", rest in prop::collection::vec("[a-z]{1,4}", 0..4)) {
        let mut line = rest.clone();
        line.insert(rest.len() / 2, format!("--name={value}"));
        let given = given_by(&line, "$name: d", "");
        prop_assert_eq!(given.get("name"), Some(&Value::Text(value)));
        prop_assert_eq!(given.rest, rest);
    }

    #[test]
    fn ours_and_the_rest_together_are_all_there_was(line in prop::collection::vec("(--json|--dry-run|[a-z-]{1,5})", 0..8)) {
        let line: Vec<String> = line.into_iter().filter(|word| word != "--" && word != "-c").collect();
        let (ours, left) = take_ours(&line).unwrap();
        let mine = |word: &&String| ["--json", "--dry-run"].contains(&word.as_str());
        prop_assert_eq!(left, line.iter().filter(|word| !mine(word)).cloned().collect::<Vec<_>>());
        prop_assert_eq!(ours.switches.is_empty(), !line.iter().any(|word| mine(&word)));
    }
}
