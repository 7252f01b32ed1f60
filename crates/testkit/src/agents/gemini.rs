//! Gemini CLI with a prompt on its command line.

use super::claude::servers;
use super::client::{AgentClient, AgentStart, PROMPT};
use super::opencode::merged;
use serde_json::{Value, json};

/// Settings are `.gemini/settings.json`.
pub(super) fn prepare(client: &AgentClient, model: &str) -> AgentStart {
    let mut servers = servers(client);
    for server in servers.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        server["trust"] = Value::Bool(true);
    }
    let ours = json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}},
        "privacy": {"usageStatisticsEnabled": false},
        "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
        "telemetry": {"enabled": false},
        "mcpServers": servers
    });
    let path = ".gemini/settings.json";
    client.write(path, &merged(ours, client.given(path)).to_string());
    let words = ["-p", PROMPT, "--yolo", "--model", "gemini-2.5-pro", "--skip-trust"];
    AgentStart {
        args: words.map(str::to_owned).into(),
        env: vec![
            ("GEMINI_API_KEY", "not-a-key".into()),
            ("GOOGLE_GEMINI_BASE_URL", model.into()),
            ("GEMINI_TELEMETRY_ENABLED", "false".into()),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true".into()),
            // It starts itself a second time otherwise, and whoever kills the first does not kill the second.
            ("GEMINI_CLI_NO_RELAUNCH", "true".into()),
            ("NO_BROWSER", "1".into()),
        ],
    }
}
