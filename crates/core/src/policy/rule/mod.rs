//! One rule: which commands it matches, and what it says (allow, ask, deny).
//!
//! A rule that allows must be certain; a rule that asks or denies speaks wherever it may be meant. May not look at
//! the host: what a name means was found out before.
//! Read first: [`Rule`].

mod example;
mod flags;
mod program;
mod words;

pub use example::ExampleError;
pub use flags::RuleFlags;

pub(super) use program::{is_genuine, names};

use super::identity::ProgramIdentity;
use super::spelling::Sureness;
use super::unit::Unit;
use super::{Decision, Match, RefusalWords};
use crate::error::Code;
use crate::facts::Naming;
use crate::spec::{Caller, Door};
use std::path::PathBuf;

/// A rule, as its owner wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name, for people.
    pub name: String,
    /// What it says.
    pub decision: Decision,
    /// The programs it is about, by name or absolute path; `*` or none is every program.
    pub programs: Vec<String>,
    /// What the words after the program begin with; each place has alternatives.
    pub words: Vec<Vec<String>>,
    /// Whether more words may follow those.
    pub extent: Extent,
    /// Whether it stands for the yes of a person who was asked about this very command.
    pub standing: RuleStanding,
    /// What it says about options.
    pub flags: RuleFlags,
    /// Folders in which it holds; none is all.
    pub cwds: Vec<PathBuf>,
    /// Clients for which it holds; none is all.
    pub callers: Vec<String>,
    /// Doors for which it holds; none is all.
    pub doors: Vec<Door>,
    /// Whether it also lets the program be typed into, where it allows.
    pub interactive: Interactive,
    /// Why.
    pub because: String,
    /// What to do instead.
    pub instead: Option<String>,
    /// Commands that it must speak about.
    pub examples: Vec<String>,
    /// Commands that it must not speak about.
    pub counterexamples: Vec<String>,
}

/// Whether a rule is about commands that begin with its words, or only about the command that they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    /// More words may follow.
    #[default]
    Beginning,
    /// No more words may follow.
    Whole,
}

/// The authority of a rule: who gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RuleStanding {
    /// The owner's, given beforehand.
    #[default]
    Written,
    /// A person's, who was asked about this very command and said "always". It answers rules that ask.
    Approved,
}

/// Whether a rule lets a program be typed into, which for some programs is leave to run anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Interactive {
    /// It does not.
    #[default]
    No,
    /// It does.
    Yes,
}

/// One command as rules see it.
pub(super) struct Subject<'a> {
    pub(super) unit: &'a Unit,
    pub(super) identity: &'a ProgramIdentity,
    /// What a bare name would mean here.
    pub(super) by_name: &'a dyn Fn(&str) -> ProgramIdentity,
    /// Folders that the text itself puts in front of PATH.
    pub(super) activated: &'a [PathBuf],
    /// Every folder the command may run in.
    pub(super) cwds: &'a [PathBuf],
    /// Whether it may run in others, which are not known.
    pub(super) elsewhere: bool,
    pub(super) naming: &'a Naming,
}

impl Rule {
    /// A rule about programs, with nothing further to say.
    pub fn of(decision: Decision, program: impl Into<String>) -> Self {
        let program = program.into();
        Self {
            name: format!("policy.{}: {program}", decision.name()),
            decision,
            programs: vec![program],
            words: Vec::new(),
            extent: Extent::Beginning,
            standing: RuleStanding::Written,
            flags: RuleFlags::default(),
            cwds: Vec::new(),
            callers: Vec::new(),
            doors: Vec::new(),
            interactive: Interactive::No,
            because: format!("the configuration {} it", decision.says()),
            instead: None,
            examples: Vec::new(),
            counterexamples: Vec::new(),
        }
    }

    /// How many words of a command it names, the program included.
    pub(super) fn depth(&self) -> usize {
        if self.is_about_everything() { 0 } else { 1 + self.words.len() }
    }

    fn is_about_everything(&self) -> bool {
        self.programs.is_empty() || self.programs.iter().any(|program| program == "*")
    }

    fn sureness(&self) -> Sureness {
        if self.decision == Decision::Allow { Sureness::Certain } else { Sureness::Possible }
    }

    /// Whether it holds for this caller.
    pub(super) fn holds_for(&self, caller: &Caller) -> bool {
        let named = |client: &String| caller.name.as_ref() == Some(client);
        (self.doors.is_empty() || self.doors.contains(&caller.door))
            && (self.callers.is_empty() || self.callers.iter().any(named))
    }

    /// Whether it may be about a command, whatever the command's name leads to.
    pub(super) fn may_be_about(&self, unit: &Unit) -> bool {
        let name = unit.name().to_string_lossy();
        let last = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_uppercase();
        // On Windows an entry may leave out the ending of a file.
        let begins = |entry: &String| last(&name).starts_with(&last(entry));
        self.is_about_everything() || self.programs.iter().any(begins)
    }

    /// Whether it speaks about a command.
    pub(super) fn speaks_about(&self, subject: &Subject<'_>) -> bool {
        self.is_about_program(subject) && self.is_about_words(subject) && self.is_about_folder(subject)
    }

    fn is_about_program(&self, subject: &Subject<'_>) -> bool {
        self.is_about_everything()
            || self.programs.iter().any(|entry| program::is(entry, subject, self.sureness()))
    }

    fn is_about_words(&self, subject: &Subject<'_>) -> bool {
        let words = subject.unit.words.get(1..).unwrap_or_default();
        let all = self.sureness() == Sureness::Possible || words.len() == self.words.len();
        (self.extent == Extent::Beginning || all)
            && words::begin(words, &self.words, self.sureness())
            && self.flags.admit(words, self.sureness())
    }

    fn is_about_folder(&self, subject: &Subject<'_>) -> bool {
        let inside = |cwd: &PathBuf| self.cwds.iter().any(|folder| subject.naming.holds(folder, cwd));
        self.cwds.is_empty()
            || match self.sureness() {
                Sureness::Certain => !subject.elsewhere && subject.cwds.iter().all(inside),
                Sureness::Possible => subject.elsewhere || subject.cwds.iter().any(inside),
            }
    }

    /// What it says, for a ruling.
    pub(super) fn says(&self) -> Match {
        let told =
            self.instead.as_ref().filter(|_| self.decision == Decision::Deny).map(|instead| RefusalWords {
                code: Code::PolicyDenied,
                message: format!("the rule `{}` refuses it: {}", self.name, self.because),
                hint: instead.clone(),
            });
        Match { rule: self.name.clone(), decision: self.decision, because: self.because.clone(), told }
    }
}
