//! The record says what happened: where a command came from, and what was refused.

use crate::agent::Agent;
use crate::runner::Place;
use serde_json::{Value, json};

/// Every record as `log --json` tells it.
fn log(place: &Place) -> Vec<Value> {
    let said = place.run(["log", "--json"]);
    assert_eq!(said.code, 0, "{said:?}");
    said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Door, hand and rule of each.
fn hands(place: &Place) -> Vec<[String; 3]> {
    let word = |one: &Value, name: &str| one[name].as_str().unwrap_or("none").to_owned();
    log(place).iter().map(|one| ["door", "hand", "rule"].map(|name| word(one, name))).collect()
}

#[test]
fn what_is_typed_and_what_stands_in_a_file_are_told_apart() {
    let place = Place::new();
    place.file("a.echo.md", "---\n_before: 'echo before'\n---\nhi !`echo inside`\n");
    assert_eq!(place.run(["exec", "--", "true"]).code, 0);
    assert_eq!(place.run(["exec", "--preset", "readonly", "--", "ls"]).code, 0);
    assert_eq!(place.run(["code", "bash", "-c", "true"]).code, 0);
    let typed = hands(&place);
    assert_eq!(typed[0], ["cli", "typed", "typed"]);
    assert_eq!(typed[1], ["cli", "typed", "preset: readonly"], "held to a preset, and typed all the same");
    assert_eq!(typed[2], ["cli", "typed", "typed"]);
    assert_eq!(place.run(["run", "a.echo.md"]).code, 0);
    let all = hands(&place);
    assert!(all.len() >= 5, "{all:?}");
    assert!(all[3..].iter().all(|one| *one == ["flow", "file", "file"]), "{all:?}");
    let id = log(&place)[3]["id"].as_str().unwrap().to_owned();
    let one = place.run(["log", &id]);
    assert!(one.stdout.contains("flow (file)"), "{one:?}");
}

#[test]
fn a_file_runs_unless_the_configuration_says_otherwise() {
    let place = Place::new();
    place.file("a.echo.md", "hi\n");
    for (rules, code) in [
        ("", 0),
        ("policy.typed = \"deny\"", 126),
        ("policy.deny = [\"echo\"]", 126),
        ("policy.allowed_commands = [\"ls\"]", 126),
        ("policy.allowed_commands = [\"echo\"]", 0),
    ] {
        place.owner(rules);
        assert_eq!(place.run(["run", "a.echo.md"]).code, code, "{rules}");
        let said = place.run(["policy", "check", "--by", "file", "echo hi"]);
        assert_eq!(said.code, code, "{rules}: {said:?}");
    }
    place.owner("policy.typed = \"deny\"");
    let said = place.run(["policy", "check", "--by", "file", "echo hi"]);
    assert!(said.stdout.contains("the rule `file`"), "{said:?}");
    for by in ["typed", "person"] {
        let said = place.run(["policy", "check", "--by", by, "echo hi"]);
        assert!(said.stdout.contains("the rule `typed`"), "{said:?}");
    }
    place.owner("");
    for by in ["program", "agent"] {
        assert_eq!(place.run(["policy", "check", "--by", by, "echo hi"]).code, 126);
    }
    assert_eq!(place.run(["policy", "check", "--by", "nobody", "echo hi"]).code, 125);
}

#[test]
fn a_child_server_stands_in_a_file_and_an_agent_is_a_program() {
    let place = Place::new();
    let servers = json!({"mcpServers": {"one": {"command": "cat"}}});
    let list = place.file("servers.json", &servers.to_string());
    let args = ["mcp", "--servers", list.to_str().unwrap()];
    let mut agent = Agent::serve(&place, &args, &[]);
    agent.calls("execute_command", &json!({"command": "true"}));
    drop(agent);
    let all = hands(&place);
    assert!(all.contains(&["gateway", "file", "servers"].map(str::to_owned)), "{all:?}");
    assert!(all.iter().any(|one| one[..2] == ["mcp", "program"]), "{all:?}");
}

#[test]
fn a_folder_outside_the_workspace_is_recorded_as_refused() {
    let place = Place::new();
    let args = ["mcp", "--tools", "exec_command"];
    let mut agent = Agent::serve(&place, &args, &[]);
    let arguments = json!({"cwd": "..", "command": ["true"]});
    let answer = agent.asks("tools/call", &json!({"name": "exec_command", "arguments": arguments}));
    assert!(answer.to_string().contains("SANDBOX_VIOLATION"), "{answer}");
    drop(agent);
    let all = log(&place);
    assert_eq!((&all[0]["state"], &all[0]["code"]), (&"refused".into(), &"policy.outside-workspace".into()));
    assert_eq!(place.run(["log", "--denied"]).stdout.lines().count(), 2);
}

#[test]
fn no_tool_tells_whether_what_is_not_allowed_is_installed() {
    let place = Place::new();
    let args = ["mcp", "--preset", "readonly", "--tools", "execute_command,start_command,exec_command,exec"];
    let mut agent = Agent::serve_bare(&place, &args, &[]);
    let mut told = |tool: &str, name: &str| {
        let arguments = match tool {
            "exec_command" => json!({"cwd": ".", "command": [name], "options": {"shell_mode": "direct"}}),
            "exec" => json!({"lang": "python", "code": "1", "version": name}),
            _ => json!({"command": format!("{name} --x")}),
        };
        let answer = agent.asks("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"].to_string().replace(name, "NAME")
    };
    for tool in ["execute_command", "start_command", "exec_command"] {
        let there = told(tool, "mkfifo");
        assert!(!there.contains("mkfifo") && !there.contains("not found"), "{there}");
        for missing in ["mkfifp", "no-such-program-here"] {
            assert_eq!(told(tool, missing), there, "{tool}");
        }
    }
    let versions = told("exec", "99.99");
    assert!(versions.contains("POLICY_DENIED") && !versions.contains("Choose one"), "{versions}");
}

#[test]
fn statistics_name_what_a_text_comes_to() {
    let place = Place::new();
    let texts = [
        "git status",
        "git status || true",
        "cd . && git --no-pager status 2>&1 | tail -1",
        "sleep 0; exit 3",
    ];
    for text in texts {
        place.run(["exec", "--shell", text]);
    }
    place.run(["exec", "--", "git", "status"]);
    place.run(["exec", "--", "bash", "-c", "git status"]);
    place.run(["exec", "--shell", "eval \"$x\""]);
    let all: Vec<Value> = log(&place);
    let come: Vec<String> = all.iter().map(|one| one["comes_to"].to_string()).collect();
    let status = r#"["git status"]"#;
    assert_eq!(come, [status, status, r#"["git status","tail"]"#, r#"["sleep"]"#, status, status, "null"]);
    let said = place.run(["log", "--stats", "--json"]);
    let stats: Value = serde_json::from_str(&said.stdout).unwrap();
    let mut names: Vec<&str> =
        stats["programs"].as_array().unwrap().iter().map(|one| one["program"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names[1..], ["git status", "git status, tail", "sleep"], "{said:?}");
    assert_eq!(names[0], "bash", "what cannot be read is named after who reads it");
    let count = |program: &str| {
        let said = place.run(["log", "--json", "--program", program]);
        said.stdout.lines().count()
    };
    assert_eq!((count("git"), count("git status"), count("tail"), count("status")), (5, 5, 1, 0));
    assert_eq!((count("sleep"), count("bash"), count("gi"), count("")), (1, 1, 0, 0));
}

#[test]
fn refused_texts_are_named_too() {
    let place = Place::new();
    place.owner("policy.allowed_commands = [\"ls\"]");
    for text in ["git push", "ls && git push origin", "eval x"] {
        assert_eq!(place.run(["exec", "--shell", text]).code, 126);
    }
    let all = log(&place);
    let come: Vec<String> = all.iter().map(|one| one["comes_to"].to_string()).collect();
    assert_eq!(come, [r#"["git push"]"#, r#"["ls","git push"]"#, "null"]);
}

#[test]
fn what_is_listed_is_told_apart_and_taken_as_an_id_everywhere() {
    let place = Place::new();
    for number in 0..20 {
        place.run(["exec", "--", "echo", &number.to_string()]);
    }
    let said = place.run(["log"]);
    let mut shown: Vec<&str> =
        said.stdout.lines().skip(1).map(|line| line.split_whitespace().nth(4).unwrap()).collect();
    let ids: Vec<String> = log(&place).iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(shown.len(), 20, "{said:?}");
    for (short, id) in shown.iter().zip(&ids) {
        assert!(id.ends_with(short) && short.len() >= 8, "{short} {id}");
        let one = place.run(["log", short]);
        assert!(one.stdout.contains(id), "{one:?}");
    }
    let again = place.run(["replay", shown[3], "--yes"]);
    assert!(again.stdout.ends_with("3\n"), "{again:?}");
    let output = place.run(["log", shown[4], "--output"]);
    assert_eq!(output.stdout, "4\n");
    shown.sort_unstable();
    shown.dedup();
    assert_eq!(shown.len(), 20);
    // The beginning still does, where it means one.
    assert!(place.run(["log", &ids[0][..30]]).stdout.contains(&ids[0]));
    // Of twenty ids two begin alike.
    let alike = |first: &String| ids.iter().filter(|id| id[..1] == first[..1]).count() > 1;
    let twin = ids.iter().find(|id| alike(id)).unwrap();
    let several = place.run(["log", &twin[..1]]);
    assert_eq!(several.code, 125, "{several:?}");
    assert!(several.stderr.contains("begins or ends with"), "{several:?}");
    assert_eq!(place.run(["log", "zz"]).code, 125);
}
