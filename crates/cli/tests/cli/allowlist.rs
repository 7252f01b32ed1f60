//! `ALLOWED_COMMANDS` and `ALLOWED_CWD_ROOTS` hold for what is typed, too.

use crate::runner::{Place, Said, said};

fn with(variable: (&str, &str), args: &[&str]) -> (Place, Said) {
    let place = Place::new();
    let output = place.command(args).env(variable.0, variable.1).output().unwrap();
    (place, said(&output))
}

#[test]
fn a_command_that_is_not_listed_is_refused_in_fixed_words() {
    let (_, refused) = with(("ALLOWED_COMMANDS", "ls"), &["exec", "--", "pwd"]);
    assert_eq!((refused.code, refused.stdout.as_str()), (126, ""));
    let first = refused.stderr.lines().next().unwrap();
    assert_eq!(first, r#"runward: Command "pwd" is not allowed, allowed commands: ls [policy.denied]"#);
    let (_, none) = with(("ALLOWED_COMMANDS", ""), &["exec", "--shell", "pwd"]);
    assert!(none.stderr.contains("allowed commands: (none)"), "{}", none.stderr);
}

#[test]
fn a_command_that_is_listed_runs() {
    for list in ["pwd", " ls , pwd", "*"] {
        let (place, ran) = with(("ALLOWED_COMMANDS", list), &["exec", "--shell", "pwd"]);
        assert_eq!((ran.code, ran.stdout.trim()), (0, place.work().to_str().unwrap()), "{list}");
    }
}

#[test]
fn the_rule_and_its_origin_are_told() {
    let (_, explained) = with(("ALLOWED_COMMANDS", "pwd"), &["explain", "--", "pwd"]);
    assert!(explained.stdout.contains("allow by the rule `ALLOWED_COMMANDS: pwd`"), "{}", explained.stdout);
    let (_, shown) = with(("ALLOWED_COMMANDS", "pwd"), &["config", "show", "--origin"]);
    let line = shown.stdout.lines().find(|line| line.starts_with("policy.allowed_commands")).unwrap();
    assert!(line.ends_with("# ALLOWED_COMMANDS"), "{line}");
}

#[test]
fn a_folder_outside_the_roots_is_refused_in_fixed_words() {
    let roots = ("ALLOWED_CWD_ROOTS", "inside");
    let (_, missing) = with(roots, &["exec", "--cwd", "/", "--", "pwd"]);
    assert_eq!(missing.code, 125);
    let invalid = "runward: Invalid configuration: ALLOWED_CWD_ROOTS contains an invalid root: inside";
    assert!(missing.stderr.starts_with(invalid), "{}", missing.stderr);
    assert_eq!(with(roots, &["exec", "--", "pwd"]).1.code, 0, "nobody chose a folder");
    let (_, outside) = with(("ALLOWED_CWD_ROOTS", "."), &["exec", "--cwd", "/", "--", "pwd"]);
    assert_eq!(outside.code, 126);
    assert!(
        outside.stderr.starts_with("runward: cwd is not allowed by ALLOWED_CWD_ROOTS: /"),
        "{}",
        outside.stderr
    );
    assert_eq!(with(("ALLOWED_CWD_ROOTS", "."), &["exec", "--cwd", ".", "--", "pwd"]).1.code, 0);
}
