//! An opinion before anything was looked up, for doors that must refuse before they say what exists.
//!
//! It only ever says no, and only where resolving could not change the answer. Leave is given by
//! [`judge`](super::judge) alone.

use super::{Decision, Policy, Ruling, on_what_is_asked};
use crate::facts::HostFacts;
use crate::plan::Refusal;
use crate::spec::{Caller, Program, ShellChoice};
use std::path::Path;

/// Why this can never be allowed, if it cannot.
pub fn forejudge(policy: &Policy, asked: &Program, caller: &Caller, facts: &HostFacts) -> Option<Refusal> {
    let shell = match asked {
        Program::Shell { shell: ShellChoice::Named { name, .. }, .. } => Path::new(name),
        _ => facts.shell.as_ref().map_or(Path::new(""), |shell| shell.path.as_path()),
    };
    let ruling = Ruling::of(on_what_is_asked(policy, asked, shell, caller));
    // Without any rule so far, only a list of programs could still allow it.
    let hope = ruling.matches().is_empty() && !policy.allow.is_empty();
    (ruling.decision() == Decision::Deny && !hope).then(|| Refusal::of(&ruling, asked, caller))
}
