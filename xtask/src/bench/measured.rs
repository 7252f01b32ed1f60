//! What a bench program says, line by line: a number with its target, or a curve.
//!
//! May not judge: whether a target is met was decided where it was measured.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Which side of the target is the good one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Bound {
    /// So many times the baseline, or less.
    AtMost,
    /// So much of the baseline's speed, or more.
    AtLeast,
    /// The product itself, or less.
    Within,
    /// The end of a curve is so many times the point in its middle, or less.
    Flat,
    /// There is no target: it is told to understand the others.
    None,
}

/// One number, beside its baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    #[serde(default)]
    pub(crate) section: String,
    pub(crate) what: String,
    /// `us`, `ns`, `bytes` or `per_second`.
    pub(crate) unit: String,
    pub(crate) baseline: Option<f64>,
    pub(crate) product: f64,
    pub(crate) ratio: Option<f64>,
    /// Of the ratio, or of the product where there is none.
    pub(crate) spread: [f64; 2],
    pub(crate) bound: Bound,
    pub(crate) target: Option<f64>,
    pub(crate) pass: bool,
}

/// How something grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Curve {
    #[serde(default)]
    pub(crate) section: String,
    pub(crate) what: String,
    pub(crate) unit: String,
    /// What the first number of each point counts.
    pub(crate) over: String,
    pub(crate) points: Vec<[f64; 2]>,
    /// What its end is to the point in the middle; none where that is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ratio: Option<f64>,
    pub(crate) bound: Bound,
    pub(crate) target: Option<f64>,
    pub(crate) pass: bool,
}

/// A line of a bench program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Measured {
    Row(Row),
    Curve(Curve),
}

/// Reads a line that was printed while a section was measured. A line that is no JSON is no result.
pub(crate) fn read(line: &str, section: &str) -> Result<Option<Measured>, String> {
    let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(line) else { return Ok(None) };
    let failed = |error: serde_json::Error| format!("the line `{line}` is no result: {error}");
    let named = |own: String| if own.is_empty() { section.to_owned() } else { own };
    if value.get("points").is_some() {
        let curve: Curve = serde_json::from_value(value).map_err(failed)?;
        return Ok(Some(Measured::Curve(Curve { section: named(curve.section.clone()), ..curve })));
    }
    let row: Row = serde_json::from_value(value).map_err(failed)?;
    Ok(Some(Measured::Row(Row { section: named(row.section.clone()), ..row })))
}

impl Measured {
    /// The same in nine digits: further ones say nothing, and not all of them come back from text as they were.
    pub(crate) fn rounded(self) -> Self {
        match self {
            Measured::Row(mut row) => {
                let [low, high] = &mut row.spread;
                let known = [&mut row.baseline, &mut row.ratio, &mut row.target].into_iter().flatten();
                known.chain([low, high, &mut row.product]).for_each(round);
                Measured::Row(row)
            }
            Measured::Curve(mut curve) => {
                let known = [&mut curve.ratio, &mut curve.target].into_iter().flatten();
                known.chain(curve.points.iter_mut().flatten()).for_each(round);
                Measured::Curve(curve)
            }
        }
    }
}

fn round(number: &mut f64) {
    *number = format!("{number:.8e}").parse().unwrap_or(*number);
}

impl Row {
    /// How much of the target is used: 1 is all of it, more is missed.
    pub(crate) fn used(&self) -> Option<f64> {
        let target = self.target?;
        let share = |part: f64, whole: f64| if part <= 0.0 { 0.0 } else { part / whole };
        match self.bound {
            Bound::AtMost => Some(share(self.ratio?, target)),
            Bound::AtLeast => Some(share(target, self.ratio?)),
            Bound::Within => Some(share(self.product, target)),
            Bound::Flat | Bound::None => None,
        }
    }

    /// Whether it has a target and misses it.
    pub(crate) fn missed(&self) -> bool {
        self.bound != Bound::None && !self.pass
    }
}

impl Curve {
    /// Whether it has a target and misses it.
    pub(crate) fn missed(&self) -> bool {
        self.bound != Bound::None && !self.pass
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn rows_and_curves_are_told_apart() {
        let document = sample::document();
        assert_eq!(document.rows.len() + document.curves.len(), sample::LINES.lines().count());
        assert_eq!(document.curves[0].points[2], [100.0, 47_104.0]);
        assert_eq!(document.rows[0].bound, Bound::AtMost);
    }

    #[test]
    fn a_line_without_its_section_belongs_to_the_one_that_is_measured() {
        let line = sample::LINES.lines().next().unwrap().replace("\"section\":\"spawn\",", "");
        let Ok(Some(Measured::Row(row))) = read(&line, "kill") else { panic!("{line}") };
        assert_eq!(row.section, "kill");
    }

    #[test]
    fn words_are_no_result_and_half_a_result_is_an_error() {
        assert_eq!(read("warming up", "kill"), Ok(None));
        assert_eq!(read("3", "kill"), Ok(None));
        assert!(read("{\"what\":\"x\"}", "kill").unwrap_err().contains("unit"));
    }

    #[test]
    fn the_share_of_a_target_grows_towards_missing_it() {
        let row = |bound, ratio, product, target| {
            let one = sample::document().rows.remove(0);
            Row { bound, ratio, product, target: Some(target), ..one }.used()
        };
        assert_eq!(row(Bound::AtMost, Some(2.0), 0.0, 2.5), Some(0.8));
        assert_eq!(row(Bound::AtLeast, Some(1.6), 0.0, 0.8), Some(0.5));
        assert_eq!(row(Bound::AtLeast, Some(0.4), 0.0, 0.8), Some(2.0));
        assert_eq!(row(Bound::Within, None, 8.0, 16.0), Some(0.5));
        assert_eq!(row(Bound::None, Some(2.0), 8.0, 16.0), None);
    }

    #[test]
    fn nothing_at_all_is_no_share_of_nothing() {
        let one = sample::document().rows.remove(0);
        let never = Row { bound: Bound::Within, ratio: None, product: 0.0, target: Some(0.0), ..one };
        assert_eq!(never.used(), Some(0.0));
        assert_eq!(Row { product: 3.0, ..never }.used(), Some(f64::INFINITY));
    }
}
