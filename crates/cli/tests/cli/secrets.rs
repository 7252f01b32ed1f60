//! Planted secrets: through whichever door they come, no file that we write and nothing that we tell has them.
//!
//! The one exception is the spool: it keeps what a command itself printed, as it was printed.

use crate::agent::Agent;
use crate::runner::{Place, Said};
use crate::terminal::Desk;
use serde_json::{Value, json};
use std::path::Path;

const AFTER_OPTION: &str = "horse-battery-argv";
const IN_ENVIRONMENT: &str = "staple-of-the-environment";
const ADDED: &str = "staple-that-was-added";
const IN_ADDRESS: &str = "tr0ub4dor-in-an-address";
const OWN_PATTERN: &str = "badge-424242";
const AWS: &str = "AKIAIOSFODNN7EXAMPLE";
const JWT: &str = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r";
const KEY: &str =
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcw\n-----END PRIVATE KEY-----";

/// Every part that must not be found.
const PLANTED: [&str; 9] = [
    AFTER_OPTION,
    IN_ENVIRONMENT,
    ADDED,
    IN_ADDRESS,
    OWN_PATTERN,
    AWS,
    JWT,
    "MIIEvQIBADANBgkqhkiG9w0B",
    "AQEFAASCBKcw",
];

/// Words of a command line that hold them all.
fn words() -> Vec<String> {
    let address = format!("https://ann:{IN_ADDRESS}@example.com/x");
    ["--password", AFTER_OPTION, IN_ENVIRONMENT, ADDED, &address, OWN_PATTERN, AWS, JWT, KEY]
        .map(str::to_owned)
        .to_vec()
}

/// The same as words of a shell.
fn quoted() -> String {
    words().iter().map(|word| format!(" '{word}'")).collect()
}

const VARIABLES: [(&str, &str); 2] = [("MY_TOKEN", IN_ENVIRONMENT), ("ADDED_SECRET", ADDED)];

fn place() -> Place {
    let place = Place::new();
    place.owner("[redact]\npatterns = [\"badge-[0-9]+\"]\n[policy]\ndeny = [\"rm\"]\n");
    place
}

fn run(place: &Place, args: &[String]) -> Said {
    crate::runner::said(&place.command(args).env(VARIABLES[0].0, VARIABLES[0].1).output().unwrap())
}

fn assert_clean(where_: &str, bytes: &[u8], secrets: &[&str]) {
    for secret in secrets {
        let at = bytes.windows(secret.len()).position(|part| part == secret.as_bytes());
        let around = at.map(|at| bytes[at.saturating_sub(80)..at].escape_ascii().to_string());
        assert_eq!(around, None, "`{secret}` is in {where_}, after this");
    }
}

