//! Runs reported to programs: one JSON object at the end, or one per line while it runs.

use crate::runner::{Place, Said, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;

fn object(said: &Said) -> Value {
    assert_eq!(said.stdout.lines().count(), 1, "{}", said.stdout);
    serde_json::from_str(&said.stdout).unwrap()
}

/// Every line as JSON; each is checked for what all of them have.
fn lines(stdout: &str) -> Vec<Value> {
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (at, line) in lines.iter().enumerate() {
        assert_eq!((&line["protocolVersion"], &line["seq"]), (&json!(1), &json!(at)), "{line}");
        assert_eq!(line["runId"], lines[0]["runId"]);
        assert!(line["ts"].as_str().unwrap().ends_with('Z'), "{line}");
    }
    let ends = ["run.completed", "run.error", "run.cancelled"];
    let endings = lines.iter().filter(|line| ends.contains(&line["event"].as_str().unwrap()));
    assert_eq!(endings.count(), 1, "{stdout}");
    assert_eq!(lines[0]["event"], "run.started");
    lines
}

fn last(said: &Said) -> Value {
    lines(&said.stdout).pop().unwrap()
}

#[test]
fn one_object_tells_a_run() {
    let place = Place::new();
    place.file("a.sh.md", "---\nc: true\n---\necho out; echo err >&2; exit 3\n");
    let said = place.run(["run", "a.sh.md", "--json"]);
    assert_eq!((said.code, said.stderr.as_str()), (3, ""));
    assert_eq!(
        object(&said),
        json!({
            "exitCode": 3, "command": "sh", "args": ["-c", "echo out; echo err >&2; exit 3"],
            "stdout": "out\n", "stderr": "err\n",
        })
    );
}

#[test]
fn the_object_holds_all_of_a_large_output() {
    let place = Place::new();
    place.file("a.sh.md", "---\nc: true\n---\nhead -c 3000000 /dev/zero | tr '\\0' x\n");
    let said = place.run(["run", "a.sh.md", "--json"]);
    assert_eq!(object(&said)["stdout"].as_str().unwrap().len(), 3_000_000);
}

#[test]
fn a_refusal_and_a_missing_program_are_error_objects() {
    let place = Place::new();
    place.owner("policy.deny = [\"touch\"]");
    place.file("a.touch.md", "made");
    place.file("b.no-such-program.md", "x");
    for (file, status, code) in
        [("a.touch.md", 126, "policy.denied"), ("b.no-such-program.md", 127, "resolve.not-found")]
    {
        let said = place.run(["run", file, "--json"]);
        assert_eq!((said.code, said.stderr.as_str()), (status, ""));
        assert_eq!(object(&said)["error"]["code"], code);
    }
}

#[test]
fn events_tell_a_run_that_ends_well() {
    let place = Place::new();
    place.file("a.echo.md", "hello");
    let said = place.run(["run", "a.echo.md", "--events"]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    let told = lines(&said.stdout);
    assert_eq!((&told[0]["file"], &told[0]["command"]), (&json!("a.echo.md"), &json!("echo")));
    assert_eq!((&told[1]["event"], &told[1]["channel"]), (&json!("output.delta"), &json!("stdout")));
    assert_eq!(told[1]["text"], "hello\n");
    assert_eq!((&told[2]["event"], &told[2]["exitCode"]), (&json!("run.completed"), &json!(0)));
}

#[test]
fn every_line_is_whole_however_much_is_printed() {
    let place = Place::new();
    // One line of 300 000 letters of two bytes, then a byte that is no letter.
    let script = "head -c 300000 /dev/zero | sed 's/\\x00/ü/g'; printf '\\377' >&2";
    place.file("a.sh.md", &format!("---\nc: true\n---\n{script}\n"));
    let said = place.run(["run", "a.sh.md", "--events"]);
    let told = lines(&said.stdout);
    let text = |channel: &str| -> String {
        let of = told.iter().filter(|line| line["channel"] == channel);
        of.map(|line| line["text"].as_str().unwrap()).collect()
    };
    assert_eq!(text("stdout"), "ü".repeat(300_000));
    assert_eq!(text("stderr"), "\\xff");
    assert!(said.stdout.lines().any(|line| line.len() > 64 * 1024), "a long line was printed");
}

#[test]
fn every_other_ending_is_an_error_with_its_code() {
    let place = Place::new();
    place.owner("policy.deny = [\"touch\"]");
    place.file("exit.sh.md", "---\nc: true\n---\nexit 7\n");
    place.file("refused.touch.md", "made");
    place.file("gone.no-such-program.md", "x");
    place.file("hook.echo.md", "---\npre: exit 1\n---\nx\n");
    place.file("missing.echo.md", "{{ name }}");
    for (file, status, code, place_told) in [
        ("exit.sh.md", 7, Value::Null, Value::Null),
        ("refused.touch.md", 126, json!("policy.denied"), Value::Null),
        ("gone.no-such-program.md", 127, json!("resolve.not-found"), Value::Null),
        ("hook.echo.md", 125, json!("flow.hook-failed"), json!("hook.echo.md:2:1")),
        ("missing.echo.md", 125, json!("flow.missing-variable"), json!("missing.echo.md:1:4")),
        ("nowhere.md", 125, json!("flow.bad-file"), Value::Null),
    ] {
        let said = place.run(["run", file, "--events"]);
        let end = last(&said);
        assert_eq!(said.stderr, "");
        assert_eq!((said.code, &end["event"]), (status, &json!("run.error")), "{file}: {end}");
        assert_eq!((&end["exitCode"], &end["code"], &end["place"]), (&json!(status), &code, &place_told));
        assert!(end["message"].is_string());
    }
}

#[test]
fn words_that_cannot_be_used_are_told_as_events_too() {
    let place = Place::new();
    place.file("a.echo.md", "x");
    let said = place.run(["run", "a.echo.md", "--events", "--command"]);
    let end = last(&said);
    assert_eq!((said.code, &end["code"]), (125, &json!("flow.bad-argument")));
}

#[test]
fn a_reader_of_events_that_goes_away_ends_it_quietly() {
    let place = Place::new();
    place.file("forever.yes.md", "yes");
    let mut child = place.start(["run", "forever.yes.md", "--events"]);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(141), &b""[..]));
}

