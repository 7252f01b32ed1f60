//! What presets say about a command, and what it is given so that it is as harmless as they think.
//!
//! May not rewrite a text for a shell: what only an argument could make harmless is refused there.

use super::judge::{Bench, refused};
use super::presets::{Fit, preset};
use super::repository;
use super::rule::{Subject, is_genuine};
use super::settled::Settled;
use super::{Match, Opaque};

/// The preset whose terms disarm what only reads, also where it is not in force.
const DISARMS: &str = "readonly";

impl Bench<'_> {
    /// What presets say, and what the command is given so that it is as harmless as they think. A command that is
    /// allowed by other means is given the same.
    pub(super) fn on_presets(
        &self,
        subject: &Subject<'_>,
        unless: &mut Vec<String>,
    ) -> (Vec<Match>, Settled) {
        let mut matches = Vec::new();
        let mut given = Settled::default();
        let mut asked: Vec<&str> = self.policy.presets.iter().map(String::as_str).collect();
        let chosen = asked.len();
        if !asked.contains(&DISARMS) {
            asked.push(DISARMS);
        }
        for (at, name) in asked.into_iter().enumerate() {
            let in_force = at < chosen;
            match self.on_preset(name, subject) {
                Some(Ok(settled)) => {
                    given.join(settled);
                    let listed = self.policy.commands.is_some();
                    matches.extend((in_force && !listed).then(|| by_preset(name)));
                }
                Some(Err(Unfit::Repository(why))) if !in_force => matches.push(by_repository(subject, &why)),
                Some(Err(Unfit::Command(why) | Unfit::Repository(why))) if in_force => unless.push(why),
                Some(Err(_)) | None => {}
            }
        }
        (matches, given)
    }

    /// What one preset says: nothing where it does not know the program, and why not where it does not allow it.
    fn on_preset(&self, name: &str, subject: &Subject<'_>) -> Option<Result<Settled, Unfit>> {
        let unit = subject.unit;
        let terms = match preset(name)?.says(&unit.words, unit.form)? {
            Fit::Refuses(why) => return Some(Err(Unfit::Command(why))),
            Fit::Fits(terms) => terms,
        };
        if !is_genuine(subject) {
            let why = format!("`{}` is not the system's own program", unit.shown());
            return Some(Err(Unfit::Command(why)));
        }
        // What starts it may give it another environment than the one that keeps it harmless.
        let wants = !terms.env.is_empty() || terms.git.is_some() || !terms.args.is_empty();
        if let Some(starter) = unit.via.last().filter(|_| wants) {
            return Some(Err(Unfit::Command(format!("`{}` is started by `{starter}`", unit.shown()))));
        }
        let overrides = match &terms.git {
            Some(_) if subject.elsewhere => Err(Opaque::because("nobody knows in which folder it would run")),
            Some(git) => repository::settle(git, subject.cwds, self.ground),
            None => Ok(Vec::new()),
        };
        let unfit = |opaque: Opaque| Unfit::Repository(opaque.because);
        Some(overrides.map(|overrides| Settled::of(&terms, &overrides)).map_err(unfit))
    }
}

/// Why a preset does not let a command be harmless.
enum Unfit {
    /// Its words, or who runs it.
    Command(String),
    /// The repository it would work in.
    Repository(String),
}

/// A command of git that only reads runs nothing that a repository names, whoever allowed it.
fn by_repository(subject: &Subject<'_>, why: &str) -> Match {
    refused(
        "repository",
        format!("`{}` might run what a repository says: {why}", subject.unit.shown()),
        "Give git as separate words or with the option named here, or ask the owner to look at the repository's settings.",
    )
}

fn by_preset(name: &str) -> Match {
    Match::allows(format!("preset: {name}"), "the preset allows it with these options")
}
