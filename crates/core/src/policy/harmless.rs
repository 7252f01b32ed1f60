//! What presets say about a command, and what it is given so that it is as harmless as they think.
//!
//! May not rewrite a text for a shell: what only an argument could make harmless is refused there.

use super::activation;
use super::git_front::{self, GitFront};
use super::judge::{Bench, refused};
use super::presets::{Fit, Preset, PresetTerms, preset};
use super::repository::{self, Repository};
use super::rule::{Subject, is_genuine};
use super::settled::Additions;
use super::{CommandForm, Judged, Match, Opaque, ProgramIdentity};
use std::path::{Path, PathBuf};

/// The preset that disarms what only reads, also where it is not in force.
const DISARMS: &str = "readonly";

/// The preset that is leave to run a project's code.
const RUNS_PROJECTS: &str = "build";

/// What presets say about one command.
#[derive(Debug, Default)]
pub(super) struct Harmless {
    /// Presets in force that allow it.
    pub(super) matches: Vec<Match>,
    /// What it is given.
    pub(super) given: Additions,
    /// Whether all it does is look, and the repositories in which it does so where it is git.
    pub(super) looks: Option<Vec<Option<Repository>>>,
}

impl Bench<'_> {
    /// What presets say, and what the command is given so that it is as harmless as they think. A command that is
    /// allowed by other means is given the same.
    pub(super) fn on_presets(&self, subject: &Subject<'_>, unless: &mut Vec<String>) -> Harmless {
        let mut said = Harmless::default();
        let mut asked: Vec<&str> = self.policy.presets.iter().map(String::as_str).collect();
        let chosen = asked.len();
        if !asked.contains(&DISARMS) {
            asked.push(DISARMS);
        }
        for (at, name) in asked.into_iter().enumerate() {
            let in_force = at < chosen;
            match self.on_preset(name, subject) {
                Some(Ok(fitting)) => {
                    said.given.join(fitting.settled);
                    let listed = self.policy.commands.is_some();
                    said.matches.extend((in_force && !listed).then(|| by_preset(name)));
                    said.looks = (name == DISARMS).then_some(fitting.repositories).or(said.looks);
                }
                Some(Err(UnfitForPreset::Repository(why))) if !in_force => {
                    said.matches.push(by_repository(subject, &why));
                }
                Some(Err(UnfitForPreset::Repository(why))) => unless.push(why),
                Some(Err(UnfitForPreset::Command(why))) => {
                    unless.extend(in_force.then_some(why));
                    self.disarm(name, subject, &mut said);
                }
                None => {}
            }
        }
        said
    }

    /// What one preset says: nothing where it does not know the program, and why not where it does not allow it.
    fn on_preset(&self, name: &str, subject: &Subject<'_>) -> Option<Result<Fitting, UnfitForPreset>> {
        let unit = subject.unit;
        // Behind what starts it no argument can be added, as in a text.
        let form = if unit.via.is_empty() { unit.form } else { CommandForm::Text };
        let terms = match preset(name)?.says(&unit.words, form)? {
            Fit::Refuses(why) => return Some(Err(UnfitForPreset::Command(why))),
            Fit::Fits(terms) => terms,
        };
        if !is_genuine(subject) && !self.is_local(name, subject) {
            let why = format!("`{}` is not the system's own program", unit.shown());
            return Some(Err(UnfitForPreset::Command(why)));
        }
        if let Some(missing) = terms.installed.iter().find(|file| !self.is_installed(file, subject)) {
            let why = format!("the project has no `{missing}`, so `{}` would fetch it", unit.shown());
            return Some(Err(UnfitForPreset::Command(why)));
        }
        // What starts it may give it another environment than the one that keeps it harmless.
        let wants = !terms.env.is_empty() || terms.git.is_some();
        if let Some(starter) = unit.via.iter().find(|starter| wants && !passes_on(starter)) {
            return Some(Err(UnfitForPreset::Command(format!(
                "`{}` is started by `{starter}`",
                unit.shown()
            ))));
        }
        Some(self.fitting(&terms, subject).map_err(|opaque| UnfitForPreset::Repository(opaque.because)))
    }

    /// Whether it is a program of the project that the preset means: what runs the project's code may be part of it.
    fn is_local(&self, name: &str, subject: &Subject<'_>) -> bool {
        let Some(workspace) = &self.policy.workspace else { return false };
        let inside = |folder: &PathBuf| subject.naming.holds(workspace, folder);
        if subject.elsewhere || !subject.cwds.iter().all(inside) {
            return false;
        }
        let local = |path: &str| preset(name).is_some_and(|preset| preset.is_local(path));
        match subject.identity {
            ProgramIdentity::File { path, planted: true, shadows, .. } => {
                let found_by_text = subject.activated.iter().any(|folder| path.starts_with(folder));
                let known = path.to_str().is_some_and(local)
                    || found_by_text && preset(name).is_some_and(Preset::has_locals);
                let folder =
                    subject.naming.parent(path).and_then(|folder| self.ground.look.real_path(&folder));
                known && shadows.is_none() && folder.is_some_and(|folder| inside(&folder))
            }
            // Seen from a folder of the workspace, wherever the text has moved to.
            ProgramIdentity::Unsure => {
                let written = subject.unit.name().to_str().unwrap_or_default();
                local(written) && !written.starts_with('/') && !written.split('/').any(|part| part == "..")
            }
            _ => false,
        }
    }

    /// Whether a project has a file, seen from every folder that the command may run in.
    fn is_installed(&self, file: &str, subject: &Subject<'_>) -> bool {
        let naming = subject.naming;
        let has = |folder: &PathBuf| {
            let mut next = Some(folder.clone());
            while let Some(here) = next {
                if self.ground.look.kind(&naming.below(&here, file)).is_some() {
                    return true;
                }
                next = naming.parent(&here).filter(|parent| *parent != here);
            }
            false
        };
        !subject.elsewhere && subject.cwds.iter().all(has)
    }

    /// What `source …/bin/activate` comes to: leave by the preset that runs a project's code, where the file is one that
    /// puts programs in front of PATH and does nothing else.
    pub(super) fn on_activation(&self, subject: &Subject<'_>) -> Option<Match> {
        let file = activation::file(&subject.unit.words)?;
        let no = |why: String| {
            Some(refused(
                "activation",
                why,
                "Call the program in it by its path, such as `.venv/bin/python -m pytest`.",
            ))
        };
        if self.policy.commands.is_some() || !self.policy.presets.iter().any(|name| name == RUNS_PROJECTS) {
            return no(format!("`{}` runs what the file says", subject.unit.shown()));
        }
        if subject.elsewhere {
            return no(format!("it is not known which file `{file}` is"));
        }
        for cwd in subject.cwds {
            if let Err(opaque) = self.activated(&subject.naming.join(cwd, file)) {
                return no(opaque.because);
            }
        }
        Some(by_preset(RUNS_PROJECTS))
    }

    /// The folder that a file of this kind puts in front of PATH.
    pub(super) fn activated(&self, file: &Path) -> Result<PathBuf, Opaque> {
        let look = self.ground.look;
        let real = look
            .real_path(file)
            .ok_or_else(|| Opaque::because(format!("there is no `{}`", file.display())))?;
        let text = look
            .read_small(&real)
            .ok_or_else(|| Opaque::because(format!("`{}` cannot be read", file.display())))?;
        activation::activates(&text, &real)
    }

    /// What a command needs on these terms.
    fn fitting(&self, terms: &PresetTerms, subject: &Subject<'_>) -> Result<Fitting, Opaque> {
        let Some(git) = &terms.git else {
            return Ok(Fitting { settled: Additions::of(terms, &[]), repositories: Vec::new() });
        };
        let folders = self.folders_of_git(subject)?;
        let disarmed = repository::settle(git, &folders, self.ground)?;
        Ok(Fitting {
            settled: Additions::of(terms, &disarmed.overrides),
            repositories: disarmed.repositories,
        })
    }

    /// The folders in which git would look for a repository: where it runs, or where `-C` leads from there.
    fn folders_of_git(&self, subject: &Subject<'_>) -> Result<Vec<PathBuf>, Opaque> {
        let unknown = || Opaque::because("it is not known in which folder it would run");
        if subject.elsewhere {
            return Err(unknown());
        }
        let targets = match git_front::read(&subject.unit.words) {
            GitFront::Command { folders, .. } => folders,
            // It tells about itself, and looks for no repository.
            GitFront::Alone => Vec::new(),
            GitFront::Open | GitFront::Decides(_) => return Err(unknown()),
        };
        let mut folders = subject.cwds.to_vec();
        for target in targets {
            let target = target.text().ok_or_else(unknown)?;
            folders = folders.iter().map(|from| subject.naming.join(from, target)).collect();
        }
        Ok(folders)
    }

    /// A command of git that the preset knows with other options is disarmed all the same, though not allowed by it.
    fn disarm(&self, name: &str, subject: &Subject<'_>, said: &mut Harmless) {
        let unit = subject.unit;
        let known = preset(name).filter(|_| name == DISARMS && is_genuine(subject));
        let Some(terms) = known.and_then(|preset| preset.terms(&unit.words)) else { return };
        if let Some(starter) = unit.via.iter().find(|starter| !passes_on(starter)) {
            let why = format!("`{starter}` may take away what keeps it from that");
            return said.matches.push(by_repository(subject, &why));
        }
        match self.fitting(&terms, subject) {
            Ok(fitting) => said.given.join(fitting.settled),
            Err(opaque) => said.matches.push(by_repository(subject, &opaque.because)),
        }
    }
}

