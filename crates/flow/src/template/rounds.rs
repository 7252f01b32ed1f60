//! What a loop goes through, one after the other: items of a list, pairs of a map, numbers. May not write them all down
//! first: a range may have a million.

use super::budget::{FillTrouble, MOST_ROUNDS};
use super::value::LiquidValue;
use std::ops::Range;
use std::sync::Arc;

/// The items of a loop.
pub(super) struct LoopItems {
    all: ItemSource,
    taken: Range<usize>,
}

enum ItemSource {
    List(Arc<[LiquidValue]>),
    Numbers(i64),
}

impl LoopItems {
    /// Of a list its items, of a map pairs, of nothing none; anything else is one item.
    pub(super) fn of(value: LiquidValue) -> Self {
        let list = match value {
            LiquidValue::List(items) => items,
            LiquidValue::Map(entries) => {
                let pair = |(key, value): &(Arc<str>, LiquidValue)| {
                    LiquidValue::list([LiquidValue::Text(Arc::clone(key)), value.clone()])
                };
                entries.iter().map(pair).collect()
            }
            empty if empty.is_empty() => Arc::default(),
            one => Arc::new([one]),
        };
        Self { taken: 0..list.len(), all: ItemSource::List(list) }
    }

    /// Whole numbers, both ends included.
    pub(super) fn numbers(first: i64, last: i64) -> Result<Self, FillTrouble> {
        let count = (i128::from(last) - i128::from(first) + 1).max(0);
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if count > MOST_ROUNDS {
            return Err(FillTrouble::TooManyRounds);
        }
        Ok(Self { all: ItemSource::Numbers(first), taken: 0..count })
    }

    /// Leaves out what stands before the offset, and what stands behind the limit.
    pub(super) fn cut(&mut self, offset: usize, limit: usize) {
        let start = offset.min(self.taken.end);
        self.taken = start..self.taken.end.min(start.saturating_add(limit));
    }

    pub(super) fn len(&self) -> usize {
        self.taken.len()
    }

    pub(super) fn get(&self, at: usize) -> LiquidValue {
        let at = self.taken.start + at;
        match &self.all {
            ItemSource::List(items) => items.get(at).cloned().unwrap_or(LiquidValue::Nil),
            ItemSource::Numbers(first) => {
                LiquidValue::Integer(first.saturating_add(i64::try_from(at).unwrap_or(i64::MAX)))
            }
        }
    }
}