/// No file below the state folder has any of them, but for what the spool keeps: what a command itself printed.
fn assert_no_file_has(place: &Place, secrets: &[&str]) {
    let (mut left, mut looked) = (vec![place.state()], 0);
    while let Some(path) = left.pop() {
        if path == place.state().join("spool") {
            continue;
        }
        if path.is_dir() {
            left.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if path.is_file() {
            looked += 1;
            assert_clean(&path.display().to_string(), &std::fs::read(&path).unwrap(), secrets);
        }
    }
    assert!(looked > 0, "there are files");
}

fn assert_stderr_of_servers_is_clean(place: &Place, secrets: &[&str]) {
    assert_clean("a server's stderr", &std::fs::read(place.home().join("stderr")).unwrap(), secrets);
}

fn recorded(place: &Place) -> Vec<Value> {
    place.run(["log", "--json"]).stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn exec_leaves_no_secret_in_any_file_nor_on_stderr() {
    let place = place();
    let env = format!("{}={}", VARIABLES[1].0, VARIABLES[1].1);
    let exec = |program: &str, more: &[&str]| {
        let mut args: Vec<String> = ["exec", "--env", &env].map(str::to_owned).to_vec();
        args.extend(more.iter().map(|&word| word.to_owned()));
        args.extend(["--".to_owned(), program.to_owned()]);
        args.extend(words());
        run(&place, &args)
    };
    assert_eq!(exec("true", &[]).code, 0);
    // What is printed is masked in the journal; a person at a terminal sees what was printed.
    assert!(exec("echo", &["--json"]).stdout.contains(IN_ENVIRONMENT));
    for (program, code) in [("rm", 126), ("no-such-program", 127)] {
        let said = exec(program, &[]);
        assert_eq!(said.code, code, "{said:?}");
        assert_clean("stderr", said.stderr.as_bytes(), &PLANTED);
    }
    let shell = ["exec", "--env", &env, "--shell", &format!("true {}", quoted())].map(str::to_owned);
    assert_eq!(run(&place, &shell).stderr, "");
    assert_eq!(recorded(&place).len(), 5);
    assert_no_file_has(&place, &PLANTED);
    assert_eq!(place.run(["log", "--verify"]).code, 0);
}

#[test]
fn mcp_leaves_no_secret_in_any_file_nor_in_progress_log_messages_or_stderr() {
    let place = place();
    let mut agent = Agent::serve(&place, &["mcp"], &VARIABLES);
    agent.asks("logging/setLevel", &json!({"level": "debug"}));
    let script = format!("printf '%s ' {}", quoted());
    let answer = agent.calls("execute_command", &json!({"command": script}));
    assert!(answer["stdout"].as_str().unwrap().contains("[redacted]"), "{answer}");
    assert_clean("an answer", answer.to_string().as_bytes(), &PLANTED);
    agent.calls("execute_command", &json!({"command": format!("rm {}", quoted())}));
    let odd = format!("/nowhere/{OWN_PATTERN}/{AWS}/{IN_ENVIRONMENT}");
    agent.calls("execute_command", &json!({"command": "true", "cwd": odd}));
    let started =
        agent.calls("start_command", &json!({"command": "while read -r line; do echo \"$line\"; done"}));
    let typed = json!({"sessionId": started["sessionId"], "input": words().join(" "), "newline": true});
    assert_eq!(agent.calls("write_input", &typed)["success"], true);
    agent.calls("write_input", &json!({"sessionId": started["sessionId"], "input": "", "eof": true}));
    let ended =
        agent.calls("wait_command", &json!({"sessionId": started["sessionId"], "until": {"exit": true}}));
    assert_eq!(ended["met"], "exit", "{ended}");
    let told = std::mem::take(&mut agent.told);
    assert!(told.contains("notifications/progress") && told.contains("notifications/message"), "{told}");
    drop(agent);
    assert_clean("progress and log messages", told.as_bytes(), &PLANTED);
    assert_stderr_of_servers_is_clean(&place, &PLANTED);
    assert_eq!(recorded(&place).iter().filter(|one| one["door"] == "mcp").count(), recorded(&place).len());
    assert_no_file_has(&place, &PLANTED);
}

#[test]
fn a_markdown_agent_leaves_no_secret_in_any_file_nor_on_stderr() {
    let place = place();
    let file = format!("---\nc: true\n_env: {{ADDED_SECRET: {ADDED}}}\n---\ntrue {}\n", quoted());
    place.file("a.sh.md", &file);
    let said = run(&place, &["run", "a.sh.md"].map(str::to_owned));
    assert_eq!((said.code, said.stderr.as_str()), (0, ""), "{said:?}");
    place.file("b.rm.md", &quoted());
    let said = run(&place, &["run", "b.rm.md"].map(str::to_owned));
    assert_eq!(said.code, 126, "{said:?}");
    // That one was not added here: it is a word like any other.
    let known: Vec<&str> = PLANTED.into_iter().filter(|secret| *secret != ADDED).collect();
    assert_clean("stderr", said.stderr.as_bytes(), &known);
    assert_eq!(recorded(&place).len(), 2);
    assert_no_file_has(&place, &known);
}

#[test]
fn the_gateway_leaves_no_secret_in_any_file_nor_in_what_it_tells() {
    let place = place();
    let mut args = vec![
        "-c".to_owned(),
        format!("echo ready {} >&2; exec '{}' mcp", quoted(), env!("CARGO_BIN_EXE_runward")),
    ];
    args.extend(["sh".to_owned()].into_iter().chain(words()));
    let mut env: serde_json::Map<String, Value> = place
        .env()
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.to_str().unwrap().into()))
        .collect();
    env.extend([("ALLOWED_COMMANDS".to_owned(), "*".into()), (VARIABLES[1].0.to_owned(), ADDED.into())]);
    let list = json!({"mcpServers": {
        "child": {"command": "sh", "args": args, "env": env},
        "gone": {"command": "no-such-program", "args": words(), "env": env},
    }});
    let own = place.home().join("config/runward/servers.json");
    std::fs::write(&own, list.to_string()).unwrap();
    let mut agent = Agent::serve(&place, &["gateway", "--debug"], &VARIABLES[..1]);
    let script = format!("printf '%s ' {}", quoted());
    let answer = agent.calls("child__execute_command", &json!({"command": script}));
    assert!(answer["stdout"].as_str().unwrap().contains("[redacted]"), "{answer}");
    drop(agent);
    assert_stderr_of_servers_is_clean(&place, &PLANTED);
    let doors: Vec<Value> = recorded(&place).iter().map(|one| one["door"].clone()).collect();
    assert!(doors.contains(&"gateway".into()) && doors.contains(&"mcp".into()), "{doors:?}");
    assert_no_file_has(&place, &PLANTED);
}

