//! The rules of typed inputs.

use super::*;
use crate::front::{self, Front};
use crate::words::Given;
use runward_engine::{Code, Coded};
use serde_json::json;

fn front(yaml: &str) -> Front {
    front::read("a.md", &format!("---\n{yaml}\n---\n"))
        .unwrap_or_else(|error| panic!("{error}\n{yaml}"))
        .front
}

const ALL: &str = "_inputs:
  _name: {type: text, description: Your name, default: World}
  env: {type: select, options: [dev, prod, 3], required: false}
  count: {type: number, min: 1, max: 10, default: 5}
  share: {type: number, max: 0.5}
  sure: {type: confirm}
  token: {type: password, default: hush}
  short: number
  bare:
";

fn inputs() -> Vec<Input> {
    read(&front(ALL)).unwrap()
}

fn input(name: &str) -> Input {
    inputs().into_iter().find(|input| input.name == name).unwrap()
}

#[test]
fn inputs_are_read_in_order_with_what_they_say() {
    let shown: Vec<String> = inputs()
        .iter()
        .map(|input| format!("{} {:?} {:?} {:?}", input.name, input.allowed(), input.default, input.need))
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
    assert_eq!(input("env").mark.unwrap().line, 4);
}

#[test]
fn a_list_of_inputs_means_the_same() {
    let listed = read(&front("_inputs:\n  - _a\n  - {name: b, type: confirm}")).unwrap();
    let mapped = read(&front("_inputs:\n  _a:\n  b: confirm")).unwrap();
    let what =
        |inputs: &[Input]| inputs.iter().map(|one| (one.name.clone(), one.kind.clone())).collect::<Vec<_>>();
    assert_eq!(what(&listed), what(&mapped));
    assert!(read(&front("model: x")).unwrap().is_empty() && read(&front("_inputs:")).unwrap().is_empty());
}

#[test]
fn values_are_taken_in_the_form_of_their_input() {
    let number = |text: &str| Value::Number(text.to_owned());
    let cases = [
        ("_name", Value::text("x"), Value::text("x")),
        ("env", Value::text("prod"), Value::text("prod")),
        ("env", number("3"), Value::text("3")),
        ("count", Value::text(" 7 "), number("7")),
        ("count", number("1.5"), number("1.5")),
        ("count", number("10"), number("10")),
        ("sure", Value::text("Yes"), Value::Bool(true)),
        ("sure", Value::Bool(false), Value::Bool(false)),
        ("sure", Value::text("n"), Value::Bool(false)),
        ("token", Value::text("t"), Value::text("t")),
    ];
    for (name, value, taken) in cases {
        assert_eq!(input(name).check(&value).unwrap(), taken, "{name} {value:?}");
    }
}

#[test]
fn a_bad_value_is_told_with_the_input_and_what_is_allowed() {
    let list = || Value::List(vec![Value::text("hush")]);
    let cases = [
        ("env", Value::text("test"), "the input `env` is `test`, but it takes one of `dev`, `prod`, `3`"),
        ("count", Value::text("11"), "the input `count` is `11`, but it takes a number between 1 and 10"),
        ("count", Value::text("many"), "the input `count` is `many`, but it takes a number between 1 and 10"),
        ("count", Value::text(".nan"), "the input `count` is `.nan`, but it takes a number between 1 and 10"),
        (
            "share",
            Value::text("0.6"),
            "the input `share` is `0.6`, but it takes a number that is at most 0.5",
        ),
        ("sure", Value::text("maybe"), "the input `sure` is `maybe`, but it takes true or false"),
        ("_name", list(), "the input `_name` is `hush`, but it takes a text"),
        ("token", list(), "the input `token` is a list, but it takes a text"),
    ];
    for (name, value, message) in cases {
        let error = input(name).check(&value).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (Code::FlowBadInput, message));
    }
}

#[test]
fn a_description_that_makes_no_sense_is_refused_at_its_place() {
    let cases = [
        ("_inputs: 5", "`_inputs` is a number, not a map of inputs"),
        ("_inputs: [5]", "`_inputs` holds something that is not an input"),
        ("_inputs: [{type: text}]", "an input in `_inputs` has no `name`"),
        ("_inputs: [a, a]", "the input `a` is there twice"),
        ("_inputs: {a: 5}", "the input `a` is a number, not a description"),
        (
            "_inputs: {a: {type: txt}}",
            "the input `a` has the type `txt`, which is none of `text`, `select`, `number`, `confirm`, `password`",
        ),
        ("_inputs: {a: {type: select}}", "the input `a` has no `options` to select from"),
        ("_inputs: {a: {type: select, options: []}}", "the input `a` has no `options` to select from"),
        ("_inputs: {a: {type: number, min: x}}", "`min` of the input `a` is a text, not a number"),
        ("_inputs: {a: {description: [x]}}", "`description` of the input `a` is a list, not a text"),
        ("_inputs: {a: {required: 1}}", "`required` of the input `a` is a number, not true or false"),
    ];
    for (yaml, message) in cases {
        let error = read(&front(yaml)).unwrap_err();
        assert_eq!((error.code(), error.to_string().as_str()), (Code::FlowBadFrontMatter, message));
        assert_eq!(error.mark().map(|mark| mark.line), Some(2), "{yaml}");
    }
    let error = read(&front("_inputs: {a: {type: number, max: 3, default: 4}}")).unwrap_err();
    assert_eq!(error.to_string(), "the input `a` is `4`, but it takes a number that is at most 3");
}

#[test]
fn what_was_given_is_settled_and_what_is_missing_is_told() {
    let mut given = Given::default();
    for (name, value) in [("count", "7"), ("sure", "")] {
        given.variables.push(crate::words::Variable {
            name: name.to_owned(),
            value: Value::text(value),
            from: crate::words::VariableFrom::Option,
        });
    }
    let inputs = inputs();
    let missing: Vec<&str> =
        settle(&inputs, &mut given).unwrap().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(missing, ["_name", "share", "sure", "token", "short", "bare"], "defaults come with the words");
    assert_eq!(given.get("count"), Some(&Value::Number("7".to_owned())));
    assert_eq!(given.get("env"), Some(&Value::text("")), "an optional input has an empty value");
}

#[test]
fn the_schema_says_what_the_inputs_take() {
    assert_eq!(
        schema(&inputs()),
        json!({
            "type": "object",
            "properties": {
                "_name": {"type": "string", "description": "Your name", "default": "World"},
                "env": {"type": "string", "enum": ["dev", "prod", "3"]},
                "count": {"type": "number", "minimum": 1, "maximum": 10, "default": 5},
                "share": {"type": "number", "maximum": 0.5},
                "sure": {"type": "boolean"},
                "token": {"type": "string", "format": "password", "writeOnly": true},
                "short": {"type": "number"},
                "bare": {"type": "string"},
            },
            "required": ["share", "sure", "short", "bare"],
            "additionalProperties": false,
        })
    );
}

#[test]
fn values_from_json_are_checked() {
    let of = |json: serde_json::Value| arguments(&inputs(), json.as_object().unwrap());
    let values = of(json!({"count": 3, "sure": true, "env": null})).unwrap();
    assert_eq!(
        values,
        [("count".to_owned(), Value::Number("3".to_owned())), ("sure".to_owned(), Value::Bool(true))]
    );
    assert_eq!(of(json!({"count": 30})).unwrap_err().code(), Code::FlowBadInput);
    assert_eq!(of(json!({"cuont": 3})).unwrap_err().to_string(), "there is no input named `cuont`");
    assert_eq!(of(json!({"_name": {"a": []}})).unwrap_err().code(), Code::FlowBadInput);
}
