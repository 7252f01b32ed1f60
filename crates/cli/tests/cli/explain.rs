//! `explain`: everything that would be done, and nothing that is.

use crate::runner::{Place, run};

#[test]
fn nothing_starts_and_nothing_is_opened() {
    let place = Place::new();
    let said = place.run(["explain", "--stdin", "none", "--", "touch", "made"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert!(!place.work().join("made").exists());
}

#[test]
fn values_of_the_environment_are_never_shown() {
    let place = Place::new();
    for form in [&["explain", "--verbose"][..], &["explain", "--json"], &["explain", "--yaml"]] {
        let mut command = place.command(form.iter().chain(&["--env", "ASKED=tell-nobody", "--", "ls"]));
        let output = command.env("INHERITED", "tell-nobody").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("ASKED") && text.contains("INHERITED"), "{text}");
        assert!(!text.contains("tell-nobody"), "{text}");
    }
}

#[test]
fn a_refused_command_is_explained_too() {
    let place = Place::new();
    place.owner("policy.deny = [\"rm\"]");
    let said = place.run(["explain", "--", "rm", "-rf", "/"]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.contains("deny by the rule `policy.deny: rm`"), "{}", said.stdout);
    assert!(said.stdout.contains("allow by the rule `typed`"), "every rule is told: {}", said.stdout);
}

#[test]
fn every_limit_tells_who_keeps_it_and_who_said_so() {
    let place = Place::new();
    place.owner("\nlimits.idle_timeout_ms = 5000");
    let args = ["explain", "--json", "--output-limit", "1k", "--", "ls"];
    let object: serde_json::Value = serde_json::from_str(&place.run(args).stdout).unwrap();
    let limits: Vec<(&str, u64, &str)> = object["limits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|limit| {
            let from = limit["from"].as_str().unwrap();
            let from = from.rsplit('/').next().unwrap();
            (limit["name"].as_str().unwrap(), limit["value"].as_u64().unwrap(), from)
        })
        .collect();
    assert_eq!(
        limits,
        [
            ("timeout_ms", 30000, "built-in"),
            ("idle_timeout_ms", 5000, "runward.toml:2"),
            ("output_bytes", 1000, "as asked")
        ]
    );
    assert_eq!(object["limits"][0]["kept_by"], "runward");
}

#[test]
fn a_draft_looks_like_this() {
    let place = Place::new();
    let said = place.run(["explain", "--timeout", "2m", "--", "sh", "-c", "echo 'a b'"]);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&regex_of(&place), "[work]");
    settings.add_filter(r"/\S*/sh\b", "[sh]");
    settings.add_filter(r"( +)which is .*\n", "");
    settings.add_filter(r"containment .*", "containment     [way]");
    settings.add_filter(r"\d+ names: .*", "[names]");
    settings.bind(|| insta::assert_snapshot!(said.stdout));
}

fn regex_of(place: &Place) -> String {
    place.work().display().to_string().replace('.', r"\.")
}

#[test]
fn what_cannot_be_found_cannot_be_explained() {
    assert_eq!(run(["explain", "--", "no-such-program"]).code, 127);
}

#[test]
fn nothing_in_a_draft_can_deceive_a_terminal() {
    let place = Place::new();
    let folder = place.work().join("in\u{1b}[2Jner");
    std::fs::create_dir(&folder).unwrap();
    let args =
        ["explain", "--env", "A\rB=1", "--cwd", folder.to_str().unwrap(), "--", "printf", "a\u{202e}b\n"];
    let said = place.run(args);
    assert_eq!(said.code, 0);
    assert!(
        said.stdout.chars().all(|c| c == '\n' || (!c.is_control() && c != '\u{202e}')),
        "{:?}",
        said.stdout
    );
}

#[test]
fn a_snippet_is_explained_and_not_run() {
    let place = Place::new();
    let code = "open(\"made\", \"w\")";
    let said = place.run(["explain", "code", "python", "--timeout", "2m", "-c", code]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    assert!(said.stdout.contains(&format!("the program python3 -c '{code}'")), "{}", said.stdout);
    assert!(said.stdout.contains("timeout_ms = 2m") && said.stdout.contains("as asked"), "{}", said.stdout);
    assert!(!place.work().join("made").exists());
    place.file("snippet.sh", "touch made\n");
    let said = place.run(["explain", "code", "bash", "--json", "snippet.sh"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let argv: Vec<&str> = object["argv"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(argv[1..], ["-c", "touch made\n"]);
    assert_eq!(object["decision"], "allow");
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_refused_snippet_is_explained_too() {
    let place = Place::new();
    let mut command = place.command(["explain", "code", "bash", "-c", "ls"]);
    let said = crate::runner::said(&command.env("ALLOWED_COMMANDS", "").output().unwrap());
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stdout.contains("decision        deny: "), "{}", said.stdout);
    let said = run(["explain", "code", "cobol", "-c", "x"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("the language `cobol` is not known"), "{}", said.stderr);
}

#[test]
fn exec_may_be_said_or_left_out() {
    let place = Place::new();
    let object = |args: &[&str]| {
        let mut object: serde_json::Value = serde_json::from_str(&place.run(args).stdout).unwrap();
        // The digest fits one draft only.
        object["digest"].take();
        object
    };
    let said = object(&["explain", "exec", "--json", "--timeout", "5s", "--", "ls", "-l"]);
    assert_eq!(said, object(&["explain", "--json", "--timeout", "5s", "--", "ls", "-l"]));
    assert_eq!(run(["explain"]).code, 125, "there must be something to explain");
    assert_eq!(
        run(["explain", "--timeout", "5s", "code", "bash", "-c", "ls"]).code,
        125,
        "which verb's limit?"
    );
}
