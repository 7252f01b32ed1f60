//! The policy of one engine: what a person types, rules about commands, lists of commands and of folders, and tools
//! that the operator opened. May not be changed by a caller.

use super::rule::{Rule, RuleStanding};
use super::wrappers::runs_code;
use super::{AllowedCommands, CwdRoots, Decision, Word};
use crate::facts::{HostFacts, Look};
use crate::spec::{Caller, Hand};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Where a script may write by redirection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Redirecting {
    /// Nowhere.
    #[default]
    None,
    /// Inside the workspace.
    Workspace,
    /// Anywhere.
    Any,
}

/// What a bare name of a program allows, where the program's job is to run code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeByName {
    /// The program with its job: `npm` is leave for `npm run build`, `python3` for `python3 -c`.
    #[default]
    Job,
    /// The words that carry the code must be named, too.
    Named,
}

/// What the sandbox counts for where no rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SandboxLeave {
    /// Nothing: the other rules decide alone.
    #[default]
    None,
    /// Inside a whole sandbox everything may run that no rule asks about or denies.
    Given,
}

/// Whether what a person types, or runs from a file, is leave by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OwnLeave {
    /// It is, as far as [`Policy::typed`] says so.
    #[default]
    Counts,
    /// It is not: the person wants to be held to the other rules.
    Withheld,
}

/// The rules by which an engine decides what may run.
///
/// The strictest rule that speaks about a command wins: deny before ask before allow. Where none speaks, a command is
/// refused. Scripts are read, and each command in them is judged. The exception is what a person typed
/// (`Caller::person`), which is allowed unless a rule says otherwise.
///
/// ```
/// use runward_core::policy::{Decision, Policy};
///
/// // `git` and `ls` may run, a person is asked about `curl`, everything else is refused.
/// let policy = Policy::allow_programs(["git", "ls"]).with(Decision::Ask, ["curl"]);
/// assert_eq!(policy.rules.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// What holds for a command that a person typed themselves, or that stands in a file that they run or name.
    pub typed: Decision,
    /// Whether that holds at all.
    pub own_leave: OwnLeave,
    /// Why everything is allowed, if it is.
    pub allow_everything: Option<String>,
    /// Rules about commands. The strictest that speaks wins.
    pub rules: Vec<Rule>,
    /// Presets that allow, by name.
    pub presets: Vec<String>,
    /// The only commands that may run, for every caller; `None` where there is no such list.
    pub commands: Option<AllowedCommands>,
    /// The folders that a caller may choose to work in.
    pub cwd_roots: CwdRoots,
    /// Where a script may write by redirection.
    pub redirect: Redirecting,
    /// What the bare name of a program that runs code allows.
    pub carried: CodeByName,
    /// What the sandbox counts for. A list of commands, where there is one, governs all the same.
    pub sandboxed: SandboxLeave,
    /// The folder that agents work in, where it is known. What lies in it is not the system's.
    pub workspace: Option<PathBuf>,
    /// Programs that may be typed into, although what is typed can run anything.
    pub interactive: Vec<String>,
    /// Tools that the operator opened by choosing to offer them, each with why. A list of commands, where there is
    /// one, governs them all the same.
    pub granted: BTreeMap<String, String>,
}

impl Default for Policy {
    /// What a person types may run; nothing else may.
    fn default() -> Self {
        Self {
            typed: Decision::Allow,
            own_leave: OwnLeave::Counts,
            allow_everything: None,
            rules: Vec::new(),
            presets: Vec::new(),
            commands: None,
            cwd_roots: CwdRoots::default(),
            redirect: Redirecting::None,
            carried: CodeByName::Job,
            sandboxed: SandboxLeave::None,
            workspace: None,
            interactive: Vec::new(),
            granted: BTreeMap::new(),
        }
    }
}

impl Policy {
    /// Everything may run. `because` is shown as the reason, in records and explanations.
    pub fn allow_everything(because: impl Into<String>) -> Self {
        Self { allow_everything: Some(because.into()), ..Self::default() }
    }

