//! The rules of front matter, from text to values and places.

use super::*;
use proptest::prelude::*;
use runward_engine::{Code, Coded};

fn front(yaml: &str) -> Front {
    read("a.md", &format!("---\n{yaml}\n---\n"))
        .unwrap_or_else(|error| panic!("{error}: {error:?}\n{yaml}"))
        .front
}

/// The message, where it points, and what is marked there.
fn refused(text: &str) -> String {
    let error = read("a.md", text).unwrap_err();
    assert_eq!(error.code(), Code::FlowBadFrontMatter);
    let mark = error.mark().unwrap_or_else(|| panic!("no place: {error}"));
    let marked: String = mark.text.chars().skip(mark.column - 1).take(mark.length).collect();
    format!("{error} [{} {marked}]", mark.place())
}

fn text(text: &str) -> Value {
    Value::text(text)
}

fn number(text: &str) -> Value {
    Value::Number(text.to_owned())
}

fn of(entries: Vec<(&str, Value)>) -> Front {
    entries.into_iter().collect()
}

#[test]
fn a_file_is_split_where_its_front_matter_ends() {
    let cases = [
        ("---\na: 1\n---\nbody\n", true, "body\n", 4),
        ("---\r\na: 1\r\n---\r\nbody\r\n", true, "body\r\n", 4),
        ("\u{feff}---\na: 1\n---\nbody", true, "body", 4),
        ("#!/usr/bin/env -S runward run\n---\na: 1\n---\nbody", true, "body", 5),
        ("#!/usr/bin/env -S runward run\n\n---\na: 1\n---\nbody", true, "body", 6),
        ("#!/bin/x\n\nbody", false, "\nbody", 2),
        ("#!/bin/x", false, "", 2),
        ("---\n---\nbody", true, "body", 3),
        ("---\n---", true, "", 3),
        ("--- \na: 1\n---  \nbody", true, "body", 4),
        ("---\na: |\n  x\n  ---\n  y\n---\nb\n---\nc", true, "b\n---\nc", 7),
        ("\n---\na: 1\n---\n", false, "\n---\na: 1\n---\n", 1),
        ("----\na\n----\n", false, "----\na\n----\n", 1),
        ("plain", false, "plain", 1),
        ("", false, "", 1),
    ];
    for (whole, has_front, body, line) in cases {
        let flow = read("a.md", whole).unwrap_or_else(|error| panic!("{error}: {whole:?}"));
        assert_eq!(
            (flow.has_front, flow.body.as_str(), flow.body_line),
            (has_front, body, line),
            "{whole:?}"
        );
    }
}

#[test]
fn words_mean_what_the_core_schema_says() {
    let bools = [("true", true), ("True", true), ("TRUE", true), ("false", false), ("FALSE", false)];
    for (word, meant) in bools {
        assert_eq!(front(&format!("a: {word}")).get("a"), Some(&Value::Bool(meant)));
    }
    for word in ["", "~", "null", "Null", "# nothing"] {
        assert_eq!(front(&format!("a: {word}")).get("a"), Some(&Value::Null), "{word}");
    }
    for word in [
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "tRUE",
        "1_000",
        "1.2.3",
        "0b1",
        "12:30:00",
        "1e",
        ".",
        "+",
        "2024-01-01",
        "0x",
        "--1",
    ] {
        assert_eq!(front(&format!("a: {word}")).get("a"), Some(&text(word)), "{word}");
    }
    for word in ["'true'", "\"30\"", "'null'", "''", "!!str 30"] {
        assert!(front(&format!("a: {word}")).get("a").unwrap().as_text().is_some(), "{word}");
    }
}

#[test]
fn a_number_stays_as_it_was_written() {
    for word in [
        "0",
        "30",
        "-5",
        "+7",
        "1.0",
        "1.50",
        ".5",
        "5.",
        "007",
        "1e3",
        "6.02E+23",
        "0x1F",
        "0o17",
        ".inf",
        "-.INF",
        ".NaN",
        "123456789012345678901234567890",
    ] {
        assert_eq!(front(&format!("a: {word}")).get("a"), Some(&number(word)), "{word}");
    }
    let counted = |word: &str| number(word).as_number();
    assert_eq!((counted("0x1F"), counted("1.50"), counted(".inf")), (Some(31.0), Some(1.5), None));
}

#[test]
fn keys_keep_their_order_and_know_their_line() {
    let flow = read("a.md", "#!/x\n---\nz: 1\n# why\na: [x, 2]\n\nm: {q: ~, b: [true]}\n---\n").unwrap();
    let expected = of(vec![
        ("z", number("1")),
        ("a", Value::List(vec![text("x"), number("2")])),
        ("m", Value::Map(of(vec![("q", Value::Null), ("b", Value::List(vec![Value::Bool(true)]))]))),
    ]);
    assert_eq!(flow.front, expected);
    let lines: Vec<_> = ["z", "a", "m", "q"].map(|key| flow.front.line_of(key)).to_vec();
    assert_eq!(lines, [Some(3), Some(5), Some(7), None]);
    assert_eq!(flow.front.mark_of("a").unwrap().place(), "a.md:5:1");
    let inner = flow.front.get("m").unwrap().as_map().unwrap();
    assert_eq!(inner.mark_of("b").unwrap().place(), "a.md:7:11");
}

