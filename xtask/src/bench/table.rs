//! The result as a table for a terminal, row by row as it comes.

use super::amount::{amount, flat, points, spread, target, two_places};
use super::document::{Absent, Document};
use super::measured::{Bound, CurveRow, MeasuredLine, MeasuredRow};
use super::section;

/// The heading of a section.
pub(crate) fn heading(name: &str) -> String {
    let title = format!("{name}: {}", section::about(name));
    format!("\n{title:<60} {:>10} {:>10} {:>7} {:>21}  target", "baseline", "runward", "ratio", "spread")
}

/// One result.
pub(crate) fn line(measured: &MeasuredLine) -> String {
    match measured {
        MeasuredLine::Row(row) => row_line(row),
        MeasuredLine::Curve(curve) => curve_line(curve),
    }
}

fn row_line(row: &MeasuredRow) -> String {
    let baseline = row.baseline.map(|value| amount(value, &row.unit)).unwrap_or_default();
    let ratio = row.ratio.map(two_places).unwrap_or_default();
    let (product, spread) = (amount(row.product, &row.unit), spread(row));
    let verdict = word(row.bound, row.pass);
    let target = target(row);
    format!("{:<60} {baseline:>10} {product:>10} {ratio:>7} {spread:>21}  {target}{verdict}", row.what)
}

fn curve_line(curve: &CurveRow) -> String {
    let verdict = word(curve.bound, curve.pass);
    format!("{:<60} {}; {}{verdict}", curve.what, points(curve), flat(curve))
}

fn word(bound: Bound, pass: bool) -> &'static str {
    match (bound, pass) {
        (Bound::None, _) => "",
        (_, true) => " pass",
        (_, false) => " FAIL",
    }
}

/// What comes after all sections.
pub(crate) fn end(document: &Document) -> String {
    let absent =
        document.absent.iter().map(|Absent { what, absent }| format!("{what:<60} not measured: {absent}\n"));
    let profile = document.profile.iter().map(|(name, value)| format!("{name} {value}"));
    let built = profile.collect::<Vec<_>>().join(", ");
    format!(
        "\n{}\nbuilt with {built}\ntargets met: {}, missed: {}, not measured: {}\n",
        absent.collect::<String>(),
        document.passed,
        document.missed.len(),
        document.absent.len()
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_row_says_what_it_is_and_whether_it_passes() {
        let rows = sample::document().rows;
        let text = row_line(&rows[0]);
        for part in
            ["static program, one at a time", "101 µs", "230 µs", "2.27", "2.21 … 2.39", "≤ 2.5 × pass"]
        {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(row_line(&rows[4]).ends_with("≤ 1.2 × FAIL"));
        assert!(row_line(&rows[8]).ends_with('–'));
    }

    #[test]
    fn a_curve_is_one_line() {
        let curves = sample::document().curves;
        assert!(curve_line(&curves[1]).ends_with("1000: 460 µs; grows ≤ 1.5 × FAIL"));
        assert!(curve_line(&curves[2]).ends_with('–'));
    }

    #[test]
    fn what_is_absent_is_named_at_the_end() {
        let text = end(&sample::document());
        assert!(
            text.contains("a sandboxed program") && text.contains("not measured: there is no sandbox"),
            "{text}"
        );
        assert!(text.ends_with("targets met: 13, missed: 3, not measured: 1\n"), "{text}");
    }
}
