//! What was measured several times, minutes apart: of each result the one in the middle.
//!
//! A machine that others use is quick in one minute and slow in the next, and which program suffers more is luck. One
//! measurement cannot tell that from what a program costs; the middle one of several can. May not measure.

use super::measured::{CurveRow, MeasuredLine, MeasuredRow};

/// Results by what they are about, in the order in which they were first measured.
#[derive(Debug, Default)]
pub(crate) struct Passes(Vec<Vec<MeasuredLine>>);

impl Passes {
    /// Takes one more result.
    pub(crate) fn add(&mut self, measured: MeasuredLine) {
        match self.0.iter_mut().find(|same| same[0].about() == measured.about()) {
            Some(same) => same.push(measured),
            None => self.0.push(vec![measured]),
        }
    }

    /// The result in the middle of each. Its spread is from the lowest to the highest of all.
    pub(crate) fn middle(self) -> impl Iterator<Item = MeasuredLine> {
        self.0.into_iter().filter_map(|mut same| {
            same.sort_by(|one, other| one.value().total_cmp(&other.value()));
            let ends = [same.first()?.value(), same.last()?.value()];
            let several = same.len() > 1;
            Some(match same.swap_remove(same.len() / 2) {
                MeasuredLine::Row(row) if several => MeasuredLine::Row(MeasuredRow { spread: ends, ..row }),
                one => one,
            })
        })
    }
}

impl MeasuredLine {
    fn about(&self) -> (&str, &str) {
        match self {
            MeasuredLine::Row(MeasuredRow { section, what, .. })
            | MeasuredLine::Curve(CurveRow { section, what, .. }) => (section, what),
        }
    }

    /// What its target is about: the ratio, or the number where there is none; of a curve, how much it grows.
    fn value(&self) -> f64 {
        match self {
            MeasuredLine::Row(row) => row.ratio.unwrap_or(row.product),
            MeasuredLine::Curve(curve) => curve.ratio.unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    fn middle(all: impl IntoIterator<Item = MeasuredLine>) -> Vec<MeasuredLine> {
        let mut passes = Passes::default();
        all.into_iter().for_each(|one| passes.add(one));
        passes.middle().collect()
    }

    #[test]
    fn of_several_the_one_in_the_middle_is_told_as_it_was_measured() {
        let one = sample::document().rows.remove(0);
        let with = |ratio: f64| {
            MeasuredLine::Row(MeasuredRow { ratio: Some(ratio), pass: ratio <= 2.5, ..one.clone() })
        };
        let found = middle([4.0, 1.0, 2.0, 1.5, 9.0].map(with));
        let [MeasuredLine::Row(row)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((row.ratio, row.pass, row.spread), (Some(2.0), true, [1.0, 9.0]));
    }

    #[test]
    fn what_was_measured_once_stays_as_it_is_and_in_its_place() {
        let document = sample::document();
        let rows = document.rows.into_iter().map(MeasuredLine::Row);
        let all: Vec<_> = rows.chain(document.curves.into_iter().map(MeasuredLine::Curve)).collect();
        assert_eq!(middle(all.clone()), all);
    }

    #[test]
    fn a_curve_is_the_one_that_grows_as_most_of_them_do() {
        let one = sample::document().curves.remove(0);
        let with = |ratio: f64| MeasuredLine::Curve(CurveRow { ratio: Some(ratio), ..one.clone() });
        assert_eq!(middle([8.0, 2.0, 4.0].map(with)), [with(4.0)]);
    }
}
