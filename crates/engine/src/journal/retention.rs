//! How much of the journal is kept: a decision about numbers. Pure.

use super::record::Millis;

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Days after which records are dropped.
    pub days: u64,
    /// Bytes that the journal may take.
    pub bytes: u64,
}

/// How much there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stock {
    /// The first record there is.
    pub first: u64,
    /// The last record there is.
    pub last: u64,
    /// When the first was written.
    pub first_at: Millis,
    /// Bytes that all of it takes.
    pub bytes: u64,
}

const A_DAY: Millis = 24 * 60 * 60 * 1000;

/// More is dropped than is needed now, so that not every command drops some.
const FULL_TO: u64 = 90;

/// A write-ahead log of the database that is longer than this is truncated.
const LONGEST_LOG: u64 = 16 << 20;

impl Keep {
    /// Bytes that the database's write-ahead log may take of it.
    pub(super) fn log(self) -> u64 {
        LONGEST_LOG.min(self.bytes / 4)
    }

    /// Records written before this are too old.
    pub fn oldest(self, now: Millis) -> Millis {
        now.saturating_sub(self.days.saturating_mul(A_DAY))
    }

    /// Whether anything is too old.
    pub fn has_old(self, stock: &Stock, now: Millis) -> bool {
        stock.first <= stock.last && stock.first_at < self.oldest(now)
    }

    /// The last record that must go so that the rest fits, going by the average.
    pub fn too_much(self, stock: &Stock) -> Option<u64> {
        let count = (stock.last + 1).saturating_sub(stock.first);
        if stock.bytes <= self.bytes || count < 2 {
            return None;
        }
        let over = u128::from(stock.bytes - self.bytes / 100 * FULL_TO);
        let goes = u64::try_from(over * u128::from(count) / u128::from(stock.bytes)).unwrap_or(count);
        Some(stock.first + goes.clamp(1, count - 1) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEEP: Keep = Keep { days: 2, bytes: 1000 };

    #[test]
    fn what_is_too_old_goes() {
        let stock = |first_at| Stock { first: 1, last: 9, first_at, bytes: 0 };
        let now = 10 * A_DAY;
        assert!(KEEP.has_old(&stock(8 * A_DAY - 1), now));
        assert!(!KEEP.has_old(&stock(8 * A_DAY), now));
        assert!(!KEEP.has_old(&Stock { first: 5, last: 4, first_at: 0, bytes: 0 }, now), "nothing is there");
    }

    #[test]
    fn of_too_much_the_oldest_go_and_the_last_stays() {
        let stock = |bytes| Stock { first: 11, last: 20, first_at: 0, bytes };
        assert_eq!(KEEP.too_much(&stock(1000)), None);
        assert_eq!(KEEP.too_much(&stock(1800)), Some(15), "half of it goes");
        assert_eq!(KEEP.too_much(&stock(1_000_000)), Some(19), "the last one stays");
        assert_eq!(KEEP.too_much(&Stock { first: 1, last: 1, first_at: 0, bytes: 5000 }), None);
    }
}
