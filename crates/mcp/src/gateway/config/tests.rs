//! Configurations as they are found in the wild, and everything that can be wrong with one.

use super::*;
use proptest::prelude::*;
use runward_engine::{Coded, ErrorView};

fn environment(name: &str) -> Option<String> {
    match name {
        "HOME" => Some("/home/ann".to_owned()),
        "TOKEN" => Some("secret".to_owned()),
        _ => None,
    }
}

fn good(text: &str) -> Vec<Server> {
    Roster::read("mcp.json", text, &environment).unwrap_or_else(|error| panic!("{error}")).servers
}

fn problems(text: &str) -> Vec<String> {
    let error = Roster::read("mcp.json", text, &environment).unwrap_err();
    error.problems().iter().map(ToString::to_string).collect()
}

/// The problems of one server `s`.
fn problems_of(server: &str) -> Vec<String> {
    problems(&format!(r#"{{"mcpServers": {{"s": {server}}}}}"#))
}

#[test]
fn the_usual_file_is_read_as_it_is() {
    let servers = good(
        r#"{
            "globalShortcut": "Ctrl+Space",
            "mcpServers": {
                "zeta": {
                    "command": "npx",
                    "args": ["-y", "server", "$HOME/notes", "${MODE:-fast}"],
                    "env": {"API_TOKEN": "${TOKEN}", "price": "5$ $each"},
                    "cwd": "${HOME}",
                    "timeout_ms": 5000,
                    "startup_timeout_ms": 250,
                    "tools": {"allow": ["get_*"], "deny": ["get_$HOME"]},
                    "lazy": true,
                    "autoApprove": ["x"], "alwaysAllow": [], "description": "d", "timeout": 60
                },
                "alpha": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer $TOKEN"}}
            }
        }"#,
    );
    let expected = Launch {
        command: "npx".to_owned(),
        args: ["-y", "server", "/home/ann/notes", "fast"].map(str::to_owned).to_vec(),
        env: [("API_TOKEN", "secret"), ("price", "5$ $each")]
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .into(),
        cwd: Some("/home/ann".to_owned()),
    };
    assert_eq!(servers[0].key, "zeta");
    assert_eq!(servers[0].reach, ServerReach::Command(expected));
    assert_eq!(servers[0].start, ServerStart::WhenUsed);
    assert_eq!(servers[0].tools.deny, ["get_$HOME"]);
    assert_eq!((servers[0].timeout.as_millis(), servers[0].startup_timeout.as_millis()), (5000, 250));
    let ServerReach::Address(remote) = &servers[1].reach else { panic!("{servers:?}") };
    assert_eq!(remote.headers["Authorization"], "Bearer secret");
    assert_eq!((servers[1].timeout, servers[1].startup_timeout), (CALL_TIMEOUT, STARTUP_TIMEOUT));
}

#[test]
fn the_file_of_vs_code_is_read_as_it_is() {
    let servers = good(
        "\u{feff}{
            // asked once
            \"inputs\": [],
            \"servers\": {
                /* files */
                \"files\": {\"type\": \"stdio\", \"command\": \"node\", \"args\": [\"//x\",],},
            },
        }",
    );
    let ServerReach::Command(launch) = &servers[0].reach else { panic!("{servers:?}") };
    assert_eq!((launch.command.as_str(), launch.args.as_slice()), ("node", ["//x".to_owned()].as_slice()));
}

