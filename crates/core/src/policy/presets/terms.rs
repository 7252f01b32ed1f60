//! What has to be so for a command to be harmless.
//!
//! May not make it so: the draft adds the variables and arguments, the engine reads a repository's settings.

use super::GitTerms;
use super::grammar::Rows;
use std::ffi::OsString;

/// What a command needs besides its own words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Terms {
    /// Variables to set.
    pub env: Vec<(&'static str, String)>,
    /// Variables to take away.
    pub unset: Vec<&'static str>,
    /// Arguments to add to an argv, in this order. Always empty for a text.
    pub args: Vec<AddedArg>,
    /// What git needs, where the command is git.
    pub git: Option<GitTerms>,
}

/// An argument to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedArg {
    /// Which of the command's words it stands before; the name is word 0.
    pub before: usize,
    /// The argument.
    pub text: &'static str,
}

impl Terms {
    /// A command's arguments, without its name, with those that have to be added.
    pub fn with_args(&self, args: &[OsString]) -> Vec<OsString> {
        let mut all = args.to_vec();
        // From the back, so that what is still to be added finds its place.
        for arg in self.args.iter().rev() {
            let at = arg.before.saturating_sub(1).min(all.len());
            all.insert(at, OsString::from(arg.text));
        }
        all
    }

    /// Every variable to set, git's settings among them. `overrides` are those of
    /// [`GitTerms::overrides`].
    pub fn variables(&self, overrides: &[(String, String)]) -> Vec<(String, String)> {
        let own = self.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        let git = self.git.iter().flat_map(|git| git.env(overrides));
        own.chain(git).collect()
    }

    pub(super) fn of(rows: &Rows) -> Self {
        let mut terms = Self::default();
        terms.add(rows);
        terms
    }

    /// Takes in what one part of a table asks. A later part has the last word about a variable.
    pub(super) fn add(&mut self, rows: &Rows) {
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
