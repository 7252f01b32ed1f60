//! What one battery counts: lost, left, hung, wrong, and a sentence for each finding.
//!
//! May not decide what counts as which: the batteries do.

use serde::Serialize;

/// So many sentences are kept of one battery. The counts go on.
const SENTENCES: usize = 40;

/// The counts of one battery.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Tally {
    /// Cases that were played.
    pub(crate) rounds: u64,
    /// Records, bytes and answers that are gone without a word.
    pub(crate) lost: u64,
    /// Processes, groups of processes and files of ours that stayed.
    pub(crate) left: u64,
    /// Calls past their limit, servers that do not end.
    pub(crate) hung: u64,
    /// False words, wrong codes, panics, memory that did not come back.
    pub(crate) wrong: u64,
    /// What was found, in words.
    pub(crate) found: Vec<String>,
}

impl Tally {
    /// One more case was played.
    pub(crate) fn round(&mut self) {
        self.rounds += 1;
    }

    /// So much is gone.
    pub(crate) fn lost(&mut self, count: usize, words: impl Into<String>) {
        self.lost += note(&mut self.found, "lost", count, words);
    }

    /// So much stayed.
    pub(crate) fn left(&mut self, count: usize, words: impl Into<String>) {
        self.left += note(&mut self.found, "left", count, words);
    }

    /// Something did not come in time.
    pub(crate) fn hung(&mut self, words: impl Into<String>) {
        self.hung += note(&mut self.found, "hung", 1, words);
    }

    /// Something was not as it must be.
    pub(crate) fn wrong(&mut self, words: impl Into<String>) {
        self.wrong += note(&mut self.found, "wrong", 1, words);
    }

    /// Holds that something is so.
    pub(crate) fn hold(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.wrong(otherwise());
        }
    }

    /// Whether nothing was found.
    pub(crate) fn is_clean(&self) -> bool {
        self.lost + self.left + self.hung + self.wrong == 0
    }
}

fn note(found: &mut Vec<String>, kind: &str, count: usize, words: impl Into<String>) -> u64 {
    if count > 0 && found.len() < SENTENCES {
        let words: String = words.into().chars().take(600).collect();
        found.push(format!("{kind} {count}: {}", words.trim().replace('\n', " / ")));
    }
    count as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_counted_by_itself_and_said_in_words() {
        let mut tally = Tally::default();
        assert!(tally.is_clean());
        tally.lost(0, "nothing");
        assert_eq!((tally.is_clean(), tally.found.len()), (true, 0));
        tally.lost(3, "three records\nof one server");
        tally.left(1, "a process");
        tally.hung("a call");
        tally.hold(true, String::new);
        tally.hold(false, || "a word".to_owned());
        assert_eq!((tally.lost, tally.left, tally.hung, tally.wrong), (3, 1, 1, 1));
        assert_eq!(tally.found[0], "lost 3: three records / of one server");
        assert!(!tally.is_clean());
    }

    #[test]
    fn sentences_are_bounded_and_counts_are_not() {
        let mut tally = Tally::default();
        (0..SENTENCES * 2).for_each(|_| tally.hung("x".repeat(10_000)));
        assert_eq!((tally.hung, tally.found.len()), (80, SENTENCES));
        assert!(tally.found.iter().all(|words| words.len() < 700));
    }
}
