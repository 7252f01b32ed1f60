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
        let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
        for value in values.filter(|value| *value > 0.0) {
            (low, high) = (low.min(value), high.max(value));
        }
        if !low.is_finite() {
            (low, high) = (1.0, 1.0);
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

    /// Round numbers on it: powers of ten, of two where these are too few.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        let tens = self.powers(10.0);
        if tens.len() >= 2 { tens } else { self.powers(2.0) }
    }

    fn powers(&self, base: f64) -> Vec<f64> {
        let first = (self.low.ln() / base.ln() - 1e-9).ceil();
        let powers = (0..64).map(|step| base.powf(first + f64::from(step)));
        powers.take_while(|power| *power <= self.high * 1.000_001).collect()
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
    fn ticks_are_round_and_at_least_two() {
        assert_eq!(axis(&[1.0, 1000.0], 1.0).ticks().len(), 4);
        assert_eq!(axis(&[64.0, 512.0], 1.0).ticks(), [64.0, 128.0, 256.0, 512.0]);
        assert!(axis(&[0.0], 10.0).ticks().len() >= 2);
    }
}
