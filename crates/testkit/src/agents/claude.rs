//! Claude Code in print mode.

use super::client::{AgentClient, AgentStart, PROMPT};
use serde_json::{Map, Value, json};

/// Settings lie in `claude`, servers in a file that is named on the command line; those of its own list count only where
/// it is told of none.
pub(super) fn prepare(client: &AgentClient, model: &str) -> AgentStart {
    let mut args = ["-p", PROMPT, "--dangerously-skip-permissions", "--model", "claude-sonnet-4-5"]
        .map(str::to_owned)
        .to_vec();
    if !client.servers.is_empty() {
        client.write("servers.json", &json!({"mcpServers": servers(client)}).to_string());
        let path = client.home().join("servers.json").display().to_string();
        args.extend(["--mcp-config".to_owned(), path, "--strict-mcp-config".to_owned()]);
    }
    AgentStart {
        args,
        env: vec![
            ("ANTHROPIC_BASE_URL", model.into()),
            ("ANTHROPIC_API_KEY", "not-a-key".into()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
            ("DISABLE_TELEMETRY", "1".into()),
            ("DISABLE_ERROR_REPORTING", "1".into()),
            ("DISABLE_AUTOUPDATER", "1".into()),
            // It does not ask for leave as root otherwise.
            ("IS_SANDBOX", "1".into()),
            // The tools themselves are offered, not a tool that finds them.
            ("ENABLE_TOOL_SEARCH", "false".into()),
        ],
    }
}

/// The servers as several clients write them.
pub(super) fn servers(client: &AgentClient) -> Value {
    let entries = client.servers.iter().map(|server| {
        let env: Map<String, Value> =
            server.env.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        (server.name.clone(), json!({"command": server.program, "args": server.args, "env": env}))
    });
    Value::Object(entries.collect())
}
