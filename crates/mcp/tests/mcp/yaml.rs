//! Answers in YAML give exactly the same text again, through two parsers that know nothing of each other.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use runward_engine::core::render::Yaml;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::{Command, Stdio};

const KNOWN: &[&str] = &[
    "",
    "a",
    "a\n",
    "a\nb",
    "a\nb\n",
    "\n",
    "\n\n",
    "a\n\n",
    "a\n\n\n",
    "\na",
    "\n\na\n",
    " a\n",
    "  a\n b\n",
    "\ta\n",
    "a \n",
    "a\t\nb ",
    "a\n  ",
    "a\n  \n",
    "  \na\n",
    "   ",
    " \n ",
    "\t\n",
    "a\r\nb\r\n",
    "a\rb",
    "\r",
    "---\n",
    "---\na\n",
    "...\n",
    "a: b\n",
    "- a\n- b\n",
    "# a\n",
    "a # b\n",
    "%YAML 1.2\n---\n",
    "? a\n",
    "| a\n",
    "> a\n",
    "\"a\"\n'b'\n",
    "'",
    "\"",
    "null",
    "~",
    "true\n",
    "1",
    "0x1f\n",
    "&a *b !c\n",
    "{a: b}\n",
    "[a]\n",
    "@a\n`b`\n",
    "\u{1b}[31mred\u{1b}[0m\n  more\n",
    "\u{0}\n",
    "\u{7f}\n x",
    "a\u{85}b\n",
    "a\u{2028}b\nc",
    "\u{feff}a\n",
    "a\u{a0}b\n",
    "\u{fffe}\n",
    "\u{ffff}",
    "😀\n😀",
    "ü\n\u{10ffff}\n",
    "a\\\nb\\",
    "\\n\n",
    "a\n\r\n b\n",
    "\r\n  a\r\n\tb\r\n ",
    "a\n#b\nc: d\n---\n...\n",
    "\u{1b}\n\n\n  \n",
];

fn written(text: &str) -> String {
    let mut yaml = Yaml::default();
    yaml.plain("exit_code", 0).text("stdout", text).text("stderr", text).plain("timed_out", true);
    yaml.finish()
}

fn read_back(yaml: &str) -> Result<(String, String), String> {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Answer {
        exit_code: i32,
        stdout: String,
        stderr: String,
        timed_out: bool,
    }
    let answer: Answer = serde_saphyr::from_str(yaml).map_err(|error| error.to_string())?;
    assert_eq!((answer.exit_code, answer.timed_out), (0, true));
    Ok((answer.stdout, answer.stderr))
}

/// Texts that are hard on parsers: short pieces that mean something to YAML, in any order.
fn hard_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "\n",
        "\n",
        "\n",
        " ",
        "  ",
        "\t",
        "\r",
        "\r\n",
        "a",
        "b c",
        ": ",
        "- ",
        "#",
        " #",
        "---",
        "...",
        "\"",
        "'",
        "\\",
        "|",
        ">",
        "%",
        "\u{1b}[0m",
        "\u{0}",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "😀",
        "ü",
        "\u{fffe}",
        "\u{7f}",
        "null",
        "{",
        "]",
        "&",
        "*",
        "!",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![3 => hard_text(), 1 => prop::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter)]
}

#[test]
fn known_texts_come_back() {
    let long = "x".repeat(1_000_000);
    let lines = "word word word word\n".repeat(5000);
    for text in KNOWN.iter().copied().chain([long.as_str(), lines.as_str()]) {
        let yaml = written(text);
        assert_eq!(
            read_back(&yaml),
            Ok((text.to_owned(), text.to_owned())),
            "{text:?} was written as\n{yaml}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn any_text_comes_back(text in any_text()) {
        let yaml = written(&text);
        prop_assert_eq!(read_back(&yaml), Ok((text.clone(), text)), "{}", yaml);
    }
}

const READER: &str = r#"
import json, sys, yaml
for line in sys.stdin:
    case = json.loads(line)
    answer = yaml.safe_load(case["yaml"])
    want = {"exit_code": 0, "stdout": case["text"], "stderr": case["text"], "timed_out": True}
    if answer != want or list(answer) != list(want):
        print(json.dumps(case)); sys.exit(1)
print("same")
"#;

#[test]
fn a_second_parser_reads_the_same() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let strategy = any_text();
    let made = (0..3000).map(|_| strategy.new_tree(&mut runner).unwrap().current());
    let long = "x".repeat(1_000_000);
    let texts = KNOWN.iter().map(|text| (*text).to_owned()).chain(made).chain([long]);
    let cases: String = texts
        .map(|text| format!("{}\n", serde_json::json!({"yaml": written(&text), "text": text})))
        .collect();
    let mut python = python(READER);
    let mut stdin = python.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(cases.as_bytes()));
    let said = python.wait_with_output().unwrap();
    let fed = feeder.join().unwrap();
    assert_eq!(String::from_utf8(said.stdout).unwrap(), "same\n");
    fed.unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the second parser is a program of its own")]
fn python(script: &str) -> std::process::Child {
    let mut command = Command::new(testkit::python());
    command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[test]
fn several_lines_are_a_block_and_control_characters_still_read_line_by_line() {
    assert_eq!(
        written("one\n  two\n"),
        "exit_code: 0\nstdout: |\n  one\n    two\nstderr: |\n  one\n    two\ntimed_out: true\n"
    );
    let mut yaml = Yaml::default();
    yaml.text("stdout", "\u{1b}[1mone\n two\n");
    assert_eq!(yaml.finish(), "stdout: \"\\x1b[1mone\\n\\\n  \\ two\\n\"\n");
}

#[test]
fn keys_keep_their_order() {
    let map: BTreeMap<String, serde_json::Value> = serde_saphyr::from_str(&written("a\n")).unwrap();
    assert_eq!(map.len(), 4);
    assert!(written("a\n").starts_with("exit_code: 0\nstdout: |\n  a\nstderr: "));
}

proptest! {
    #[test]
    fn texts_in_lists_come_back(texts in prop::collection::vec(any_text(), 0..4)) {
        let row = |text: &String| {
            let mut row = Yaml::default();
            row.plain("pid", 1).text("command", text).text("name", text);
            row
        };
        let mut yaml = Yaml::default();
        yaml.list("commands", texts.iter().map(row)).plain("count", texts.len());
        let yaml = yaml.finish();
        let read: serde_json::Value = serde_saphyr::from_str(&yaml).map_err(|e| TestCaseError::fail(format!("{e}\n{yaml}")))?;
        let want: Vec<_> = texts.iter().map(|t| serde_json::json!({"pid": 1, "command": t, "name": t})).collect();
        prop_assert_eq!(read, serde_json::json!({"commands": want, "count": texts.len()}), "{}", yaml);
    }
}
