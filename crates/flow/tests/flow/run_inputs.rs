//! What is given to typed inputs: the same in both spellings, and everything that is wrong with it in one error.

use crate::run_world::World;
use proptest::prelude::*;
use runward_engine::{Code, Coded};
use runward_flow::front::{Front, Value};
use runward_flow::inputs;
use runward_flow::words::{Given, Listening, take_variables};
use std::collections::BTreeSet;

const ALL: &str = "---
_inputs:
  _sure: {type: confirm}
  _count: {type: number, min: -9, max: 9}
  _target: {type: select, options: [dev, prod, -O2, \"3\"]}
  _title: {type: text}
  _token: {type: password}
$deep: false
$dirs: [a, b]
$size: 5
$name: x
---
";

const TYPED: [&str; 5] = ["_sure", "_count", "_target", "_title", "_token"];
const UNTYPED: [&str; 4] = ["deep", "dirs", "size", "name"];

fn given(words: &[String]) -> Given {
    let front: Front = runward_flow::front::read("a.md", ALL).unwrap().front;
    let inputs = inputs::read(&front).unwrap();
    let reads = BTreeSet::new();
    let mut given =
        take_variables(words, &Listening { front: &front, inputs: &inputs, reads: &reads }).unwrap();
    // What is missing is no question here.
    let _ = inputs::settle(&inputs, &mut given);
    given
}

/// What a variable became, or what is wrong with it.
fn became(name: &str, words: &[String]) -> Result<Option<Value>, String> {
    let given = given(words);
    match given.problems.iter().find(|(of, _)| of == name) {
        Some((_, error)) => Err(error.to_string()),
        None => Ok(given.get(name).cloned()),
    }
}

fn both(name: &str, value: &str) -> [Result<Option<Value>, String>; 2] {
    [vec![format!("--{name}"), value.to_owned()], vec![format!("--{name}={value}")]]
        .map(|words| became(name, &words))
}

#[test]
fn a_word_that_is_no_answer_is_an_error_in_both_spellings() {
    for word in ["perhaps", "1", "0", "on", "off", "yess", "tru", "TRUEISH", "-", "src/main.rs"] {
        let told = Err(format!("the input `_sure` is `{word}`, but it takes true or false"));
        assert_eq!(both("_sure", word), [told.clone(), told]);
    }
    for (word, answer) in
        [("yes", true), ("Y", true), ("TRUE", true), ("no", false), ("n", false), ("False", false)]
    {
        let taken = Ok(Some(Value::Bool(answer)));
        assert_eq!(both("_sure", word), [taken.clone(), taken]);
    }
    assert_eq!(became("_sure", &["--_sure".to_owned()]), Ok(Some(Value::Bool(true))), "alone it is yes");
}

#[test]
fn each_kind_takes_the_same_values_in_both_spellings() {
    let number = |text: &str| Ok(Some(Value::Number(text.to_owned())));
    let text = |text: &str| Ok(Some(Value::text(text)));
    let bad = |what: &str| Err::<Option<Value>, String>(what.to_owned());
    for (name, value, expected) in [
        ("_count", "7", number("7")),
        ("_count", "-5", number("-5")),
        ("_count", "-.5", number("-.5")),
        ("_count", "10", bad("the input `_count` is `10`, but it takes a number between -9 and 9")),
        ("_count", "many", bad("the input `_count` is `many`, but it takes a number between -9 and 9")),
        ("_count", "true", bad("the input `_count` is `true`, but it takes a number between -9 and 9")),
        ("_target", "prod", text("prod")),
        ("_target", "-O2", text("-O2")),
        ("_target", "3", text("3")),
        (
            "_target",
            "test",
            bad("the input `_target` is `test`, but it takes one of `dev`, `prod`, `-O2`, `3`"),
        ),
        (
            "_target",
            "Dev",
            bad("the input `_target` is `Dev`, but it takes one of `dev`, `prod`, `-O2`, `3`"),
        ),
        ("_title", "two words", text("two words")),
        ("_title", "true", text("true")),
        ("_title", "5", text("5")),
        ("_token", "s3cret", text("s3cret")),
        ("dirs", "c", text("c")),
        ("size", "6", number("6")),
        ("size", "-6", number("-6")),
        ("name", "y", text("y")),
        ("deep", "yes", Ok(Some(Value::Bool(true)))),
        ("deep", "false", Ok(Some(Value::Bool(false)))),
    ] {
        assert_eq!(both(name, value), [expected.clone(), expected], "{name} {value}");
    }
}

#[test]
fn an_input_without_a_value_is_told_and_takes_no_other_option_for_one() {
    for name in ["_count", "_target", "_title", "_token"] {
        for words in [vec![format!("--{name}")], vec![format!("--{name}"), "--_sure".to_owned()]] {
            let error = became(name, &words).unwrap_err();
            assert!(
                error.starts_with(&format!("`--{name}` has no value, but the input `{name}` takes ")),
                "{error}"
            );
        }
        // What looks like an option is one, unless it is written as the value.
        let given = given(&[format!("--{name}"), "-x".to_owned()]);
        assert_eq!((given.problems.len(), given.get(name)), (1, None));
    }
    assert_eq!(became("_title", &["--_title=-x".to_owned()]), Ok(Some(Value::text("-x"))));
    let given = given(&["--_title".to_owned(), "--_sure".to_owned(), "no".to_owned()]);
    assert_eq!(given.get("_sure"), Some(&Value::Bool(false)), "the other option keeps its value");
}

proptest! {
    #[test]
    fn any_value_means_the_same_in_both_spellings(value in "[ -,.-~é][ -~é]{0,9}", at in 0..TYPED.len()) {
        let [apart, joined] = both(TYPED[at], &value);
        prop_assert_eq!(apart, joined);
    }

    #[test]
    fn any_value_of_an_untyped_variable_too(value in "[ -,.-~é][ -~é]{0,9}", at in 1..UNTYPED.len()) {
        let [apart, joined] = both(UNTYPED[at], &value);
        prop_assert_eq!(apart, joined);
    }
}

const DEPLOY: &str = "---
_inputs:
  target: {type: select, options: [dev, prod]}
  count: {type: number, min: 1, max: 9, default: 2}
  sure: {type: confirm, default: false}
  title: {type: text}
  token: {type: password}
---
{{ target }} {{ count }} {{ sure }} {{ title }} {{ token }} {{ topic }}
!`touch ran`
";

#[tokio::test]
async fn everything_that_is_wrong_is_one_error_with_the_place_of_each() {
    let world = World::new(&[("a.echo.md", DEPLOY)]);
    let line =
        ["a.echo.md", "--target", "test", "--count=many", "--sure", "perhaps", "--title", "--_tagret", "x"];
    let error = world.error(&line).await;
    assert_eq!(
        error.to_string(),
        "7 problems with what the file was given\n  \
         a.echo.md:6:3: `--title` has no value, but the input `title` takes a text\n  \
         nothing in the file takes `--_tagret`\n  \
         a.echo.md:3:3: the input `target` is `test`, but it takes one of `dev`, `prod`\n  \
         a.echo.md:4:3: the input `count` is `many`, but it takes a number between 1 and 9\n  \
         a.echo.md:5:3: the input `sure` is `perhaps`, but it takes true or false\n  \
         a.echo.md:7:3: Missing required template variable: token\n  \
         a.echo.md:9:64: Missing required template variable: topic"
    );
    assert_eq!(error.code(), Code::FlowBadInput);
    let hint = Coded::hint(&error).unwrap();
    for part in [
        "`--title VALUE`",
        "Give `--target` a value",
        "alone it is `true`",
        "`--token VALUE`",
        "`--topic VALUE`",
    ] {
        assert!(hint.contains(part), "{hint}");
    }
    assert!(!world.has("ran"));
}

#[tokio::test]
async fn one_problem_is_told_as_ever() {
    let world = World::new(&[("a.echo.md", DEPLOY)]);
    let fine = ["a.echo.md", "--title", "t", "--token", "hush", "--topic", "x", "--target"];
    let error = world.error(&[&fine[..], &["test"]].concat()).await;
    assert_eq!(error.to_string(), "the input `target` is `test`, but it takes one of `dev`, `prod`");
    assert_eq!(error.mark().unwrap().place(), "a.echo.md:3:3");
    assert_eq!(world.prompt(&[&fine[..], &["dev"]].concat()).await, "dev 2 false t hush x");
}

#[tokio::test]
async fn what_is_wrong_with_a_password_is_told_without_it() {
    let world = World::new(&[("a.echo.md", DEPLOY)]);
    let error = world.error(&["a.echo.md", "--token", "-s3cret", "--target", "x"]).await;
    assert!(!format!("{error:?}").contains("s3cret"), "{error:?}");
}

#[tokio::test]
async fn all_descriptions_that_make_no_sense_are_one_error() {
    let world = World::new(&[(
        "a.echo.md",
        "---\n_inputs:\n  a: {type: txt}\n  b: {type: select}\n  c: text\n  d: {type: number, max: 3, default: 4}\n---\n",
    )]);
    assert_eq!(
        world.error(&["a.echo.md"]).await.to_string(),
        "3 problems with the inputs of the file\n  \
         a.echo.md:3:3: the input `a` has the type `txt`, which is none of `text`, `select`, `number`, `confirm`, `password`\n  \
         a.echo.md:4:3: the input `b` has no `options` to select from\n  \
         a.echo.md:6:3: the input `d` is `4`, but it takes a number that is at most 3"
    );
}

#[tokio::test]
async fn all_keys_that_cannot_become_flags_are_one_error() {
    let world = World::new(&[(
        "a.echo.md",
        "---\nmodel: {a: 1}\nfine: x\ndirs: [[1]]\nenv: {\"A=B\": 1, C: [1]}\n---\nx",
    )]);
    assert_eq!(
        world.error(&["a.echo.md"]).await.to_string(),
        "4 problems in the front matter\n  \
         a.echo.md:2:1: the value of `model` is an object, which cannot become a flag\n  \
         a.echo.md:4:1: the list `dirs` holds something that is neither a text nor a number\n  \
         a.echo.md:5:7: `A=B` cannot be the name of a variable\n  \
         a.echo.md:5:17: the variable `C` is a list, not a text"
    );
}

#[tokio::test]
async fn an_option_that_nothing_takes_is_told_with_the_nearest() {
    let file = "---\n_inputs: {_target: text}\n_who: you\n---\n{{ _target }} {{ _who }} {{ _other }}";
    let world = World::new(&[("a.echo.md", file), ("b.echo.md", "---\n---\nx")]);
    for (option, hint) in [
        ("--_tagret", "Did you mean `--_target`?"),
        ("--_woh=me", "Did you mean `--_who`?"),
        ("--_othr", "Did you mean `--_other`?"),
        ("--_timout", "Did you mean `--_timeout`?"),
        ("--_dry-run", "Did you mean `--dry-run`?"),
        ("--_resume", "Did you mean `--resume`?"),
        ("--_command", "Did you mean `--command`?"),
        ("--_xyzzy", "Name one that the file takes: `--_target`, `--_other`, `--_who`."),
    ] {
        let error = world.error(&["a.echo.md", "--_target", "t", "--_other", "o", option, "v"]).await;
        let name = option.split('=').next().unwrap();
        assert_eq!(error.to_string(), format!("nothing in the file takes `{name}`"), "{option}");
        assert_eq!((error.code(), Coded::hint(&error).unwrap().as_str()), (Code::FlowBadArgument, hint));
    }
    let error = world.error(&["b.echo.md", "--_x"]).await;
    assert_eq!(Coded::hint(&error).unwrap(), "Leave it out; the file takes no such option.");
    // What has no underscore may be an option of the program.
    assert_eq!(world.ready(&["b.echo.md", "--x", "v"]).await.unwrap().command.args, ["x", "--x", "v"]);
}
