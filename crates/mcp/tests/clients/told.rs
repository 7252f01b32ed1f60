//! A client that knows `runward mcp`, and its answers without what each client wraps around them.

use serde_json::Value;
use testkit::agents::{AgentClient, AgentKind, AgentServer};

/// What may run. `curl` is not among it.
const RULES: &str = r#"[policy]
allow = ["cat", "echo", "ls", "nohup", "seq", "setsid", "sh", "sleep"]
"#;

/// A value that no model may see.
pub(crate) const SECRET: &str = "ghp_a8Kq2LmZ0rTtY7wXc3VbN5dFg1HjPs9uQeRw";

/// A client in a home of its own, with a server that has rules and a secret.
pub(crate) fn client(kind: AgentKind) -> AgentClient {
    client_with(kind, &["mcp"])
}

/// The same with other arguments for the server.
pub(crate) fn client_with(kind: AgentKind, args: &[&str]) -> AgentClient {
    let client = AgentClient::new(kind).file("config/runward/runward.toml", RULES);
    let below = |name: &str| client.home().join(name).display().to_string();
    let env = [
        ("XDG_CONFIG_HOME", below("config")),
        ("RUNWARD_STATE_DIR", below("runward-state")),
        ("GITHUB_TOKEN", SECRET.to_owned()),
    ];
    let server = AgentServer {
        name: "runward".to_owned(),
        program: testkit::binary("runward"),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
        env: env.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    client.server(server)
}

/// The answer inside of what a client makes of it.
pub(crate) fn inside(kind: AgentKind, shown: &str) -> String {
    let answer = match kind {
        AgentKind::OpenCode => shown,
        // It adds words of its own about tokens and tasks, as it would to any tool's answer.
        AgentKind::Claude => shown.split_once("\n\n<system-reminder>").map_or(shown, |(answer, _)| answer),
        AgentKind::Codex => {
            let (time, answer) = shown.split_once("\nOutput:\n").unwrap_or_else(|| panic!("{shown}"));
            assert!(time.starts_with("Wall time: "), "{shown}");
            answer
        }
        AgentKind::Gemini => match shown.strip_prefix("<untrusted_context>\n") {
            Some(answer) => answer.strip_suffix("\n</untrusted_context>").unwrap_or(answer),
            None => return inside_an_error(shown),
        },
    };
    answer.to_owned()
}

/// Gemini CLI puts the whole result of a call that went wrong into a sentence, as JSON. Ours is one text and no more.
fn inside_an_error(shown: &str) -> String {
    let sentence: Value = serde_json::from_str(shown).unwrap();
    let (_, parts) = sentence["error"].as_str().unwrap().split_once(" with response: ").unwrap();
    let parts: Value = serde_json::from_str(parts).unwrap();
    let result = &parts[0]["functionResponse"]["response"];
    let keys: Vec<_> = result.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["content", "isError"], "{shown}");
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// The fields of an answer: Codex shows the structured form, Claude Code too unless it is an error, Gemini CLI and
/// OpenCode the text.
pub(crate) fn fields(kind: AgentKind, shown: &str) -> Value {
    let answer = inside(kind, shown);
    if matches!(kind, AgentKind::Claude | AgentKind::Codex) && answer.starts_with('{') {
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    } else {
        serde_saphyr::from_str(&answer).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}
