//! What a script does besides running commands: variables it sets, files it writes.
//!
//! May not judge a command: commands are judged one by one.

use super::Match;
use super::folders::ScriptFolders;
use super::judge::{Bench, refused};
use super::redirects;
use super::unit::Scene;
use super::wrappers::sways_programs;
use crate::facts::{Backslashes, lookup};
use std::collections::BTreeSet;
use std::ffi::OsStr;

impl Bench<'_> {
    /// What a text does besides running commands: variables it sets, files it writes.
    pub(super) fn on_means(&self, scene: &Scene, folders: &ScriptFolders) -> Vec<Match> {
        let names: BTreeSet<&str> = scene.assigns.iter().map(|assign| assign.name.as_str()).collect();
        let capitals = self.ground.facts.naming.backslashes == Backslashes::AreLetters;
        let decides = |name: &&str| decides_what_runs(name) && !(capitals && is_other_in_small_letters(name));
        let mut matches: Vec<Match> = names.into_iter().filter(decides).map(variable).collect();
        matches.extend(scene.worked_out.iter().filter_map(|name| self.on_worked_out(name)));
        if self.command.sets_path() && !self.policy.is_own(self.caller) {
            matches.push(variable("PATH"));
        }
        matches.extend(redirects::says(scene, self.policy, folders, self.ground));
        matches
    }

    /// Arithmetic evaluates what a variable holds. The text sets it to numbers alone; the environment must, too.
    fn on_worked_out(&self, name: &str) -> Option<Match> {
        let value = lookup(self.command.env(), &self.ground.facts.naming, OsStr::new(name))?;
        let number = value.to_str().is_some_and(|text| text.trim().parse::<i64>().is_ok() || text.is_empty());
        (!number).then(|| {
            refused(
                "environment",
                format!("a sum evaluates what `{name}` holds, and the environment has something else than a number there"),
                &format!("Set `{name}` to a number first, or take another name."),
            )
        })
    }
}

/// Where case matters, `path` is a variable like any other. npm reads its settings in lower case.
fn is_other_in_small_letters(name: &str) -> bool {
    let small = !name.bytes().any(|byte| byte.is_ascii_uppercase());
    small && !["npm_", "pnpm_", "yarn_"].iter().any(|start| name.starts_with(start))
}

/// Variables by which a shell finds programs and folders, besides those that sway programs themselves.
const FINDS: &[&str] = &["PWD", "OLDPWD", "HASHCMDS"];

/// Whether a variable decides what runs, in any case.
pub(super) fn decides_what_runs(name: &str) -> bool {
    sways_programs(OsStr::new(name)) || FINDS.contains(&name)
}

fn variable(name: &str) -> Match {
    refused(
        "environment",
        format!("the variable `{name}` decides what programs are, and may not be set"),
        "Leave the variable out, or ask the owner to set it where Runward is started.",
    )
}
