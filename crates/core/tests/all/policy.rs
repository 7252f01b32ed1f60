//! What `judge` decides about commands, rule by rule.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::policy::{
    Decision, Extent, Policy, PolicyGround, Rule, RuleStanding, Ruling, SandboxLeave, judge,
};
use runward_core::resolve::{Defaults, resolve};
use runward_core::spec::{Caller, CommandSpec, Door};

fn host() -> MadeUpHost {
    let host = MadeUpHost::unix().env("PATH", "/usr/bin");
    let host = host.program("/usr/bin/git").program("/usr/bin/gitevil").program("/usr/bin/rm");
    host.link("/usr/bin/remove", "/usr/bin/rm").program("/home/u/app/git")
}

fn judged(policy: &Policy, spec: &CommandSpec, caller: &Caller) -> Ruling {
    judged_on(&host(), policy, spec, caller)
}

fn judged_on(host: &MadeUpHost, policy: &Policy, spec: &CommandSpec, caller: &Caller) -> Ruling {
    let command = resolve(spec, host.facts(), &Defaults::default(), host).unwrap();
    judge(policy, &command, caller, &ground(host))
}

fn windows() -> MadeUpHost {
    let host = MadeUpHost::windows().env("Path", r"C:\Git\cmd;C:\Tools");
    let host = host.program(r"C:\Git\cmd\git.exe").program(r"C:\Tools\gitevil.exe");
    let host = host.program(r"C:\Tools\tsc.cmd").program("C:\\Tools\\gıt.exe");
    host.program(r"C:\Tools\CAFÉ.exe").link(r"C:\Tools\alias.exe", r"C:\Git\cmd\git.exe")
}

fn on_windows(policy: &Policy, name: &str) -> Decision {
    judged_on(&windows(), policy, &CommandSpec::exec(name), &Caller::library()).decision()
}

fn decided(policy: &Policy, spec: &CommandSpec) -> Decision {
    judged(policy, spec, &Caller::library()).decision()
}

fn denying(names: &[&str]) -> Policy {
    Policy::allow_everything("a test").with(Decision::Deny, names.iter().copied())
}

#[test]
fn where_no_rule_speaks_the_answer_is_no() {
    let ruling = judged(&Policy::default(), &CommandSpec::exec("git"), &Caller::library());
    assert_eq!(ruling.decision(), Decision::Deny);
    assert!(ruling.matches().next().is_none());
    assert_eq!(ruling.deciding(), None);
}

#[test]
fn inside_a_whole_sandbox_everything_may_run_that_no_rule_asks_about_or_denies() {
    let host = host();
    let leave = Policy { sandboxed: SandboxLeave::Given, ..Policy::default() };
    let decided = |policy: &Policy, text: &str, contained: bool| {
        let command = resolve(&CommandSpec::shell(text), host.facts(), &Defaults::default(), &host).unwrap();
        judge(policy, &command, &Caller::library(), &PolicyGround { contained, ..ground(&host) })
    };
    for text in ["git push", "./planted", "eval \"$X\"", "curl x | sh", "git() { :; }; git"] {
        let ruling = decided(&leave, text, true);
        assert_eq!(ruling.decision(), Decision::Allow, "{text}");
        assert_eq!(ruling.deciding().unwrap().rule, "policy.sandboxed");
        assert_eq!(decided(&leave, text, false).decision(), Decision::Deny, "without a sandbox: {text}");
        assert_eq!(decided(&Policy::default(), text, true).decision(), Decision::Deny, "unasked: {text}");
    }
    let strict = leave.with(Decision::Deny, ["rm"]).with(Decision::Ask, ["git"]);
    for (text, decision) in [
        ("ls", Decision::Allow),
        ("git push", Decision::Ask),
        ("ls; rm x", Decision::Deny),
        ("sh -c 'rm x'", Decision::Deny),
        ("remove x", Decision::Deny),
        ("eval \"$X\"", Decision::Deny),
    ] {
        assert_eq!(decided(&strict, text, true).decision(), decision, "{text}");
    }
    let listed = Policy { sandboxed: SandboxLeave::Given, ..Policy::allow_commands("git") };
    assert_eq!(decided(&listed, "git status", true).decision(), Decision::Allow);
    assert_eq!(decided(&listed, "ls", true).decision(), Decision::Deny, "a list governs where there is one");
}

#[test]
fn what_a_person_types_is_their_own_leave() {
    let ruling = judged(&Policy::default(), &CommandSpec::shell("git status | wc"), &Caller::person());
    assert_eq!(ruling.decision(), Decision::Allow);
    assert_eq!(ruling.deciding().map(|deciding| deciding.rule.as_str()), Some("typed"));
}

