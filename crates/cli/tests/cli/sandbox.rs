//! Commands in a sandbox, on the real binary: what they can reach, what they cannot, and what is said about it.

use crate::runner::{Place, Said};
use serde_json::{Value, json};
use std::net::TcpListener;
use std::path::Path;

/// Runs a script in the sandbox that is typed; `$HOME` is outside the workspace.
fn script(place: &Place, options: &[&str], text: &str) -> Said {
    place.run([&["exec"], options, &["--shell", text]].concat())
}

fn receipt(place: &Place, args: &[&str]) -> Value {
    let said = place.run(args);
    serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"))
}

// promise: P17
#[test]
fn a_command_that_may_write_the_workspace_writes_there_and_nowhere_else() {
    let place = Place::aside();
    let said = script(&place, &["--sandbox", "workspace-write"], "echo in > made && echo out > ~/made");
    assert_ne!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("Read-only file system") || said.stderr.contains("denied"), "{said:?}");
    assert_eq!(std::fs::read_to_string(place.work().join("made")).unwrap(), "in\n");
    assert!(!place.home().join("made").exists());
    let free = script(&place, &[], "echo out > ~/made");
    assert_eq!((free.code, place.home().join("made").exists()), (0, true), "without one it writes anywhere");
}

#[test]
fn a_command_that_may_only_read_writes_nowhere() {
    let place = Place::aside();
    place.file("here", "read me");
    for text in ["echo x > made", "echo x > here", "rm here", "echo x > ~/made"] {
        let said = script(&place, &["--sandbox", "read-only"], text);
        assert_ne!(said.code, 0, "{text}: {said:?}");
    }
    assert!(!place.work().join("made").exists() && !place.home().join("made").exists());
    let said = script(&place, &["--sandbox", "read-only"], "cat here; echo x > /tmp/own && cat /tmp/own");
    assert_eq!((said.code, said.stdout.as_str()), (0, "read mex\n"), "{said:?}");
}

// promise: P17
#[test]
fn without_a_network_not_even_this_machine_is_reached() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = Place::aside();
    let text = format!("exec 3<> /dev/tcp/127.0.0.1/{}", listener.local_addr().unwrap().port());
    let sandbox = ["--sandbox", "workspace-write"];
    let on = script(&place, &[&sandbox[..], &["--network", "on"]].concat(), &text);
    assert_eq!(on.code, 0, "{on:?}");
    let off = script(&place, &[&sandbox[..], &["--network", "off"]].concat(), &text);
    assert_ne!(off.code, 0, "{off:?}");
    place.owner("[sandbox]\nmode = \"read-only\"\nnetwork = \"off\"\n");
    assert_ne!(script(&place, &[], &text).code, 0, "the configuration says it as well");
}

// promise: P17
#[test]
fn every_answer_names_the_layers() {
    let place = Place::aside();
    let all = json!(["namespaces", "landlock", "seccomp"]);
    assert_eq!(receipt(&place, &["exec", "--json", "--", "true"])["sandbox"], json!([]));
    let typed = ["exec", "--json", "--sandbox", "read-only", "--", "true"];
    assert_eq!(receipt(&place, &typed)["sandbox"], all);
    place.owner("sandbox.mode = \"workspace-write\"");
    assert_eq!(receipt(&place, &["exec", "--json", "--", "true"])["sandbox"], all);
    let log = place.run(["log", "--json"]).stdout;
    let logged = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["sandbox"].clone());
    let mut logged: Vec<Value> = logged.collect();
    logged.sort_by_key(ToString::to_string);
    assert_eq!(logged, [all.clone(), all, json!([])]);
}

#[test]
fn to_list_fewer_layers_accepts_the_weaker_sandbox() {
    let place = Place::aside();
    place.owner("[sandbox]\nmode = \"workspace-write\"\nlayers = [\"landlock\", \"seccomp\"]\n");
    let text = "echo in > made; echo out > ~/made";
    let said = receipt(&place, &["exec", "--json", "--shell", text]);
    assert_eq!(said["sandbox"], json!(["landlock", "seccomp"]));
    assert_ne!(said["exit_code"], 0);
    assert!(place.work().join("made").exists() && !place.home().join("made").exists());
}

