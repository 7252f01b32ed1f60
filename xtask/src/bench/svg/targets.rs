//! One bar for each target: as long as the share of it that is used.

use super::paper::{Paper, fit};
use crate::bench::amount::{amount, target, times};
use crate::bench::document::Document;
use crate::bench::measured::{Bound, Row};
use crate::bench::{page, section};

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 24.0;
/// Where bars begin, how long one is that uses the whole target, and where they have to end.
const BAR: f64 = 470.0;
const WHOLE: f64 = 240.0;
const LONGEST: f64 = 310.0;
const RIGHT: f64 = 796.0;
const TOP: f64 = 112.0;
const HEAD: f64 = 42.0;
const ROW: f64 = 40.0;
/// Letters of a name that fit before the bars.
const LETTERS: usize = 62;

/// The picture.
pub(crate) fn targets(document: &Document) -> String {
    let mut paper = Paper::default();
    title(&mut paper, document);
    let mut y = TOP;
    for name in document.sections() {
        let rows: Vec<_> =
            document.rows.iter().filter(|row| row.section == name && row.used().is_some()).collect();
        if rows.is_empty() {
            continue;
        }
        paper.text((LEFT, y + 24.0), "head", &format!("{name}: {}", section::about(name)));
        paper.line((LEFT, y + 33.0), (WIDTH - LEFT, y + 33.0), "rule");
        y += HEAD;
        for row in rows {
            draw(&mut paper, y, row);
            y += ROW;
        }
    }
    y = absent(&mut paper, y, document);
    paper.finish((WIDTH, y + 20.0), "Performance targets of Runward", &description(document))
}

fn title(paper: &mut Paper, document: &Document) {
    paper.text((LEFT, 36.0), "title", "How much of each target is used");
    let about =
        format!("Runward {}, {}, {}", document.runward, page::words(&document.machine), document.when);
    paper.text((LEFT, 56.0), "dim", &about);
    let how = "Medians of turns of baseline and Runward in one run. A bar that ends before the line meets its target.";
    paper.text((LEFT, 73.0), "dim", how);
    for (share, words) in [(0.0, "0"), (0.5, "half"), (1.0, "target")] {
        paper.text((BAR + WHOLE * share, TOP - 6.0), "dim mid", words);
    }
}

fn draw(paper: &mut Paper, y: f64, row: &Row) {
    paper.text((LEFT, y + 14.0), "", &fit(row.what.trim(), LETTERS));
    paper.text((LEFT, y + 29.0), "dim", &words(row));
    paper.rect((BAR, y + 6.0), (LONGEST, 16.0), "rail");
    paper.rect((BAR, y + 6.0), (length(row), 16.0), if row.pass { "pass" } else { "miss" });
    paper.line((BAR + WHOLE, y + 2.0), (BAR + WHOLE, y + 26.0), "mark");
    let reached = row.ratio.filter(|_| row.bound != Bound::Within).map(times);
    let reached = reached.unwrap_or_else(|| amount(row.product, &row.unit));
    paper.text((RIGHT, y + 14.0), "", &format!("{reached} ({})", target(row)));
    let (class, verdict) = if row.pass { ("dim", "pass") } else { ("dim bold", "MISSED") };
    paper.text((RIGHT, y + 29.0), class, verdict);
}

/// How long a bar is. Something is always seen, and nothing goes beyond its place.
fn length(row: &Row) -> f64 {
    (row.used().unwrap_or(0.0) * WHOLE).clamp(2.0, LONGEST)
}

fn words(row: &Row) -> String {
    let product = format!("Runward {}", amount(row.product, &row.unit));
    match row.baseline {
        Some(baseline) => format!("baseline {}, {product}", amount(baseline, &row.unit)),
        None => product,
    }
}

fn absent(paper: &mut Paper, mut y: f64, document: &Document) -> f64 {
    if document.absent.is_empty() {
        return y;
    }
    paper.text((LEFT, y + 24.0), "head", "not measured");
    paper.line((LEFT, y + 33.0), (WIDTH - LEFT, y + 33.0), "rule");
    y += HEAD;
    for one in &document.absent {
        paper.text((LEFT, y + 10.0), "", &fit(&format!("{}: {}", one.what, one.absent), 130));
        y += 22.0;
    }
    y
}

fn description(document: &Document) -> String {
    let rows = document.rows.iter().filter(|row| row.used().is_some());
    let each = rows.map(|row| {
        let share = row.used().unwrap_or(0.0) * 100.0;
        let verdict = if row.pass { "pass" } else { "missed" };
        format!("{}: {share:.0} % of the target {}, {verdict}", row.what.trim(), target(row))
    });
    each.collect::<Vec<_>>().join(". ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    fn lengths() -> Vec<f64> {
        sample::document().rows.iter().map(length).collect()
    }

    #[test]
    fn a_bar_is_as_long_as_the_share_that_is_used() {
        let all = lengths();
        assert!((all[0] - WHOLE * 2.27 / 2.5).abs() < 0.01);
        assert!((all[2] - WHOLE * 0.8 / 0.914).abs() < 0.01);
        assert!((all[5] - WHOLE * 11.2 / 50.0).abs() < 0.01);
    }

    #[test]
    fn a_bar_passes_the_line_if_and_only_if_the_target_is_missed() {
        for row in sample::document().rows.iter().filter(|row| row.used().is_some()) {
            assert_eq!(length(row) > WHOLE, !row.pass, "{}", row.what);
        }
    }

    #[test]
    fn no_bar_is_invisible_or_leaves_its_place() {
        assert!(lengths().iter().all(|length| (2.0..=LONGEST).contains(length)));
        const { assert!(BAR + LONGEST < RIGHT) };
    }

    #[test]
    fn every_target_is_drawn_and_what_has_none_is_not() {
        let text = targets(&sample::document());
        let shown = sample::document().rows.iter().filter(|row| row.used().is_some()).count();
        assert_eq!(text.matches("class=\"rail\"").count(), shown);
        assert_eq!(text.matches(">MISSED<").count(), 2);
        assert!(!text.contains("to know"));
        assert!(text.contains("A &amp; B &lt;1&gt;") && text.contains("a sandboxed program: there is no"));
    }
}
