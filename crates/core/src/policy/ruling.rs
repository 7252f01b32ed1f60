//! The ruling: the decision, every command that was found, and every rule that spoke. It is no permit.

use super::Policy;
use super::identity::ProgramIdentity;
use super::settled::Additions;
use super::unit::Unit;
use crate::error::Code;
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

impl Decision {
    /// Its stable spelling.
    pub fn name(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }

    /// The decision of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Decision::Allow, Decision::Ask, Decision::Deny].into_iter().find(|known| known.name() == name)
    }

    pub(super) fn says(self) -> &'static str {
        match self {
            Decision::Allow => "allows",
            Decision::Ask => "asks a person about",
            Decision::Deny => "denies",
        }
    }
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
    pub told: Option<RefusalWords>,
}

impl Match {
    /// A rule that allows.
    pub(super) fn allows(rule: impl Into<String>, because: impl Into<String>) -> Self {
        Self { rule: rule.into(), decision: Decision::Allow, because: because.into(), told: None }
    }
}

/// The words of a refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusalWords {
    /// Its code.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// One command that a request comes to, and what rules say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// Its name, as it was written.
    pub name: String,
    /// The command, for people.
    pub command: String,
    /// What starts it, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// What its name means.
    pub program: ProgramIdentity,
    /// Whether a person has said "always" to this very command.
    #[serde(skip)]
    pub(super) approved: bool,
    /// What is decided about it by itself.
    pub decision: Decision,
    /// The rules that spoke about it.
    pub matches: Vec<Match>,
    /// What it is given besides its words.
    #[serde(skip_serializing_if = "Additions::is_empty")]
    pub given: Additions,
    /// Why rules that know the program do not allow it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unless: Vec<String>,
}

impl Judged {
    /// A command that no rule allows, for these reasons.
    pub(super) fn refused(unit: &Unit, unless: Vec<String>) -> Self {
        Self {
            name: crate::render::one_line(&crate::render::word(unit.name())),
            command: unit.shown(),
            via: unit.via.clone(),
            program: ProgramIdentity::Missing,
            approved: false,
            decision: Decision::Deny,
            matches: Vec::new(),
            given: Additions::default(),
            unless,
        }
    }

    /// One more rule speaks about it, and denies.
    pub(super) fn refuse(&mut self, because: Option<Match>) {
        if let Some(because) = because {
            self.decision = self.decision.max(because.decision);
            self.matches.push(because);
        }
    }
}

/// An opinion on one request: the decision, and everything that led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ruling {
    decision: Decision,
    /// Rules about the request as a whole.
    matches: Vec<Match>,
    /// What it comes to, command by command, where that had to be known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    commands: Vec<Judged>,
    /// Why it could not be understood, where it had to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    opaque: Option<String>,
    /// Whether no rule allows anything to anybody, so that the refusal is not about this command.
    #[serde(skip)]
    unruled: bool,
}

impl Ruling {
    /// The decision of rules about the request as a whole.
    pub(super) fn of(matches: Vec<Match>) -> Self {
        let decision = matches.iter().map(|m| m.decision).max().unwrap_or(Decision::Deny);
        Self { decision, matches, commands: Vec::new(), opaque: None, unruled: false }
    }

    /// The same, with what is known about each command.
    pub(super) fn with_commands(mut self, commands: Vec<Judged>) -> Self {
        let strictest = commands.iter().map(|command| command.decision).max();
        self.decision = if self.matches.is_empty() {
            strictest.unwrap_or(Decision::Deny)
        } else {
            strictest.map_or(self.decision, |strictest| strictest.max(self.decision))
        };
        // A person who said "always" to every command in it has answered what would be asked about the whole.
        let answered = !commands.is_empty() && commands.iter().all(|command| command.approved);
        if answered && self.decision == Decision::Ask {
            self.decision = Decision::Allow;
        }
        self.commands = commands;
        self
    }

    /// The same, refused before any other rule is heard.
    #[must_use]
    pub fn refused_by(mut self, rule: impl Into<String>, told: RefusalWords) -> Self {
        self.decision = Decision::Deny;
        let because = told.message.clone();
        let why = Match { rule: rule.into(), decision: Decision::Deny, because, told: Some(told) };
        self.matches.insert(0, why);
        self
    }

    /// The same, with why it is not understood.
    pub(super) fn with_opaque(mut self, because: String) -> Self {
        self.opaque = Some(because);
        self
    }

    /// The same under a policy, which may allow nothing at all.
    pub(super) fn under(mut self, policy: &Policy) -> Self {
        self.unruled = policy.allows_nothing();
        self
    }

    /// Whether no rule allows anything to anybody.
    pub(crate) fn is_unruled(&self) -> bool {
        self.unruled
    }

    /// The strictest of what the rules said; no rule at all is a no.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// Every rule that spoke: about the request, then about each command in it.
    pub fn matches(&self) -> impl Iterator<Item = &Match> {
        self.matches.iter().chain(self.commands.iter().flat_map(|command| &command.matches))
    }

    /// What the request comes to, command by command, where that had to be known.
    pub fn commands(&self) -> &[Judged] {
        &self.commands
    }

    /// What the request is given besides its words.
    pub fn given(&self) -> Additions {
        let mut all = Additions::default();
        self.commands.iter().for_each(|command| all.join(command.given.clone()));
        all
    }

    /// Why it could not be understood, where it had to be.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// The rule that decided. None where the answer is no because no rule spoke.
    pub fn deciding(&self) -> Option<&Match> {
        self.matches().find(|m| m.decision == self.decision)
    }

    /// The first command that is refused because no rule allows it.
    pub(crate) fn unspoken(&self) -> Option<&Judged> {
        self.commands.iter().find(|command| command.decision == Decision::Deny && command.matches.is_empty())
    }
}
