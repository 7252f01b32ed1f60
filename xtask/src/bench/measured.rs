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
pub(crate) struct MeasuredRow {
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
pub(crate) struct CurveRow {
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
pub(crate) enum MeasuredLine {
    Row(MeasuredRow),
    Curve(CurveRow),
}

/// Reads a line that was printed while a section was measured. A line that is no JSON is no result.
pub(crate) fn read(line: &str, section: &str) -> Result<Option<MeasuredLine>, String> {
    let Ok(value @ Value::Object(_)) = serde_json::from_str::<Value>(line) else { return Ok(None) };
    let failed = |error: serde_json::Error| format!("the line `{line}` is no result: {error}");
    let named = |own: String| if own.is_empty() { section.to_owned() } else { own };
    if value.get("points").is_some() {
        let curve: CurveRow = serde_json::from_value(value).map_err(failed)?;
        return Ok(Some(MeasuredLine::Curve(CurveRow { section: named(curve.section.clone()), ..curve })));
    }
    let row: MeasuredRow = serde_json::from_value(value).map_err(failed)?;
    Ok(Some(MeasuredLine::Row(MeasuredRow { section: named(row.section.clone()), ..row })))
}

impl MeasuredLine {
    /// The same in nine digits: further ones say nothing, and not all of them come back from text as they were.
    pub(crate) fn rounded(self) -> Self {
        match self {
            MeasuredLine::Row(mut row) => {
                let [low, high] = &mut row.spread;
                let known = [&mut row.baseline, &mut row.ratio, &mut row.target].into_iter().flatten();
                known.chain([low, high, &mut row.product]).for_each(round);
                MeasuredLine::Row(row)
            }
            MeasuredLine::Curve(mut curve) => {
                let known = [&mut curve.ratio, &mut curve.target].into_iter().flatten();
                known.chain(curve.points.iter_mut().flatten()).for_each(round);
                MeasuredLine::Curve(curve)
            }
        }
    }
}

fn round(number: &mut f64) {
    *number = format!("{number:.8e}").parse().unwrap_or(*number);
}

impl MeasuredRow {
    /// Whether it has a target and misses it.
    pub(crate) fn missed(&self) -> bool {
        self.bound != Bound::None && !self.pass
    }
}

impl CurveRow {
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
        let Ok(Some(MeasuredLine::Row(row))) = read(&line, "kill") else { panic!("{line}") };
        assert_eq!(row.section, "kill");
    }

    #[test]
    fn words_are_no_result_and_half_a_result_is_an_error() {
        assert_eq!(read("warming up", "kill"), Ok(None));
        assert_eq!(read("3", "kill"), Ok(None));
        assert!(read("{\"what\":\"x\"}", "kill").unwrap_err().contains("unit"));
    }
}
