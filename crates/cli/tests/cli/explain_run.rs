//! `explain run`: where everything in an agent's command came from, and nothing run.

use crate::runner::Place;

const AGENT: &str = "---
model: opus
env: {TOKEN: tell-nobody}
pre: touch made
_timeout: 5m
$tone: kind
_inputs:
  who: {type: text}
  key: {type: password, default: tell-nobody}
---
Greet {{ who }}, be {{ tone }}. @./more.txt !`touch made`

```sh
#!/bin/sh
touch made
```
";

fn place() -> Place {
    let place = Place::new();
    place.owner("[commands.echo]\nmodel = \"sonnet\"\nverbose = true");
    place.file("greet.echo.md", AGENT);
    place.file("more.txt", "More.");
    place.file(".env", "FROM_FILE=tell-nobody\n");
    place
}

#[test]
fn every_value_tells_where_it_came_from_and_nothing_runs() {
    let place = place();
    let said = place.run(["explain", "run", "greet.echo.md", "--who", "Ada"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{}", said.stdout);
    assert!(!place.work().join("made").exists());
    assert!(!said.stdout.contains("tell-nobody"), "{}", said.stdout);
    let mut settings = insta::Settings::clone_current();
    let work = place.work().display().to_string().replace('.', r"\.");
    settings.add_filter(&work, "[work]");
    settings.add_filter(r"\(/\S*/runward\.toml", "([owner]");
    settings.add_filter(r"/\S*/echo\b", "[echo]");
    settings.add_filter(r"( +)which is .*\n", "");
    settings.add_filter(r"containment .*", "containment     [way]");
    settings.add_filter(r"\d+ names: .*", "[names]");
    settings.bind(|| insta::assert_snapshot!(said.stdout));
}

#[test]
fn the_same_is_one_object() {
    let place = place();
    let said = place.run(["explain", "run", "greet.echo.md", "--json", "Ada", "--who", "Bo", "-c", "cat"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(object["flow"]["command_from"], "--command");
    assert_eq!(object["argv"][0], "cat");
    assert_eq!(object["decision"], "allow");
    assert_eq!(object["limits"][0]["value"], 300_000);
    assert_eq!(object["flow"]["imports"][0]["what"], "@./more.txt");
    let variables = object["flow"]["variables"].as_array().unwrap();
    let from = |name: &str| variables.iter().find(|one| one["name"] == name).unwrap()["from"].clone();
    assert_eq!((from("who"), from("tone")), ("command line".into(), "front matter".into()));
    assert_eq!(from("key"), "default of the input");
    assert!(!said.stdout.contains("tell-nobody"), "{}", said.stdout);
}

#[test]
fn variables_that_the_configuration_gives_a_command_are_shown_with_their_origin() {
    let place = place();
    place.owner("[commands.env]\nenv = {FROM_OWNER = \"tell-nobody\"}");
    place.file("a.env.md", "---\n---\n");
    let env = |place: &Place| {
        let said = place.run(["explain", "run", "a.env.md", "--json"]);
        assert!(!said.stdout.contains("tell-nobody"), "{}", said.stdout);
        let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        let values = object["flow"]["values"].as_array().unwrap();
        let env = values.iter().find(|one| one["key"] == "env").unwrap().clone();
        (env["value"].clone(), env["from"].as_str().unwrap().to_owned())
    };
    let (names, from) = env(&place);
    assert_eq!(names, serde_json::json!(["FROM_OWNER"]));
    assert!(from.ends_with("runward.toml:2"), "{from}");
    let dry = |place: &Place| {
        let said = place.run(["run", "a.env.md", "--dry-run", "--json"]);
        serde_json::from_str::<serde_json::Value>(&said.stdout).unwrap()["env"].clone()
    };
    let (file, owner) = (("FROM_FILE", "tell-nobody"), ("FROM_OWNER", "tell-nobody"));
    assert_eq!(dry(&place), [file, owner].into_iter().collect::<serde_json::Value>());
    assert!(place.run(["run", "a.env.md"]).stdout.contains("FROM_OWNER=tell-nobody\n"));
    place.file(".runward.toml", "[commands.env.env]\nFROM_PROJECT = 1\n");
    let (names, from) = env(&place);
    assert_eq!(names, serde_json::json!(["FROM_PROJECT"]));
    assert!(from.ends_with("/.runward.toml:1"), "{from}");
    assert_eq!(dry(&place), [file, ("FROM_PROJECT", "1")].into_iter().collect::<serde_json::Value>());
    place.file("a.env.md", "---\nenv: {FROM_FILE: mine}\n---\n");
    assert_eq!(env(&place), (serde_json::json!(["FROM_FILE"]), "a.env.md:2".to_owned()));
    assert_eq!(dry(&place), serde_json::json!({"FROM_FILE": "mine"}));
}

#[test]
fn the_configuration_cannot_give_a_command_what_no_caller_may_set() {
    let place = place();
    place.file("a.env.md", "---\n---\n");
    for name in ["LD_PRELOAD", "BASH_ENV"] {
        place.file(".runward.toml", &format!("[commands.env.env]\n{name} = \"./x.so\"\n"));
        let said = place.run(["run", "a.env.md"]);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{}", said.stderr);
        assert!(said.stderr.contains(name) && said.stderr.contains("[spec.bad-env]"), "{}", said.stderr);
    }
}

#[test]
fn an_agent_has_no_time_limit_of_its_own_accord() {
    let place = place();
    place.file("a.echo.md", "hi");
    let limits = |args: &[&str]| {
        let said = place.run(args);
        let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        object["limits"].clone()
    };
    assert_eq!(limits(&["explain", "run", "a.echo.md", "--json"]), serde_json::json!([]));
    place.owner("limits.timeout_ms = 5000");
    assert_eq!(limits(&["explain", "run", "a.echo.md", "--json"])[0]["value"], 5000);
    assert_eq!(limits(&["explain", "run", "a.echo.md", "--json", "--_timeout", "7"])[0]["value"], 7000);
}

#[test]
fn what_cannot_run_cannot_be_explained() {
    let place = place();
    let said = place.run(["explain", "run", "greet.echo.md"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("Missing required template variable: who"), "{}", said.stderr);
    place.file("note.md", "Just a text.");
    let said = place.run(["explain", "run", "note.md"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""));
    assert!(said.stderr.contains("`note.md` is a document"), "{}", said.stderr);
}

#[test]
fn a_time_limit_ends_an_agent() {
    let place = place();
    place.file("slow.sleep.md", "---\n_timeout: 300ms\n---\n600");
    assert_eq!(place.run(["run", "slow.sleep.md"]).code, 124);
    place.file("odd.sleep.md", "---\n_timeout: soon\n---\n600");
    let said = place.run(["run", "odd.sleep.md"]);
    assert_eq!(said.code, 125);
    assert!(
        said.stderr.contains("odd.sleep.md:2:1: `_timeout` is `soon`, which is no time"),
        "{}",
        said.stderr
    );
}
