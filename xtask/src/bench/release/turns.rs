//! The row of pairs that were measured in turns: the ratio of the medians, and that of each quarter as its spread.

use crate::bench::measured::{Bound, MeasuredRow};
use std::time::Duration;

/// A row without a target.
pub(crate) fn row(what: &str, pairs: &[(Duration, Duration)]) -> MeasuredRow {
    let (baseline, product) = medians(pairs);
    let mut quarters: Vec<f64> =
        pairs.chunks(pairs.len().div_ceil(4).max(1)).map(|part| ratio(medians(part))).collect();
    quarters.sort_by(f64::total_cmp);
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    MeasuredRow {
        section: "release".to_owned(),
        what: what.to_owned(),
        unit: "us".to_owned(),
        baseline: Some(micros(baseline)),
        product: micros(product),
        ratio: Some(ratio((baseline, product))),
        spread: [quarters.first().copied().unwrap_or(0.0), quarters.last().copied().unwrap_or(0.0)],
        bound: Bound::None,
        target: None,
        pass: true,
    }
}

/// A count as a measured number.
#[expect(clippy::cast_precision_loss, reason = "no file is that large")]
pub(crate) fn number(count: u64) -> f64 {
    count as f64
}

fn medians(pairs: &[(Duration, Duration)]) -> (Duration, Duration) {
    let middle = |mut times: Vec<Duration>| {
        times.sort();
        times.get(times.len() / 2).copied().unwrap_or_default()
    };
    (middle(pairs.iter().map(|pair| pair.0).collect()), middle(pairs.iter().map(|pair| pair.1).collect()))
}

fn ratio((baseline, product): (Duration, Duration)) -> f64 {
    product.as_secs_f64() / baseline.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_that_of_the_medians_and_the_spread_that_of_the_quarters() {
        let pair = |base, ours| (Duration::from_micros(base), Duration::from_micros(ours));
        let pairs = [
            [pair(10, 20), pair(10, 20)],
            [pair(10, 30), pair(10, 30)],
            [pair(10, 20), pair(10, 20)],
            [pair(10, 10), pair(10, 10)],
        ]
        .concat();
        let row = row("x", &pairs);
        assert_eq!((row.baseline, row.product, row.ratio), (Some(10.0), 20.0, Some(2.0)));
        assert_eq!(row.spread, [1.0, 3.0]);
        assert!(!row.missed());
    }
}