#[test]
fn an_interrupt_before_the_agent_ends_in_cancelled_too() {
    let place = Place::new();
    place.file("a.echo.md", "---\npre: touch begun; exec sleep 1000\n---\nx\n");
    let child = place.start(["run", "a.echo.md", "--events"]);
    testkit::until("the hook runs", || place.work().join("begun").exists());
    let pid = child.id().to_string();
    assert!(program(Path::new("kill")).args(["-s", "INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let end = lines(std::str::from_utf8(&output.stdout).unwrap()).pop().unwrap();
    assert_eq!((output.status.code(), &end["event"]), (Some(130), &json!("run.cancelled")));
}

#[test]
fn a_document_is_told_too() {
    let place = Place::new();
    place.file("readme.md", "text\n");
    let told = lines(&place.run(["run", "readme.md", "--events"]).stdout);
    assert_eq!((told.len(), &told[1]["text"]), (3, &json!("text\n")));
}

#[test]
fn a_signal_to_us_ends_in_cancelled() {
    for (signal, name, code) in [("INT", "SIGINT", 130), ("TERM", "SIGTERM", 143)] {
        let place = Place::new();
        place.file("a.sh.md", "---\nc: true\n---\necho ready; while :; do sleep 0.02; done\n");
        let mut child = place.start(["run", "a.sh.md", "--events"]);
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut told = String::new();
        while !told.contains("ready") {
            told = told + &out.next().unwrap().unwrap() + "\n";
        }
        let pid = child.id().to_string();
        assert!(program(Path::new("kill")).args(["-s", signal, &pid]).status().unwrap().success());
        for line in out {
            told = told + &line.unwrap() + "\n";
        }
        let end = lines(&told).pop().unwrap();
        assert_eq!(
            (&end["event"], &end["signal"], &end["exitCode"]),
            (&json!("run.cancelled"), &json!(name), &json!(code))
        );
        assert_eq!(child.wait().unwrap().code(), Some(code));
    }
}
