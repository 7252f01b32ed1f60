//! `policy check` and `policy test`: what the rules say, in full, with nothing started.

use crate::runner::Place;

#[test]
fn every_command_and_every_rule_is_told() {
    let place = Place::new();
    place.owner("policy.allowed_commands = [\"echo\", \"ls\"]");
    let said = place.run(["policy", "check", "echo hi && touch made"]);
    assert_eq!(said.code, 126);
    assert!(!place.work().join("made").exists());
    for part in [
        "deny: echo hi && touch made\n",
        "  allow: echo hi\n    program: a builtin of the shell\n",
        "  deny: touch made\n",
        "refused: Command \"touch\" is not allowed, allowed commands: echo, ls\n",
    ] {
        assert!(said.stdout.contains(part), "{part:?} in {}", said.stdout);
    }
}

#[test]
fn what_may_run_exits_with_zero() {
    let place = Place::new();
    place.owner("policy.presets = [\"readonly\"]");
    assert_eq!(place.run(["policy", "check", "ls -la | head -3"]).code, 0);
    assert_eq!(place.run(["policy", "check", "--", "sort", "-o", "f", "x"]).code, 126);
    assert_eq!(place.run(["policy", "check", "--by", "person", "touch made"]).code, 0);
    assert_eq!(place.run(["policy", "check", "--pty", "git log"]).code, 126, "a pager may be typed into");
}

#[test]
fn json_says_the_same_for_programs() {
    let place = Place::new();
    place.owner("policy.allowed_commands = [\"timeout\", \"ls\"]");
    let said = place.run(["policy", "check", "--json", "timeout 5 ls; eval x"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!((&object["decision"], &object["understood"]), (&"deny".into(), &false.into()));
    assert_eq!(object["refusal"]["code"], "policy.denied");
    let said = place.run(["policy", "check", "--json", "timeout 5 ls"]);
    let object: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(object["commands"][1]["via"], serde_json::json!(["timeout"]));
    assert_eq!(object["commands"][1]["matches"][0]["rule"], "ALLOWED_COMMANDS: ls");
    assert_eq!((said.code, &object["refusal"]), (0, &serde_json::Value::Null));
}

const RULES: &str = r#"
[[policy.rules]]
name = "no force"
decision = "deny"
program = "git"
words = ["push"]
any_flags = ["--force", "-f"]
because = "history is shared"
instead = "Push without force, or ask the owner of the branch."
match = ["git push --force", "git -C x push -uf origin"]
not_match = ["git push origin main"]
"#;

#[test]
fn the_examples_of_rules_are_tried() {
    let place = Place::new();
    place.owner(RULES);
    let said = place.run(["policy", "test"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("ok: matches git -C x push -uf origin"), "{}", said.stdout);
    assert!(said.stdout.ends_with("1 rules, 3 examples hold\n"), "{}", said.stdout);
    place.owner(&RULES.replace("not_match = [\"git push origin main\"]", "not_match = [\"git push -f\"]"));
    let said = place.run(["policy", "test"]);
    assert_eq!(said.code, 125);
    assert!(said.stderr.contains("`git push -f` stands in `not_match`"), "{}", said.stderr);
}

#[test]
fn a_rule_says_what_to_do_instead() {
    let place = Place::new();
    place.owner(RULES);
    let said = place.run(["exec", "--", "git", "push", "--force"]);
    assert_eq!(said.code, 126);
    assert!(said.stderr.contains("the rule `no force` refuses it: history is shared"), "{}", said.stderr);
    assert!(said.stderr.contains("hint: Push without force"), "{}", said.stderr);
}
