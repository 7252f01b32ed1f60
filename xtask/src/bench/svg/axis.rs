//! A logarithmic axis: where a number stands on it, and which numbers are written beside it.

/// From one number to a larger one, drawn from one place to another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// An axis that holds all numbers above zero among these, and spans so many times the smallest at the least:
    /// otherwise noise would look like growth.
    pub(crate) fn over(values: impl Iterator<Item = f64>, least: f64, place: (f64, f64)) -> Self {
        let (mut low, mut high, mut nothing) = (f64::INFINITY, 0.0_f64, false);
        for value in values {
            if value > 0.0 {
                (low, high) = (low.min(value), high.max(value));
            } else {
                nothing = true;
            }
        }
        if !low.is_finite() {
            (low, high) = (1.0, 1.0);
        } else if nothing {
            // Room for what has no logarithm, below everything that has one.
            low /= 4.0;
        }
        let missing = (least / (high / low)).max(1.0).sqrt();
        Self { low: low / missing, high: high * missing, start: place.0, end: place.1 }
    }

    /// Where a number stands. One that has no logarithm stands at the start.
    pub(crate) fn place(&self, value: f64) -> f64 {
        if value <= self.low {
            return self.start;
        }
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.start + share.min(1.0) * (self.end - self.start)
    }

    /// Round numbers on it, three at the least if there are so many: powers of ten, or what lies between them. Bytes
    /// are round by powers of two.
    pub(crate) fn ticks(&self, unit: &str) -> Vec<f64> {
        let series: &[(f64, &[f64])] = match unit {
            "bytes" => &[(1024.0, &[1.0]), (16.0, &[1.0]), (4.0, &[1.0]), (2.0, &[1.0])],
            _ => &[(10.0, &[1.0]), (10.0, &[1.0, 2.0, 5.0])],
        };
        let all = series.iter().map(|(base, steps)| self.powers(*base, steps));
        let mut finest = Vec::new();
        for ticks in all {
            finest = ticks;
            if finest.len() >= 3 {
                break;
            }
        }
        finest
    }

    fn powers(&self, base: f64, steps: &[f64]) -> Vec<f64> {
        let first = (self.low.ln() / base.ln()).floor();
        let powers = (0..64).map(|power| base.powf(first + f64::from(power)));
        let all = powers.flat_map(|power| steps.iter().map(move |step| power * step));
        all.skip_while(|tick| *tick < self.low * 0.999_999)
            .take_while(|tick| *tick <= self.high * 1.000_001)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: &[f64], least: f64) -> Axis {
        Axis::over(values.iter().copied(), least, (0.0, 100.0))
    }

    #[test]
    fn a_number_stands_by_its_logarithm() {
        let axis = axis(&[1.0, 100.0], 1.0);
        assert_eq!([axis.place(1.0), axis.place(10.0), axis.place(100.0)], [0.0, 50.0, 100.0]);
        assert_eq!([axis.place(0.0), axis.place(-5.0), axis.place(1e9)], [0.0, 0.0, 100.0]);
    }

    #[test]
    fn noise_does_not_fill_the_axis() {
        let axis = axis(&[98.0, 100.0], 10.0);
        assert!((axis.place(98.0) - axis.place(100.0)).abs() < 1.0);
        assert!((40.0..60.0).contains(&axis.place(99.0)));
    }

    #[test]
    fn ticks_are_round_and_not_too_few() {
        let near = |ticks: Vec<f64>, wanted: &[f64]| {
            let close = ticks.iter().zip(wanted).all(|(tick, wanted)| (tick / wanted - 1.0).abs() < 1e-9);
            assert!(close && ticks.len() == wanted.len(), "{ticks:?}");
        };
        near(axis(&[1.0, 1000.0], 1.0).ticks("us"), &[1.0, 10.0, 100.0, 1000.0]);
        near(axis(&[15.0, 110.0], 1.0).ticks("us"), &[20.0, 50.0, 100.0]);
        near(axis(&[3000.0, 17_000.0], 1.0).ticks("bytes"), &[4096.0, 8192.0, 16_384.0]);
        assert!(axis(&[0.0], 10.0).ticks("us").len() >= 2);
    }

    #[test]
    fn nothing_stands_below_everything_else() {
        let axis = axis(&[0.0, 2.0, 200.0], 10.0);
        assert!(axis.place(0.0) + 10.0 < axis.place(2.0));
    }
}
