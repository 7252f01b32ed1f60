//! What filling a template may cost. Liquid knows no limits: a loop in a loop in a loop would run for days.

use super::value::LiquidValue;
use crate::Mark;

/// How large a filled template may be, and how much it may keep under names meanwhile.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// How many rounds all loops of a template may take together.
pub(super) const MOST_ROUNDS: usize = 1_000_000;
/// How many bytes all filters and comparisons may go through together.
pub(super) const MOST_WORK: usize = 1024 * 1024 * 1024;

/// Why filling stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FillTrouble {
    /// The read with this number found no such part; these are there.
    NoPart {
        spot: usize,
        part: String,
        known: Vec<String>,
    },
    TooManyRounds,
    TooLarge,
    TooMuchWork,
    /// A filter would take an import or a command to pieces.
    Cut,
    /// Data or another command would stand in a command.
    InCommand(Box<Mark>),
    /// A value is not what a filter or a tag takes.
    Unfit(String),
}

/// What is left.
#[derive(Debug)]
pub(super) struct FillBudget {
    rounds: usize,
    bytes: usize,
    work: usize,
}

impl Default for FillBudget {
    fn default() -> Self {
        Self { rounds: MOST_ROUNDS, bytes: MOST_BYTES, work: MOST_WORK }
    }
}

impl FillBudget {
    /// Takes a round of a loop.
    pub(super) fn round(&mut self) -> Result<(), FillTrouble> {
        self.rounds = self.rounds.checked_sub(1).ok_or(FillTrouble::TooManyRounds)?;
        Ok(())
    }

    /// Takes bytes for something that is kept.
    pub(super) fn keep(&mut self, bytes: usize) -> Result<(), FillTrouble> {
        self.bytes = self.bytes.checked_sub(bytes).ok_or(FillTrouble::TooLarge)?;
        Ok(())
    }

    /// Takes the work of going through a value.
    pub(super) fn go_through(&mut self, value: &LiquidValue) -> Result<(), FillTrouble> {
        self.work = self.work.checked_sub(value.weight()).ok_or(FillTrouble::TooMuchWork)?;
        Ok(())
    }
}
