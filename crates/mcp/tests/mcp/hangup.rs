//! SIGHUP (reload): the configuration is read again, and running commands go on.

use crate::client::Client;
use crate::http::{Server, TOKEN};
use crate::place::{Place, command};
use serde_json::{Value, json};
use std::path::Path;

/// A place where the file alone says what may run.
fn place(configuration: &str) -> Place {
    Place::with(configuration).set("ALLOWED_COMMANDS", None)
}

fn only(commands: &str) -> String {
    format!("[policy]\nallowed_commands = [{commands}]\n")
}

fn hang_up(pid: u32) {
    let pid = pid.to_string();
    assert!(command(Path::new("/bin/kill")).args(["-HUP", &pid]).status().unwrap().success());
}

/// A client that hears everything.
fn listening(place: &Place, args: &[&str]) -> Client {
    let mut client = Client::connect_with(place, args);
    client.ask("logging/setLevel", &json!({"level": "info"}));
    client
}

/// Hangs up, and waits for what the server says about it.
fn reread(client: &mut Client) -> Value {
    hang_up(client.pid());
    loop {
        let message = client.next().expect("the server goes on");
        if message["method"] == "notifications/message" && message["params"]["data"]["message"].is_string() {
            return message["params"].clone();
        }
    }
}

fn runs(client: &mut Client, text: &str) -> bool {
    !client.call("execute_command", &json!({"command": text})).is_error
}

#[test]
fn rules_that_changed_hold_from_then_on() {
    let place = place(&only("\"echo\""));
    let mut client = listening(&place, &[]);
    assert_eq!([runs(&mut client, "echo x"), runs(&mut client, "pwd")], [true, false]);
    place.configure(&only("\"pwd\""));
    assert_eq!(
        [runs(&mut client, "echo x"), runs(&mut client, "pwd")],
        [true, false],
        "not before it is told"
    );
    let told = reread(&mut client);
    assert_eq!(told["level"], "info");
    assert_eq!(told["data"]["message"], "the configuration was read again; its rules hold from now on");
    assert_eq!([runs(&mut client, "echo x"), runs(&mut client, "pwd")], [false, true]);
    assert_eq!(client.close(), Some(0), "the end of input is still the end");
}

#[test]
fn folders_to_work_in_change_too() {
    let place = place("policy.allow = [\"*\"]\npolicy.allowed_commands = [\"*\"]");
    let mut client = listening(&place, &[]);
    let away = json!({"command": "pwd", "cwd": "/"});
    assert!(!client.call("execute_command", &away).is_error);
    let work = place.work();
    place.configure(&format!("{}allowed_cwd_roots = [\"{}\"]", only("\"*\""), work.display()));
    reread(&mut client);
    let refused = client.call("execute_command", &away);
    assert!(refused.text.starts_with("cwd is not allowed by ALLOWED_CWD_ROOTS: /"), "{refused:?}");
}

#[test]
fn a_broken_file_keeps_the_rules_from_before() {
    let place = place(&only("\"echo\""));
    let mut client = Client::connect_with(&place, &[]);
    assert!(runs(&mut client, "echo x"));
    for broken in ["[policy]\nallowed_comands = [\"*\"]", "policy.allow = \"*\"", "[policy", "\u{0}"] {
        place.configure(broken);
        // A warning is heard without asking for it.
        let told = reread(&mut client);
        let sentence = told["data"]["message"].as_str().unwrap();
        assert!(
            sentence.starts_with("the configuration is broken, and the rules from before still hold: "),
            "{sentence}"
        );
        assert!(sentence.contains("runward.toml:") && sentence.contains("[config.invalid]"), "{sentence}");
        assert_eq!(told["level"], "warning");
        assert_eq!([runs(&mut client, "echo x"), runs(&mut client, "pwd")], [true, false], "{broken}");
    }
    place.configure(&only("\"pwd\""));
    client.ask("logging/setLevel", &json!({"level": "info"}));
    reread(&mut client);
    assert_eq!([runs(&mut client, "echo x"), runs(&mut client, "pwd")], [false, true], "mended");
}

