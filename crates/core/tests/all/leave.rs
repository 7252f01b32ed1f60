//! Leave is for one very draft: no other draft is sealed with it, however alike.

use crate::ground;
use crate::host::MadeUpHost;
use runward_core::error::{Code, Coded};
use runward_core::facts::{Abilities, Containment};
use runward_core::plan::{Draft, Grantor, Leave, Permit, Person, RunId, draft};
use runward_core::policy::{Decision, Policy, always, judge};
use runward_core::resolve::{Defaults, ResolvedCommand, resolve};
use runward_core::spec::{Caller, CommandSpec};

fn host() -> MadeUpHost {
    MadeUpHost::unix().env("PATH", "/usr/bin").program("/usr/bin/git")
}

fn command(spec: &CommandSpec) -> ResolvedCommand {
    let host = host();
    resolve(spec, host.facts(), &Defaults::default(), &host).unwrap()
}

fn drawn(run: u128, policy: &Policy) -> Draft {
    let command = command(&CommandSpec::exec("git").arg("status"));
    let caller = Caller::library();
    let ruling = judge(policy, &command, &caller, &ground(&host()));
    let abilities = Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() };
    draft(RunId(uuid::Uuid::from_u128(run)), command, caller, ruling, &abilities).unwrap()
}

fn allowing() -> Policy {
    Policy::allow_programs(["git"])
}

fn permit_for(draft: &Draft) -> Permit {
    match draft.leave() {
        Leave::Granted(permit) => permit,
        other => panic!("expected leave, got {other:?}"),
    }
}

#[test]
fn a_permit_seals_its_own_draft() {
    let draft = drawn(1, &allowing());
    let permit = permit_for(&draft);
    let plan = draft.seal(permit).unwrap();
    assert_eq!(plan.permitted_by(), &Grantor::Rule("policy.allow: git".to_owned()));
}

#[test]
fn a_permit_for_another_draft_does_not_seal() {
    let (one, other) = (drawn(1, &allowing()), drawn(2, &allowing()));
    let mismatch = other.seal(permit_for(&one)).unwrap_err();
    assert_eq!(mismatch.code(), Code::PlanPermitMismatch);
    assert!(mismatch.to_string().contains(&one.digest().to_string()));
}

#[test]
fn identical_commands_are_different_drafts() {
    let (one, other) = (drawn(1, &allowing()), drawn(2, &allowing()));
    assert_eq!(one.command(), other.command());
    assert_ne!(one.digest(), other.digest());
    assert_eq!(one.digest(), drawn(1, &allowing()).digest());
}

#[test]
fn what_no_rule_allows_is_refused() {
    match drawn(1, &Policy::default()).leave() {
        Leave::Refused(refusal) => {
            assert_eq!(refusal.code(), Code::PolicyDenied);
            assert_eq!(refusal.to_string(), "`git status` is not allowed by any rule");
        }
        other => panic!("expected a refusal, got {other:?}"),
    }
}

#[test]
fn a_person_agrees_to_one_very_draft() {
    let asking = Policy { typed: Decision::Ask, ..Policy::default() };
    let ask = |run| {
        let command = command(&CommandSpec::exec("git").arg("push"));
        let ruling = judge(&asking, &command, &Caller::person(), &ground(&host()));
        let abilities = Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() };
        draft(RunId(uuid::Uuid::from_u128(run)), command, Caller::person(), ruling, &abilities).unwrap()
    };
    let (shown, other) = (ask(1), ask(2));
    let Leave::Ask(question) = shown.leave() else { panic!("a person must be asked") };
    let permit = question.granted_by(&Person::named("Ada"));
    assert!(other.seal(permit).is_err(), "consent is not transferable");
    let Leave::Ask(question) = shown.leave() else { panic!("a person must be asked") };
    assert_eq!(question.unanswered().code(), Code::PolicyNeedsApproval);
}

#[test]
fn always_is_a_rule_for_that_very_command() {
    let asking = Policy { typed: Decision::Ask, ..Policy::default() };
    let drawn = |policy: &Policy, spec: &CommandSpec| {
        let command = command(spec);
        let ruling = judge(policy, &command, &Caller::person(), &ground(&host()));
        let abilities = Abilities { containment: vec![Containment::Subreaper], ..Abilities::default() };
        draft(RunId(uuid::Uuid::nil()), command, Caller::person(), ruling, &abilities).unwrap()
    };
    let push = CommandSpec::exec("git").arg("push");
    let rules = always(&drawn(&asking, &push)).unwrap();
    let settled = Policy { rules: asking.rules.iter().cloned().chain(rules).collect(), ..asking };
    assert_eq!(drawn(&settled, &push).ruling().decision(), Decision::Allow);
    let longer = CommandSpec::exec("git").args(["push", "-f"]);
    assert_eq!(drawn(&settled, &longer).ruling().decision(), Decision::Ask);
    let elsewhere = push.cwd("/usr");
    assert_eq!(drawn(&settled, &elsewhere).ruling().decision(), Decision::Ask);
}
