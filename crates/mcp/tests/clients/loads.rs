//! What libraries of agents demand of the tools they load, as rules: those of Gemini, of OpenAI's strict schemas, of
//! smolagents and of mcp-use, each of which once refused a tool of ours or misread it.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;
use testkit::McpClient;

/// The tools of a profile, as any client lists them.
fn tools(profile: &str) -> Vec<Value> {
    let home = tempfile::tempdir().unwrap();
    let mut server = server();
    server.args(["mcp", "--profile", profile]).env_clear().current_dir(home.path());
    server
        .env("HOME", home.path())
        .env("ALLOWED_COMMANDS", "*")
        .env("PATH", std::env::var_os("PATH").unwrap());
    let mut client = McpClient::start(&mut server).ready();
    let mut listed = client.ask("tools/list", &json!({}));
    serde_json::from_value(listed["tools"].take()).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "a test of the server starts the server")]
fn server() -> Command {
    Command::new(testkit::binary("runward"))
}

/// Every schema inside of a schema, and itself.
fn walk<'a>(schema: &'a Value, visit: &mut impl FnMut(&'a Value)) {
    visit(schema);
    let lists = ["anyOf", "allOf", "prefixItems"].iter().filter_map(|name| schema[name].as_array());
    let named = schema["properties"].as_object().into_iter().flat_map(|all| all.values());
    let inner = ["items", "additionalProperties"].iter().map(|name| &schema[name]);
    let below = lists.flatten().chain(named).chain(inner.filter(|inner| inner.is_object()));
    below.for_each(|inner| walk(inner, visit));
}

#[test]
fn schemas_hold_no_word_that_a_client_stumbles_over() {
    for tool in tools("all") {
        for schema in [&tool["inputSchema"], &tool["outputSchema"]] {
            walk(schema, &mut |inner| {
                for word in ["$schema", "$ref", "$defs", "oneOf", "format", "nullable"] {
                    assert!(inner.get(word).is_none(), "`{word}` in {tool}");
                }
                assert!(!inner["type"].is_array(), "a list of types in {tool}");
                assert!(
                    inner.get("default").is_none_or(|value| !value.is_null()),
                    "a null default in {tool}"
                );
            });
        }
    }
}

#[test]
fn every_input_names_its_properties_and_their_types() {
    for tool in tools("all") {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        // Without it smolagents loads no tool of the server at all.
        let properties = schema["properties"].as_object().unwrap_or_else(|| panic!("no properties: {tool}"));
        for (name, property) in properties {
            assert!(property["type"].is_string(), "`{name}` has no type: {tool}");
            assert!(property["type"] != "array" || property["items"].is_object(), "`{name}` of what? {tool}");
        }
        let names: BTreeSet<_> = properties.keys().map(String::as_str).collect();
        let required = schema["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap());
        assert!(required.collect::<BTreeSet<_>>().is_subset(&names), "{tool}");
    }
}

#[test]
fn strict_schemas_of_openai_can_be_made() {
    for tool in tools("all") {
        walk(&tool["inputSchema"], &mut |inner| {
            // Strict schemas close what says nothing; what says that it is open cannot be closed.
            let open = inner.get("additionalProperties").is_some_and(|further| further != false);
            assert!(!open, "an open object in {tool}");
        });
    }
    for tool in tools("terminal") {
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
    }
}

#[test]
fn names_and_sizes_fit_every_client() {
    for tool in tools("all") {
        // Clients put `mcp__runward__` before it, and models take 64 characters.
        let name = tool["name"].as_str().unwrap();
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        assert!(name.len() <= 50 && name.chars().all(is_plain), "{name}");
        assert!(!tool["description"].as_str().unwrap().is_empty(), "{name}");
    }
    let terminal = json!(tools("terminal")).to_string();
    assert!(terminal.chars().count() <= 5_600, "{} characters", terminal.chars().count());
}
