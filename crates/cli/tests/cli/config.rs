//! Configuration files: found, laid over each other, refused when broken.

use crate::runner::{Place, run};

#[test]
fn a_broken_configuration_refuses_to_start_and_tells_everything() {
    let place = Place::new();
    let file = place
        .file("broken.toml", "[limits]\ntimout_ms = 5\nmemory_bytes = \"1G\"\n[policy]\nallow = [\"*\"]\n");
    let said = place.run(["--config", "broken.toml", "exec", "--", "touch", "made"]);
    assert_eq!((said.code, said.stdout.as_str()), (125, ""));
    let file = file.display();
    assert_eq!(
        said.stderr,
        format!(
            "runward: 2 problems in the configuration\n  \
             {file}:2: unknown key `limits.timout_ms`; did you mean `limits.timeout_ms`?\n  \
             {file}:3: `limits.memory_bytes` must be a whole number, not a text [config.invalid]\n\
             hint: Fix the file; nothing runs with a broken configuration.\n"
        )
    );
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_file_that_was_named_must_be_there() {
    let typed = run(["--config", "/none.toml", "exec", "--", "true"]);
    assert_eq!(typed.code, 125);
    assert!(typed.stderr.contains("`/none.toml` does not exist [config.invalid]"), "{}", typed.stderr);
    let place = Place::new();
    let output = place.command(["exec", "--", "true"]).env("RUNWARD_CONFIG", "/none.toml").output().unwrap();
    assert_eq!(output.status.code(), Some(125));
}

#[test]
fn the_environment_names_a_file_and_what_is_typed_wins() {
    let place = Place::new();
    place.file("a.toml", "limits.timeout_ms = 1000");
    place.file("b.toml", "limits.timeout_ms = 2000");
    let shown = |args: &[&str]| {
        let output = place.command(args).env("RUNWARD_CONFIG", "a.toml").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(shown(&["config", "show"]).starts_with("limits.timeout_ms = 1000\n"));
    assert!(shown(&["config", "show", "--config", "b.toml"]).starts_with("limits.timeout_ms = 2000\n"));
}

#[test]
fn a_project_tightens() {
    let place = Place::new();
    place.project("policy.deny = [\"touch\"]\nlimits.timeout_ms = 1234");
    let said = place.run(["exec", "--", "touch", "made"]);
    assert_eq!(said.code, 126);
    let shown = place.run(["config", "show", "--origin"]).stdout;
    let file = place.work().join(".runward.toml");
    assert!(shown.contains(&format!("# {}:2\n", file.display())), "{shown}");
}

#[test]
fn a_project_that_would_loosen_is_refused() {
    let place = Place::new();
    place.owner("limits.timeout_ms = 1000");
    place.project("limits.timeout_ms = 2000");
    let said = place.run(["exec", "--", "true"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("would loosen 1000"), "{}", said.stderr);
    assert!(said.stderr.contains("a project file may only lower it [config.invalid]"), "{}", said.stderr);
}

#[test]
fn a_file_in_the_folder_counts_without_git_too() {
    let place = Place::new();
    place.file(".runward.toml", "policy.typed = \"deny\"");
    assert_eq!(place.run(["exec", "--", "true"]).code, 126);
    place.file(".runward.toml", "this is not toml [[[");
    assert_eq!(place.run(["exec", "--", "true"]).code, 125, "a broken file never means yes");
}

#[test]
fn every_value_is_shown_with_its_origin() {
    let place = Place::new();
    place.owner("policy.allow = [\"git\", \"ls\"]\n");
    let said = place.run(["config", "show", "--origin"]);
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"# /\S+/runward\.toml", "# [FILE]");
    // What the host says.
    settings.add_filter(r"limits\.running = \d+", "limits.running = [HOST]");
    settings.bind(|| insta::assert_snapshot!(said.stdout));
    let object: serde_json::Value =
        serde_json::from_str(&place.run(["config", "show", "--json"]).stdout).unwrap();
    assert_eq!(object["limits.timeout_ms"]["value"], 30000);
    assert_eq!(object["limits.timeout_ms"]["origin"], "built-in");
}

#[test]
fn what_commands_of_markdown_agents_are_given_is_shown() {
    let place = Place::new();
    place.owner("engine = \"claude\"\n[commands.claude]\nmodel = \"opus\"\nverbose = true\nt = 1.5\n");
    let object: serde_json::Value =
        serde_json::from_str(&place.run(["config", "show", "--json"]).stdout).unwrap();
    assert_eq!(object["engine"]["value"], "claude");
    assert_eq!(object["commands.claude.verbose"]["value"], true);
    assert_eq!(object["commands.claude.t"]["value"], 1.5);
    assert!(place.run(["config", "show"]).stdout.contains("commands.claude.model = \"opus\"\n"));
}

#[test]
fn nobody_at_the_terminal_means_no() {
    let place = Place::new();
    place.owner("policy.typed = \"ask\"");
    let said = place.run(["exec", "--", "touch", "made"]);
    assert_eq!(said.code, 126);
    assert!(said.stderr.contains("asks before it runs what a person types"), "{}", said.stderr);
    assert!(said.stderr.contains("[policy.needs-approval]"), "{}", said.stderr);
    assert!(!place.work().join("made").exists());
}

#[test]
fn a_configured_limit_holds_and_names_of_the_environment_are_dropped() {
    let place = Place::new();
    place.owner("limits.timeout_ms = 100\nenv.drop = [\"SECRET\"]");
    assert_eq!(place.run(["exec", "--", "sleep", "60"]).code, 124);
    let mut command = place.command(["exec", "--shell", "echo \"[$SECRET]\""]);
    let output = command.env("SECRET", "x").output().unwrap();
    assert_eq!(output.stdout, b"[]\n");
}

#[test]
fn a_star_allows_everything_because_the_configuration_says_so() {
    let place = Place::new();
    place.owner("policy.allow = [\"*\"]");
    let said = place.run(["explain", "--", "ls"]);
    assert!(said.stdout.contains("by the rule `everything`: the configuration says so"), "{}", said.stdout);
}
