//! A sandbox as the configuration, a project and the command line say: each can only tighten the one before.

use crate::runner::Place;
use serde_json::{Value, json};

#[test]
fn an_option_puts_it_on_where_the_configuration_is_silent() {
    let place = Place::aside();
    let said = place.run(["explain", "--json", "--sandbox", "read-only", "--network", "off", "--", "ls"]);
    let object: Value = serde_json::from_str(&said.stdout).unwrap();
    let shown: Vec<&Value> = ["mode", "mode_from", "network", "network_from", "writable", "deny_read"]
        .iter()
        .map(|name| &object[format!("sandbox_{name}")])
        .collect();
    assert_eq!(json!(shown), json!(["read-only", "as asked", "off", "as asked", [], []]));
    assert_eq!(object["sandbox"], json!(["namespaces", "landlock", "seccomp"]));
}

#[test]
fn an_option_tightens_what_the_configuration_says() {
    let place = Place::aside();
    place.owner("sandbox.mode = \"workspace-write\"");
    let said = place.run(["exec", "--sandbox", "read-only", "--", "touch", "made"]);
    assert_ne!(said.code, 0);
    assert!(!place.work().join("made").exists());
    assert_eq!(place.run(["exec", "--sandbox", "workspace-write", "--", "touch", "made"]).code, 0);
}

#[test]
fn an_option_that_would_loosen_is_refused_at_every_door() {
    let place = Place::aside();
    place.owner("[sandbox]\nmode = \"read-only\"\nnetwork = \"off\"\n");
    place.file("a.md", "---\nengine: cat\n---\nhello\n");
    let verbs: [&[&str]; 6] = [
        &["exec", "--sandbox", "workspace-write", "--", "touch", "made"],
        &["exec", "--sandbox", "off", "--", "touch", "made"],
        &["code", "bash", "--sandbox", "off", "-c", "touch made"],
        &["run", "--sandbox", "off", "a.md"],
        &["explain", "--sandbox", "off", "--", "touch", "made"],
        &["explain", "run", "--sandbox", "off", "a.md"],
    ];
    for verb in verbs {
        let said = place.run(verb);
        assert_eq!((said.code, said.stdout.as_str()), (125, ""), "{verb:?}: {said:?}");
        let told = "` would loosen `sandbox.mode` = \"read-only\" (";
        assert!(said.stderr.contains(told), "{verb:?}: {said:?}");
        assert!(
            said.stderr.contains("hint: Leave it out, or change the configuration"),
            "{verb:?}: {said:?}"
        );
    }
    let said = place.run(["exec", "--network", "on", "--", "touch", "made"]);
    assert!(said.stderr.contains("`--network on` would loosen `sandbox.network` = \"off\" ("), "{said:?}");
    assert!(said.stderr.contains("[spec.bad-value]"), "{said:?}");
}

#[test]
fn a_word_that_is_none_is_told_with_those_that_are() {
    let said = Place::new().run(["exec", "--sandbox", "readonly", "--", "true"]);
    assert_eq!(said.code, 125);
    for name in ["workspace-write", "read-only", "off"] {
        assert!(said.stderr.contains(name), "{}", said.stderr);
    }
    assert_eq!(Place::new().run(["exec", "--network", "example.com", "--", "true"]).code, 125);
}

#[test]
fn a_project_puts_it_on_and_cannot_take_it_off() {
    let place = Place::aside();
    place.project("sandbox.mode = \"read-only\"");
    assert_ne!(place.run(["exec", "--", "touch", "made"]).code, 0);
    place.owner("[sandbox]\nmode = \"read-only\"\nwritable = []\n");
    for (loose, told) in [
        ("mode = \"off\"", "`sandbox.mode` = \"off\" would loosen \"read-only\""),
        ("writable = [\"/\"]", "a project file may only take entries out"),
        ("network = \"maybe\"", "none of `on`, `off`"),
    ] {
        place.project(&format!("[sandbox]\n{loose}\n"));
        let said = place.run(["exec", "--", "true"]);
        assert_eq!(said.code, 125, "{said:?}");
        assert!(said.stderr.contains(told) && said.stderr.contains("[config.invalid]"), "{said:?}");
    }
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let place = Place::aside();
    place.owner("[sandbox]\nmode = \"workspace-write\"\ndeny_read = [\"~/.ssh\"]\n");
    place.project("[sandbox]\nnetwork = \"off\"\ndeny_read = [\"/etc/shadow\"]\n");
    let shown = place.run(["config", "show", "--origin"]).stdout;
    let lines: Vec<&str> = shown.lines().filter(|line| line.starts_with("sandbox.")).collect();
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&place.work().display().to_string().replace('.', r"\."), "[work]");
    settings.add_filter(&place.home().display().to_string().replace('.', r"\."), "[home]");
    settings.add_filter(" {2,}", "  ");
    settings.bind(|| insta::assert_snapshot!(lines.join("\n")));
}

#[test]
fn a_draft_in_a_sandbox_looks_like_this() {
    let place = Place::aside();
    std::fs::create_dir(place.home().join(".ssh")).unwrap();
    std::fs::create_dir(place.home().join("cache")).unwrap();
    place
        .owner("[sandbox]\nmode = \"workspace-write\"\nwritable = [\"~/cache\"]\ndeny_read = [\"~/.ssh\"]\n");
    let shown = |options: &[&str]| {
        let said = place.run([&["explain"], options, &["--", "true"]].concat());
        assert_eq!(said.code, 0, "{said:?}");
        let from = said.stdout.find("sandbox ").unwrap();
        said.stdout[from..said.stdout.find("limits ").unwrap()].to_owned()
    };
    let both = shown(&[]) + &shown(&["--sandbox", "read-only", "--network", "off"]);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(&place.work().display().to_string().replace('.', r"\."), "[work]");
    settings.add_filter(&place.home().display().to_string().replace('.', r"\."), "[home]");
    settings.bind(|| insta::assert_snapshot!(both));
}
