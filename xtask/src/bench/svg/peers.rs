//! Other servers beside ours: two bars for each thing that both were asked.
//!
//! May not draw what was not measured in turns.

use super::paper::{Paper, fit};
use crate::bench::amount::{amount, times};
use crate::bench::document::Document;
use crate::bench::measured::Row;
use crate::bench::page;

const WIDTH: f64 = 1000.0;
const LEFT: f64 = 24.0;
const BAR: f64 = 400.0;
const LONGEST: f64 = 380.0;
const RIGHT: f64 = 796.0;
const TOP: f64 = 92.0;
const ROW: f64 = 50.0;

/// The picture; nothing, if no peer was measured.
pub(crate) fn peers(document: &Document) -> Option<String> {
    let rows: Vec<_> = document.rows.iter().filter_map(|row| Some((row, pair(row)?))).collect();
    if rows.is_empty() {
        return None;
    }
    let mut paper = Paper::default();
    paper.text((LEFT, 36.0), "title", "Other servers, asked for the same");
    let about =
        format!("Runward {}, {}, {}", document.runward, page::words(&document.machine), document.when);
    paper.text((LEFT, 56.0), "dim", &about);
    let how = "Medians, measured in turns. The longer bar of each pair fills the width.";
    paper.text((LEFT, 73.0), "dim", how);
    let mut y = TOP;
    for (row, pair) in &rows {
        draw(&mut paper, y, row, *pair);
        y += ROW;
    }
    let each = rows.iter().map(|(row, (theirs, ours))| {
        let words = |value: &f64| amount(*value, &row.unit);
        format!("{}: {}, Runward {}", row.what, words(theirs), words(ours))
    });
    let description = each.collect::<Vec<_>>().join(". ");
    Some(paper.finish((WIDTH, y + 10.0), "Runward beside its peers", &description))
}

/// What the peer took, and what we took.
fn pair(row: &Row) -> Option<(f64, f64)> {
    let theirs = row.baseline.filter(|_| row.section == "peers")?;
    (theirs > 0.0 && row.product > 0.0).then_some((theirs, row.product))
}

fn draw(paper: &mut Paper, y: f64, row: &Row, (theirs, ours): (f64, f64)) {
    let (name, what) = row.what.split_once(": ").unwrap_or((&row.what, ""));
    paper.text((LEFT, y + 15.0), "", &fit(name, 50));
    paper.text((LEFT, y + 32.0), "dim", what);
    let (their_length, our_length) = lengths(theirs, ours);
    for (down, length, class) in [(3.0, their_length, "theirs"), (20.0, our_length, "ours")] {
        paper.rect((BAR, y + down), (length, 14.0), class);
    }
    paper.text((RIGHT, y + 14.0), "dim", &format!("theirs {}", amount(theirs, &row.unit)));
    let share = times(ours / theirs);
    paper.text((RIGHT, y + 31.0), "", &format!("Runward {} ({share})", amount(ours, &row.unit)));
}

/// The bars of a pair. Something is always seen.
fn lengths(theirs: f64, ours: f64) -> (f64, f64) {
    let length = |value: f64| (value / theirs.max(ours) * LONGEST).max(2.0);
    (length(theirs), length(ours))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::sample;

    #[test]
    fn bars_of_a_pair_are_to_scale_and_always_seen() {
        assert_eq!(lengths(200.0, 50.0), (LONGEST, LONGEST / 4.0));
        assert_eq!(lengths(50.0, 200.0), (LONGEST / 4.0, LONGEST));
        assert_eq!(lengths(1e9, 1.0), (LONGEST, 2.0));
        const { assert!(BAR + LONGEST < RIGHT) };
    }

    #[test]
    fn there_is_a_picture_only_when_a_peer_was_measured() {
        let mut document = sample::document();
        assert_eq!(peers(&document), None);
        document.rows[0].section = "peers".to_owned();
        document.rows[0].what = "other <1>: one call".to_owned();
        let text = peers(&document).unwrap();
        assert!(text.contains(">other &lt;1&gt;<") && text.contains(">one call<"), "{text}");
        assert!(text.contains(">theirs 101 µs<") && text.contains(">Runward 230 µs (2.27 ×)<"), "{text}");
    }
}
