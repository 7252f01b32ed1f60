//! Whether a command may run, and by which rule.
//!
//! Policy gives an opinion; it starts nothing and mints no permits. The strictest matching rule wins, and
//! where no rule speaks the answer is no.
//! Read first: [`judge`].

mod allowlist;
mod cwd_roots;
mod fore;
mod presets;
mod reading;
mod rule;
mod runs_others;
mod spelling;
mod through;
mod word;

pub use allowlist::AllowedCommands;
pub use cwd_roots::CwdRoots;
pub use fore::forejudge;
pub use presets::{AddedArg, Entry, Fit, Form, GitTerms, PRESETS, Preset, Terms, preset};
pub use reading::{Assign, Dialect, Opaque, Reading, Redirect, Simple, read};
pub use rule::{Policy, Subject};
pub use through::{Started, through};
pub use word::{Spread, Word};

use crate::error::Code;
use crate::facts::Naming;
use crate::resolve::ResolvedCommand;
use crate::spec::{Caller, Hand, Program};
use serde::Serialize;
use std::path::Path;

/// What a rule says. Ordered: the strictest is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decision {
    /// It may run.
    Allow,
    /// A person must agree first.
    Ask,
    /// It may not run.
    Deny,
}

/// A rule that had something to say about a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Match {
    /// The rule's name, such as `typed` or `policy.allow: git`.
    pub rule: String,
    /// What it says.
    pub decision: Decision,
    /// Why it says so.
    pub because: String,
    /// The very words of a refusal by this rule, where they are fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
}

/// The words of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Told {
    /// Its code.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// An opinion on one command: the decision and every rule that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    decision: Decision,
    matches: Vec<Match>,
}

impl Ruling {
    fn of(matches: Vec<Match>) -> Self {
        let decision = matches.iter().map(|m| m.decision).max().unwrap_or(Decision::Deny);
        Self { decision, matches }
    }

    /// The strictest of what the rules said; no rule at all is a no.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Every rule that matched.
    pub fn matches(&self) -> &[Match] {
        &self.matches
    }

    /// The rule that decided.
    pub fn deciding(&self) -> Option<&Match> {
        self.matches.iter().find(|m| m.decision == self.decision)
    }
}

/// Judges a command, on a host that spells names like this.
pub fn judge(policy: &Policy, command: &ResolvedCommand, caller: &Caller, naming: &Naming) -> Ruling {
    let mut matches = on_what_is_asked(policy, command.asked(), command.program(), caller);
    let subject = Subject::of(command, naming);
    matches.extend(policy.allow.iter().filter(|entry| subject.is(entry)).map(|entry| Match {
        rule: format!("policy.allow: {entry}"),
        decision: Decision::Allow,
        because: "the configuration allows it".to_owned(),
        told: None,
    }));
    matches.extend(policy.deny.iter().filter(|entry| subject.may_be(entry)).map(|entry| Match {
        rule: format!("policy.deny: {entry}"),
        decision: Decision::Deny,
        because: if matches!(command.asked(), Program::Shell { .. }) {
            "a script cannot be checked against a list of denied programs".to_owned()
        } else {
            "the configuration denies it".to_owned()
        },
        told: None,
    }));
    // Says no or nothing: a folder that is allowed is no leave for a command.
    matches.extend(policy.cwd_roots.says(command));
    Ruling::of(matches)
}

/// The rules that need to know only what is asked, by whom, and which shell would read it.
fn on_what_is_asked(policy: &Policy, asked: &Program, shell: &Path, caller: &Caller) -> Vec<Match> {
    let allow = |rule: String, because: &str| Match {
        rule,
        decision: Decision::Allow,
        because: because.to_owned(),
        told: None,
    };
    let mut matches = Vec::new();
    if caller.hand == Hand::Person {
        matches.push(typed(policy.typed));
    }
    if let Some(why) = &policy.allow_everything {
        matches.push(allow("everything".to_owned(), why));
    }
    match (&policy.commands, &caller.tool) {
        (Some(commands), _) => matches.push(commands.says(asked, shell)),
        (None, Some(tool)) => {
            matches.extend(policy.granted.get(tool).map(|why| allow(format!("granted: {tool}"), why)));
        }
        (None, None) => {}
    }
    matches
}

fn typed(decision: Decision) -> Match {
    let because = match decision {
        Decision::Allow => "what a person types themselves is their own leave",
        Decision::Ask => "the configuration asks before it runs what a person types",
        Decision::Deny => "the configuration denies what a person types",
    };
    Match { rule: "typed".to_owned(), decision, because: because.to_owned(), told: None }
}
