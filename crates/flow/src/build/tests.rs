//! Every row of the builder's table, and what a runner does around it.

use super::*;
use crate::front::{Front, Value, read};
use proptest::prelude::*;
use runward_engine::{Code, Coded};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn front(yaml: &str) -> Front {
    read("a.md", &format!("---\n{yaml}\n---\n")).unwrap_or_else(|error| panic!("{error}\n{yaml}")).front
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn args(yaml: &str, template_vars: &[&str]) -> Vec<String> {
    build_args_from_frontmatter(&front(yaml), &names(template_vars))
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

#[test]
fn every_row_of_the_table_holds() {
    let rows: &[(&str, &[&str])] = &[
        ("model: opus", &["--model", "opus"]),
        ("timeout: 30", &["--timeout", "30"]),
        ("temperature: 1.0", &["--temperature", "1.0"]),
        ("verbose: true", &["--verbose"]),
        ("debug: false", &[]),
        ("debug: null", &[]),
        ("debug: ~", &[]),
        ("debug:", &[]),
        ("key: \"\"", &["--key", ""]),
        ("add-dir: [./src, ./tests]", &["--add-dir", "./src", "--add-dir", "./tests"]),
        ("add-dir: []", &[]),
        ("n: [1, true, x y]", &["-n", "1", "-n", "true", "-n", "x y"]),
        ("p: true", &["-p"]),
        ("n: 5", &["-n", "5"]),
        ("\"--raw\": x", &["--raw", "x"]),
        ("\"-x\": true", &["-x"]),
        ("env: {A: 1}", &[]),
        ("env: [A=1, B=2]", &["--env", "A=1", "--env", "B=2"]),
        ("env: A=1", &["--env", "A=1"]),
        ("args: [message]", &[]),
        ("pre: a\nbefore: b\npost: c\nafter: d", &[]),
        ("context_window: 5", &[]),
        ("$1: prompt\n$2: x\n$name: y\n$: z", &[]),
        ("b: 1\na: 2\nc: 3", &["-b", "1", "-a", "2", "-c", "3"]),
    ];
    for (yaml, expected) in rows {
        assert_eq!(args(yaml, &[]), *expected, "{yaml}");
    }
}

#[test]
fn names_that_templates_use_are_never_flags() {
    assert_eq!(args("target: src\nmodel: opus", &["target"]), ["--model", "opus"]);
}

#[test]
fn positionals_are_mapped_by_texts_only() {
    let mappings =
        extract_positional_mappings(&front("$1: prompt\n$2: 5\n$3: file\n$x: y\n$10: t\n$: z\n$+4: q"));
    let expected = [(1, "prompt"), (3, "file"), (10, "t")].map(|(n, flag)| (n, flag.to_owned()));
    assert_eq!(mappings, BTreeMap::from(expected));
}

#[test]
fn positionals_stand_after_the_flags_in_order() {
    let mappings = BTreeMap::from([(1, "prompt".to_owned()), (3, "f".to_owned())]);
    let applied =
        apply_positional_args(&strings(&["--model", "opus"]), &strings(&["body", "two", "three"]), &mappings);
    assert_eq!(applied, ["--model", "opus", "--prompt", "body", "two", "-f", "three"]);
    assert_eq!(apply_positional_args(&[], &strings(&["a", "b"]), &BTreeMap::new()), ["a", "b"]);
}

#[test]
fn variables_of_the_environment_come_from_the_object_form_only() {
    let pairs = |yaml: &str| extract_env_vars(&front(yaml));
    let expected = [("NODE_ENV", "test"), ("PORT", "8080"), ("ON", "true"), ("EMPTY", "")];
    assert_eq!(
        pairs("env: {NODE_ENV: test, PORT: 8080, ON: true, EMPTY: }"),
        expected.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    assert!(pairs("env: [A=1]").is_empty() && pairs("env: A=1").is_empty() && pairs("a: 1").is_empty());
}

const WHOLE: &str = "model: opus\nverbose: true\ndebug: false\nadd-dir: [./src, ./tests]\n$1: prompt\nenv: {NODE_ENV: test}\nargs: [message]";

fn whole(config: &CommandDefaults, build: fn(&str, &Ingredients<'_>) -> CommandSpec) -> CommandSpec {
    build(
        "claude",
        &Ingredients {
            frontmatter: &front(WHOLE),
            body: "Do the thing",
            positional_args: &strings(&["more"]),
            template_vars: &names(&[]),
            config,
            cwd: Path::new("/w"),
        },
    )
}

#[test]
fn the_whole_example_comes_out_as_published() {
    let spec = whole(&CommandDefaults::new(), build_command);
    assert_eq!(
        spec,
        CommandSpec {
            executable: "claude".to_owned(),
            args: strings(&[
                "--model",
                "opus",
                "--verbose",
                "--add-dir",
                "./src",
                "--add-dir",
                "./tests",
                "--prompt",
                "Do the thing",
                "more",
            ]),
            env: vec![("NODE_ENV".to_owned(), "test".to_owned())],
            cwd: "/w".into(),
        }
    );
    let base = whole(&CommandDefaults::new(), build_command_base);
    assert_eq!(base.args, spec.args[..7], "the base has no positionals");
    assert_eq!((base.env, base.cwd), (spec.env, spec.cwd));
}

#[test]
fn defaults_of_the_command_merge_under_the_front_matter() {
    let config = CommandDefaults::from([
        ("claude".to_owned(), front("print: true\nmodel: sonnet\n$2: file")),
        ("gemini".to_owned(), front("yolo: true")),
    ]);
    assert_eq!(
        whole(&config, build_command).args,
        [
            "--print",
            "--model",
            "opus",
            "--verbose",
            "--add-dir",
            "./src",
            "--add-dir",
            "./tests",
            "--prompt",
            "Do the thing",
            "--file",
            "more"
        ]
    );
}

fn prepared(yaml: &str, body: &str, positionals: &[&str], way: Prompt) -> CommandSpec {
    prepare(&front(yaml), body, &names(&["topic"])).unwrap_or_else(|error| panic!("{error}")).build(
        "claude",
        &Placing {
            positionals: &strings(positionals),
            variadic: &["tools", "add-dir"],
            way,
            cwd: Path::new("/w"),
        },
    )
}

fn built(yaml: &str, body: &str, positionals: &[&str]) -> Vec<String> {
    prepared(yaml, body, positionals, Prompt::Argument).args
}

#[test]
fn the_runners_keys_are_taken_out_and_the_body_is_trimmed() {
    assert_eq!(
        built(
            "engine: claude\ndescription: d\nexpose: tool\n_name: x\n_inputs: {a: {type: text}}\n_steps: [{id: a}]\n_i: true\ntopic: {a: {b: c}}\nmodel: opus",
            "\n\n Do it. \n",
            &[]
        ),
        ["--model", "opus", "Do it."]
    );
}

#[test]
fn a_blank_body_gives_no_positional_and_the_others_keep_their_numbers() {
    assert_eq!(built("model: opus", " \n\t\n", &[]), ["--model", "opus"]);
    assert_eq!(built("$1: prompt\n$2: file", "\n", &["a", "b"]), ["--file", "a", "b"]);
    assert_eq!(built("$1: prompt\n$2: file", "x", &["a", "b"]), ["--prompt", "x", "--file", "a", "b"]);
}

#[test]
fn a_prompt_for_standard_input_is_no_argument() {
    let spec = prepared("print: true\n$1: prompt", "long", &["a"], Prompt::Stdin);
    assert_eq!(spec.args, ["--print", "a"]);
}

#[test]
fn a_subcommand_goes_before_all_flags() {
    assert_eq!(built("model: o\n_subcommand: exec", "b", &[]), ["exec", "--model", "o", "b"]);
    assert_eq!(built("_subcommand: [mcp, list]\nn: 1", "", &[]), ["mcp", "list", "-n", "1"]);
    assert_eq!(built("_subcommand: \"\"\nn: 1", "", &[]), ["-n", "1"]);
    assert_eq!(built("_subcommand:\nn: 1", "", &[]), ["-n", "1"]);
}

#[test]
fn a_variadic_flag_cannot_swallow_the_prompt() {
    assert_eq!(
        built("tools: [Read, Edit]\nadd-dir: ./a\n\"--tools\": x\nmodel: m", "b", &[]),
        ["--tools=Read", "--tools=Edit", "--add-dir=./a", "--tools=x", "--model", "m", "b"]
    );
    assert_eq!(built("tools: true\nadd-dir: []", "b", &[]), ["--tools", "b"]);
}

#[test]
fn the_other_spelling_of_the_environment_is_laid_over_the_first() {
    let env = |yaml: &str| prepared(yaml, "", &[], Prompt::Argument).env;
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        env("env: {A: 1, B: 2}\n_env: {B: 3, C: 4}"),
        [pair("A", "1"), pair("B", "3"), pair("C", "4")]
    );
    assert_eq!(env("_env: development"), []);
    let flags = prepared("env: [A=1]\n_env: {B: 2}", "", &[], Prompt::Argument);
    assert_eq!((flags.args, flags.env), (strings(&["--env", "A=1"]), vec![pair("B", "2")]));
}

#[test]
fn what_cannot_become_an_argument_is_refused_with_its_key() {
    let cases = [
        ("a: 1\nhooks: {x: 1}", "the value of `hooks` is an object, which cannot become a flag", 3),
        ("l: [[1]]", "the list `l` holds something that is neither a text nor a number", 2),
        ("l: [{a: 1}]", "the list `l` holds something that is neither a text nor a number", 2),
        ("env:\n  A: [1]", "the variable `A` is a list, not a text", 3),
        ("env:\n  \"A=B\": 1", "`A=B` cannot be the name of a variable", 3),
        ("_env:\n  A: \"\\0\"", "the variable `A` contains a NUL", 3),
        ("a: \"x\\0y\"", "the value of `a` contains a NUL", 2),
        ("_subcommand: {a: 1}", "`_subcommand` is `{\"a\":1}`, which is not a word or a list of words", 2),
        ("_subcommand: [exec, [x]]", "`_subcommand` is `exec,x`, which is not a word or a list of words", 2),
    ];
    for (yaml, message, line) in cases {
        let error = prepare(&front(yaml), "b", &names(&["topic"])).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (Code::FlowBadFrontMatter, message), "{yaml}");
        assert_eq!(error.mark().map(|mark| mark.line), Some(line), "{yaml}");
    }
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof!["[ -~]{0,6}".prop_map(Value::Text), (0..999u32).prop_map(|n| Value::Number(n.to_string()))]
}

fn key() -> impl Strategy<Value = String> {
    "[a-z]{1,6}".prop_filter("a flag", |key| {
        !["args", "pre", "before", "post", "after", "env", "engine", "expose"].contains(&key.as_str())
    })
}

proptest! {
    #[test]
    fn no_value_is_lost_or_moved(
        entries in prop::collection::btree_map(key(), prop::collection::vec(scalar(), 0..4), 0..6),
        body in "[a-z ]{1,9}x",
        rest in prop::collection::vec("[ -~]{0,5}", 0..3),
    ) {
        let front: Front = entries.iter().map(|(key, items)| (key.clone(), Value::List(items.clone()))).collect();
        let prepared = prepare(&front, &body, &names(&[])).unwrap();
        let with = |variadic| Placing {
            positionals: &rest, variadic, way: Prompt::Argument, cwd: Path::new("/"),
        };
        let values: Vec<String> = entries.values().flatten().map(ToString::to_string).collect();
        let tail: Vec<String> = std::iter::once(body.trim().to_owned()).chain(rest.clone()).collect();

        let args = prepared.build("x", &with(&[])).args;
        let flags = args.len() - tail.len();
        prop_assert_eq!(&args[flags..], tail.as_slice());
        let given: Vec<String> = args[..flags].chunks(2).map(|pair| pair[1].clone()).collect();
        prop_assert_eq!(&given, &values);

        let all: Vec<&str> = entries.keys().map(String::as_str).collect();
        let joined = prepared.build("x", &with(&all)).args;
        let given: Vec<String> =
            joined[..joined.len() - tail.len()].iter().map(|arg| arg.split_once('=').unwrap().1.to_owned()).collect();
        prop_assert_eq!(&given, &values);
    }
}
