//! Codex, `codex exec`.

use super::client::{AgentClient, AgentServer, AgentStart, PROMPT};
use serde_json::json;

/// Settings are `codex/config.toml`: keys at the top that a test gives come first, because tables end them.
pub(super) fn prepare(client: &AgentClient, model: &str) -> AgentStart {
    let given = client.given("codex/config.toml").unwrap_or_default();
    let servers: String = client.servers.iter().map(server).collect();
    let text = format!(
        r#"model = "scripted"
model_provider = "scripted"
check_for_update_on_startup = false
approval_policy = "never"
sandbox_mode = "danger-full-access"
{given}
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "{model}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
{servers}"#
    );
    client.write("codex/config.toml", &text);
    AgentStart {
        args: ["exec", "--skip-git-repo-check", PROMPT].map(str::to_owned).into(),
        env: vec![("SCRIPTED_KEY", "not-a-key".into())],
    }
}

/// Text of JSON is text of TOML, too, as long as it is ASCII.
fn server(server: &AgentServer) -> String {
    let env: Vec<_> = server.env.iter().map(|(name, value)| format!("{name} = {}", json!(value))).collect();
    format!(
        "[mcp_servers.{}]\ncommand = {}\nargs = {}\nenv = {{ {} }}\n",
        server.name,
        json!(server.program),
        json!(server.args),
        env.join(", ")
    )
}
