//! Keys of a markdown agent without an effect here are reported, once and before anything runs; such options are errors.

use crate::runner::Place;
use serde_json::Value;

const FOREIGN: &str = "---
model: x
_output: {format: json, save: out.json}
_budget: 5
evolve: {mode: propose}
_timout: 5
---
Hello
";

const TOLD: [&str; 4] = [
    "a.echo.md:3: `_output` means nothing here: what the program prints is passed on as it is; nothing is checked, saved or applied",
    "a.echo.md:4: `_budget` means nothing here: nothing is counted by it; `_timeout` and `context_window` are the limits of a file",
    "a.echo.md:5: `evolve` means nothing here: a run never changes its file",
    "a.echo.md:6: `_timout` is no setting, and no template reads it; did you mean `_timeout`?",
];

fn place() -> Place {
    let place = Place::new();
    place.file("a.echo.md", FOREIGN);
    place
}

fn lines() -> String {
    TOLD.map(|line| format!("runward: {line}\n")).concat()
}

#[test]
fn a_file_with_keys_of_elsewhere_runs_and_each_is_told_once() {
    let said = place().run(["run", "a.echo.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, "--model x Hello\n"));
    assert_eq!(said.stderr, lines());
}

#[test]
fn whoever_reads_objects_is_told_there_too() {
    let place = place();
    for args in [&["run", "a.echo.md", "--json"][..], &["run", "a.echo.md", "--dry-run", "--json"]] {
        let said = place.run(args);
        let object: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(object["notes"], Value::from(TOLD.to_vec()), "{args:?}");
        assert_eq!((said.code, said.stderr), (0, lines()));
    }
    let said = place.run(["explain", "run", "a.echo.md", "--json"]);
    let object: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(object["flow"]["notes"], Value::from(TOLD.to_vec()));
    let said = place.run(["explain", "run", "a.echo.md"]);
    assert!(TOLD.iter().all(|line| said.stdout.contains(line)), "{}", said.stdout);
    assert_eq!(place.run(["run", "a.echo.md", "--events"]).stderr, lines());
}

#[test]
fn without_such_keys_there_are_no_notes() {
    let place = Place::new();
    place.file("b.echo.md", "---\n_who: World\n---\nHello {{ _who }}");
    let said = place.run(["run", "b.echo.md", "--json"]);
    assert!(!said.stdout.contains("notes") && said.stderr.is_empty(), "{said:?}");
}

#[test]
fn it_is_told_before_anything_runs() {
    let place = Place::new();
    place.file("a.echo.md", "---\n_output: x\npre: exit 3\n---\nHello");
    let said = place.run(["run", "a.echo.md"]);
    assert_eq!(said.code, 125);
    assert!(
        said.stderr.starts_with("runward: a.echo.md:2: `_output` means nothing here: "),
        "{}",
        said.stderr
    );
}

#[test]
fn a_key_of_the_configuration_is_told_with_its_place_there() {
    let place = Place::new();
    place.owner("[commands.echo]\n_isolate = true\n");
    place.file("a.echo.md", "---\n---\nHello");
    let said = place.run(["run", "a.echo.md"]);
    assert!(said.stderr.contains("runward.toml:2: `_isolate` is no setting"), "{}", said.stderr);
    assert!(said.stderr.contains("did you mean `_isolated`?"), "{}", said.stderr);
}

#[test]
fn a_name_that_any_template_reads_is_a_variable_and_not_told() {
    let place = Place::new();
    place.file("part.md", "{{ _budget }}\n");
    place.file("a.echo.md", "---\n_output: report.md\n_budget: 5\n_tone: kind\n_steps:\n  - {id: s, run: '{{ _tone }}'}\n---\n{{ _output }} @./part.md");
    let said = place.run(["run", "a.echo.md"]);
    assert_eq!((said.stderr.as_str(), said.stdout.as_str()), ("", "report.md 5\n"));
}

#[test]
fn an_option_of_elsewhere_runs_nothing() {
    let place = Place::new();
    place.file("a.touch.md", "---\n---\nmade");
    for (option, meant) in [("--_dry-run", "--dry-run"), ("--_trust", "--trust"), ("--_json", "--json")] {
        let said = place.run(["run", "a.touch.md", option]);
        assert_eq!(said.code, 125);
        assert_eq!(
            said.stderr,
            format!(
                "runward: nothing in the file takes `{option}` [flow.bad-argument]\nhint: Did you mean `{meant}`?\n"
            )
        );
    }
    assert!(!place.work().join("made").exists());
}

#[test]
fn everything_that_is_wrong_with_the_inputs_is_told_at_once() {
    let place = Place::new();
    let inputs =
        "_inputs:\n  target: {type: select, options: [dev, prod]}\n  _sure: {type: confirm}\n  who: text\n";
    place.file("a.touch.md", &format!("---\n{inputs}---\nmade {{{{ target }}}}{{{{ _sure }}}}{{{{ who }}}}"));
    let words = ["run", "a.touch.md", "--target=test", "--_sure", "perhaps"];
    let problems = "3 problems with what the file was given\n  \
         a.touch.md:3:3: the input `target` is `test`, but it takes one of `dev`, `prod`\n  \
         a.touch.md:4:3: the input `_sure` is `perhaps`, but it takes true or false\n  \
         a.touch.md:5:3: Missing required template variable: who";
    let hint = "Give `--target` a value that it takes. Give `--_sure` one of `true`, `yes`, `y`, `false`, `no`, `n`; \
         alone it is `true`. Give a value with `--who VALUE`.";
    let said = place.run(words);
    assert_eq!(said.code, 125);
    assert_eq!(said.stderr, format!("runward: {problems} [flow.bad-input]\nhint: {hint}\n"));
    let said = place.run(words.iter().chain(&["--json"]));
    let object: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(object["error"]["message"], problems);
    let said = place.run(words.iter().chain(&["--events"]));
    let end: Value = serde_json::from_str(said.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&end["event"], &end["message"]), (&"run.error".into(), &problems.into()));
    assert_eq!(std::fs::read_dir(place.work()).unwrap().count(), 1);
}
