//! Leave (permission): who may give it, what it covers, and how it is used up. May not be copied.

use super::{Draft, PlanDigest};
use crate::error::{Code, Coded, ErrorView};
use crate::policy::{AllowedCommands, Decision, Match, RefusalWords, Ruling};
use crate::spec::{Caller, Program};
use serde::Serialize;

/// Who gave leave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grantor {
    /// A rule.
    Rule(String),
    /// A person who was asked.
    Person(String),
}

impl Grantor {
    /// The words for a receipt's `rule`.
    pub fn name(&self) -> String {
        match self {
            Grantor::Rule(rule) => rule.clone(),
            Grantor::Person(name) => format!("approved by {name}"),
        }
    }
}

/// A person who can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person(String);

impl Person {
    /// A person by name.
    pub fn named(name: impl Into<String>) -> Self {
        Self(name.into())
    }
}

/// Leave to carry out one very draft. Not `Clone`, used up by sealing.
#[derive(Debug)]
pub struct Permit {
    draft: PlanDigest,
    grantor: Grantor,
}

impl Permit {
    /// Who gave it.
    pub fn grantor(&self) -> &Grantor {
        &self.grantor
    }
}

/// A question to a person about one very draft.
#[derive(Debug)]
pub struct Question {
    draft: PlanDigest,
    because: String,
}

impl Question {
    /// Why a person is asked.
    pub fn because(&self) -> &str {
        &self.because
    }

    /// The person agreed to this very draft.
    pub fn granted_by(self, person: &Person) -> Permit {
        Permit { draft: self.draft, grantor: Grantor::Person(person.0.clone()) }
    }

    /// The person said no.
    pub fn declined_by(self, person: &Person) -> Refusal {
        Refusal {
            code: Code::PolicyDeclined,
            message: format!("{} was asked and said no", person.0),
            hint: None,
        }
    }

    /// A client said no in the place of a person, perhaps without showing anything.
    pub fn declined_unseen(self, hint: impl Into<String>) -> Refusal {
        Refusal {
            code: Code::PolicyDeclined,
            message: format!("the client declined; perhaps nobody saw it ({})", self.because),
            hint: Some(hint.into()),
        }
    }

    /// No person is there to ask.
    pub fn unanswered(self) -> Refusal {
        Refusal {
            code: Code::PolicyNeedsApproval,
            message: format!(
                "a person must agree to this command, and nobody is there to ask ({})",
                self.because
            ),
            hint: Some("Run it where a person can be asked, or add a rule that allows it.".to_owned()),
        }
    }

    /// A person could have answered, and this is why there was no answer.
    pub fn unheard(self, why: &str, hint: impl Into<String>) -> Refusal {
        Refusal {
            code: Code::PolicyNeedsApproval,
            message: format!("a person must agree to this command, and {why} ({})", self.because),
            hint: Some(hint.into()),
        }
    }
}

/// A command that may not run, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    code: Code,
    message: String,
    hint: Option<String>,
}

impl Coded for Refusal {
    fn code(&self) -> Code {
        self.code
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

impl Refusal {
    /// The refusal of a ruling that says no, in the words of the rule that decided.
    pub(crate) fn of(ruling: &Ruling, asked: &Program, caller: &Caller) -> Self {
        let name = match (ruling.unspoken(), asked) {
            (Some(judged), _) => judged.command.clone(),
            (None, Program::Exec { name, .. }) => crate::render::word(name),
            (None, Program::Shell { script, .. }) => {
                crate::render::one_short_line(&crate::render::word(script))
            }
        };
        let denied =
            |message, hint: &str| Self { code: Code::PolicyDenied, message, hint: Some(hint.to_owned()) };
        match ruling.deciding() {
            Some(Match { told: Some(told), .. }) => Self::told(told.clone()),
            Some(Match { rule, because, .. }) => denied(
                format!("`{name}` is refused by the rule `{rule}`: {because}"),
                "Ask the owner of the configuration to change the rule.",
            ),
            None => match ruling.unspoken().map(|judged| judged.unless.as_slice()) {
                Some(unless @ [_, ..]) => denied(
                    format!("`{name}` is not allowed by any rule: {}", unless.join("; ")),
                    "Ask the owner to allow it with a rule of its own, or do it in another way.",
                ),
                _ if caller.tool.is_some() => {
                    let name = ruling.unspoken().map_or(&name, |judged| &judged.name);
                    Self::told(if ruling.is_unruled() {
                        AllowedCommands::nothing_is_set(name)
                    } else {
                        AllowedCommands::nothing_allows(name)
                    })
                }
                _ => denied(
                    format!("`{name}` is not allowed by any rule"),
                    "Allow it with `[policy] allow = [\"…\"]` in the configuration.",
                ),
            },
        }
    }

    /// A no in these words.
    pub fn told(told: RefusalWords) -> Self {
        Self { code: told.code, message: told.message, hint: Some(told.hint) }
    }

    /// The refusal as the outside sees it.
    pub fn view(&self) -> ErrorView {
        ErrorView::of(self)
    }
}

/// What a ruling means for one draft.
#[derive(Debug)]
pub enum Leave {
    /// A rule gives leave.
    Granted(Permit),
    /// A person must be asked.
    Ask(Question),
    /// It may not run.
    Refused(Refusal),
}

/// The only thing that can be launched. Not `Clone`: one permit, one plan, one process.
#[derive(Debug)]
pub struct ExecPlan {
    /// Boxed, because it is large and a plan is handed on until its command is over.
    draft: Box<Draft>,
    permitted_by: Grantor,
}

/// A permit was offered for a draft that it was not given for.
#[derive(Debug, thiserror::Error)]
#[error("this permit was given for draft {permit}, not for draft {draft}")]
pub struct PermitMismatch {
    permit: PlanDigest,
    draft: PlanDigest,
}

impl Coded for PermitMismatch {
    fn code(&self) -> Code {
        Code::PlanPermitMismatch
    }
}

impl Draft {
    /// What its ruling means for this draft.
    pub fn leave(&self) -> Leave {
        let deciding = self.ruling().deciding();
        let rule = deciding.map_or_else(|| "no rule".to_owned(), |m| m.rule.clone());
        let because = deciding.map(|m| m.because.clone());
        match self.ruling().decision() {
            Decision::Allow => Leave::Granted(Permit { draft: self.digest(), grantor: Grantor::Rule(rule) }),
            Decision::Ask => Leave::Ask(Question { draft: self.digest(), because: because.unwrap_or(rule) }),
            Decision::Deny => {
                Leave::Refused(Refusal::of(self.ruling(), self.command().asked(), self.caller()))
            }
        }
    }

    /// Seals this draft with leave given for it.
    pub fn seal(self, permit: Permit) -> Result<ExecPlan, PermitMismatch> {
        if permit.draft == self.digest() {
            Ok(ExecPlan { draft: Box::new(self), permitted_by: permit.grantor })
        } else {
            Err(PermitMismatch { permit: permit.draft, draft: self.digest() })
        }
    }
}

impl ExecPlan {
    /// What will be done.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }
    /// Who gave leave.
    pub fn permitted_by(&self) -> &Grantor {
        &self.permitted_by
    }
}
