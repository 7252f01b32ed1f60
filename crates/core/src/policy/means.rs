//! What a text does besides running commands: variables it sets, files it writes.
//!
//! May not judge a command: commands are judged one by one.

use super::Match;
use super::folders::Folders;
use super::judge::{Bench, refused};
use super::redirects;
use super::through::sways_programs;
use super::unit::Scene;
use crate::spec::Hand;
use std::collections::BTreeSet;
use std::ffi::OsStr;

impl Bench<'_> {
    /// What a text does besides running commands: variables it sets, files it writes.
    pub(super) fn on_means(&self, scene: &Scene, folders: &Folders) -> Vec<Match> {
        let names: BTreeSet<&str> = scene.assigns.iter().map(|assign| assign.name.as_str()).collect();
        let mut matches: Vec<Match> =
            names.into_iter().filter(|name| decides_what_runs(name)).map(variable).collect();
        if self.command.sets_path() && self.caller.hand == Hand::Program {
            matches.push(variable("PATH"));
        }
        matches.extend(redirects::says(&scene.redirects, self.policy, folders, self.ground));
        matches
    }
}

/// Variables by which a shell finds programs and folders, besides those that sway programs themselves.
const FINDS: &[&str] = &["PWD", "OLDPWD", "HASHCMDS"];

fn decides_what_runs(name: &str) -> bool {
    sways_programs(OsStr::new(name)) || FINDS.contains(&name)
}

fn variable(name: &str) -> Match {
    refused(
        "environment",
        format!("the variable `{name}` decides what programs are, and may not be set"),
        "Leave the variable out, or ask the owner to set it where Runward is started.",
    )
}
