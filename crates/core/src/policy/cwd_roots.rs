//! `ALLOWED_CWD_ROOTS`: the folders that a caller may choose as working directory.
//!
//! Canonical paths are compared with canonical paths, name by name. A root is made canonical when the policy comes into
//! force, not when a command is judged: an agent that swaps a root for a link must not move it. May not say anything
//! about a command that chose no folder.

use super::{Decision, Match, RefusalWords};
use crate::error::Code;
use crate::facts::{HostFacts, Look, Naming};
use crate::resolve::ResolvedCommand;
use std::path::{Path, PathBuf};

const RULE: &str = "ALLOWED_CWD_ROOTS";

/// The roots. None means that any folder will do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CwdRoots {
    roots: Vec<CwdRoot>,
    naming: Option<Naming>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct CwdRoot {
    given: String,
    /// Not known until the roots are found on a host; an unknown root admits nothing.
    real: Option<PathBuf>,
}

impl CwdRoots {
    /// The roots of a comma-separated text.
    pub fn read(text: &str) -> Self {
        Self::of(text.split(','))
    }

    /// These roots, trimmed; empty ones are dropped.
    pub fn of<S: AsRef<str>>(roots: impl IntoIterator<Item = S>) -> Self {
        let trimmed = roots.into_iter().map(|root| root.as_ref().trim().to_owned());
        let roots = trimmed.filter(|root| !root.is_empty()).map(|given| CwdRoot { given, real: None });
        Self { roots: roots.collect(), naming: None }
    }

    /// The same roots with their canonical paths on this host, as far as they exist.
    #[must_use]
    pub fn found(mut self, facts: &HostFacts, look: &dyn Look) -> Self {
        for root in &mut self.roots {
            root.real = look.real_path(&facts.naming.join(&facts.cwd, &root.given));
        }
        self.naming = Some(facts.naming.clone());
        self
    }

    /// Why a command may not run where its caller wants it to, if it may not.
    pub(super) fn says(&self, command: &ResolvedCommand) -> Option<Match> {
        let asked = command.asked_cwd()?;
        if self.roots.is_empty() {
            return None;
        }
        if let Some(bad) = self.roots.iter().find(|root| root.real.is_none()) {
            return Some(invalid(&bad.given));
        }
        (!self.admit(command.cwd())).then(|| outside(asked))
    }

    /// Whether there are none, so that any folder will do.
    pub(super) fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    pub(super) fn admit(&self, cwd: &Path) -> bool {
        let Some(naming) = &self.naming else { return false };
        self.roots.iter().filter_map(|root| root.real.as_deref()).any(|root| naming.holds(root, cwd))
    }
}

fn invalid(given: &str) -> Match {
    let message = format!("Invalid configuration: ALLOWED_CWD_ROOTS contains an invalid root: {given}");
    denied(
        Code::ConfigInvalid,
        message,
        "Ask the owner to create the folder or take it out of ALLOWED_CWD_ROOTS, or leave the cwd out.",
    )
}

pub(super) fn outside(asked: &Path) -> Match {
    let asked = crate::render::one_line(&crate::render::word(asked.as_os_str()));
    let message = format!("cwd is not allowed by ALLOWED_CWD_ROOTS: {asked}");
    denied(Code::PolicyDenied, message, "Choose a folder inside one of the roots, or leave the cwd out.")
}

fn denied(code: Code, message: String, hint: &str) -> Match {
    Match {
        rule: RULE.to_owned(),
        decision: Decision::Deny,
        because: "the folder is not inside an allowed root".to_owned(),
        told: Some(RefusalWords { code, message, hint: hint.to_owned() }),
    }
}
