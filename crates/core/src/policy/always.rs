//! The answer "always": rules for the very commands that a person was asked about, and nothing broader.
//!
//! May not allow what the person was not asked about, and may not write anything down: it gives rules.

use super::identity::ProgramIdentity;
use super::rule::{Extent, Rule, RuleStanding};
use super::unit::{Scene, Unit};
use super::wrappers::asks;
use super::{Decision, Redirect, Word};
use crate::plan::Draft;
use crate::resolve::ResolvedCommand;
use crate::spec::StdinSpec;

/// The rules by which this very draft would not have been asked about. None where that cannot be said: a script that is
/// not understood, words that are only known when it runs, or a command that is given more than its words.
pub fn always(draft: &Draft) -> Option<Vec<Rule>> {
    let command = draft.command();
    let scene = Scene::of(command.asked(), command.program()).ok()?;
    let judged = draft.ruling().commands();
    let fed = |unit: &Unit| asks(&unit.words);
    if scene.units.len() != judged.len() || judged.is_empty() || !is_all(command, &scene) {
        return None;
    }
    // A program that runs what it is fed is another command each time, also behind a pipe.
    if scene.units.iter().any(fed) {
        return None;
    }
    let rules = scene.units.iter().zip(judged).map(|(unit, judged)| {
        let program = match &judged.program {
            ProgramIdentity::File { path, .. } => path.to_str()?.to_owned(),
            ProgramIdentity::Builtin => unit.name().to_str()?.to_owned(),
            ProgramIdentity::Missing | ProgramIdentity::Unsure => return None,
        };
        let words = unit.words[1..].iter().map(Word::text).collect::<Option<Vec<_>>>()?;
        Some(yes(&judged.command, program, &words, command, draft))
    });
    rules.collect()
}

/// Whether its words are all that a command is given. A yes to the words is no yes to another environment or input.
pub(super) fn is_all(command: &ResolvedCommand, scene: &Scene) -> bool {
    let feeds = |redirect: &Redirect| matches!(redirect, Redirect::Reads(_) | Redirect::Text);
    *command.stdin() == StdinSpec::Null
        && !command.sets_env()
        && scene.assigns.is_empty()
        && !scene.redirects.iter().any(feeds)
}

fn yes(shown: &str, program: String, words: &[&str], command: &ResolvedCommand, draft: &Draft) -> Rule {
    Rule {
        name: format!("approved: {shown}"),
        words: words.iter().map(|word| vec![(*word).to_owned()]).collect(),
        extent: Extent::Whole,
        standing: RuleStanding::Approved,
        cwds: vec![command.cwd().to_owned()],
        doors: vec![draft.caller().door],
        because: "a person was asked and said always".to_owned(),
        ..Rule::of(Decision::Allow, program)
    }
}