#[test]
fn keys_are_words_whatever_they_look_like() {
    let keys: Vec<String> = front("$1: prompt\n\"--raw\": x\n1: y\ntrue: z\n_n: 1\n-x: 1")
        .iter()
        .map(|(key, _)| key.to_owned())
        .collect();
    assert_eq!(keys, ["$1", "--raw", "1", "true", "_n", "-x"]);
}

#[test]
fn texts_of_several_lines_keep_them() {
    assert_eq!(
        front("a: |\n  one\n  two\nb: >-\n  one\n  two"),
        of(vec![("a", text("one\ntwo\n")), ("b", text("one two"))])
    );
}

#[test]
fn a_repeated_value_is_copied() {
    assert_eq!(
        front("a: &x [1, 2]\nb: *x\nc: &y z\nd: *y"),
        of(vec![
            ("a", Value::List(vec![number("1"), number("2")])),
            ("b", Value::List(vec![number("1"), number("2")])),
            ("c", text("z")),
            ("d", text("z")),
        ])
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place_in_the_file() {
    let cases = [
        "---\na: 1\nb: 2\na: 3\n---\n",
        "---\nm:\n  x: 1\n  \"x\": 2\n---\n",
        "---\na: [1, 2\n---\nbody",
        "---\na: 1\n  b: 2\n---\n",
        "---\na: \"open\nb: 1\n---\n",
        "---\nmodel: {{ model }}\n---\n",
        "---\n- a\n- b\n---\n",
        "---\njust words\n---\n",
        "---\na: *nobody\n---\n",
        "---\na: &a [1, *a]\n---\n",
        "---\n<<: {a: 1}\n---\n",
        "---\na: !secret x\n---\n",
        "---\n? [a, b]\n: 1\n---\n",
        "---\n%YAML 1.2\na: 1\n---\n",
        "---\na: 1\n...\nb: 2\n---\n",
        "---\n: x\n---\n",
        "---\na: 1\n",
        "#!/x\n---\na: 1\n",
        "---\na:\n\tb: 1\n---\n",
        "---\na: @x\n---\n",
    ];
    let told: Vec<String> = cases.iter().map(|case| format!("{case:?}\n  {}", refused(case))).collect();
    insta::assert_snapshot!(told.join("\n"));
}

#[test]
fn front_matter_is_bounded_in_depth_and_size() {
    let deep = format!("---\na: {}{}\n---\n", "[".repeat(40), "]".repeat(40));
    assert!(
        refused(&deep).starts_with("the front matter is nested deeper than 32 levels"),
        "{}",
        refused(&deep)
    );
    let steps: String = (0..40).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(
        refused(&format!("---\n{steps}---\n"))
            .starts_with("the front matter is nested deeper than 32 levels")
    );
    let mixed = format!(
        "---\na:\n{}b: {}1{}\n---\n",
        " - - - - - - - - - - - - - - - - - - - - ",
        "[".repeat(20),
        "]".repeat(20)
    );
    assert!(refused(&mixed).starts_with("the front matter is nested deeper than 32 levels"));
    let mut bomb = "---\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..9 {
        let names = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{names}]\n"));
    }
    assert!(refused(&format!("{bomb}---\n")).starts_with("the front matter holds more than 10000 values"));
}

#[test]
fn values_are_laid_over_defaults_key_by_key() {
    let defaults = of(vec![("model", text("sonnet")), ("print", Value::Bool(true))]);
    let merged = front("verbose: true\nmodel: opus").merge_under(&defaults);
    assert_eq!(
        merged,
        of(vec![("model", text("opus")), ("print", Value::Bool(true)), ("verbose", Value::Bool(true))])
    );
    assert_eq!((merged.line_of("model"), merged.line_of("print")), (Some(3), None));
}

/// A value in the flow style of YAML. JSON would do, but ours does not keep the order of keys.
fn json(value: &Value) -> String {
    let joined = |parts: Vec<String>| parts.join(", ");
    match value {
        Value::List(items) => format!("[{}]", joined(items.iter().map(json).collect())),
        Value::Map(front) => {
            let entry = |(key, value): (&str, &Value)| format!("{}: {}", json(&text(key)), json(value));
            format!("{{{}}}", joined(front.iter().map(entry).collect()))
        }
        scalar => scalar.to_json().to_string(),
    }
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|n| Value::Number(n.to_string())),
        "[ -~é\n]{0,12}".prop_map(Value::Text),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::List),
            prop::collection::vec(("[a-z_$-]{1,8}", inner), 0..5)
                .prop_map(|entries| Value::Map(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back_in_order(entries in prop::collection::vec(("[a-z_$-]{1,8}", any_value()), 0..8)) {
        let written: Front = entries.into_iter().collect();
        let lines: String =
            written.iter().map(|(key, value)| format!("{}: {}\n", json(&text(key)), json(value))).collect();
        prop_assert_eq!(front(&lines), written);
    }

    #[test]
    fn no_text_makes_the_reader_fall_over(yaml in "[ -~\n\t{}\\[\\]:&*!|>é-]{0,80}") {
        let whole = format!("---\n{yaml}\n---\nbody");
        match read("a.md", &whole) {
            Ok(flow) => prop_assert!(whole.ends_with(&flow.body)),
            Err(error) => prop_assert!(error.mark().is_some()),
        }
    }
}
