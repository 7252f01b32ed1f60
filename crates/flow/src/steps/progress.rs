//! What may start next, and what has become of each step. It has no clock and starts nothing.
//!
//! Batches run one after the other, the steps of a batch at once. After a failure the batch comes to its end, and the later
//! ones are skipped: what is skipped depends on the steps, never on which of them was faster.

use super::{Finished, StepOrder, StepText};
use crate::FlowError;
use crate::front::Value;
use runward_engine::Code;
use std::num::NonZeroUsize;

/// Leave to run one step once. Telling how it ended uses it up.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a step that was given out must end"]
pub struct Turn {
    step: usize,
    attempt: u32,
}

impl Turn {
    /// Which attempt it is, counted from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }
}

/// How a step ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepEnding {
    /// It ran, now or in the run that is gone on with.
    Ran(Finished),
    /// Its `when` did not become `true`. What needs it runs all the same.
    NotWanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum StepState {
    Waiting { failed: u32 },
    Running,
    Ended(StepEnding),
    Skipped,
}

/// Where a run of steps stands.
#[derive(Debug)]
pub struct StepsProgress {
    order: StepOrder,
    states: Vec<StepState>,
    batch: usize,
    at_once: usize,
}

impl StepsProgress {
    /// Before the first step. No more than `at_once` run at the same time.
    pub fn new(order: StepOrder, at_once: NonZeroUsize) -> Self {
        let states = vec![StepState::Waiting { failed: 0 }; order.steps.len()];
        Self { order, states, batch: 0, at_once: at_once.get() }
    }

    /// The steps that may start now. Each is given out once; it comes again only when it failed and is to be tried again.
    pub fn ready(&mut self) -> Vec<Turn> {
        self.go_on();
        let running = self.states.iter().filter(|state| **state == StepState::Running).count();
        let mut turns = Vec::new();
        for step in 0..self.states.len() {
            if turns.len() + running >= self.at_once || self.order.batch[step] > self.batch {
                continue;
            }
            if let StepState::Waiting { failed } = self.states[step] {
                self.states[step] = StepState::Running;
                turns.push(Turn { step, attempt: failed + 1 });
            }
        }
        turns
    }

    /// The step that a turn is for.
    pub fn step(&self, turn: &Turn) -> &StepText {
        &self.order.steps[turn.step]
    }

    /// Takes in how a step ended. A failed one waits again if it may be tried again.
    #[expect(clippy::needless_pass_by_value, reason = "a turn is used up: no step ends twice")]
    pub fn ended(&mut self, turn: Turn, ending: StepEnding) {
        let Turn { step, attempt } = turn;
        let again = failed(&ending) && attempt <= self.order.steps[step].retry;
        self.states[step] =
            if again { StepState::Waiting { failed: attempt } } else { StepState::Ended(ending) };
        self.go_on();
    }

    /// Whether nothing runs and nothing will.
    pub fn is_over(&self) -> bool {
        self.states.iter().all(|state| matches!(state, StepState::Ended(_) | StepState::Skipped))
    }

    /// Goes to the next batch when this one is over, or skips what is left.
    fn go_on(&mut self) {
        while self.in_batch().next().is_some()
            && self.in_batch().all(|state| matches!(state, StepState::Ended(_)))
        {
            self.batch += 1;
            if self.failed().next().is_some() {
                for state in &mut self.states {
                    if matches!(state, StepState::Waiting { .. }) {
                        *state = StepState::Skipped;
                    }
                }
                return;
            }
        }
    }

    fn in_batch(&self) -> impl Iterator<Item = &StepState> {
        let all = self.states.iter().zip(&self.order.batch);
        all.filter(|(_, batch)| **batch == self.batch).map(|(state, _)| state)
    }

    fn failed(&self) -> impl Iterator<Item = &Finished> {
        self.states.iter().filter_map(|state| match state {
            StepState::Ended(StepEnding::Ran(finished)) if finished.exit_code != 0 => Some(finished),
            _ => None,
        })
    }

    /// What each step has become, in the order of the file; none for those that did not end.
    pub fn endings(&self) -> impl Iterator<Item = (&StepText, Option<&StepEnding>)> {
        self.order.steps.iter().zip(&self.states).map(|(step, state)| match state {
            StepState::Ended(ending) => (step, Some(ending)),
            _ => (step, None),
        })
    }

    /// What those steps came to that a step needs, as texts, in the order in which it names them.
    pub fn needed_by(&self, step: &StepText) -> Vec<String> {
        let text = |ending: Option<&StepEnding>| match ending {
            Some(StepEnding::Ran(finished)) => format!("ran {}", finished.stdout),
            Some(StepEnding::NotWanted) => "skipped".to_owned(),
            None => String::new(),
        };
        let found = |id: &String| self.endings().find(|(one, _)| one.id == *id);
        step.needs.iter().filter_map(found).map(|(_, ending)| text(ending)).collect()
    }

    /// The value of `steps` in templates: `steps.ID.stdout`, `steps.ID.exit_code` or `exitCode`, `steps.ID.skipped`.
    pub fn read_by_templates(&self) -> Value {
        let ended = self.endings().filter_map(|(step, ending)| Some((step.id.clone(), value(ending?))));
        Value::map(ended)
    }

    /// What came out of it all: what those steps printed that no other step needs, in the order of the file.
    pub fn result(&self) -> String {
        let needed = |id: &str| self.order.steps.iter().any(|step| step.needs.iter().any(|need| need == id));
        let printed = self.endings().filter_map(|(step, ending)| match ending {
            Some(StepEnding::Ran(finished)) if !needed(&step.id) => Some(finished.stdout.as_str()),
            _ => None,
        });
        printed.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The error that a failed run ends in.
    pub fn failure(&self) -> Option<FlowError> {
        let first = self.failed().next()?;
        let failed: Vec<_> =
            self.failed().map(|step| format!("`{}` (exit code {})", step.id, step.exit_code)).collect();
        let skipped = self.states.iter().filter(|state| **state == StepState::Skipped).count();
        let mut message =
            format!("{} failed: {}", if failed.len() == 1 { "a step" } else { "steps" }, failed.join(", "));
        if skipped > 0 {
            message += &format!("; {skipped} more skipped");
        }
        let mark = self.order.steps.iter().find(|step| step.id == first.id).map(|step| step.mark.clone());
        let error = FlowError::new(Code::FlowStepFailed, message)
            .hint("Look at what the step printed, then run again with `--resume` to keep the steps that ended well.");
        Some(error.at(mark))
    }
}

fn failed(ending: &StepEnding) -> bool {
    matches!(ending, StepEnding::Ran(finished) if finished.exit_code != 0)
}

fn value(ending: &StepEnding) -> Value {
    let (stdout, exit_code, skipped) = match ending {
        StepEnding::Ran(finished) => (finished.stdout.clone(), finished.exit_code, false),
        StepEnding::NotWanted => (String::new(), 0, true),
    };
    Value::map([
        ("stdout".into(), Value::Text(stdout)),
        ("exit_code".into(), Value::Number(exit_code.to_string())),
        // Files written for either spelling run here.
        ("exitCode".into(), Value::Number(exit_code.to_string())),
        ("skipped".into(), Value::Bool(skipped)),
    ])
}
