//! A network that is a list of hosts, as the configuration and the command line say: an option narrows it at every door, and
//! a refusal is told as one.

use crate::runner::Place;
use serde_json::{Value, json};

const OWNER: &str =
    "[sandbox]\nmode = \"workspace-write\"\nnetwork = [\"registry.example\", \"*.git.example:22,443\"]\n";

#[test]
fn an_option_that_would_add_a_host_or_a_port_is_refused_at_every_door() {
    let place = Place::aside();
    place.owner(OWNER);
    place.file("a.md", "---\nengine: cat\n---\nhello\n");
    for wider in
        ["evil.example", "registry.example:8080", "git.example:443", "*.example.com", "on", "10.0.0.1:80"]
    {
        let verbs: [&[&str]; 5] = [
            &["exec", "--network", wider, "--", "touch", "made"],
            &["code", "bash", "--network", wider, "-c", "touch made"],
            &["run", "--network", wider, "a.md"],
            &["explain", "--network", wider, "--", "touch", "made"],
            &["mcp", "--network", wider],
        ];
        for verb in verbs {
            let said = place.run(verb);
            assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{verb:?}: {said:?}");
            let told = format!("`--network {wider}` would loosen `sandbox.network` = [");
            assert!(said.stderr.contains(&told), "{verb:?}: {said:?}");
        }
    }
    assert!(!place.work().join("made").exists());
}

#[test]
fn an_option_narrows_and_a_network_that_is_off_stays_off() {
    let place = Place::aside();
    place.owner(OWNER);
    let explained = |network: &str| -> Value {
        let said = place.run(["explain", "--json", "--network", network, "--", "true"]);
        assert_eq!(said.code, 0, "{said:?}");
        serde_json::from_str(&said.stdout).unwrap()
    };
    let narrowed = explained("registry.example,a.git.example:443");
    let hosts: Vec<&Value> =
        narrowed["sandbox_hosts"].as_array().unwrap().iter().map(|it| &it["entry"]).collect();
    assert_eq!(json!(hosts), json!(["registry.example", "a.git.example:443"]));
    assert!(narrowed["sandbox_hosts"][0]["from"].as_str().unwrap().ends_with("runward.toml:3"), "{narrowed}");
    assert_eq!(narrowed["sandbox_hosts"][1]["from"], "as asked");
    assert_eq!(explained("off")["sandbox_network"], "off");
    place.owner("[sandbox]\nmode = \"workspace-write\"\nnetwork = \"off\"\n");
    let said = place.run(["exec", "--network", "registry.example", "--", "true"]);
    assert!(said.code == 125 && said.stderr.contains("would loosen `sandbox.network` = \"off\""), "{said:?}");
}

#[test]
fn a_project_takes_hosts_away_and_adds_none() {
    let place = Place::aside();
    place.owner(OWNER);
    place.project("[sandbox]\nnetwork = [\"a.git.example:443\"]\n");
    let shown = place.run(["config", "get", "sandbox.network"]);
    assert_eq!(shown.stdout.trim(), "[\"a.git.example:443\"]", "{shown:?}");
    for more in ["[\"evil.example\"]", "[\"*.git.example\"]", "\"on\""] {
        place.project(&format!("[sandbox]\nnetwork = {more}\n"));
        let said = place.run(["exec", "--", "true"]);
        assert!(said.code == 125 && said.stderr.contains("[config.invalid]"), "{said:?}");
    }
}

#[test]
fn what_is_no_host_is_told_with_what_to_write() {
    let place = Place::aside();
    for (word, told) in [
        ("maybe://x", "more than a host"),
        ("*", "every host"),
        ("*.com", "every name below `com`"),
        ("127.0.0.1:5432", "localhost:PORT"),
        ("0x7f.1", "ends in a number"),
    ] {
        let said = place.run(["exec", "--sandbox", "read-only", "--network", word, "--", "true"]);
        assert!(said.code == 125 && said.stderr.contains(told), "{word}: {said:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_refused_connection_is_in_the_receipt_and_in_the_journal_with_what_may_be_had() {
    let place = Place::aside();
    place.owner(OWNER);
    let code = "import socket\ns = socket.create_connection(('evil.example', 80))\ns.sendall(b'GET / HTTP/1.1\\r\\nHost: evil.example\\r\\n\\r\\n')\nprint(s.recv(999))";
    let said = place.run(["exec", "--json", "--", "python3", "-c", code]);
    let receipt: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
    let denied = &receipt["denied"];
    let first = json!({"kind": "host", "host": "evil.example", "port": 80, "layer": "namespaces", "times": 1, "why": "not listed"});
    assert_eq!((&denied["mode"], &denied["list"]), (&json!("workspace-write"), &json!([first])), "{receipt}");
    assert_eq!(denied["network"], json!({"hosts": ["registry.example", "*.git.example:22,443"]}));
    let notes = receipt["notes"].to_string();
    assert!(
        notes.contains("the sandbox (workspace-write) refused 1 connection to evil.example:80 (not listed)"),
        "{notes}"
    );
    let logged = place.run(["log", "--json", receipt["id"].as_str().unwrap()]);
    let whole: Value = serde_json::from_str(&logged.stdout).unwrap_or_else(|_| panic!("{logged:?}"));
    assert_eq!(whole["denied"], *denied);
}

#[cfg(target_os = "linux")]
#[test]
fn a_command_that_prints_a_refusal_was_refused_nothing() {
    let place = Place::aside();
    place.owner(OWNER);
    let words = "echo 'runward: evil.example:80 is not in sandbox.network [network.denied]' >&2; exit 1";
    let said = place.run(["exec", "--json", "--shell", words]);
    let receipt: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
    assert!(receipt.get("denied").is_none() && receipt.get("notes").is_none(), "{receipt}");
}
