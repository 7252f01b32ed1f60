//! One curve in a frame of its own.

use super::axis::Axis;
use super::paper::{Paper, wrap};
use crate::bench::amount::{amount, chosen, flat};
use crate::bench::measured::{Bound, Curve};

/// How much room a chart takes.
pub(crate) const SIZE: (f64, f64) = (304.0, 262.0);

/// Where the frame is, from the chart's own corner.
const FRAME: (f64, f64, f64, f64) = (62.0, 62.0, 288.0, 206.0);
/// Letters of a name that fit in a line.
const LETTERS: usize = 42;
/// Room that a number needs below the frame.
const BETWEEN: f64 = 34.0;

/// Draws a curve with its corner at a place.
pub(crate) fn chart(paper: &mut Paper, corner: (f64, f64), curve: &Curve) {
    let (x, y) = corner;
    let mut line = y + 16.0;
    for words in wrap(&curve.what, LETTERS).iter().take(2) {
        paper.text((x, line), "", words);
        line += 17.0;
    }
    let (class, words) = verdict(curve);
    paper.text((x, line), class, &words);
    let (left, top, right, bottom) = (x + FRAME.0, y + FRAME.1, x + FRAME.2, y + FRAME.3);
    let across = Axis::over(curve.points.iter().map(|point| point[0]), 2.0, (left + 8.0, right - 8.0));
    let upward = Axis::over(curve.points.iter().map(|point| point[1]), 10.0, (bottom - 22.0, top + 14.0));
    for tick in thinned(&upward, &upward.ticks(&curve.unit), 20.0) {
        let at = upward.place(tick);
        paper.line((left, at), (right, at), "rule");
        paper.text((left - 6.0, at + 4.0), "dim end", &chosen(tick, &curve.unit));
    }
    paper.line((left, bottom), (right, bottom), "rule");
    let counts: Vec<f64> = curve.points.iter().map(|point| point[0]).collect();
    for count in thinned(&across, &counts, BETWEEN) {
        paper.text((across.place(count), bottom + 16.0), "dim mid", &count_words(count, &curve.over));
    }
    paper.text(((left + right) / 2.0, bottom + 34.0), "dim mid", &curve.over);
    let places: Vec<_> =
        curve.points.iter().map(|[at, value]| (across.place(*at), upward.place(*value))).collect();
    paper.curve(&places);
    ends(paper, curve, &places);
}

/// The first and the last number, written beside their dots.
fn ends(paper: &mut Paper, curve: &Curve, places: &[(f64, f64)]) {
    let mut write = |index: usize, class: &str, down: f64| {
        let (value, (x, y)) = (curve.points[index][1], places[index]);
        paper.text((x, y + down), class, &amount(value, &curve.unit));
    };
    let Some(last) = places.len().checked_sub(1) else { return };
    // Below the dot where the curve goes up from it, so that they do not meet.
    let rises = places.get(1).is_some_and(|next| next.1 < places[0].1 - 2.0);
    write(0, "dim halo", if rises { 16.0 } else { -8.0 });
    if last > 0 {
        write(last, "dim halo end", -8.0);
    }
}

fn verdict(curve: &Curve) -> (&'static str, String) {
    match (curve.bound, curve.pass) {
        (Bound::None, _) => ("dim", "no target".to_owned()),
        (_, true) => ("dim", format!("{}: pass", flat(curve))),
        (_, false) => ("dim bold", format!("{}: MISSED", flat(curve))),
    }
}

/// Numbers that stand far enough apart to be written, the last always among them.
fn thinned(axis: &Axis, numbers: &[f64], apart: f64) -> Vec<f64> {
    let mut kept: Vec<f64> = Vec::new();
    for number in numbers.iter().rev() {
        let far = |other: &f64| (axis.place(*other) - axis.place(*number)).abs() >= apart;
        if kept.last().is_none_or(far) {
            kept.push(*number);
        }
    }
    kept
}

/// A count with as few letters as possible.
fn count_words(count: f64, over: &str) -> String {
    let (kilo, mega, names) =
        if over == "bytes" { (1024.0, 1_048_576.0, ["Ki", "Mi"]) } else { (1e3, 1e6, ["k", "M"]) };
    let short = |unit: f64, name: &str| format!("{}{name}", (count / unit * 10.0).round() / 10.0);
    match count {
        many if many >= mega => short(mega, names[1]),
        some if some >= kilo => short(kilo, names[0]),
        few => format!("{few}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_below_the_frame_keep_their_distance() {
        let axis = Axis::over([1.0, 1000.0].into_iter(), 1.0, (0.0, 90.0));
        assert_eq!(thinned(&axis, &[1.0, 10.0, 100.0, 1000.0], 29.0), [1000.0, 100.0, 10.0, 1.0]);
        assert_eq!(thinned(&axis, &[1.0, 10.0, 100.0, 1000.0], 34.0), [1000.0, 10.0]);
    }

    #[test]
    fn counts_are_short() {
        let words = |over| [1.0, 1000.0, 16_384.0, 2_500_000.0].map(|count| count_words(count, over));
        assert_eq!(words("sessions"), ["1", "1k", "16.4k", "2.5M"]);
        assert_eq!(words("bytes"), ["1", "1000", "16Ki", "2.4Mi"]);
    }
}
