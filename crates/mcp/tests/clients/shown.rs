//! One conversation that every client holds, and what the model has to see in each of its answers.

use crate::told::{SECRET, client, fields, inside};
use serde_json::{Value, json};
use testkit::agents::AgentKind;
use testkit::model::{ModelRecord, ModelScript};
use testkit::{TreeMark, until};

/// The longest answer without being asked for a longer one, in either form.
const LONGEST: usize = 24_400;

/// The report of a test run that is far larger than an answer may be, with one failure in its middle.
fn report() -> String {
    let name = |number: usize| format!("parser::tests::case_{number:04}_reads_back_what_it_wrote");
    let ran = (0..2_000).map(|number| {
        let ending = if number == 1_234 { "FAILED" } else { "ok" };
        format!("test {} ... {ending}\n", name(number))
    });
    format!(
        "\nrunning 2000 tests\n{}\nfailures:\n\n---- {failed} stdout ----\n\nthread '{failed}' panicked at src/parser.rs:77:9:\n\
         assertion `left == right` failed\n  left: \"a\\tb\"\n right: \"a b\"\n\n\nfailures:\n    {failed}\n\n\
         test result: FAILED. 1999 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.42s\n\n",
        ran.collect::<String>(),
        failed = name(1_234)
    )
}

fn script(mark: &TreeMark) -> ModelScript {
    let run = |command: &str| json!({"command": command});
    let session = |shown: &[String]| Some(json!({"sessionId": id(shown.get(7)?)?}));
    ModelScript::new()
        .call("execute_command", run("echo hello"))
        .call("execute_command", run("ls /no-such-folder; exit 3"))
        .call("execute_command", run("curl http://127.0.0.1:9/"))
        .call(
            "execute_command",
            json!({"command": format!("echo before; sleep {}", mark.text()), "timeout_ms": 300}),
        )
        .call("execute_command", run("seq 1 180000"))
        .call("execute_command", run("cat report.txt; exit 101"))
        .call("execute_command", run("echo $GITHUB_TOKEN"))
        .call("start_command", run(&format!("echo ready; echo $GITHUB_TOKEN; sleep {}", mark.text())))
        .call_after("read_output", session)
        .call_after("stop_command", session)
        .call("list_commands", json!({}))
}

/// The identifier in an answer, whatever form the client gave it.
fn id(shown: &str) -> Option<String> {
    let after = shown.split_once("sessionId")?.1;
    let begun = after.trim_start_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let end = begun.find(|letter: char| letter != '-' && !letter.is_ascii_alphanumeric());
    Some(begun[..end.unwrap_or(begun.len())].to_owned())
}

/// Plays the whole conversation. The answer to `echo hello` may have so many characters, as the client shows it.
pub(crate) fn everything_is_shown(kind: AgentKind, greeting: usize) {
    let (client, mark) = (client(kind), TreeMark::new());
    std::fs::write(client.work().join("report.txt"), report()).unwrap();
    let report = client.start(script(&mark)).finish();
    let record = &report.record;
    let texts = record.texts();
    for (number, text) in texts.iter().enumerate() {
        let size = text.chars().count();
        println!("{kind} {number}: {size} characters: {}", text.chars().take(700).collect::<String>());
    }
    assert_eq!(record.missing, [""; 0]);
    assert_eq!((report.code, report.stdout.contains("done")), (Some(0), true), "{}", report.stderr);
    let [hello, failed, refused, late, large, tests, secret, started, read, stopped, _] = texts.as_slice()
    else {
        panic!("{} answers", texts.len())
    };
    assert_eq!(record.offered_by("runward").len(), 8, "{:?}", record.offered);
    // Gemini CLI once complained 112 times about one word in our schemas.
    assert!(!report.stderr.contains("unknown format"), "{}", report.stderr);
    // What Claude Code adds to the answer of any tool is not ours.
    let greeted = if kind == AgentKind::Claude { inside(kind, hello) } else { hello.clone() };
    assert!(greeted.chars().count() <= greeting, "{hello}");
    assert_eq!(fields(kind, hello), json!({"exit_code": 0, "stdout": "hello\n", "stderr": ""}));
    fails(&fields(kind, failed));
    refuses(kind, refused);
    ends_late(&fields(kind, late));
    is_cut(kind, large);
    tells_the_failure(kind, tests);
    assert_eq!(fields(kind, secret)["stdout"], "[redacted: GITHUB_TOKEN]\n", "{secret}");
    goes_on(kind, started, read, stopped);
    until("nothing of it is left", || mark.carriers().is_empty());
    keeps_the_secret(record);
}

fn fails(answer: &Value) {
    assert_eq!((&answer["exit_code"], &answer["stdout"]), (&json!(3), &json!("")), "{answer}");
    assert!(answer["stderr"].as_str().unwrap().contains("no-such-folder"), "{answer}");
}

/// A refusal is one sentence and its hint, once.
fn refuses(kind: AgentKind, shown: &str) {
    assert_eq!(inside(kind, shown).matches("is not allowed by any rule").count(), 1, "{shown}");
    assert!(shown.contains("`curl http://127.0.0.1:9/`"), "{shown}");
    assert!(inside(kind, shown).chars().count() <= 200, "{shown}");
}

fn ends_late(answer: &Value) {
    assert_eq!((&answer["timed_out"], &answer["stdout"]), (&json!(true), &json!("before\n")), "{answer}");
}

fn is_cut(kind: AgentKind, shown: &str) {
    assert!(inside(kind, shown).chars().count() <= LONGEST, "{} characters", shown.chars().count());
    let answer = fields(kind, shown);
    let text = answer["stdout"].as_str().unwrap();
    assert!(text.starts_with("1\n") && text.contains("\n180000\n"), "{text}");
    // It says what is missing, and where that is.
    assert!(answer["id"].is_string() && text.contains("read_output"), "{text}");
}

fn tells_the_failure(kind: AgentKind, shown: &str) {
    assert!(inside(kind, shown).chars().count() <= LONGEST, "{} characters", shown.chars().count());
    let answer = fields(kind, shown);
    assert_eq!(answer["exit_code"], 101, "{answer}");
    let text = answer["stdout"].as_str().unwrap();
    let facts = [
        "case_1234_reads_back_what_it_wrote ... FAILED",
        "src/parser.rs:77:9",
        "left: \"a\\tb\"",
        "right: \"a b\"",
        "1 failed",
    ];
    for fact in facts {
        assert!(text.contains(fact), "`{fact}` is not in: {text}");
    }
}

fn goes_on(kind: AgentKind, started: &str, read: &str, stopped: &str) {
    let (started, read) = (fields(kind, started), fields(kind, read));
    assert!(started["sessionId"].is_string(), "{started}");
    let both = format!(
        "{}{}",
        started["stdout"].as_str().unwrap_or_default(),
        read["stdout"].as_str().unwrap_or_default()
    );
    assert!(both.contains("ready\n"), "{started} {read}");
    assert!(!stopped.is_empty());
}

/// In no request, wherever in it: neither in an answer nor in what the client tells about its surroundings.
fn keeps_the_secret(record: &ModelRecord) {
    assert!(record.requests.iter().all(|request| !request.body.to_string().contains(SECRET)));
}