#[test]
fn sessions_live_on_under_the_leave_they_have() {
    let place = place(&only("\"cat\""));
    let mut client = listening(&place, &[]);
    let started = client.call("start_command", &json!({"command": "cat"}));
    let session = started.fields["sessionId"].clone();
    place.configure(&only(""));
    reread(&mut client);
    assert!(client.call("start_command", &json!({"command": "cat"})).is_error);
    client.call("write_input", &json!({"sessionId": session, "input": "still here", "newline": true}));
    let read = client.call("read_output", &json!({"sessionId": session, "timeout": 30_000}));
    assert_eq!(read.fields["stdout"], "still here\n", "{read:?}");
}

#[test]
fn a_tool_that_was_opened_by_choice_stays_open_and_a_new_list_governs_it() {
    let place = place("");
    let mut client = listening(&place, &["--profile", "all"]);
    let exec = json!({"cwd": ".", "command": ["pwd"], "shell_mode": "direct"});
    assert!(!client.call("exec_command", &exec).is_error);
    reread(&mut client);
    assert!(!client.call("exec_command", &exec).is_error);
    place.configure(&only("\"ls\""));
    reread(&mut client);
    assert_eq!(client.call("exec_command", &exec).fields["error"]["code"], "POLICY_DENIED");
}

#[test]
fn a_project_file_that_appears_tightens() {
    let place = place(&only("\"echo\", \"pwd\""));
    let mut client = listening(&place, &[]);
    assert!(runs(&mut client, "pwd"));
    std::fs::create_dir(place.work().join(".git")).unwrap();
    std::fs::write(place.work().join(".runward.toml"), only("\"echo\"")).unwrap();
    reread(&mut client);
    assert_eq!([runs(&mut client, "echo x"), runs(&mut client, "pwd")], [true, false]);
}

#[test]
fn a_server_over_http_goes_on_and_says_what_it_read() {
    let mut server = Server::start_in(place(&only("\"echo\"")), Some(TOKEN), &[]);
    let session = server.hello();
    let runs = |server: &Server, text: &str| {
        server.call(&session, "execute_command", &json!({"command": text}))["isError"] != true
    };
    assert_eq!([runs(&server, "echo x"), runs(&server, "pwd")], [true, false]);
    server.place.configure("[policy");
    hang_up(server.child.id());
    let said = server.words.next().unwrap();
    assert!(said.contains("the configuration is broken, and the rules from before still hold: "), "{said}");
    assert_eq!([runs(&server, "echo x"), runs(&server, "pwd")], [true, false]);
    server.place.configure(&format!("{}[limits]\ntimeout_ms = 5\n", only("\"pwd\"")));
    hang_up(server.child.id());
    server.words.find(|line| line.contains("was read again; its rules hold from now on")).unwrap();
    let remark = server.words.next().unwrap();
    assert_eq!(remark, "runward: changed, and in force only after a restart: `limits.timeout_ms`");
    assert_eq!([runs(&server, "echo x"), runs(&server, "pwd")], [false, true]);
}

#[test]
fn a_variable_of_the_environment_stays_what_it_was_and_that_is_said() {
    let place = Place::with("").set("ALLOWED_COMMANDS", Some("echo"));
    let mut server = Server::start_in(place, Some(TOKEN), &[]);
    let session = server.hello();
    server.place.configure(&only("\"pwd\""));
    hang_up(server.child.id());
    server.words.find(|line| line.contains("was read again")).unwrap();
    assert_eq!(
        server.words.next().unwrap(),
        "runward: `policy.allowed_commands` is still what `ALLOWED_COMMANDS` said when the server started"
    );
    let pwd = server.call(&session, "execute_command", &json!({"command": "pwd"}));
    assert_eq!(pwd["isError"], true, "{pwd}");
}

#[test]
fn a_server_that_was_started_with_hang_ups_ignored_hears_them() {
    let place = place(&only("\"echo\""));
    let binary = testkit::binary("runward");
    let words = ["-c", "trap '' HUP; exec \"$0\" mcp", binary.to_str().unwrap()];
    let mut client = Client::of(place.command(Path::new("/bin/sh"), &words));
    client.greet();
    client.ask("logging/setLevel", &json!({"level": "info"}));
    place.configure(&only("\"pwd\""));
    reread(&mut client);
    assert!(runs(&mut client, "pwd"));
}