/// Where all that a request does is look, git is held to the very repository that was judged: should it find another
/// one, it stops. Beside programs that run a project's code it is not held, because they may use git themselves.
pub(super) fn pin(judged: &mut [Judged], looks: &[Option<Vec<Option<Repository>>>]) {
    let only_looks = |(judged, looks): (&Judged, &Option<Vec<_>>)| {
        looks.is_some() || judged.program == ProgramIdentity::Builtin
    };
    if !judged.iter().zip(looks).all(only_looks) {
        return;
    }
    let mut found = looks.iter().flatten().flatten();
    let Some(first) = found.next().filter(|first| found.all(|other| other == *first)) else { return };
    let pinned = repository::pinned(first.as_ref());
    for judged in judged.iter_mut().filter(|judged| !judged.given.config.is_empty()) {
        judged.given.env.extend(pinned.iter().cloned());
    }
}

/// Programs that give what they start the environment that they have.
const PASSES_ON: &[&str] = &[
    "bash", "chrt", "dash", "env", "find", "ionice", "nice", "nohup", "setsid", "sh", "stdbuf", "taskset",
    "time", "timeout", "xargs",
];

fn passes_on(starter: &str) -> bool {
    let name = starter.rsplit('/').next().unwrap_or(starter);
    PASSES_ON.contains(&name)
}

/// What a command that fits is given.
struct Fitting {
    settled: Additions,
    /// The repositories in which it works, where it is git.
    repositories: Vec<Option<Repository>>,
}

/// Why a preset does not let a command be harmless.
enum UnfitForPreset {
    /// Its words, or what starts it.
    Command(String),
    /// The repository it would work in.
    Repository(String),
}

/// A command of git that only reads runs nothing that a repository names, whichever rule allowed it.
fn by_repository(subject: &Subject<'_>, why: &str) -> Match {
    let hint = match subject.unit.form {
        CommandForm::Text => {
            "Give git as separate words or with the option named here, or ask the owner to look at the repository's settings."
        }
        CommandForm::Argv => {
            "Give the option named here, or ask the owner to look at the repository's settings."
        }
    };
    refused("repository", format!("`{}` might run what a repository says: {why}", subject.unit.shown()), hint)
}

fn by_preset(name: &str) -> Match {
    Match::allows(format!("preset: {name}"), "the preset allows it with these options")
}
