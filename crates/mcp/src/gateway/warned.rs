//! The warnings that the operator was given, so that each is given once.
//!
//! A child that is restarted lists the same again and again, and one that lists ever new things must fill neither our
//! memory nor the log. May not know what a warning says.

use super::listing::Clash;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// How many warnings are given. A child with more has another problem.
const MOST: usize = 1024;

/// The warnings that were given.
#[derive(Debug, Default)]
pub(super) struct Warned(Mutex<HashSet<Clash>>);

/// Whether a warning is to be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Warning {
    /// It was not given yet.
    First,
    /// It was, or too many were.
    Known,
    /// It is the last: say that no more are given.
    Last,
}

impl Warned {
    /// Whether this is to be given; from then on it counts as given.
    pub(super) fn of(&self, clash: &Clash) -> Warning {
        // Every change is one step, so that a panic elsewhere leaves it whole.
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if told.len() > MOST || told.contains(clash) {
            return Warning::Known;
        }
        told.insert(clash.clone());
        if told.len() > MOST { Warning::Last } else { Warning::First }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_clash_is_told_once_and_no_more_than_so_many() {
        let clash = |n: usize| {
            let [kept, passed_over] = ["a", "b"].map(str::to_owned);
            Clash { what: format!("note://{n}"), kept, passed_over }
        };
        let warned = Warned::default();
        assert_eq!([warned.of(&clash(0)), warned.of(&clash(0))], [Warning::First, Warning::Known]);
        let rest: Vec<_> = (0..3 * MOST).map(|n| warned.of(&clash(n))).collect();
        assert_eq!(rest.iter().filter(|warning| **warning == Warning::First).count(), MOST - 1);
        assert_eq!(rest.iter().filter(|warning| **warning == Warning::Last).count(), 1);
    }
}