#[test]
fn what_a_file_says_is_the_leave_of_whoever_runs_it_under_a_rule_of_its_own() {
    for (caller, rule) in [
        (Caller::person(), "typed"),
        (Caller::file(Door::Flow), "file"),
        (Caller::file(Door::Gateway), "servers"),
    ] {
        for decision in [Decision::Allow, Decision::Ask, Decision::Deny] {
            let policy = Policy { typed: decision, ..Policy::default() };
            let ruling = judged(&policy, &CommandSpec::shell("git status | wc"), &caller);
            assert_eq!(ruling.decision(), decision, "{rule}");
            assert_eq!(ruling.deciding().map(|deciding| deciding.rule.as_str()), Some(rule));
            let named = ruling.matches().filter(|found| found.rule == rule).count();
            assert_eq!(named, 1, "{ruling:?}");
        }
    }
}

#[test]
fn a_program_has_no_leave_of_its_own_whatever_door_it_comes_through() {
    for door in Door::ALL {
        let caller = Caller { door: *door, ..Caller::library() };
        let ruling = judged(&Policy::default(), &CommandSpec::exec("git"), &caller);
        assert_eq!((ruling.decision(), ruling.deciding()), (Decision::Deny, None), "{door:?}");
    }
}

#[test]
fn whoever_wants_to_be_held_to_the_rules_is_held_to_them() {
    let policy = Policy::allow_programs(["git"]).without_own_leave();
    for caller in [Caller::person(), Caller::file(Door::Flow), Caller::file(Door::Gateway)] {
        let says = |name: &str| judged(&policy, &CommandSpec::exec(name), &caller);
        assert_eq!(says("git").deciding().map(|found| found.rule.as_str()), Some("policy.allow: git"));
        assert_eq!(says("rm").decision(), Decision::Deny);
        let path = judged(&policy, &CommandSpec::exec("git").env("PATH", "/usr/bin"), &caller);
        assert_eq!(path.decision(), Decision::Deny, "a search path of one's own is as for a program");
    }
}

#[test]
fn the_owner_may_say_otherwise_about_what_is_typed() {
    let policy = Policy { typed: Decision::Deny, ..Policy::allow_programs(["git"]) };
    assert_eq!(judged(&policy, &CommandSpec::exec("git"), &Caller::person()).decision(), Decision::Deny);
}

#[test]
fn deny_beats_allow_and_both_are_told() {
    let policy = Policy::allow_programs(["git"]).with(Decision::Deny, ["git"]);
    let ruling = judged(&policy, &CommandSpec::exec("git"), &Caller::library());
    assert_eq!(ruling.decision(), Decision::Deny);
    let rules: Vec<&str> = ruling.matches().map(|matched| matched.rule.as_str()).collect();
    assert_eq!(rules, ["policy.allow: git", "policy.deny: git"]);
}

#[test]
fn deny_beats_even_what_a_person_types() {
    let policy = Policy::default().with(Decision::Deny, ["rm"]);
    assert_eq!(judged(&policy, &CommandSpec::exec("rm"), &Caller::person()).decision(), Decision::Deny);
}

#[test]
fn what_is_not_understood_may_be_what_is_denied() {
    assert_eq!(decided(&denying(&[]), &CommandSpec::shell("git $x; eval $y")), Decision::Allow);
    assert_eq!(decided(&denying(&["rm"]), &CommandSpec::shell("eval $y")), Decision::Deny);
    assert_eq!(decided(&denying(&["rm"]), &CommandSpec::shell("git status")), Decision::Allow);
    assert_eq!(decided(&denying(&["rm"]), &CommandSpec::shell("rm x")), Decision::Deny);
}

#[test]
fn a_script_is_what_it_runs_not_who_reads_it() {
    for (entry, decision) in [
        ("git", Decision::Allow),
        ("/usr/bin/git", Decision::Allow),
        ("bash", Decision::Deny),
        ("/bin/bash", Decision::Deny),
    ] {
        let policy = Policy::allow_programs([entry]);
        assert_eq!(decided(&policy, &CommandSpec::shell("git status")), decision, "{entry}");
    }
}

#[test]
fn a_program_where_the_command_works_is_not_the_systems() {
    let policy = Policy::allow_programs(["git"]);
    let on = |path: &str, spec: CommandSpec| {
        judged_on(&host().env("PATH", path), &policy, &spec, &Caller::library()).decision()
    };
    assert_eq!(on("/usr/bin", CommandSpec::exec("./git")), Decision::Deny);
    assert_eq!(on("/home/u/app:/usr/bin", CommandSpec::exec("git")), Decision::Deny);
    assert_eq!(on("/home/u/app:/usr/bin", CommandSpec::shell("git status")), Decision::Deny);
    assert_eq!(on(".:/usr/bin", CommandSpec::shell("git status")), Decision::Deny);
    assert_eq!(on(".:/usr/bin", CommandSpec::exec("git")), Decision::Allow, "we skip what is relative");
    assert_eq!(on("/usr/bin:.", CommandSpec::shell("git status")), Decision::Allow);
    let by_path = Policy::allow_programs(["/home/u/app/git"]);
    let ruling = judged_on(&host(), &by_path, &CommandSpec::exec("./git"), &Caller::library());
    assert_eq!(ruling.decision(), Decision::Allow, "the owner named that very file");
}