/// A password that looks like any other word.
const TYPED: &str = "marmalade";

#[test]
fn a_secret_typed_at_a_password_prompt_of_a_session_is_in_no_file() {
    let place = place();
    let mut agent = Agent::serve(&place, &["mcp"], &[]);
    agent.asks("logging/setLevel", &json!({"level": "debug"}));
    let script = "read -rs -p 'Password: ' word; echo; echo \"${#word} letters\"";
    let started = agent.calls("start_command", &json!({"command": script, "pty": true}));
    let session = &started["sessionId"];
    agent.calls("wait_command", &json!({"sessionId": session, "until": {"input": true}}));
    agent.calls("write_input", &json!({"sessionId": session, "input": TYPED, "newline": true}));
    let ended = agent.calls("wait_command", &json!({"sessionId": session, "until": {"exit": true}}));
    assert!(ended.to_string().contains("9 letters"), "{ended}");
    let told = std::mem::take(&mut agent.told);
    drop(agent);
    assert_clean("what was told", told.as_bytes(), &[TYPED]);
    assert_clean("the answer", ended.to_string().as_bytes(), &[TYPED]);
    assert_stderr_of_servers_is_clean(&place, &[TYPED]);
    assert_no_file_has(&place, &[TYPED]);
    // Nor in the spool: it was not printed.
    assert!(!place.state().join("spool").exists());
}

#[tokio::test]
async fn a_password_input_of_a_markdown_agent_is_in_no_file() {
    let place = place();
    let file = "---\n_inputs:\n  key: {type: password}\n---\nuse {{ key }} and !`echo {{ key }}x` for it\n";
    place.file("a.echo.md", file);
    let mut desk = Desk::start(&place, &["run", "a.echo.md"]).await;
    desk.sees("key:").await;
    desk.types(&format!("{TYPED}\r")).await;
    let (code, seen) = desk.ends().await;
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains(&format!("use {TYPED} and ")), "the agent has it: {seen}");
    let said = place.command(["run", "a.echo.md", "--key", TYPED]).output().unwrap();
    assert!(said.status.success());
    assert!(recorded(&place).len() >= 2);
    assert_no_file_has(&place, &[TYPED]);
}

