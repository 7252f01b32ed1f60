//! Examples inside a rule: commands that it must, or must not, speak about. They are tried when the rule is loaded,
//! so that a rule says what its owner thinks it says.
//!
//! May not look at the host: in an example every name means the system's own program, and every folder and caller
//! is one that the rule is about.

use super::{Rule, Subject};
use crate::facts::Naming;
use crate::policy::Decision;
use crate::policy::identity::ProgramIdentity;
use crate::policy::unit::{Scene, Unit};

/// An example that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExampleError {
    /// The rule does not speak about one that it must.
    #[error("`{example}` stands in `match` and the rule does not match it")]
    Missed {
        /// The example.
        example: String,
    },
    /// The rule speaks about one that it must not.
    #[error("`{example}` stands in `not_match` and the rule matches it")]
    Hit {
        /// The example.
        example: String,
    },
    /// An example for an allowing rule that cannot be understood.
    #[error("`{example}` stands in `match` and cannot be understood: {because}")]
    Opaque {
        /// The example.
        example: String,
        /// Why.
        because: String,
    },
}

impl Rule {
    /// Tries every example, and tells all that do not hold.
    pub fn try_examples(&self) -> Vec<ExampleError> {
        let wrong = self.examples.iter().filter_map(|example| self.must_match(example));
        let hit = self.counterexamples.iter().filter(|example| self.matches_text(example));
        wrong.chain(hit.map(|example| ExampleError::Hit { example: example.clone() })).collect()
    }

    fn must_match(&self, example: &str) -> Option<ExampleError> {
        let example = example.to_owned();
        match Scene::of_text(&example) {
            Err(opaque) if self.decision == Decision::Allow => {
                Some(ExampleError::Opaque { example, because: opaque.because })
            }
            Err(_) => None,
            Ok(scene) if self.matches_scene(&scene) => None,
            Ok(_) => Some(ExampleError::Missed { example }),
        }
    }

    /// What is not understood is matched by whatever refuses, and by nothing that allows.
    fn matches_text(&self, example: &str) -> bool {
        Scene::of_text(example).map_or(self.decision != Decision::Allow, |scene| self.matches_scene(&scene))
    }

    fn matches_scene(&self, scene: &Scene) -> bool {
        let mut units = scene.units.iter();
        match self.decision {
            Decision::Allow => !scene.units.is_empty() && units.all(|unit| self.matches_unit(unit)),
            Decision::Ask | Decision::Deny => units.any(|unit| self.matches_unit(unit)),
        }
    }

    fn matches_unit(&self, unit: &Unit) -> bool {
        let naming = Naming::unix();
        let subject = Subject {
            activated: &[],
            unit,
            identity: &identity(unit, &naming),
            by_name: &|_| ProgramIdentity::Missing,
            cwds: &[],
            elsewhere: false,
            naming: &naming,
        };
        self.is_about_program(&subject) && self.is_about_words(&subject)
    }
}

/// A name is the system's own program; a path is that file.
fn identity(unit: &Unit, naming: &Naming) -> ProgramIdentity {
    if !naming.has_separator(unit.name()) {
        return ProgramIdentity::Missing;
    }
    let path = std::path::PathBuf::from(unit.name());
    ProgramIdentity::File { real: path.clone(), planted: !naming.is_absolute(&path), path, shadows: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_that_hold_are_silent() {
        let mut rule = Rule::of(Decision::Allow, "git");
        rule.words = vec![vec!["status".to_owned(), "log".to_owned()]];
        rule.examples = vec!["git status".to_owned(), "git log -1".to_owned()];
        rule.counterexamples = vec!["git push".to_owned(), "./git status".to_owned(), "git $x".to_owned()];
        assert_eq!(rule.try_examples(), []);
    }

    #[test]
    fn examples_that_do_not_hold_are_told_all() {
        let mut rule = Rule::of(Decision::Deny, "rm");
        rule.examples = vec!["ls".to_owned(), "rm x".to_owned()];
        rule.counterexamples = vec!["rm -i x".to_owned()];
        let told: Vec<String> = rule.try_examples().iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "`ls` stands in `match` and the rule does not match it",
                "`rm -i x` stands in `not_match` and the rule matches it"
            ]
        );
    }
}
