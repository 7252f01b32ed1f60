//! OpenCode, `opencode run`.

use super::client::{AgentClient, AgentServer, AgentStart, PROMPT};
use serde_json::{Map, Value, json};

/// Settings are `opencode.json` in the home.
pub(super) fn prepare(client: &AgentClient, model: &str) -> AgentStart {
    let limit = json!({"context": 200_000, "output": 8_000});
    let models = json!({"scripted": {"name": "scripted", "tool_call": true, "limit": limit}});
    let options = json!({"baseURL": format!("{model}/v1"), "apiKey": "not-a-key"});
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible", "name": "scripted", "options": options, "models": models
    });
    let servers: Map<String, Value> = client.servers.iter().map(server).collect();
    let ours = json!({
        "autoupdate": false, "share": "disabled", "snapshot": false, "permission": "allow",
        "model": "scripted/scripted", "small_model": "scripted/scripted",
        "provider": {"scripted": provider}, "mcp": servers
    });
    let path = "opencode.json";
    client.write(path, &merged(ours, client.given(path)).to_string());
    AgentStart {
        args: ["run", PROMPT].map(str::to_owned).into(),
        env: vec![
            ("OPENCODE_CONFIG", client.home().join(path).into()),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".into()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".into()),
            ("OPENCODE_DISABLE_DEFAULT_PLUGINS", "1".into()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".into()),
        ],
    }
}

fn server(server: &AgentServer) -> (String, Value) {
    let words: Vec<_> =
        std::iter::once(server.program.display().to_string()).chain(server.args.clone()).collect();
    let env: Map<String, Value> =
        server.env.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    (server.name.clone(), json!({"type": "local", "command": words, "environment": env, "enabled": true}))
}

/// Our settings with those of a test over them.
pub(super) fn merged(mut ours: Value, given: Option<String>) -> Value {
    let given = given.map(|text| serde_json::from_str(&text).expect("settings are JSON"));
    lay_over(&mut ours, given.unwrap_or(Value::Null));
    ours
}

fn lay_over(ours: &mut Value, given: Value) {
    match (ours, given) {
        (Value::Object(ours), Value::Object(given)) => {
            for (name, value) in given {
                lay_over(ours.entry(name).or_insert(Value::Null), value);
            }
        }
        (_, Value::Null) => {}
        (ours, given) => *ours = given,
    }
}