#[test]
fn an_address_may_be_called_what_other_clients_call_it() {
    for key in ["url", "serverUrl", "httpUrl"] {
        let servers = good(&format!(r#"{{"mcpServers": {{"s": {{"{key}": "https://x"}}}}}}"#));
        let expected = RemoteServer { url: "https://x".to_owned(), ..RemoteServer::default() };
        assert_eq!(servers[0].reach, ServerReach::Address(expected));
    }
    let found = problems_of(r#"{"url": "https://x", "httpUrl": "https://x"}"#);
    assert_eq!(found, ["mcpServers.s: expected one address, found several"]);
}

#[test]
fn all_problems_are_told_at_once_each_with_its_path() {
    let text = r#"{"mcpServers": {
        "github": {"command": "npx", "args": ["-y", "x", 3, "$NONE"], "env": {"A": 1, "B=C": "x"}, "comand": "y"},
        "both": {"command": "a", "url": "https://x"},
        "none": {"disabled": "yes"},
        "my files": {"url": "ftp://x", "headers": {"a b": "x"}, "lazi": true},
        "": {"command": " "},
        "wrong": []
    }}"#;
    assert_eq!(
        problems(text),
        [
            "mcpServers.github.comand: unknown key `comand`; did you mean `command`?",
            "mcpServers.github.args[2]: expected a string, found a number",
            "mcpServers.github.args[3]: expected the variable `NONE` to be set; set it, or write `${NONE:-default}`",
            "mcpServers.github.env.A: expected a string, found a number",
            "mcpServers.github.env[\"B=C\"]: expected a name that can be used",
            "mcpServers.both: expected `command` or `url`, found both",
            "mcpServers.none.disabled: expected `true` or `false`, found a string",
            "mcpServers.none: expected `command` or `url`, found neither",
            "mcpServers[\"my files\"].lazi: unknown key `lazi`; did you mean `lazy`?",
            "mcpServers[\"my files\"].url: expected an address that begins with `https://` or `http://`",
            "mcpServers[\"my files\"].headers[\"a b\"]: expected a name that can be used",
            "mcpServers[\"\"]: expected a key that names of tools can begin with: at most 128 bytes, \
             a letter or digit among them, no control characters",
            "mcpServers[\"\"].command: expected a program, found an empty string",
            "mcpServers.wrong: expected an object, found a list",
        ]
    );
}

#[test]
fn a_bad_configuration_has_its_code_and_an_example_at_the_end() {
    let error = Roster::read("mcp.json", r#"{"mcpServers": {}}"#, &environment).unwrap_err();
    let view = ErrorView::of(&error);
    assert_eq!(view.code.name(), "gateway.bad-config");
    assert_eq!(view.message, "mcp.json: mcpServers: expected at least one server");
    assert!(view.hint.unwrap().starts_with("Write it like this: {\"mcpServers\""));
    let error = Roster::read("mcp.json", r#"{"servers": {"a": 1, "b": 2}}"#, &environment).unwrap_err();
    let two = "2 problems in mcp.json\n  servers.a: expected an object, found a number\n  \
               servers.b: expected an object, found a number";
    assert_eq!(error.to_string(), two);
    assert!(error.hint().is_some());
}

#[test]
fn there_is_exactly_one_list_of_servers() {
    assert_eq!(problems("[]"), ["top level: expected an object, found a list"]);
    assert_eq!(problems("{}"), ["top level: expected a key `mcpServers`, found none"]);
    assert_eq!(
        problems(r#"{"mcpservers": {}}"#),
        ["top level: expected a key `mcpServers`, found `mcpservers`"]
    );
    assert_eq!(
        problems(r#"{"mcpServers": {}, "servers": {}}"#),
        ["top level: expected one list of servers, found `mcpServers` and `servers`"]
    );
    assert_eq!(
        problems(r#"{"mcp": {"servers": {}}, "mcp.servers": {}, "context_servers": {}}"#),
        [
            "top level: expected one list of servers, found `mcp.servers` and `[\"mcp.servers\"]` and `context_servers`"
        ]
    );
    assert_eq!(
        problems(r#"{"mcp": {"inputs": []}}"#),
        ["top level: expected a key `mcpServers`, found none"]
    );
}

fn command(server: &Server) -> (&str, Vec<&str>) {
    let ServerReach::Command(launch) = &server.reach else { panic!("{server:?}") };
    (&launch.command, launch.args.iter().map(String::as_str).collect())
}

#[test]
fn the_settings_of_vs_code_are_read_as_they_are() {
    let list = r#"{"s": {"command": "node", "args": ["x"]}}"#;
    for settings in [
        format!(r#"{{"editor.tabSize": 2, "mcp": {{"inputs": [], "servers": {list}}}}}"#),
        format!(r#"{{"mcp.servers": {list}, "mcp": {{}}, "mcp.enabled": true}}"#),
    ] {
        assert_eq!(command(&good(&settings)[0]), ("node", vec!["x"]), "{settings}");
    }
    let found = problems(r#"{"mcp": {"servers": {"s": {"comand": "x"}}}, "x": 1}"#);
    assert_eq!(found[0], "mcp.servers.s.comand: unknown key `comand`; did you mean `command`?");
    let found = problems(r#"{"mcp.servers": []}"#);
    assert_eq!(found, ["[\"mcp.servers\"]: expected an object, found a list"]);
}

#[test]
fn the_settings_of_zed_are_read_as_they_are_old_and_new() {
    let servers = good(
        r#"{"theme": "x", "context_servers": {
            "new": {"source": "custom", "enabled": true, "command": "npx", "args": ["a"], "env": {}},
            "old": {"command": {"path": "node", "args": ["b", "$HOME"], "env": {"T": "$TOKEN"}}, "settings": {}},
            "off": {"enabled": false, "command": {"path": "$NONE"}}
        }}"#,
    );
    assert_eq!(command(&servers[0]), ("npx", vec!["a"]));
    assert_eq!(command(&servers[1]), ("node", vec!["b", "/home/ann"]));
    let ServerReach::Command(launch) = &servers[1].reach else { panic!("{servers:?}") };
    assert_eq!(launch.env["T"], "secret");
    assert_eq!((servers[0].start, servers[2].start), (ServerStart::AtOnce, ServerStart::Never));
}

#[test]
fn every_problem_of_a_command_in_an_object_is_told_with_its_path() {
    let text = r#"{"context_servers": {
        "a": {"command": {"args": [1], "pat": "x"}, "cwd": ""},
        "b": {"command": {"path": "x", "env": {"A": 1}}, "args": ["y"]},
        "c": {"command": {"path": " "}, "enabled": true, "disabled": false}
    }}"#;
    assert_eq!(
        problems(text),
        [
            "context_servers.a.command.pat: unknown key `pat`; did you mean `path`?",
            "context_servers.a.command: expected a key `path`, found none",
            "context_servers.a.command.args[0]: expected a string, found a number",
            "context_servers.a.cwd: expected a folder, found an empty string",
            "context_servers.b.args: expected `args` only together with `command` as a string, or inside `command`",
            "context_servers.b.command.env.A: expected a string, found a number",
            "context_servers.c: expected `disabled` or `enabled`, found both",
            "context_servers.c.command.path: expected a program, found an empty string",
        ]
    );
}

#[test]
fn of_claude_code_the_list_at_the_top_counts_and_those_of_projects_do_not() {
    let projects =
        r#""projects": {"/home/ann/x": {"mcpServers": {"other": {"command": "y"}}, "history": []}}"#;
    let servers =
        good(&format!(r#"{{"numStartups": 7, {projects}, "mcpServers": {{"s": {{"command": "x"}}}}}}"#));
    assert_eq!(servers.len(), 1);
    assert_eq!(problems(&format!("{{{projects}}}")), ["top level: expected a key `mcpServers`, found none"]);
}

#[test]
fn a_key_given_twice_is_told() {
    let twice = problems(r#"{"mcpServers": {"a": {"command": "x", "command": "y"}, "a": {"command": "z"}}}"#);
    let expected = ["mcpServers.a", "mcpServers.a.command"]
        .map(|place| format!("{place}: expected the key once, found it twice"));
    assert_eq!(twice, expected);
}

#[test]
fn keys_of_other_clients_that_would_do_harm_are_told_with_what_to_write() {
    let found = problems_of(r#"{"command": "x", "envFile": ".env", "disabledTools": ["rm"]}"#);
    assert_eq!(
        found,
        [
            "mcpServers.s.envFile: expected no key `envFile`, which is not read here; write its variables into `env`",
            "mcpServers.s.disabledTools: expected no key `disabledTools`, which is not read here; write `tools.deny`",
        ]
    );
}

#[test]
fn times_out_of_range_are_told_and_never_cut() {
    let found = problems_of(r#"{"command": "x", "timeout_ms": 0, "startup_timeout_ms": 1.5}"#);
    assert_eq!(
        found,
        [
            "mcpServers.s.timeout_ms: expected a whole number from 1 to 86400000, found 0",
            "mcpServers.s.startup_timeout_ms: expected a whole number from 1 to 600000, found a number",
        ]
    );
}

#[test]
fn keys_of_the_other_way_to_reach_a_server_are_told_unless_empty() {
    let found = problems_of(r#"{"url": "https://x", "args": ["a"], "env": {}}"#);
    assert_eq!(found, ["mcpServers.s.args: expected `args` only together with `command`"]);
    let found = problems_of(r#"{"command": "x", "headers": {"A": "b"}}"#);
    assert_eq!(found, ["mcpServers.s.headers: expected `headers` only together with `url`"]);
}

#[test]
fn a_server_that_is_switched_off_may_lack_its_variables() {
    let servers = good(r#"{"mcpServers": {"s": {"command": "$NONE", "disabled": true, "lazy": true}}}"#);
    assert_eq!(servers[0].start, ServerStart::Never);
}

#[test]
fn a_header_cannot_smuggle_another() {
    let text = r#"{"mcpServers": {"s": {"url": "https://x", "headers": {"A": "b\r\nC: d"}}}}"#;
    assert_eq!(problems(text), ["mcpServers.s.headers.A: expected a value without control characters"]);
}

#[test]
fn a_problem_never_repeats_a_value() {
    let found =
        problems_of(r#"{"url": "hunter2", "headers": {"A": ["hunter2"]}, "tools": {"allow": "hunter2"}}"#);
    assert_eq!(found.len(), 3);
    assert!(!found.concat().contains("hunter2"));
}

#[test]
fn what_is_no_json_is_told_with_line_and_column() {
    let found = problems("{\n  // a comment\n  \"mcpServers\" {}\n}");
    assert_eq!(found, ["line 3, column 16: expected JSON: expected `:`"]);
}

proptest! {
    #[test]
    fn servers_stay_in_the_order_of_the_file(keys in prop::collection::hash_set("[a-z]{1,6}", 1..10)) {
        let keys: Vec<String> = keys.into_iter().collect();
        let members: Vec<String> = keys.iter().map(|key| format!(r#""{key}": {{"command": "x"}}"#)).collect();
        let servers = good(&format!(r#"{{"mcpServers": {{{}}}}}"#, members.join(",")));
        prop_assert_eq!(servers.into_iter().map(|server| server.key).collect::<Vec<_>>(), keys);
    }

    #[test]
    fn no_text_is_too_strange(text in any::<String>()) {
        prop_assert!(Roster::read("mcp.json", &text, &environment).is_err());
    }
}

#[test]
fn one_server_with_two_problems_is_told_both() {
    for (server, places) in [
        (r#"{"command": "a", "url": "ftp://x", "cwd": 7}"#, &["s: ", "s.cwd: ", "s.url: "][..]),
        (
            r#"{"command": "", "url": 3, "headers": {"a b": "x"}}"#,
            &["s: ", "s.command: ", "s.url: ", "s.headers[\"a b\"]: "],
        ),
        (
            r#"{"args": [1], "env": {"A": 2}, "cwd": "", "headers": 3}"#,
            &["s: ", "s.cwd: ", "s.args[0]: ", "s.env.A: ", "s.headers: "],
        ),
        (
            r#"{"command": {"args": [1], "env": 3}, "cwd": 4}"#,
            &["s.command: ", "s.command.args[0]: ", "s.command.env: ", "s.cwd: "],
        ),
        (r#"{"url": "x", "httpUrl": "y"}"#, &["s: ", "s.httpUrl: ", "s.url: "]),
        (
            r#"{"command": 1, "args": "x", "timeout_ms": 0, "tools": {"allow": 1, "x": 2}}"#,
            &["s.timeout_ms: ", "s.tools.allow: ", "s.tools.x: ", "s.command: ", "s.args: "],
        ),
    ] {
        let found = problems_of(server);
        for place in places {
            let told = found.iter().any(|problem| problem.contains(&format!("mcpServers.{place}")));
            assert!(told, "{server}: {place} in {found:?}");
        }
        assert_eq!(found.len(), places.len(), "{server}: {found:?}");
    }
}