    /// These programs may run, by name or absolute path, with any arguments; nothing else may.
    pub fn allow_programs<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self::default().with(Decision::Allow, names)
    }

    /// Only these commands may run: a comma-separated list, as in `ALLOWED_COMMANDS`.
    pub fn allow_commands(list: &str) -> Self {
        Self { commands: Some(AllowedCommands::read(list)), ..Self::default() }
    }

    /// The same rules, and one for each of these programs, by name or absolute path.
    #[must_use]
    pub fn with<S: Into<String>>(
        mut self,
        decision: Decision,
        programs: impl IntoIterator<Item = S>,
    ) -> Self {
        self.rules.extend(programs.into_iter().map(|program| Rule::of(decision, program)));
        self
    }

    /// The same rules, to which also people are held.
    #[must_use]
    pub fn without_own_leave(self) -> Self {
        Self { own_leave: OwnLeave::Withheld, ..self }
    }

    /// Whether this caller's command is a person's own: typed, or in a file that they run or name.
    pub(super) fn is_own(&self, caller: &Caller) -> bool {
        self.own_leave == OwnLeave::Counts && caller.hand != Hand::Program
    }

    /// Allows the callers that call this tool (`Caller::tool`). `because` is shown as the reason.
    #[must_use]
    pub fn grant(mut self, tool: impl Into<String>, because: impl Into<String>) -> Self {
        self.granted.insert(tool.into(), because.into());
        self
    }

    /// Bare names that are leave for any code, because running code is the program's job.
    pub fn names_that_run_code(&self) -> Vec<&str> {
        if self.carried == CodeByName::Named {
            return Vec::new();
        }
        let bare = |rule: &&Rule| rule.decision == Decision::Allow && rule.words.is_empty();
        let of_rules =
            self.rules.iter().filter(bare).flat_map(|rule| rule.programs.iter().map(String::as_str));
        let listed = self.commands.iter().flat_map(AllowedCommands::names);
        let names = listed.chain(of_rules.filter(|_| self.commands.is_none()));
        names.filter(|name| runs_code(&Word::known(*name))).collect()
    }

    /// Whether there is anything at all that a tool might be allowed to run.
    pub fn opens(&self, tool: &str) -> bool {
        match &self.commands {
            Some(commands) => !commands.is_empty(),
            None => {
                self.granted.contains_key(tool)
                    || self.allow_everything.is_some()
                    || self.sandboxed == SandboxLeave::Given
                    || self.may_allow_some()
            }
        }
    }

    /// Whether anything may run that is not typed by a person.
    pub(super) fn opens_some(&self) -> bool {
        self.commands.as_ref().is_some_and(|commands| !commands.is_empty()) || self.may_allow_some()
    }

    /// Whether rules or presets name what may run, so that an opened tool is not open to anything else.
    pub(super) fn names_what_may_run(&self) -> bool {
        let allows = |rule: &Rule| rule.decision == Decision::Allow && rule.standing == RuleStanding::Written;
        !self.presets.is_empty() || self.rules.iter().any(allows)
    }

    /// Whether no rule, preset, list or grant lets anything run that is not typed by a person.
    pub(super) fn allows_nothing(&self) -> bool {
        let is_open = self.allow_everything.is_some()
            || !self.granted.is_empty()
            || self.sandboxed == SandboxLeave::Given
            || self.may_allow_some();
        self.commands.is_none() && !is_open
    }

    /// Whether some rule could let a command run.
    pub(super) fn may_allow_some(&self) -> bool {
        !self.presets.is_empty() || self.rules.iter().any(|rule| rule.decision != Decision::Deny)
    }

    /// The same rules with every folder they name found on this host.
    #[must_use]
    pub fn found(self, facts: &HostFacts, look: &dyn Look) -> Self {
        let workspace = self.workspace.unwrap_or_else(|| facts.cwd.clone());
        let workspace = look.real_path(&workspace).unwrap_or(workspace);
        let mut rules = self.rules;
        for folder in rules.iter_mut().flat_map(|rule| &mut rule.cwds) {
            *folder = look.real_path(folder).unwrap_or_else(|| folder.clone());
        }
        let cwd_roots = self.cwd_roots.found(facts, look);
        Self { cwd_roots, rules, workspace: Some(workspace), ..self }
    }
}