#[test]
fn the_spool_keeps_what_a_command_printed_as_it_was_printed() {
    let place = place();
    let script = format!("echo {OWN_PATTERN}; head -c 3000000 /dev/zero");
    let said = place.run(["exec", "--json", "--max-output", "1000", "--shell", &script]);
    assert_eq!(said.code, 0, "{said:?}");
    let files: Vec<_> =
        place.state().join("spool").read_dir().unwrap().map(|one| one.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    assert!(holds(file, OWN_PATTERN), "this is the one exception, and the page about the journal says so");
    assert_no_file_has(&place, &[OWN_PATTERN]);
}

fn holds(file: &Path, text: &str) -> bool {
    std::fs::read(file).unwrap().starts_with(text.as_bytes())
}

/// Everything that a model is told about a call.
fn told(agent: &mut crate::agent::Agent, tool: &str, arguments: &serde_json::Value) -> String {
    let answer = agent.asks("tools/call", &serde_json::json!({"name": tool, "arguments": arguments}));
    answer["result"].to_string()
}

#[test]
fn an_answer_to_a_model_is_masked_like_the_journal() {
    use serde_json::json;
    let place = Place::new();
    let secret = "hunter2-correct-horse";
    let env = [("GITHUB_TOKEN", secret), ("PLAIN", "nothing-hidden")];
    let mut agent = crate::agent::Agent::serve(&place, &["mcp", "--profile", "all"], &env);
    let encoded = "echo -n \"me:$GITHUB_TOKEN\" | base64";
    for (tool, arguments) in [
        ("execute_command", json!({"command": "env; echo $GITHUB_TOKEN >&2"})),
        ("execute_command", json!({"command": encoded})),
        ("execute_command", json!({"command": "echo $GITHUB_TOKEN | fold -w 10"})),
        ("execute_command", json!({"command": "echo $GITHUB_TOKEN; sleep 60", "timeout_ms": 300})),
        ("execute_command", json!({"command": format!("/nowhere/{secret}")})),
        ("execute_command", json!({"command": "true", "cwd": format!("/nowhere/{secret}")})),
        ("exec_command", json!({"cwd": ".", "command": ["env"]})),
        ("exec_command", json!({"cwd": ".", "command": ["echo", secret]})),
        ("exec", json!({"lang": "bash", "code": "echo $GITHUB_TOKEN"})),
        ("exec", json!({"lang": "python", "code": "import os; print(os.environ['GITHUB_TOKEN'])"})),
    ] {
        let told = told(&mut agent, tool, &arguments);
        let part = (0..secret.len() - 8).any(|at| told.contains(&secret[at..at + 8]));
        assert!(!part && !told.contains("bWU6aHVudGVyMi1"), "{tool} {arguments}: {told}");
    }
    let env = agent.calls("execute_command", &json!({"command": "env"}));
    let env = env["stdout"].as_str().unwrap();
    assert!(env.contains("GITHUB_TOKEN=[redacted: GITHUB_TOKEN]") && env.contains("nothing-hidden"), "{env}");
}

#[test]
fn a_session_shows_no_secret_whichever_way_it_is_read() {
    use serde_json::json;
    let place = Place::new();
    let secret = "hunter2-correct-horse";
    let mut agent = crate::agent::Agent::serve(&place, &["mcp"], &[("GITHUB_TOKEN", secret)]);
    let command = format!("echo \"a $GITHUB_TOKEN b\"; : {secret}; cat");
    let started = agent.calls("start_command", &json!({"command": command}));
    let id = started["sessionId"].as_str().unwrap();
    let until = json!({"output": "^a "});
    let waited = told(&mut agent, "wait_command", &json!({"sessionId": id, "until": until}));
    assert!(waited.contains("[redacted: GITHUB_TOKEN]") && !waited.contains("hunter2"), "{waited}");
    assert!(!told(&mut agent, "list_commands", &json!({})).contains("hunter2"));
    for offset in 0..26 {
        let asked = json!({"sessionId": id, "offset": offset, "max_chars": 9});
        let read = told(&mut agent, "read_output", &asked);
        let part = (0..secret.len() - 4).any(|at| read.contains(&secret[at..at + 5]));
        assert!(!part, "{offset}: {read}");
    }
    let grep = json!({"sessionId": id, "offset": 0, "grep": "hunter2"});
    let found = agent.calls("read_output", &grep);
    assert_eq!(found["stdout"], "", "who may look for lines could guess: {found}");
}

#[test]
fn the_owner_may_want_secrets_shown_and_a_project_may_not() {
    use serde_json::json;
    let place = Place::new();
    place.owner("[answer]\nmask = false\n");
    let secret = "hunter2-correct-horse";
    let mut agent = crate::agent::Agent::serve(&place, &["mcp"], &[("GITHUB_TOKEN", secret)]);
    assert!(told(&mut agent, "execute_command", &json!({"command": "env"})).contains(secret));
    drop(agent);
    let place = Place::new();
    place.project("[answer]\nmask = false\n");
    let said = place.run(["config", "show"]);
    assert!(said.code != 0 && said.stderr.contains("answer.mask"), "{}", said.stderr);
}
