//! Whether a command may run, and by which rule.
//!
//! Policy gives an opinion; it starts nothing and mints no permits. The strictest matching rule wins, and
//! where no rule speaks the answer is no.
//! Read first: [`judge`].

mod rule;
mod spelling;

pub use rule::{Policy, Subject};

use crate::facts::Naming;
use crate::resolve::ResolvedCommand;
use crate::spec::{Caller, Hand, Program};
use serde::Serialize;

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
}

/// An opinion on one command: the decision and every rule that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    decision: Decision,
    matches: Vec<Match>,
}

impl Ruling {
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
    let mut matches = Vec::new();
    if caller.hand == Hand::Person {
        matches.push(Match {
            rule: "typed".to_owned(),
            decision: policy.typed,
            because: match policy.typed {
                Decision::Allow => "what a person types themselves is their own leave",
                Decision::Ask => "the configuration asks before it runs what a person types",
                Decision::Deny => "the configuration denies what a person types",
            }
            .to_owned(),
        });
    }
    let subject = Subject::of(command, naming);
    if let Some(why) = &policy.allow_everything {
        matches.push(Match {
            rule: "everything".to_owned(),
            decision: Decision::Allow,
            because: why.clone(),
        });
    }
    matches.extend(policy.allow.iter().filter(|entry| subject.is(entry)).map(|entry| Match {
        rule: format!("policy.allow: {entry}"),
        decision: Decision::Allow,
        because: "the configuration allows it".to_owned(),
    }));
    matches.extend(policy.deny.iter().filter(|entry| subject.may_be(entry)).map(|entry| Match {
        rule: format!("policy.deny: {entry}"),
        decision: Decision::Deny,
        because: if matches!(command.asked(), Program::Shell { .. }) {
            "a script cannot be checked against a list of denied programs".to_owned()
        } else {
            "the configuration denies it".to_owned()
        },
    }));
    let decision = matches.iter().map(|m| m.decision).max().unwrap_or(Decision::Deny);
    Ruling { decision, matches }
}