// promise: P17
#[test]
fn what_the_listed_layers_cannot_keep_is_refused() {
    let place = Place::aside();
    let refused = |config: &str, sentence: &str| {
        place.owner(config);
        let said = place.run(["exec", "--", "touch", "made"]);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{config}: {said:?}");
        assert!(said.stderr.contains(sentence), "{config}: {said:?}");
        assert!(said.stderr.contains("[sandbox.unavailable]\nhint: "), "{config}: {said:?}");
        assert!(!place.work().join("made").exists(), "{config}");
    };
    let on = "[sandbox]\nmode = \"read-only\"\n";
    refused(
        &format!("{on}layers = [\"landlock\", \"seccomp\"]\nnetwork = [\"example.com\"]"),
        "a list of hosts is not kept without the sandbox layer `namespaces`",
    );
    refused("sandbox.network = [\"example.com\"]", "a list of hosts is not kept while the sandbox is off");
    refused(
        &format!("{on}layers = [\"landlock\"]\ndeny_read = [\"/etc\"]"),
        "what cannot be read is not kept without the sandbox layer `namespaces`",
    );
    refused(&format!("{on}layers = []"), "the mode `read-only` is not kept without");
    refused("sandbox.network = \"off\"", "a network that is off is not kept while the sandbox is off");
}

/// In a sandbox namespaces cannot be made, so there Runward itself is on a host that lacks them.
// promise: P17
#[test]
fn a_layer_that_the_host_lacks_is_refused_by_name() {
    let place = Place::aside();
    let runward = testkit::seen(Path::new(env!("CARGO_BIN_EXE_runward")), place.home()).display().to_string();
    let within = |args: &[&str]| {
        let outer = ["exec", "--quiet", "--sandbox", "workspace-write", "--", &runward];
        place.run([&outer[..], args].concat())
    };
    let said = within(&["exec", "--sandbox", "read-only", "--", "touch", "made"]);
    assert_eq!(said.code, 125, "{said:?}");
    assert!(
        said.stderr.contains("this host lacks the sandbox layer `namespaces` [sandbox.unavailable]"),
        "{said:?}"
    );
    assert!(!place.work().join("made").exists());
    place.file("fewer.toml", "sandbox.layers = [\"landlock\", \"seccomp\"]");
    let fewer = ["--config", "fewer.toml", "exec", "--json", "--sandbox", "read-only", "--", "touch", "made"];
    let said = within(&fewer);
    let receipt: Value = serde_json::from_str(&said.stdout).unwrap_or_else(|_| panic!("{said:?}"));
    assert_eq!((&receipt["sandbox"], &receipt["exit_code"]), (&json!(["landlock", "seccomp"]), &json!(1)));
    let doctor = within(&["doctor"]);
    assert!(doctor.stdout.contains("missing  namespaces "), "{}", doctor.stdout);
    assert!(doctor.stdout.contains("ok       landlock "), "{}", doctor.stdout);
    place.file("on.toml", "sandbox.mode = \"read-only\"");
    let doctor = within(&["--config", "on.toml", "doctor"]);
    assert_eq!(doctor.code, 125, "nothing would run: {}", doctor.stdout);
    assert!(doctor.stdout.contains("broken   namespaces "), "{}", doctor.stdout);
}

// promise: P17
#[test]
fn what_cannot_be_read_is_not_read() {
    let place = Place::aside();
    std::fs::write(place.home().join("secret"), "tell nobody").unwrap();
    place.owner("[sandbox]\nmode = \"workspace-write\"\ndeny_read = [\"~/secret\"]\n");
    let said = script(&place, &[], "cat ~/secret; cp ~/secret copy; cat copy");
    assert!(!said.stdout.contains("tell nobody"), "{said:?}");
    assert_ne!(said.code, 0, "{said:?}");
}

#[test]
fn further_folders_may_be_written_where_the_owner_says_so() {
    let place = Place::aside();
    std::fs::create_dir(place.home().join("cache")).unwrap();
    place.owner("[sandbox]\nmode = \"workspace-write\"\nwritable = [\"~/cache\"]\n");
    let said = script(&place, &[], "echo x > ~/cache/made; echo x > ~/made");
    assert_ne!(said.code, 0, "{said:?}");
    assert!(place.home().join("cache/made").exists() && !place.home().join("made").exists());
}

// promise: P17
#[test]
fn what_decides_what_may_run_stays_as_it_is_in_the_workspace_too() {
    let place = Place::aside();
    let config = place.file("mine.toml", "sandbox.mode = \"workspace-write\"\n");
    place.project("limits.timeout_ms = 20000");
    std::fs::write(place.work().join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    for text in [
        "echo x > mine.toml",
        "rm mine.toml",
        "echo x > .runward.toml",
        "mv .runward.toml elsewhere",
        "echo x > .git/config",
        "mkdir -p .git/hooks && echo x > .git/hooks/pre-commit",
    ] {
        let said = place.run(["--config", "mine.toml", "exec", "--shell", text]);
        assert_ne!(said.code, 0, "{text}: {said:?}");
    }
    assert_eq!(std::fs::read_to_string(config).unwrap(), "sandbox.mode = \"workspace-write\"\n");
    assert_eq!(
        std::fs::read_to_string(place.work().join(".runward.toml")).unwrap(),
        "limits.timeout_ms = 20000"
    );
    let left: Vec<_> =
        std::fs::read_dir(place.work().join(".git")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["HEAD"], "nothing is left behind");
}
