//! What a command is given besides its own words, so that what was judged harmless is harmless: variables, and
//! arguments where no shell reads them.
//!
//! May not touch a text for a shell: that is never rewritten.

use super::presets::Terms;
use crate::resolve::ResolvedCommand;
use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// Additions to one request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Settled {
    /// Variables that are set, the last word about each.
    pub env: Vec<(String, String)>,
    /// Variables that are taken away.
    pub unset: Vec<String>,
    /// Arguments, each with the place in the argv before which it stands.
    pub args: Vec<(usize, String)>,
}

impl Settled {
    /// What terms come to, with what a repository needs.
    pub(super) fn of(terms: &Terms, repository: Vec<(String, String)>) -> Self {
        let env = terms.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Self {
            env: env.chain(repository).collect(),
            unset: terms.unset.iter().map(|name| (*name).to_owned()).collect(),
            args: terms.args.iter().map(|added| (added.before, added.text.to_owned())).collect(),
        }
    }

    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.unset.is_empty() && self.args.is_empty()
    }

    /// Takes in what another command of the same request needs.
    pub(super) fn join(&mut self, other: Self) {
        self.env.extend(other.env.into_iter().filter(|entry| !self.env.contains(entry)).collect::<Vec<_>>());
        self.unset.extend(other.unset);
        self.args.extend(other.args);
    }

    /// The command with its additions.
    pub(crate) fn applied(&self, mut command: ResolvedCommand) -> ResolvedCommand {
        for name in &self.unset {
            command.env.remove(OsStr::new(name));
        }
        for (name, value) in &self.env {
            command.env.insert(OsString::from(name), OsString::from(value));
        }
        let mut args = self.args.clone();
        args.sort_by_key(|(before, _)| *before);
        for (added, (before, text)) in args.into_iter().enumerate() {
            let at = (before + added).min(command.argv.len());
            command.argv.insert(at, OsString::from(text));
        }
        command
    }
}
