//! `[sandbox]`: what it may say, its effect, and that a project only tightens it.

use super::*;
use runward_core::network::{HostList, HostName};
use runward_core::sandbox::{Layer, Mode, Network, SandboxSettings};

fn hosts(entries: &[&str]) -> HostList {
    HostList::parse(&entries.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()).unwrap()
}

#[test]
fn without_a_word_about_it_there_is_no_sandbox_and_every_layer_is_wanted() {
    assert_eq!(settings("", "").sandbox(Vec::new()), SandboxSettings::default());
}

#[test]
fn every_key_reaches_the_sandbox() {
    let owner = settings(
        r#"
        [sandbox]
        mode = "workspace-write"
        network = "off"
        layers = ["seccomp", "landlock"]
        writable = ["/var/cache/x", "~/.cargo"]
        deny_read = ["~/.ssh", "~", "/etc/shadow"]
        "#,
        "",
    );
    insta::assert_debug_snapshot!(owner.sandbox(vec!["/home/ann/.config/runward".into()]));
    assert_eq!(shown(&owner, "sandbox.mode"), "\"workspace-write\" (user.toml:3)");
    assert_eq!(shown(&owner, "sandbox.writable"), "[\"/var/cache/x\", \"/home/ann/.cargo\"] (user.toml:6)");
}

#[test]
fn a_list_of_hosts_is_read_as_one() {
    let network = |text: &str| settings(text, "").sandbox(Vec::new()).network;
    assert_eq!(network("sandbox.network = [\"example.com\"]"), Network::Hosts(hosts(&["example.com"])));
    assert_eq!(network("sandbox.network = []"), Network::Hosts(HostList::default()));
    assert_eq!(network("sandbox.network = \"on\""), Network::On);
}

#[test]
fn what_it_cannot_say_is_told_with_what_it_can() {
    let text = r#"[sandbox]
mode = "readonly"
network = "none"
layers = ["bwrap"]
writable = ["build"]
deny_read = "~/.ssh"
denyread = []
deny_writ = []
"#;
    insta::assert_snapshot!(refused(text, "").join("\n"));
    insta::assert_snapshot!(refused("[sandbx]\nmode = \"off\"", "")[0]);
    assert_eq!(
        refused("sandbox.network = [1]\nsandbox.deny_read = [\"\"]", ""),
        [
            "user.toml:1: `sandbox.network` must be `on`, `off` or a list of hosts in quotes, not a whole number in it",
            "user.toml:2: `sandbox.deny_read` has an empty entry",
        ]
    );
}

#[test]
fn without_a_home_nothing_lies_in_it() {
    let user = Some(ConfigSource {
        file: "user.toml".to_owned(),
        text: "sandbox.deny_read = [\"~/.ssh\"]".to_owned(),
    });
    let error = load(&Sources { user, ..Sources::default() }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "user.toml:1: `sandbox.deny_read` has `~/.ssh`, and the home folder is not known"
    );
}

#[test]
fn a_project_may_put_it_on_and_make_it_stricter() {
    let silent = settings("", "sandbox.mode = \"workspace-write\"\nsandbox.network = \"off\"");
    assert_eq!(silent.sandbox(Vec::new()).mode, Mode::WorkspaceWrite);
    assert_eq!(silent.sandbox(Vec::new()).network, Network::Off);
    assert_eq!(shown(&silent, "sandbox.mode"), "\"workspace-write\" (.runward.toml:1)");
    let stricter = settings("sandbox.mode = \"workspace-write\"", "sandbox.mode = \"read-only\"");
    assert_eq!(stricter.sandbox(Vec::new()).mode, Mode::ReadOnly);
    let fewer = settings("sandbox.network = [\"a\", \"b\"]", "sandbox.network = [\"b\"]");
    assert_eq!(fewer.sandbox(Vec::new()).network, Network::Hosts(hosts(&["b"])));
    let narrower = settings("sandbox.network = [\"*.x.example\"]", "sandbox.network = [\"a.x.example:443\"]");
    assert_eq!(narrower.sandbox(Vec::new()).network, Network::Hosts(hosts(&["a.x.example:443"])));
}

#[test]
fn a_project_adds_layers_and_what_cannot_be_read() {
    let both = settings(
        "sandbox.layers = [\"landlock\"]\nsandbox.deny_read = [\"/a\"]",
        "sandbox.layers = [\"namespaces\"]\nsandbox.deny_read = [\"~/b\", \"/a\"]",
    );
    let sandbox = both.sandbox(Vec::new());
    assert_eq!(sandbox.layers, [Layer::Landlock, Layer::Namespaces]);
    assert_eq!(sandbox.deny_read, ["/a", "/home/ann/b"].map(std::path::PathBuf::from));
    assert_eq!(
        shown(&both, "sandbox.layers"),
        "[\"landlock\", \"namespaces\"] (user.toml:1, .runward.toml:1)"
    );
}

#[test]
fn a_project_takes_folders_away_and_never_adds_one() {
    let fewer = settings("sandbox.writable = [\"/a\", \"/b\"]", "sandbox.writable = [\"/b\"]");
    assert_eq!(fewer.sandbox(Vec::new()).writable, [std::path::PathBuf::from("/b")]);
    // A part of a folder may be a link that another user with write access has put there.
    for more in ["/c", "/a/link", "/"] {
        let told = refused("sandbox.writable = [\"/a\"]", &format!("sandbox.writable = [\"{more}\"]"));
        assert!(told[0].ends_with("may only take entries out"), "{told:?}");
    }
}

#[test]
fn a_project_that_would_loosen_it_is_refused() {
    let told = [
        refused("sandbox.mode = \"read-only\"", "sandbox.mode = \"workspace-write\""),
        refused("sandbox.mode = \"workspace-write\"", "sandbox.mode = \"off\""),
        refused("sandbox.network = \"off\"", "sandbox.network = \"on\""),
        refused("sandbox.network = \"off\"", "sandbox.network = [\"a\"]"),
        refused("sandbox.network = [\"a\"]", "sandbox.network = \"on\""),
        refused("sandbox.network = [\"a\"]", "sandbox.network = [\"a\", \"b\"]"),
        refused("sandbox.network = [\"a:443\"]", "sandbox.network = [\"a\"]"),
        refused("sandbox.network = [\"*.x.example\"]", "sandbox.network = [\"x.example\"]"),
        refused("sandbox.network_private = [\"a\"]", "sandbox.network_private = [\"a\", \"b\"]"),
    ];
    insta::assert_snapshot!(told.map(|one| one.join("\n")).join("\n"));
}

#[test]
fn every_entry_that_is_no_host_is_told_with_its_own_line() {
    let text = r#"[sandbox]
network = [
    "registry.example",
    "https://github.com",
    "*.com",
    "127.0.0.1:5432",
]
network_private = [
    "git.corp.example",
    "10.0.0.5",
]
"#;
    insta::assert_snapshot!(refused(text, "").join("\n"));
    let ports: Vec<String> = (1..=65).map(|port| port.to_string()).collect();
    let many = refused(&format!("sandbox.network = [\"a.example:{}\"]", ports.join(",")), "");
    assert_eq!(
        many,
        ["user.toml:1: `sandbox.network`: it has 65 different ports, and can have 64: list fewer"]
    );
}

#[test]
fn hosts_that_may_be_private_are_named() {
    let owner = settings("sandbox.network_private = [\"git.corp.example\", \"*.lab.example\"]", "");
    let private = owner.sandbox(Vec::new()).network_private;
    assert!(private.names(&HostName::parse("a.lab.example").unwrap()));
    assert!(!private.names(&HostName::parse("corp.example").unwrap()));
}
