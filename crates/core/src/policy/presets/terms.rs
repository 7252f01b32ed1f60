//! What has to be so for a command to be harmless.
//!
//! May not make it so: the draft adds the variables and arguments, the engine reads a repository's settings.

use super::GitTerms;
use super::grammar::GrammarRows;

/// What a command needs besides its own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PresetTerms {
    /// Variables to set.
    pub env: Vec<(&'static str, String)>,
    /// Variables to take away.
    pub unset: Vec<&'static str>,
    /// Arguments to add to an argv, in this order. Always empty for a text.
    pub args: Vec<AddedArg>,
    /// What git needs, where the command is git.
    pub git: Option<GitTerms>,
    /// Files that a project must have, in the folder where the command runs or one above.
    pub installed: Vec<String>,
}

/// An argument to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedArg {
    /// Which of the command's words it stands before; the name is word 0.
    pub before: usize,
    /// The argument.
    pub text: &'static str,
}

impl PresetTerms {
    pub(super) fn of(rows: &GrammarRows) -> Self {
        let mut terms = Self::default();
        terms.add(rows);
        terms
    }

    /// Takes in what another command needs.
    pub(super) fn join(&mut self, other: Self) {
        self.env.extend(other.env);
        self.unset.extend(other.unset);
        self.args.extend(other.args);
        self.git = self.git.take().or(other.git);
        self.installed.extend(other.installed);
    }

    /// Takes in what one part of a table asks. A later part has the last word about a variable.
    pub(super) fn add(&mut self, rows: &GrammarRows) {
        for (name, value) in &rows.env {
            self.env.retain(|(there, _)| there != name);
            self.env.push((name, (*value).to_owned()));
        }
        self.unset.extend(&rows.unset);
        if !rows.config.is_empty() {
            let git = self.git.get_or_insert_default();
            git.settings.extend(rows.config.iter().copied());
        }
    }
}