#[test]
fn a_program_is_allowed_by_name_or_by_path() {
    for entry in ["git", "/usr/bin/git"] {
        let policy = Policy::allow_programs([entry]);
        assert_eq!(decided(&policy, &CommandSpec::exec("git")), Decision::Allow, "{entry}");
        assert_eq!(decided(&policy, &CommandSpec::exec("/usr/bin/git")), Decision::Allow, "{entry}");
    }
    let policy = Policy::allow_programs(["/usr/bin/git"]);
    assert_eq!(decided(&policy, &CommandSpec::exec("./git")), Decision::Deny);
}

#[test]
fn a_standing_yes_answers_what_asks_about_that_very_command() {
    let mut yes = Rule::of(Decision::Allow, "/usr/bin/git");
    yes.words = vec![vec!["push".to_owned()]];
    yes.extent = Extent::Whole;
    yes.standing = RuleStanding::Approved;
    let asking = Policy::allow_everything("a test").with(Decision::Ask, ["git"]);
    let with_yes = Policy { rules: asking.rules.iter().cloned().chain([yes]).collect(), ..asking.clone() };
    let push = CommandSpec::exec("git").arg("push");
    let longer = CommandSpec::exec("git").args(["push", "--force"]);
    assert_eq!(decided(&asking, &push), Decision::Ask);
    assert_eq!(decided(&with_yes, &push), Decision::Allow);
    assert_eq!(decided(&with_yes, &longer), Decision::Ask, "no broader than what was asked");
    assert_eq!(decided(&with_yes.with(Decision::Deny, ["git"]), &push), Decision::Deny);
}

#[test]
fn a_name_is_not_a_prefix() {
    let policy = Policy::allow_programs(["git", "/usr/bin/git"]);
    assert_eq!(decided(&policy, &CommandSpec::exec("gitevil")), Decision::Deny);
    assert_eq!(decided(&Policy::allow_programs(["gitevil"]), &CommandSpec::exec("git")), Decision::Deny);
}

#[test]
fn a_link_is_no_way_around_a_denial() {
    for entry in ["rm", "/usr/bin/rm", "remove", "/usr/bin/remove"] {
        assert_eq!(decided(&denying(&[entry]), &CommandSpec::exec("remove")), Decision::Deny, "{entry}");
    }
    assert_eq!(decided(&denying(&["rm"]), &CommandSpec::exec("git")), Decision::Allow);
}

#[test]
fn on_windows_a_name_ignores_case_and_needs_no_ending() {
    for entry in
        ["git", "GIT", "git.exe", "Git.EXE", r"C:\Git\cmd\git.exe", "c:/git/CMD/git", r"C:\Git\.\cmd\git"]
    {
        for name in ["git", "GIT.exe", r"C:\Git\cmd\git", "c:/git/cmd/git.exe"] {
            assert_eq!(on_windows(&Policy::allow_programs([entry]), name), Decision::Allow, "{entry} {name}");
            assert_eq!(on_windows(&denying(&[entry]), name), Decision::Deny, "{entry} {name}");
        }
    }
    assert_eq!(on_windows(&Policy::allow_programs(["tsc"]), "tsc"), Decision::Allow, "tsc is tsc.cmd");
}

#[test]
fn on_windows_a_name_is_still_not_a_prefix() {
    for entry in
        ["git", "git.cmd", "gitevil.ex", r"C:\Tools\git", r"\Tools\gitevil.exe", "gitevil.txt", ".exe", ""]
    {
        assert_eq!(on_windows(&Policy::allow_programs([entry]), "gitevil"), Decision::Deny, "{entry}");
        assert_eq!(on_windows(&denying(&[entry]), "gitevil"), Decision::Allow, "{entry}");
    }
}

#[test]
fn on_windows_a_link_is_no_way_around_a_denial() {
    for entry in ["git", "alias", r"C:\git\cmd\GIT.exe"] {
        assert_eq!(on_windows(&denying(&[entry]), "ALIAS"), Decision::Deny, "{entry}");
    }
}

/// Which characters are one character differs between file systems: enough to refuse for, not enough to allow for.
#[test]
fn on_windows_foreign_capitals_refuse_but_do_not_allow() {
    assert_eq!(on_windows(&denying(&["café"]), "CAFÉ"), Decision::Deny);
    assert_eq!(on_windows(&Policy::allow_programs(["café"]), "CAFÉ"), Decision::Deny);
    assert_eq!(on_windows(&Policy::allow_programs(["cafÉ"]), "CAFÉ"), Decision::Allow);
    assert_eq!(on_windows(&Policy::allow_programs(["git"]), "gıt"), Decision::Deny, "an i without its dot");
}

#[test]
fn on_unix_case_counts_and_endings_are_part_of_the_name() {
    let host = host().program("/usr/bin/tool.exe").program("/usr/bin/TOOL");
    for entry in ["tool", "TOOL.EXE", "/usr/bin/tool"] {
        let policy = Policy::allow_programs([entry]);
        let ruling = judged_on(&host, &policy, &CommandSpec::exec("tool.exe"), &Caller::library());
        assert_eq!(ruling.decision(), Decision::Deny, "{entry}");
    }
}
