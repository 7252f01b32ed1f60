//! Reproducible randomness: one seed begins it, so that a run can be played again.

use std::time::{SystemTime, UNIX_EPOCH};

/// A pseudo-random sequence (xorshift).
#[derive(Debug)]
pub(crate) struct ChanceRow(u64);

impl ChanceRow {
    /// The sequence of this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A seed that is another one every time.
    pub(crate) fn seed() -> u64 {
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| u64::from(time.subsec_nanos()))
    }

    /// The next number, below this one.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from((self.0 >> 11) % (most.max(1) as u64)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_beginning_is_the_same_row_and_every_number_comes() {
        let row = |seed| {
            let mut chance = ChanceRow::new(seed);
            (0..200).map(|_| chance.below(6)).collect::<Vec<_>>()
        };
        assert_eq!(row(7), row(7));
        assert_ne!(row(7), row(8));
        assert!((0..6).all(|number| row(7).contains(&number)));
    }
}
