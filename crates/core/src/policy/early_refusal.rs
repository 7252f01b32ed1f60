//! A refusal before anything was looked up, or although nothing was found, for doors that must refuse before they say
//! what exists.
//!
//! It only ever says no, and only where resolving could not change the answer. Leave is given by
//! [`judge`](super::judge()) alone.

use super::judge::{judge, on_the_whole};
use super::unit::{Scene, Unit};
use super::{Decision, Fit, Judged, Policy, PolicyGround, Ruling, SandboxLeave, preset};
use crate::facts::HostFacts;
use crate::plan::Refusal;
use crate::resolve::{Defaults, resolve_absent};
use crate::spec::{Caller, CommandSpec, Program, ShellChoice};
use std::path::Path;

/// Why this can never be allowed, if it cannot.
pub fn early_refusal(
    policy: &Policy,
    asked: &Program,
    caller: &Caller,
    facts: &HostFacts,
) -> Option<Refusal> {
    let whole = on_the_whole(policy, caller);
    let decided = whole.iter().map(|spoken| spoken.decision).max();
    if decided == Some(Decision::Deny) {
        return Some(Refusal::of(&Ruling::of(whole), asked, caller));
    }
    let listed = policy.commands.as_ref().filter(|commands| commands.everything().is_none());
    match listed {
        None if decided.is_some() => None,
        // Whether there is a sandbox is known later.
        None if policy.sandboxed == SandboxLeave::Given => None,
        None if policy.may_allow_some() => {
            let scene = Scene::of(asked, shell(asked, facts)).ok()?;
            let never = scene.units.iter().find_map(|unit| never(policy, unit))?;
            Some(Refusal::of(&Ruling::of(whole).with_commands(vec![never]), asked, caller))
        }
        None => Some(Refusal::of(&Ruling::of(whole).under(policy), asked, caller)),
        Some(commands) => match Scene::of(asked, shell(asked, facts)) {
            Ok(scene) => {
                let never = scene.units.iter().find(|unit| !commands.may_allow(unit))?;
                let ruling = Ruling::of(vec![commands.says_unlisted(never)]);
                Some(Refusal::of(&ruling, asked, caller))
            }
            Err(opaque) => {
                let ruling = Ruling::of(vec![commands.says_of_opaque(asked, &opaque)]);
                Some(Refusal::of(&ruling, asked, caller))
            }
        },
    }
}

/// Why a command may not run although its program is not there, if it may not: judged as if it were, so that a caller
/// does not learn from a refusal what is installed.
pub fn judge_absent(
    policy: &Policy,
    spec: &CommandSpec,
    caller: &Caller,
    ground: &PolicyGround<'_>,
    defaults: &Defaults,
) -> Option<Refusal> {
    let command = resolve_absent(spec, ground.facts, defaults, ground.look).ok()?;
    let ruling = judge(policy, &command, caller, ground);
    (ruling.decision() == Decision::Deny).then(|| Refusal::of(&ruling, command.asked(), caller))
}

/// A command that no rule and no preset could allow, whatever its name leads to.
fn never(policy: &Policy, unit: &Unit) -> Option<Judged> {
    if policy.rules.iter().any(|rule| rule.decision != Decision::Deny && rule.may_be_about(unit)) {
        return None;
    }
    let mut unless = Vec::new();
    for preset in policy.presets.iter().filter_map(|name| preset(name)) {
        match preset.says(&unit.words, unit.form) {
            Some(Fit::Fits(_)) => return None,
            Some(Fit::Refuses(why)) => unless.push(why),
            None => {}
        }
    }
    if unless.is_empty() {
        unless.push("none of them speaks about it".to_owned());
    }
    Some(Judged::refused(unit, unless))
}

/// Which shell would read a script.
fn shell<'a>(asked: &'a Program, facts: &'a HostFacts) -> &'a Path {
    match asked {
        Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => Path::new(name),
        _ => facts.shell.as_ref().map_or(Path::new(""), |shell| shell.path.as_path()),
    }
}
