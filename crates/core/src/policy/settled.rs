//! What a command is given besides its own words, so that what was judged harmless is harmless: environment variables,
//! and arguments where no shell reads them.
//!
//! May not touch a text for a shell: that is never rewritten.

use super::presets::{GitTerms, PresetTerms};
use crate::resolve::ResolvedCommand;
use serde::Serialize;
use std::ffi::{OsStr, OsString};

/// Additions to one request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Additions {
    /// Variables that are set, the last word about each.
    pub env: Vec<(String, String)>,
    /// Settings that git is given, as variables too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub config: Vec<(String, String)>,
    /// Variables that are taken away.
    pub unset: Vec<String>,
    /// Arguments, each with the place in the argv before which it stands.
    pub args: Vec<(usize, String)>,
}

impl Additions {
    /// The additions of these terms. `overrides` are those of [`GitTerms::overrides`](super::GitTerms::overrides),
    /// where the command is git.
    pub fn of(terms: &PresetTerms, overrides: &[(String, String)]) -> Self {
        let env = terms.env.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        Self {
            env: env.collect(),
            config: terms.git.iter().flat_map(|git| git.config(overrides)).collect(),
            unset: terms.unset.iter().map(|name| (*name).to_owned()).collect(),
            args: terms.args.iter().map(|added| (added.before, added.text.to_owned())).collect(),
        }
    }

    /// Whether there is nothing to add.
    pub fn is_empty(&self) -> bool {
        self.env.is_empty() && self.config.is_empty() && self.unset.is_empty() && self.args.is_empty()
    }

    /// Every variable that is set, git's settings among them.
    pub fn variables(&self) -> Vec<(String, String)> {
        let config = if self.config.is_empty() { Vec::new() } else { GitTerms::env(&self.config) };
        self.env.iter().cloned().chain(config).collect()
    }

    /// Takes in what another command of the same request needs. Settings of git are joined one by one: they are counted,
    /// and two counts would hide each other's.
    pub(super) fn join(&mut self, other: Self) {
        self.env.extend(other.env.into_iter().filter(|entry| !self.env.contains(entry)).collect::<Vec<_>>());
        let new = other.config.into_iter().filter(|entry| !self.config.contains(entry));
        self.config.extend(new.collect::<Vec<_>>());
        self.unset.extend(other.unset);
        self.args.extend(other.args);
    }

    /// The command with its additions.
    pub(crate) fn applied(&self, mut command: ResolvedCommand) -> ResolvedCommand {
        for name in &self.unset {
            command.env.remove(OsStr::new(name));
        }
        for (name, value) in self.variables() {
            command.env.insert(OsString::from(name), OsString::from(value));
        }
        command.argv = self.in_argv(command.argv);
        command
    }

    /// An argv, its name first, with what is added to it.
    pub fn in_argv(&self, mut argv: Vec<OsString>) -> Vec<OsString> {
        let mut args: Vec<&(usize, String)> = self.args.iter().collect();
        args.sort_by_key(|(before, _)| *before);
        for (added, (before, text)) in args.into_iter().enumerate() {
            let at = (before + added).min(argv.len());
            argv.insert(at, OsString::from(text));
        }
        argv
    }
}
