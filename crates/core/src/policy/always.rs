//! What "always" comes to: rules for the very commands that a person was asked about, and nothing broader.
//!
//! May not allow what nobody asked about, and may not write anything down: it gives rules.

use super::identity::Identity;
use super::rule::{Extent, Rule, Standing};
use super::unit::Scene;
use super::{Decision, Word};
use crate::plan::Draft;
use crate::resolve::ResolvedCommand;

/// The rules by which this very draft would not have been asked about. None where that cannot be said: a text that is
/// not understood, or whose words are only known when it runs.
pub fn always(draft: &Draft) -> Option<Vec<Rule>> {
    let command = draft.command();
    let scene = Scene::of(command.asked(), command.program()).ok()?;
    let judged = draft.ruling().commands();
    if scene.units.len() != judged.len() || judged.is_empty() {
        return None;
    }
    let rules = scene.units.iter().zip(judged).map(|(unit, judged)| {
        let program = match &judged.program {
            Identity::File { path, .. } => path.to_str()?.to_owned(),
            Identity::Builtin => unit.name().to_str()?.to_owned(),
            Identity::Missing | Identity::Unsure => return None,
        };
        let words = unit.words[1..].iter().map(Word::text).collect::<Option<Vec<_>>>()?;
        Some(yes(&judged.command, program, &words, command, draft))
    });
    rules.collect()
}

fn yes(shown: &str, program: String, words: &[&str], command: &ResolvedCommand, draft: &Draft) -> Rule {
    Rule {
        name: format!("approved: {shown}"),
        words: words.iter().map(|word| vec![(*word).to_owned()]).collect(),
        extent: Extent::Whole,
        standing: Standing::Approved,
        cwds: vec![command.cwd().to_owned()],
        doors: vec![draft.caller().door],
        because: "a person was asked and said always".to_owned(),
        ..Rule::of(Decision::Allow, program)
    }
}
