//! `--json` and `--yaml`: one object, always the same fields, whatever happened.

use crate::runner::{Place, Said, run};
use serde_json::Value;

const FIELDS: &[&str] = &[
    "id",
    "command",
    "cwd",
    "exit_code",
    "signal",
    "stdout",
    "stderr",
    "stdout_bytes",
    "stderr_bytes",
    "stdout_truncated",
    "stderr_truncated",
    "stdout_encoding",
    "stderr_encoding",
    "timed_out",
    "stopped",
    "leftovers",
    "duration_ms",
    "sandbox",
    "rule",
];

fn object(said: &Said) -> Value {
    assert_eq!(said.stdout.lines().count(), 1, "one line: {}", said.stdout);
    serde_json::from_str(&said.stdout).unwrap()
}

#[test]
fn every_field_is_there_whatever_happened() {
    for script in ["exit 0", "exit 3", "kill -9 $$", "sleep 60", "sleep 60 & exit 0"] {
        let said = run(["exec", "--json", "--timeout", "300ms", "--shell", script]);
        let object = object(&said);
        for field in FIELDS {
            assert!(object.get(field).is_some(), "{field} is missing for {script}");
        }
    }
}

#[test]
fn an_object_looks_like_this() {
    let place = Place::new();
    let said = place.run(["exec", "--json", "--", "sh", "-c", "echo out; echo err >&2; exit 3"]);
    assert_eq!((said.code, said.stderr.as_str()), (3, ""));
    let pretty = serde_json::to_string_pretty(&object(&said)).unwrap();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r#""(id|plan|cwd|program|containment)": "[^"]*""#, r#""$1": "[$1]""#);
    settings.add_filter(r#""(pid|duration_ms)": \d+"#, r#""$1": "[$1]""#);
    settings.bind(|| insta::assert_snapshot!(pretty));
}

#[test]
fn signals_and_timeouts_are_told_apart() {
    let signal = object(&run(["exec", "--json", "--", "sh", "-c", "kill -9 $$"]));
    assert_eq!((&signal["exit_code"], &signal["signal"]), (&Value::Null, &"SIGKILL".into()));
    let said = run(["exec", "--json", "--timeout", "50ms", "--", "sleep", "60"]);
    let timeout = object(&said);
    assert_eq!((said.code, &timeout["exit_code"]), (124, &124.into()));
    assert_eq!((&timeout["timed_out"], &timeout["stopped"]), (&true.into(), &"timeout".into()));
}

#[test]
fn what_is_not_text_is_said_to_be_binary() {
    let binary = object(&run(["exec", "--json", "--shell", r"printf '\377'"]));
    assert_eq!((&binary["stdout"], &binary["stdout_encoding"]), (&r"\xff".into(), &"binary".into()));
}

#[test]
fn what_is_cut_is_counted_and_on_disk() {
    let place = Place::new();
    let cut = object(&place.run(["exec", "--json", "--max-output", "10", "--shell", "printf %01000d 7"]));
    assert_eq!((&cut["stdout_bytes"], &cut["stdout_truncated"]), (&1000.into(), &true.into()));
    let spool = std::fs::read_to_string(cut["stdout_spool"].as_str().unwrap()).unwrap();
    assert_eq!(spool.len(), 1000);
}

#[test]
fn yaml_says_the_same() {
    let place = Place::new();
    let args = |form| ["exec", form, "--", "printf", "a\\n  b\\n"];
    let json = object(&place.run(args("--json")));
    let yaml: Value = serde_saphyr::from_str(&place.run(args("--yaml")).stdout).unwrap();
    assert_eq!((&yaml["stdout"], &json["stdout"]), (&"a\n  b\n".into(), &"a\n  b\n".into()));
    let names = |object: &Value| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&yaml), names(&json));
}

#[test]
fn refusals_and_failures_are_objects_too() {
    let place = Place::new();
    place.owner("policy.typed = \"deny\"");
    let refused = place.run(["exec", "--json", "--", "ls"]);
    assert_eq!((refused.code, &object(&refused)["error"]["code"]), (126, &"policy.denied".into()));
    let missing = run(["exec", "--json", "--", "no-such-program"]);
    let error = object(&missing)["error"].clone();
    assert_eq!((missing.code, &error["code"]), (127, &"resolve.not-found".into()));
    assert!(error["message"].is_string() && error["hint"].is_string());
    assert_eq!(missing.stderr, "");
    let usage = run(["exec", "--json", "--timeout", "5", "--", "ls"]);
    assert_eq!((usage.code, &object(&usage)["error"]["code"]), (125, &"spec.bad-value".into()));
}

#[test]
fn nothing_goes_to_disk_where_nothing_may() {
    let place = Place::new();
    place.owner("limits.spool_bytes = 0");
    let cut = object(&place.run(["exec", "--json", "--max-output", "10", "--shell", "printf %01000d 7"]));
    assert_eq!((&cut["stdout_truncated"], cut.get("stdout_spool")), (&true.into(), None));
    let note = "990 B of the output are lost: there is no spool, because `limits.spool_bytes` is 0";
    assert_eq!(cut["notes"], serde_json::json!([note]));
}
