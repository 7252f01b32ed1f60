//! What filling a template may cost. Liquid knows no limits: a loop in a loop in a loop would run for days.

use liquid_core::{Error, Runtime, ValueView};
use std::io;

/// How large a filled template may be, and how much it may keep under names meanwhile.
pub(super) const MOST_BYTES: usize = 64 * 1024 * 1024;
/// How many rounds all loops of a template may take together.
pub(super) const MOST_ROUNDS: usize = 1_000_000;

/// What is left, and what went wrong while filling.
#[derive(Debug)]
pub(super) struct Budget {
    rounds: usize,
    bytes: usize,
    pub(super) trouble: Option<Trouble>,
}

/// Why filling stopped, where the crate's own words would not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The read with this number found no such part; these are there.
    NoPart {
        spot: usize,
        part: String,
        known: Vec<String>,
    },
    TooManyRounds,
    TooLarge,
}

impl Default for Budget {
    fn default() -> Self {
        Self { rounds: MOST_ROUNDS, bytes: MOST_BYTES, trouble: None }
    }
}

impl Budget {
    pub(super) fn stop(&mut self, trouble: Trouble) -> Error {
        self.trouble.get_or_insert(trouble);
        Error::with_msg("stopped")
    }
}

/// Takes rounds for a loop.
pub(super) fn spend_rounds(runtime: &dyn Runtime, count: usize) -> liquid_core::Result<()> {
    let mut budget = runtime.registers().get_mut::<Budget>();
    match budget.rounds.checked_sub(count) {
        Some(rest) => budget.rounds = rest,
        None => return Err(budget.stop(Trouble::TooManyRounds)),
    }
    Ok(())
}

/// Takes bytes for something that is kept.
pub(super) fn spend_bytes(runtime: &dyn Runtime, count: usize) -> liquid_core::Result<()> {
    let mut budget = runtime.registers().get_mut::<Budget>();
    match budget.bytes.checked_sub(count) {
        Some(rest) => budget.bytes = rest,
        None => return Err(budget.stop(Trouble::TooLarge)),
    }
    Ok(())
}

/// About how many bytes a value takes.
pub(super) fn weight(value: &dyn ValueView) -> usize {
    if let Some(list) = value.as_array() {
        return list.values().map(weight).sum::<usize>() + 16;
    }
    match value.as_object() {
        Some(map) => map.iter().map(|(key, value)| key.len() + weight(value)).sum::<usize>() + 16,
        None => value.to_kstr().len() + 16,
    }
}

/// Takes text up to the limit, and says so when there was more.
#[derive(Debug, Default)]
pub(super) struct Capped {
    pub(super) bytes: Vec<u8>,
    pub(super) is_full: bool,
}

impl io::Write for Capped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > MOST_BYTES {
            self.is_full = true;
            return Err(io::Error::new(io::ErrorKind::StorageFull, "too large"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
