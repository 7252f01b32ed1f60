//! Which steps come before which: batches, each of which needs only the ones before it. May not run anything.

use super::StepText;
use crate::{FlowError, meant};
use runward_engine::Code;

/// How many steps a file may have.
const MOST_STEPS: usize = 1000;

/// Steps that can be put in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepOrder {
    pub(super) steps: Vec<StepText>,
    /// The batch of each step.
    pub(super) batch: Vec<usize>,
}

impl StepOrder {
    /// Puts steps in order, or says why they have none.
    pub fn of(steps: Vec<StepText>) -> Result<Self, FlowError> {
        if steps.len() > MOST_STEPS {
            let message = format!("{} steps are more than {MOST_STEPS}", steps.len());
            return Err(FlowError::new(Code::FlowBadStep, message).hint("Split the file."));
        }
        names(&steps)?;
        let needs = steps.iter().map(|step| numbers(step, &steps)).collect::<Result<Vec<_>, _>>()?;
        let batch = batches(&needs).map_err(|left| cycle(&steps, &needs, &left))?;
        Ok(Self { steps, batch })
    }

    /// The steps in the order of the file.
    pub fn steps(&self) -> &[StepText] {
        &self.steps
    }

    /// The batches in the order in which they run; what stands in one of them may run at once.
    pub fn batches(&self) -> Vec<Vec<&StepText>> {
        let count = self.batch.iter().max().map_or(0, |last| last + 1);
        let mut batches = vec![Vec::new(); count];
        for (step, batch) in self.steps.iter().zip(&self.batch) {
            batches[*batch].push(step);
        }
        batches
    }
}

/// Every step has a name that a template can read, and that no other has.
fn names(steps: &[StepText]) -> Result<(), FlowError> {
    for (at, step) in steps.iter().enumerate() {
        let id = &step.id;
        let readable = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-');
        let fits =
            id.starts_with(|first: char| first.is_alphabetic() || first == '_') && id.chars().all(readable);
        let message = if id.is_empty() {
            format!("the `id` of step {} is empty", at + 1)
        } else if !fits {
            format!("`{id}` cannot be the `id` of a step")
        } else if steps[..at].iter().any(|other| other.id == *id) {
            format!("two steps are named `{id}`")
        } else {
            continue;
        };
        let hint = "Give every step a name of its own: a letter first, then letters, digits, `_` and `-`.";
        return Err(FlowError::new(Code::FlowBadStep, message).hint(hint).at(step.mark.clone()));
    }
    Ok(())
}

/// The numbers of the steps that a step needs.
fn numbers(step: &StepText, steps: &[StepText]) -> Result<Vec<usize>, FlowError> {
    let number = |need: &String| {
        steps.iter().position(|other| other.id == *need).ok_or_else(|| {
            let ids: Vec<&str> = steps.iter().map(|other| other.id.as_str()).collect();
            let hint = meant(need, &ids, format!("Name one of {}.", ids.join(", ")));
            let message = format!("step `{}` needs `{need}`, which is no step", step.id);
            FlowError::new(Code::FlowBadStep, message).hint(hint).at(step.mark.clone())
        })
    };
    step.needs.iter().map(number).collect()
}

/// The batch of each step; or those that wait for each other.
fn batches(needs: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut batch: Vec<Option<usize>> = vec![None; needs.len()];
    for round in 0.. {
        let free: Vec<usize> = (0..needs.len())
            .filter(|step| batch[*step].is_none() && needs[*step].iter().all(|need| batch[*need].is_some()))
            .collect();
        if free.is_empty() {
            break;
        }
        free.into_iter().for_each(|step| batch[step] = Some(round));
    }
    let left: Vec<usize> = (0..needs.len()).filter(|step| batch[*step].is_none()).collect();
    if left.is_empty() { Ok(batch.into_iter().flatten().collect()) } else { Err(left) }
}

/// Every step that is left needs another one that is left: going back from any of them leads into a circle.
fn cycle(steps: &[StepText], needs: &[Vec<usize>], left: &[usize]) -> FlowError {
    let mut way = Vec::new();
    let mut next = left.first().copied();
    while let Some(step) = next.filter(|step| !way.contains(step)) {
        way.push(step);
        next = needs[step].iter().copied().find(|need| left.contains(need));
    }
    let start = way.iter().position(|step| Some(*step) == next).unwrap_or(0);
    let round: Vec<usize> = way[start..].iter().chain(way.get(start)).copied().collect();
    let shown: Vec<&str> = round.iter().map(|step| steps[*step].id.as_str()).collect();
    FlowError::new(Code::FlowBadStep, format!("steps wait for each other: {}", shown.join(" → ")))
        .hint("Remove one of these from `needs`.")
        .at(steps[way[start]].mark.clone())
}
