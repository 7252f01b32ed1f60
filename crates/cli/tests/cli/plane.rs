//! A configuration that is missing, unreadable or broken: nothing runs, and nothing is "allowed".

use crate::runner::{Place, Said};
use std::os::unix::fs::{PermissionsExt, symlink};

/// What every verb that runs or serves something says with this configuration.
fn with(place: &Place, config: &str) -> Vec<Said> {
    let verbs: [&[&str]; 4] = [
        &["exec", "--", "touch", "made"],
        &["exec", "--shell", "touch made"],
        &["code", "bash", "-c", "touch made"],
        &["mcp"],
    ];
    verbs.iter().map(|verb| place.run([&["--config", config], *verb].concat())).collect()
}

fn nothing_starts(place: &Place, config: &str) {
    for said in with(place, config) {
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{config}: {}", said.stderr);
        assert!(said.stderr.contains("[config."), "{config}: {}", said.stderr);
    }
    assert!(!place.work().join("made").exists(), "{config}");
}

#[test]
fn m02_a_configuration_that_is_missing_allows_nothing() {
    let place = Place::new();
    nothing_starts(&place, "nosuch.toml");
    nothing_starts(&place, "/nosuch/runward.toml");
    symlink("nowhere.toml", place.work().join("dangling.toml")).unwrap();
    nothing_starts(&place, "dangling.toml");
}

#[test]
fn m02_a_configuration_that_cannot_be_read_allows_nothing() {
    let place = Place::new();
    std::fs::create_dir(place.work().join("folder.toml")).unwrap();
    nothing_starts(&place, "folder.toml");
    std::fs::write(place.work().join("bytes.toml"), b"policy.deny = [\"\xff\xfe\"]\n").unwrap();
    nothing_starts(&place, "bytes.toml");
    symlink("loop.toml", place.work().join("loop.toml")).unwrap();
    nothing_starts(&place, "loop.toml");
    let shut = place.file("shut.toml", "policy.typed = \"deny\"\n");
    std::fs::set_permissions(&shut, std::fs::Permissions::from_mode(0o000)).unwrap();
    // A user who may read everything reads this too, and is then denied by what it says.
    let said = place.run(["--config", "shut.toml", "exec", "--", "touch", "made"]);
    assert!([125, 126].contains(&said.code), "{said:?}");
    assert!(!place.work().join("made").exists());
}

#[test]
fn m02_a_configuration_that_is_broken_allows_nothing() {
    let place = Place::new();
    for (index, text) in [
        "policy.allow = [\"*\"",
        "[policy\nallow = [\"*\"]",
        "policy.allow = [\"*\"]\npolicy.allow = [\"*\"]",
        "policy = 1",
        "[policy]\nallow = \"*\"",
        "[policy]\nalow = [\"*\"]",
        "[polcy]\nallow = [\"*\"]",
        "[policy]\nallow = [\"*\"]\nallow_everything = true",
        "[policy]\nallow = [\"*\"]\nunknown = 1",
        "[policy]\nallow = [1]",
        "[policy]\nallow = [\"\"]",
        "[policy]\ntyped = \"yes\"",
        "[policy]\nredirect = \"all\"",
        "[policy]\npresets = [\"everything\"]",
        "[[policy.rules]]\ndecision = \"permit\"\nprogram = \"touch\"",
        "[[policy.rules]]\ndecision = \"allow\"\nprograms = \"touch\"",
        "[[policy.rules]]\ndecision = \"allow\"\nprogram = \"ls\"\nmatch = [\"touch x\"]",
        "[[policy.rules]]\ndecision = \"deny\"\nprogram = \"ls\"\nnot_match = [\"ls\"]",
        "[limits]\ntimeout_ms = 0",
        "\u{0}",
        "}",
    ]
    .iter()
    .enumerate()
    {
        let name = format!("broken{index}.toml");
        place.file(&name, text);
        nothing_starts(&place, &name);
    }
}

#[test]
fn m02_the_usual_places_are_no_exception() {
    let place = Place::new();
    place.owner("[policy]\nallow = [\"*\"]\nunknown = 1\n");
    for said in [place.run(["exec", "--", "touch", "made"]), place.run(["mcp"])] {
        assert_eq!(said.code, 125, "{said:?}");
    }
    let place = Place::new();
    place.project("[policy]\nallow = [\"*\"]\n");
    assert_eq!(place.run(["exec", "--", "touch", "made"]).code, 125, "a project may not allow");
    let place = Place::new();
    let output =
        place.command(["exec", "--", "touch", "made"]).env("RUNWARD_CONFIG", "nosuch.toml").output().unwrap();
    assert_eq!(output.status.code(), Some(125));
    assert!(!place.work().join("made").exists());
}

#[test]
fn m02_what_lies_around_in_a_project_is_not_read() {
    let place = Place::new();
    place.file(".env", "ALLOWED_COMMANDS=*\nRUNWARD_CONFIG=evil.toml\n");
    place.file("evil.toml", "policy.allow = [\"*\"]\n");
    place.file("runward.toml", "policy.allow = [\"*\"]\n");
    place.file(".mcp.json", "{\"mcpServers\": {\"x\": {\"command\": \"touch\", \"args\": [\"made\"]}}}");
    place.file(".npmrc", "node-options=--require ./evil.js\n");
    let output =
        place.command(["exec", "--", "touch", "made"]).env("ALLOWED_COMMANDS", "ls").output().unwrap();
    assert_eq!(output.status.code(), Some(126));
    assert!(!place.work().join("made").exists());
}
